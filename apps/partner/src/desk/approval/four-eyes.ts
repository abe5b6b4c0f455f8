// The four-eyes principle: one person makes a proposal, and a second person approves (executes) or refuses it.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { lockDecider, lockSignedIn, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { onePersonMessage, requireProof } from '#partner/people/one-person.ts'
import type { DeskIdentity } from '#partner/people/person.ts'
import { isMaker, isWaiting, type ProposalLine } from '#partner/people/proposal.ts'

/** Days after which an undecided proposal expires. */
export const daysToDecide = 7

export const newProposalColumns = ({ staffId, knownTo }: DeskIdentity, at: Date) => ({
  state: 'WAITING' as const,
  madeBy: staffId,
  makerKnownTo: [...knownTo],
  madeAt: at,
  expiresAt: daysAfter(at, daysToDecide),
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
})

export interface ProposalKind<P extends ProposalLine, Subject = unknown> {
  /** The noun for messages, for example `request`. */
  label: string
  /** Locks the object that the proposal changes. Called before `lockProposal`. */
  lockSubject(tx: Tx): Promise<Subject>
  lockProposal(tx: Tx): Promise<P | undefined>
  /** Throws `forbidden` if the person lacks the permission to decide. Not called for the maker of the proposal. */
  requireMayDecide(tx: Tx, proposal: P): Promise<void> | void
  /** Executes the proposal and returns it. A refusal within `closeIfRefused` closes the proposal. */
  execute(tx: Tx, proposal: P, subject: Subject): Promise<P>
  record(tx: Tx, proposal: P, outcome: 'DONE' | 'REFUSED' | 'WITHDRAWN', decision: FourEyesDecision): Promise<void>
}

export interface FourEyesDecision {
  reason: string | null
  at: Date
}

/** The proposed act has become impossible. The message is the reason. */
class ActRefusal extends Error {}

/** Runs the act. Turns a refusal into an `ActRefusal`, on which `approve` closes the proposal. */
export async function closeIfRefused<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Refusal ? new ActRefusal(error.message) : error
  }
}

/** Locks a pending proposal. Refused: `absent` · `wrong-state` when the proposal is decided or expired. */
async function lockPending<P extends ProposalLine, Subject>(tx: Tx, kind: ProposalKind<P, Subject>, at: Date) {
  const subject = await kind.lockSubject(tx)
  const proposal = await kind.lockProposal(tx)
  if (!proposal) throw new Refusal('absent', `this ${kind.label} does not exist`)
  if (!isWaiting(proposal, at)) throw new Refusal('wrong-state', 'this is already decided or has expired')
  return { subject, proposal }
}

/** Throws `forbidden` for the account that made the proposal, and for an account that counts as the same person. */
function requireOtherPerson(who: DeskIdentity, proposal: ProposalLine): void {
  if (proposal.madeBy === who.staffId) throw new Refusal('forbidden', 'you cannot decide your own proposal')
  if (isMaker(who, proposal)) throw new Refusal('forbidden', onePersonMessage)
}

/**
 * Approves and executes a proposal in one transaction. If the act has become impossible, closes the proposal as refused
 * and stores the reason. Refused: `forbidden` without a second factor, for the person's own proposal, or by
 * `requireMayDecide` · `absent` · `wrong-state`.
 */
export async function approve<P extends ProposalLine, Subject>(
  ctx: Context,
  who: SignedIn,
  kind: ProposalKind<P, Subject>,
  decision: FourEyesDecision,
): Promise<void> {
  requireProof(who)
  try {
    await ctx.db.tx(async (tx) => {
      const { subject, proposal } = await lockPending(tx, kind, decision.at)
      await lockDecider(tx, who, ctx)
      requireOtherPerson(who, proposal)
      await kind.requireMayDecide(tx, proposal)
      await kind.record(tx, await kind.execute(tx, proposal, subject), 'DONE', decision)
    })
  } catch (error) {
    if (!(error instanceof ActRefusal)) throw error
    const { message: reason } = error
    await refuse(ctx, who, kind, { ...decision, reason })
    throw new Refusal('wrong-state', `it is no longer possible, and the ${kind.label} is closed: ${reason}`)
  }
}

/** Refuses a proposal. Fails as `approve` does, but needs no second factor. Refused as `invalid` without a reason. */
export async function refuse<P extends ProposalLine, Subject>(
  { db }: Context,
  who: SignedIn,
  kind: ProposalKind<P, Subject>,
  decision: FourEyesDecision,
): Promise<void> {
  if (!decision.reason)
    throw new Refusal('invalid', 'enter a reason for the person who proposed it', { field: 'reason' })
  await db.tx(async (tx) => {
    const { proposal } = await lockPending(tx, kind, decision.at)
    await lockSignedIn(tx, who)
    requireOtherPerson(who, proposal)
    await kind.requireMayDecide(tx, proposal)
    await kind.record(tx, proposal, 'REFUSED', decision)
  })
}

/** Withdraws a proposal. Refused: `absent` · `wrong-state` · `forbidden` unless the same account made the proposal. */
export const withdraw = <P extends ProposalLine, Subject>(
  { db }: Context,
  who: SignedIn,
  kind: ProposalKind<P, Subject>,
  decision: FourEyesDecision,
): Promise<void> =>
  db.tx(async (tx) => {
    const { proposal } = await lockPending(tx, kind, decision.at)
    await lockSignedIn(tx, who)
    if (proposal.madeBy !== who.staffId)
      throw new Refusal('forbidden', 'only the person who proposed it can withdraw it')
    await kind.record(tx, proposal, 'WITHDRAWN', decision)
  })
