// A borrower's decisions on offers: choosing or declining one, and accepting the final terms after reading the key
// facts.

import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import type { EndReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Paise } from '#kit/money/money.ts'
import { type ConsentPlace, type GivenConsent, recordConsents } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import { lenderChannels } from '#platform/lender-channels.ts'
import { scheduleLapse } from './lapse.ts'
import { isAgreed, isSelected, type Offer, report } from './offer.ts'
import { checkAmount, checkStands, checkUnchanged, lockedElsewhere, selectOffer } from './select.ts'
import { findOffer, findSelected, listOffers, setAccepted, setRejected, setRequestedAmount } from './store.ts'

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
 * The borrower continues with the chosen offer; nothing is sent when the final terms are those that were agreed at the
 * choice. Null when they must be shown and accepted first. Refused as `wrong-state` before they arrive.
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
async function chosen(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  if (!isSelected(offer))
    throw new Refusal('wrong-state', 'this offer is not the chosen one', { status: journey.status })
  return offer
}

/** The borrower's progress, and the reason in the app's or the borrower's words; null without one. */
export interface RejectionReason {
  stage: string | null
  because: string | null
}

/**
 * Declines an offer at any time before the payout. The network has no message for it: the lender's quote lapses (FIS12
 * §11.3), and its later messages are not applied. Repeating it changes nothing. A lender that has not offered yet, such
 * as one waiting for bank statements, can be declined too. The journey ends when nothing is left to choose. Refused:
 * `absent` · `locked` another offer is chosen · `wrong-state` no offer was made yet, this lender will not offer, or the
 * journey has ended.
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
  // Lenders that may still offer are awaited; the end without an offer is handled like a lapse.
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

const keyFacts = [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }] as const

/**
 * The choice of a client without our page (D2 §3): locks the journey to an offer as shown, for the requested amount or
 * else all of it, over the offered term. A lender with a single gold branch needs none named. The caller has shown the
 * offer's Key Facts Statement; the acknowledgement is recorded with the choice, once. Repeating it for the same offer
 * changes nothing; refusals are those of `selectOffer`.
 */
export async function proceedWithOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  { branchId = null, ...place }: ConsentPlace & { branchId?: string | null },
): Promise<Offer> {
  const { tx } = ctx
  const offer = await knownOffer(tx, journey, offerId)
  if (isSelected(offer)) {
    checkUnchanged(journey, offer, { branchId })
    return offer
  }
  const [only, ...others] = offer.branches
  const amount = offer.requestedAmountPaise ?? BigInt(offer.limits.mostAmount)
  const months = offer.terms?.termMonths ?? offer.limits.mostMonths
  await selectOffer(ctx, journey, offerId, {
    amount,
    months,
    branchId: branchId ?? (others.length === 0 && only ? only.id : null),
    place,
  })
  // When choosing only submits, the Key Facts Statement comes with the final terms, and is acknowledged then.
  if (!rulesOf(offer).choiceSubmits)
    await recordConsents(ctx, journey, { given: [...keyFacts], needed: ['key_facts'], place })
  return knownOffer(tx, journey, offerId)
}

/**
 * Stores the amount of an offer that the borrower wants, in paise, until the choice. Refused: `absent` · `locked`
 * another offer is chosen · `wrong-state` not offered, expired, or already chosen with an amount sent to the lender ·
 * `invalid` outside the offered limits.
 */
export async function askAmount({ tx, at }: Write, journey: Journey, offerId: string, amount: Paise): Promise<Offer> {
  const offer = await knownOffer(tx, journey, offerId)
  const held = await findSelected(tx, journey)
  if (held && held.offerId !== offer.offerId) throw lockedElsewhere(offerId, held)
  if (held)
    throw new Refusal('wrong-state', 'this offer was chosen already: its amount cannot be changed any more', {
      proceedBoundaryState: 'LOCKED',
    })
  if (!journey.active || offer.status !== 'OFFER_RECEIVED')
    throw new Refusal('wrong-state', 'there is no offer of this lender to choose from', {
      status: journey.status,
      offerStatus: offer.status,
    })
  checkStands(offer, at)
  checkAmount(offer, amount)
  await setRequestedAmount(tx, offer, amount, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return { ...offer, requestedAmountPaise: amount }
}

async function knownOffer(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  return offer
}
