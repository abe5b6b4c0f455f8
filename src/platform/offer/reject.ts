// The borrower turns an offer down: one of several is taken off the table, the chosen one ends the journey (D2 §4).

import type { EndReason } from '#contract/reason/reason.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { lenderChannels } from '#platform/lender-channels.ts'
import { chosen } from './decide.ts'
import { scheduleLapse } from './lapse.ts'
import { type Offer, report } from './offer.ts'
import { lockedElsewhere } from './select.ts'
import { findOffer, findSelected, listOffers, setRejected } from './store.ts'

/** How far the borrower had come, and why, in the app's or the borrower's own words; null where nothing was said. */
export interface RejectionReason {
  stage: string | null
  because: string | null
}

/**
 * Turns an offer down at any time before the money. The network has no message for it: the lender's quote lapses by
 * itself (FIS12 §11.3), and nothing more of what that lender says is applied. Saying it twice changes nothing. A
 * lender that is awaited beside others, such as one that wants bank statements, can be turned down as well. When nothing
 * is left that could be chosen, the journey ends. Refused: `absent` · `locked` another offer is the chosen one ·
 * `wrong-state` nobody has offered yet, this lender will not, or the journey has ended.
 */
export async function rejectOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  saying: RejectionReason,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  if (offer.rejectedAt) return journey
  const held = await findSelected(tx, journey)
  if (held?.offerId === offer.offerId) return endWith(ctx, journey, held, saying)
  if (held) throw lockedElsewhere(offerId, held)
  if (!journey.active || journey.status !== 'OFFERED' || offer.status === 'NO_OFFER_AVAILABLE')
    throw new Refusal('wrong-state', 'there is nothing of this lender to turn down', {
      status: journey.status,
      offerStatus: offer.status,
    })
  await turnDown(ctx, journey, offer, saying)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  const left = report(journey, await listOffers(tx, journey), at)
  // Who may still offer is waited for; whether anybody did is looked at like any other offer that ends.
  if (left === 'awaited') await scheduleLapse(tx, journey, at)
  return left === 'lapsed' ? ended(ctx, journey, 'ALL_OFFERS_TURNED_DOWN') : journey
}

/** Turns the final terms down on the hosted page, where nothing else can be turned down. */
export async function declineOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  because: string | null,
): Promise<Journey> {
  const { tx } = ctx
  const offer = await chosen(tx, journey, offerId)
  if (journey.status !== 'OFFER_SELECTED')
    throw new Refusal('wrong-state', 'the offer can only be declined before it is accepted', { status: journey.status })
  return endWith(ctx, journey, offer, { stage: null, because })
}

async function endWith(ctx: TxContext, journey: Journey, offer: Offer, saying: RejectionReason): Promise<Journey> {
  await turnDown(ctx, journey, offer, saying)
  const reason = offer.accepted ? 'ENDED_BY_BORROWER' : 'FINAL_OFFER_DECLINED'
  return ended(ctx, journey, reason)
}

async function turnDown(ctx: TxContext, journey: Journey, offer: Offer, saying: RejectionReason): Promise<void> {
  const { tx, at } = ctx
  await setRejected(tx, offer, { ...saying, reason: 'OFFER_TURNED_DOWN' }, at)
  await lenderChannels[offer.channel].decline(ctx, journey, offer, saying.because)
}

async function ended(ctx: TxContext, journey: Journey, endReason: EndReason): Promise<Journey> {
  const { tx, at } = ctx
  await updateJourney(tx, journey, { lastBorrowerActAt: at, endReason }, at)
  return advance(ctx, { ...journey, endReason }, 'rejected')
}
