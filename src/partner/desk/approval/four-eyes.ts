// Four eyes: one person makes a proposal, and a second one approves it, which executes it, or refuses it.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#partner/context.ts'
import {
  isMaker,
  isWaiting,
  onePersonMessage,
  type ProposalLine,
  requireProof,
} from '#partner/desk/staff/one-person.ts'
import { lockDecider, lockSignedIn, type SignedIn } from '#partner/desk/staff/staff.ts'
import type { DeskIdentity } from '#partner/desk-person.ts'

/** Days until an undecided proposal expires as outdated. */
export const daysToDecide = 7

/** The columns that a new proposal starts with. */
export const newProposalColumns = ({ staffId, knownTo }: DeskIdentity, at: Date) => ({
  ...{ state: 'WAITING' as const, madeBy: staffId, makerKnownTo: [...knownTo], madeAt: at },
  ...{ expiresAt: daysAfter(at, daysToDecide), decidedBy: null, decidedAt: null, decisionReason: null },
})

/** How proposals of one kind are locked, permitted, executed and recorded. */
export interface ProposalKind<P extends ProposalLine, Subject = unknown> {
  /** Completes "the …": `request`. */
  label: string
  /** Locks the object that the proposal changes, before the proposal itself. */
  lockSubject(tx: Tx): Promise<Subject>
  lockProposal(tx: Tx): Promise<P | undefined>
  /** Throws `forbidden` when this person may not decide, although another person made the proposal. */
  requireMayDecide(tx: Tx, proposed: P): Promise<void> | void
  /** Executes the proposal and returns it. A refusal within `closeIfRefused` closes the proposal. */
  carryOut(tx: Tx, proposal: P, subject: Subject): Promise<P>
  record(tx: Tx, proposal: P, outcome: 'DONE' | 'REFUSED' | 'WITHDRAWN', decided: FourEyesDecision): Promise<void>
}

export interface FourEyesDecision {
  reason: string | null
  at: Date
}

/** The refusal of an act that has become impossible; its message is the reason. */
class ActRefusal extends Error {}

/** Runs the act, and turns a refusal into `ActRefusal`, which closes the proposal. */
export async function closeIfRefused<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Refusal ? new ActRefusal(error.message) : error
  }
}

/** Locks a pending proposal. Refused: `absent` · `wrong-state` when it is decided or expired. */
async function lockPending<P extends ProposalLine, Held>(tx: Tx, kind: ProposalKind<P, Held>, at: Date) {
  const subject = await kind.lockSubject(tx)
  const proposal = await kind.lockProposal(tx)
  if (!proposal) throw new Refusal('absent', `this ${kind.label} does not exist`)
  if (!isWaiting(proposal, at)) throw new Refusal('wrong-state', 'this is already decided or has expired')
  return { about: subject, proposed: proposal }
}

/** Throws `forbidden` for the proposing account, and for an account that counts as the same person. */
function requireOther(who: DeskIdentity, proposal: ProposalLine): void {
  if (proposal.madeBy === who.staffId) throw new Refusal('forbidden', 'you cannot decide your own proposal')
  if (isMaker(who, proposal)) throw new Refusal('forbidden', onePersonMessage)
}

/**
 * Approves a proposal and executes it, in one transaction. When the act has become impossible, the proposal is closed
 * as refused, with the reason. Refused: `forbidden` without a second factor, for the person's own proposal, or by
 * `requireMayDecide` · `absent` · `wrong-state`.
 */
export async function approve<P extends ProposalLine, Held>(
  ctx: Context,
  who: SignedIn,
  kind: ProposalKind<P, Held>,
  decided: FourEyesDecision,
): Promise<void> {
  requireProof(who)
  try {
    await ctx.db.tx(async (tx) => {
      const { about: subject, proposed } = await lockPending(tx, kind, decided.at)
      await lockDecider(tx, who, ctx)
      requireOther(who, proposed)
      await kind.requireMayDecide(tx, proposed)
      await kind.record(tx, await kind.carryOut(tx, proposed, subject), 'DONE', decided)
    })
  } catch (error) {
    if (!(error instanceof ActRefusal)) throw error
    const { message: reason } = error
    await refuse(ctx, who, kind, { ...decided, reason })
    throw new Refusal('wrong-state', `it is no longer possible, and the ${kind.label} is closed: ${reason}`)
  }
}

/** Refuses a proposal. Fails as `approve` does, but needs no second factor; `invalid` without a `reason`. */
export async function refuse<P extends ProposalLine, Held>(
  { db }: Context,
  who: SignedIn,
  kind: ProposalKind<P, Held>,
  decided: FourEyesDecision,
): Promise<void> {
  if (!decided.reason)
    throw new Refusal('invalid', 'enter a reason for the person who proposed it', { field: 'reason' })
  await db.tx(async (tx) => {
    const { proposed } = await lockPending(tx, kind, decided.at)
    await lockSignedIn(tx, who)
    requireOther(who, proposed)
    await kind.requireMayDecide(tx, proposed)
    await kind.record(tx, proposed, 'REFUSED', decided)
  })
}

/** Withdraws a proposal. Refused: `absent` · `wrong-state` · `forbidden` for every account but the proposing one. */
export const withdraw = <P extends ProposalLine, Held>(
  { db }: Context,
  who: SignedIn,
  kind: ProposalKind<P, Held>,
  decided: FourEyesDecision,
): Promise<void> =>
  db.tx(async (tx) => {
    const { proposed } = await lockPending(tx, kind, decided.at)
    await lockSignedIn(tx, who)
    if (proposed.madeBy !== who.staffId)
      throw new Refusal('forbidden', 'only the person who proposed it can withdraw it')
    await kind.record(tx, proposed, 'WITHDRAWN', decided)
  })
