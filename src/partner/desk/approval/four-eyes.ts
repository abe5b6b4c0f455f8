// Four eyes: what one person proposed and a second one decides. It is carried out with the decision, refused, or withdrawn.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#partner/context.ts'
import { isMaker, isWaiting, onePerson, type ProposalLine, requireProof } from '#partner/desk/staff/one-person.ts'
import { holdDecider, holdSignedIn, type SignedIn } from '#partner/desk/staff/staff.ts'
import type { DeskIdentity } from '#partner/desk-person.ts'

/** A proposal expires after this many days, because its facts are outdated then. */
export const daysToDecide = 7

/** The fields of a proposal that is made now. */
export const newProposal = ({ staffId, knownTo }: DeskIdentity, at: Date) => ({
  ...{ state: 'WAITING' as const, madeBy: staffId, makerKnownTo: [...knownTo], madeAt: at },
  ...{ expiresAt: daysAfter(at, daysToDecide), decidedBy: null, decidedAt: null, decisionReason: null },
})

/** How proposals of one kind are locked, judged, carried out and recorded. */
export interface ProposalKind<P extends ProposalLine, Held = unknown> {
  /** Read after "the": `request`. */
  what: string
  /** Locks what the proposal is about, before the proposal itself. */
  hold(tx: Tx): Promise<Held>
  lock(tx: Tx): Promise<P | undefined>
  /** Refused as `forbidden` where a person other than the maker does not decide on it. */
  mayDecide(tx: Tx, proposed: P): Promise<void> | void
  /** Carries it out, and returns it. A refusal within `doneNow` closes the proposal. */
  carryOut(tx: Tx, proposed: P, held: Held): Promise<P>
  record(tx: Tx, proposed: P, outcome: 'DONE' | 'REFUSED' | 'WITHDRAWN', decided: FourEyesDecision): Promise<void>
}

export interface FourEyesDecision {
  reason: string | null
  at: Date
}

/** Its message gives the reason. */
class NoLongerPossible extends Error {}

/** Does it; fails as `NoLongerPossible` where that is refused. */
export async function doneNow<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Refusal ? new NoLongerPossible(error.message) : error
  }
}

/** Locks a proposal that waits. Refused: `absent` · `wrong-state` when it was decided, or its time is over. */
async function held<P extends ProposalLine, Held>(tx: Tx, kind: ProposalKind<P, Held>, at: Date) {
  const about = await kind.hold(tx)
  const proposed = await kind.lock(tx)
  if (!proposed) throw new Refusal('absent', `there is no such ${kind.what}`)
  if (!isWaiting(proposed, at)) throw new Refusal('wrong-state', 'this is already decided or has expired')
  return { about, proposed }
}

/** Refused as `forbidden` for the account that proposed it, and for one that counts as the same person. */
function requireOther(who: DeskIdentity, proposed: ProposalLine): void {
  if (proposed.madeBy === who.staffId) throw new Refusal('forbidden', 'you cannot decide your own proposal')
  if (isMaker(who, proposed)) throw new Refusal('forbidden', onePerson)
}

/**
 * Approves a proposal and carries it out, in one transaction. If that has become impossible, it is closed as refused
 * with the reason. Refused: `forbidden` without a second factor, for one's own, or as `mayDecide` · `absent` ·
 * `wrong-state`.
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
      const { about, proposed } = await held(tx, kind, decided.at)
      await holdDecider(tx, who, ctx)
      requireOther(who, proposed)
      await kind.mayDecide(tx, proposed)
      await kind.record(tx, await kind.carryOut(tx, proposed, about), 'DONE', decided)
    })
  } catch (error) {
    if (!(error instanceof NoLongerPossible)) throw error
    const { message: reason } = error
    await refuse(ctx, who, kind, { ...decided, reason })
    throw new Refusal('wrong-state', `it is no longer possible, and the ${kind.what} is closed: ${reason}`)
  }
}

/** Refuses a proposal. Refused as `approve`, except for the second factor; `invalid` at `reason` without one. */
export async function refuse<P extends ProposalLine, Held>(
  { db }: Context,
  who: SignedIn,
  kind: ProposalKind<P, Held>,
  decided: FourEyesDecision,
): Promise<void> {
  if (!decided.reason) throw new Refusal('invalid', 'give a reason for the person who proposed it', { field: 'reason' })
  await db.tx(async (tx) => {
    const { proposed } = await held(tx, kind, decided.at)
    await holdSignedIn(tx, who)
    requireOther(who, proposed)
    await kind.mayDecide(tx, proposed)
    await kind.record(tx, proposed, 'REFUSED', decided)
  })
}

/** The account that proposed it takes it back. Refused: `absent` · `wrong-state` · `forbidden` for every other account. */
export const withdraw = <P extends ProposalLine, Held>(
  { db }: Context,
  who: SignedIn,
  kind: ProposalKind<P, Held>,
  decided: FourEyesDecision,
): Promise<void> =>
  db.tx(async (tx) => {
    const { proposed } = await held(tx, kind, decided.at)
    await holdSignedIn(tx, who)
    if (proposed.madeBy !== who.staffId)
      throw new Refusal('forbidden', 'only the person who proposed it can withdraw it')
    await kind.record(tx, proposed, 'WITHDRAWN', decided)
  })
