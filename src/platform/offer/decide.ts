// The borrower takes the final terms, having read the key facts: by saying so, or by going on with what was agreed to.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type ConsentPlace, type GivenConsent, recordConsents } from '#platform/borrower/consent.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { lenderChannels } from '#platform/lender-channels.ts'
import { isAgreed, isSelected, type Offer } from './offer.ts'
import { checkStands } from './select.ts'
import { findOffer, findSelected, setAccepted } from './store.ts'

/** Accepts the final terms (D1 OFFER_ACCEPTED). The acknowledgement of the Key Facts Statement is recorded with it. */
export async function acceptOffer(
  ctx: TxContext,
  journey: Journey,
  { offerId, consents, place }: { offerId: string; consents: GivenConsent[]; place: ConsentPlace },
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await chosen(tx, journey, offerId)
  if (offer.accepted) return journey
  mayAccept(journey, offer, at)
  await recordConsents(ctx, journey, { given: consents, needed: ['key_facts'], place })
  return accepted(ctx, journey, offer)
}

/**
 * The borrower goes on with the chosen offer: nothing is left to say when the final terms are the ones that were agreed
 * to at the choice. Gives null when they have to be shown and accepted first. Refused as `wrong-state` before they came.
 */
export async function goOnWithOffer(ctx: TxContext, journey: Journey): Promise<Journey | null> {
  const { tx, at } = ctx
  if (journey.status !== 'OFFER_SELECTED') return journey
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} is OFFER_SELECTED without a chosen offer`)
  mayAccept(journey, offer, at)
  return isAgreed(journey, offer) ? accepted(ctx, journey, offer) : null
}

function mayAccept(journey: Journey, offer: Offer, at: Date): void {
  if (journey.status !== 'OFFER_SELECTED' || !offer.finalTerms)
    throw new Refusal('wrong-state', 'the lender has not given its final terms yet', { status: journey.status })
  checkStands(offer, at)
}

async function accepted(ctx: TxContext, journey: Journey, offer: Offer): Promise<Journey> {
  const { tx, at } = ctx
  await setAccepted(tx, offer, at)
  await lenderChannels[offer.channel].accept(ctx, journey, offer)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return advance(ctx, journey, 'accepted')
}

/** The offer that holds the journey; refused when this one does not. */
export async function chosen(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  if (!isSelected(offer))
    throw new Refusal('wrong-state', 'this offer is not the chosen one', { status: journey.status })
  return offer
}
