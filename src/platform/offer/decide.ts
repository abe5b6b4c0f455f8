// The borrower decides on the final terms: accepts them, having read the key facts, or declines and ends the journey.
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { type ConsentPlace, type GivenConsent, recordConsents } from '#platform/borrower/consent.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { World } from '#platform/world.ts'
import { isExpired, isSelected, type Offer } from './offer.ts'
import { findOffer, setAccepted, setRejected } from './store.ts'

/** Accepts the final terms (D1 OFFER_ACCEPTED). The acknowledgement of the Key Facts Statement is recorded with it. */
export async function acceptOffer(
  tx: Tx,
  world: World,
  journey: Journey,
  offerId: string,
  consents: GivenConsent[],
  place: ConsentPlace,
  at: Date,
): Promise<Journey> {
  const offer = await chosen(tx, journey, offerId)
  if (offer.accepted) return journey
  if (journey.status !== 'OFFER_SELECTED' || !offer.finalTerms)
    throw new Refusal('wrong-state', 'the lender has not given its final terms yet', { status: journey.status })
  if (isExpired(offer, at))
    throw new Refusal('wrong-state', 'this offer has expired', { validUntil: offer.validUntil?.toISOString() })
  await recordConsents(tx, world, journey, consents, ['key_facts'], place, at)
  await setAccepted(tx, offer, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return advance(tx, world, journey, 'accepted', at)
}

/** Turns the final terms down. The network has no message for it: the lender's quote lapses by itself (FIS12 §11.3). */
export async function declineOffer(
  tx: Tx,
  world: World,
  journey: Journey,
  offerId: string,
  reason: string,
  at: Date,
): Promise<Journey> {
  const offer = await chosen(tx, journey, offerId)
  if (journey.status !== 'OFFER_SELECTED')
    throw new Refusal('wrong-state', 'the offer can only be declined before it is accepted', { status: journey.status })
  await setRejected(tx, offer, reason, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at, endReason: 'You declined the final offer.' }, at)
  return advance(tx, world, journey, 'rejected', at)
}

async function chosen(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  if (!isSelected(offer))
    throw new Refusal('wrong-state', 'this offer is not the chosen one', { status: journey.status })
  return offer
}
