// The session of an offer, for whoever wants to send the borrower on: the lender's asking has begun it (D2 §4 aa/sessions).

import type { Run } from '#kit/db/sql.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { findOffer } from '#platform/offer/store.ts'
import { nameHandle } from './handle.ts'
import { type AaSession, aaIdOf, handleEnding, isOver, maySend, sealedAaId } from './session.ts'
import { changeAaSession, findAaSession, listAaSessions } from './store.ts'

/**
 * Gives the open session of an offer; `aaId` says under which handle the borrower is known at the aggregator, when not by
 * the mobile number. Where the lender did not know the borrower by the one it was given, it is asked again with this one. `absent` without such an offer, `wrong-state` when its lender asks for no consent now, `invalid` for a
 * handle at another aggregator, which knows nothing of the consent.
 */
export async function createAaSession(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  aaId: string | undefined,
): Promise<AaSession> {
  const { tx, at } = ctx
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  const own = (await listAaSessions(tx, journey)).filter((session) => session.offerId === offerId)
  const open = own.find(({ state }) => !isOver(state))
  if (!open)
    throw new Refusal('wrong-state', 'this lender does not ask for bank data now', {
      aaState: own.at(-1)?.state ?? 'NOT_REQUIRED',
    })
  if (aaId !== undefined && open.handleWanted) return nameHandle(ctx, journey, open, aaId)
  if (aaId === undefined || aaId === aaIdOf(ctx, open)) return open
  const ending = handleEnding(ctx, open)
  if (!aaId.endsWith(ending)) throw invalid({ path: 'aaID', message: `must end with ${ending}` })
  if (!maySend(open)) throw new Refusal('wrong-state', 'the consent is decided on already', { aaState: open.state })
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return changeAaSession(tx, open, { aaIdSealed: sealedAaId(ctx, open, aaId) }, at)
}

/** One session of the journey; `absent` when it is none of it. */
export async function aaSessionOf(
  db: Run,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  aaSessionId: string,
): Promise<AaSession> {
  const session = await findAaSession(db, journey, aaSessionId)
  if (!session) throw new Refusal('absent', 'there is no such account-aggregator session in this journey')
  return session
}
