// A borrower's decisions on offers: to choose or reject an offer, to request another amount, and to accept the final
// terms.

import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Paise } from '@lendloom/lending/money'
import type { EndReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { offerReplaced } from '@lendloom/wire/hosted/embed-requests'
import type { TxContext } from '#platform/context.ts'
import {
  type ConsentOrigin,
  type GivenConsent,
  recordConsents,
  type ShownQuote,
} from '#platform/lending/borrower/consent.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import { scheduleLapse } from './journey-lapse.ts'
import { isAgreedAtChoice, isSelected, type Offer, outlookOf, quoteOf } from './offer.ts'
import { checkAmount, lockedToOtherOffer, requireNotExpired, requireSameChoice, selectOffer } from './select-offer.ts'
import { findOffer, findSelected, listOffers, setAccepted, setRejected, setRequestedAmount } from './store.ts'

export interface Acceptance {
  offerId: string
  /** The quote that the borrower read. */
  quote: ShownQuote
  consents: GivenConsent[]
  origin: ConsentOrigin
}

/**
 * Accepts the final terms (D1 OFFER_ACCEPTED) and records the acknowledgement of the Key Facts Statement, with the quote
 * that the borrower read. Throws `wrong-state` with the detail `change: 'OFFER_REPLACED'` if the lender has replaced it.
 */
export async function acceptOffer(
  ctx: TxContext,
  journey: Journey,
  { offerId, quote, consents, origin }: Acceptance,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await requireSelected(tx, journey, offerId)
  if (offer.accepted) return journey
  requireAcceptable(journey, offer, at)
  if (!isDeepStrictEqual(quote, quoteOf(offer)))
    throw new Refusal('wrong-state', 'the lender changed its offer: show the new terms before the borrower accepts', {
      change: offerReplaced,
    })
  await recordConsents(ctx, journey, { consents, requiredPurposes: ['key_facts'], origin, quote })
  return recordAcceptance(ctx, journey, offer)
}

/**
 * Accepts the final terms if the borrower agreed to the same terms at the choice. Returns null when the borrower must
 * still read and accept the final terms. Throws `wrong-state` before the final terms arrive.
 */
export async function continueWithOffer(ctx: TxContext, journey: Journey): Promise<Journey | null> {
  const { tx, at } = ctx
  if (journey.status !== 'OFFER_SELECTED') return journey
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`journey ${journey.journeyId} is OFFER_SELECTED without a chosen offer`)
  requireAcceptable(journey, offer, at)
  return isAgreedAtChoice(journey, offer) ? recordAcceptance(ctx, journey, offer) : null
}

function requireAcceptable(journey: Journey, offer: Offer, at: Date): void {
  if (journey.status !== 'OFFER_SELECTED' || !offer.finalTerms)
    throw new Refusal('wrong-state', 'the lender has not sent its final terms yet', { status: journey.status })
  requireNotExpired(offer, at)
}

async function recordAcceptance(ctx: TxContext, journey: Journey, offer: Offer): Promise<Journey> {
  const { tx, at } = ctx
  await setAccepted(tx, offer, at)
  await ctx.channels[offer.channel].accept(ctx, journey, offer)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return advance(ctx, journey, 'accepted')
}

/** Returns the offer. Throws `absent` for an unknown offer, and `wrong-state` when the offer is not selected. */
async function requireSelected(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  if (!isSelected(offer)) throw new Refusal('wrong-state', 'this offer is not selected', { status: journey.status })
  return offer
}

export interface RejectionReason {
  /** The borrower's progress at the rejection, as the app described it. */
  stage: string | null
  /** The reason in the words of the app or the borrower. */
  because: string | null
}

/**
 * Rejects an offer, or a lender that has not offered yet. Idempotent. No network message informs the lender: its quote
 * expires (FIS12 §11.3), and its later messages are ignored. The journey ends when the borrower rejects the selected
 * offer, or when no offer is left to choose. Throws `absent` for an unknown offer, `locked` when another offer is
 * selected, and `wrong-state` when the journey has no offer yet, this lender made none, or the journey has ended.
 */
export async function rejectOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  rejection: RejectionReason,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  if (offer.rejectedAt) return journey
  const selected = await findSelected(tx, journey)
  if (selected?.offerId === offer.offerId) return rejectSelected(ctx, journey, selected, rejection)
  if (selected) throw lockedToOtherOffer(offerId, selected)
  if (!journey.active || journey.status !== 'OFFERED' || offer.status === 'NO_OFFER_AVAILABLE')
    throw new Refusal('wrong-state', 'this lender has no offer to reject', {
      status: journey.status,
      offerStatus: offer.status,
    })
  await recordRejection(ctx, journey, offer, rejection)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  const outlook = outlookOf(journey, await listOffers(tx, journey), at)
  // A lender may still offer. The job repeats this check, and ends the journey if no offer arrives.
  if (outlook === 'awaited') await scheduleLapse(ctx, journey, at)
  return outlook === 'lapsed' ? rejectJourney(ctx, journey, 'ALL_OFFERS_TURNED_DOWN') : journey
}

/** Rejects the final terms on the hosted page, before the borrower has accepted them. */
export async function declineOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  because: string | null,
): Promise<Journey> {
  const { tx } = ctx
  const offer = await requireSelected(tx, journey, offerId)
  if (journey.status !== 'OFFER_SELECTED')
    throw new Refusal('wrong-state', 'the offer can only be declined before it is accepted', { status: journey.status })
  return rejectSelected(ctx, journey, offer, { stage: null, because })
}

async function rejectSelected(
  ctx: TxContext,
  journey: Journey,
  offer: Offer,
  rejection: RejectionReason,
): Promise<Journey> {
  await recordRejection(ctx, journey, offer, rejection)
  const reason = offer.accepted ? 'ENDED_BY_BORROWER' : 'FINAL_OFFER_DECLINED'
  return rejectJourney(ctx, journey, reason)
}

async function recordRejection(
  ctx: TxContext,
  journey: Journey,
  offer: Offer,
  rejection: RejectionReason,
): Promise<void> {
  const { tx, at } = ctx
  await setRejected(tx, offer, { ...rejection, reason: 'OFFER_TURNED_DOWN' }, at)
  await ctx.channels[offer.channel].decline(ctx, journey, offer, rejection.because)
}

async function rejectJourney(ctx: TxContext, journey: Journey, endReason: EndReason): Promise<Journey> {
  const { tx, at } = ctx
  await updateJourney(tx, journey, { lastBorrowerActAt: at, endReason }, at)
  return advance(ctx, { ...journey, endReason }, 'rejected')
}

const keyFactsConsent = [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }] as const

/**
 * Selects an offer for an app that does not use our page (D2 §3). Selects the requested amount or else the full amount,
 * the offered term, and by default the only branch. The app must have shown the Key Facts Statement of the offer; the
 * borrower's acknowledgement is recorded with the choice. Idempotent for the same offer. Throws like `selectOffer`.
 */
export async function proceedWithOffer(
  ctx: TxContext,
  journey: Journey,
  offerId: string,
  { branchId = null, ...origin }: ConsentOrigin & { branchId?: string | null },
): Promise<Offer> {
  const { tx } = ctx
  const offer = await requireOffer(tx, journey, offerId)
  if (isSelected(offer)) {
    requireSameChoice(journey, offer, { branchId })
    return offer
  }
  const [firstBranch, ...otherBranches] = offer.branches
  const amount = offer.requestedAmountPaise ?? BigInt(offer.limits.mostAmount)
  const months = offer.terms?.termMonths ?? offer.limits.mostMonths
  await selectOffer(ctx, journey, offerId, {
    amount,
    months,
    branchId: branchId ?? (otherBranches.length === 0 && firstBranch ? firstBranch.id : null),
    origin,
  })
  // If the choice is only an application, the borrower acknowledges the Key Facts Statement with the final terms.
  const quote = quoteOf(offer)
  if (!rulesOf(offer).isChoiceOnlyApplication)
    await recordConsents(ctx, journey, {
      consents: [...keyFactsConsent],
      requiredPurposes: ['key_facts'],
      origin,
      ...(quote && { quote }),
    })
  return requireOffer(tx, journey, offerId)
}

/**
 * Stores the amount that the borrower requests, in paise. The amount may change until an offer is selected. Throws
 * `absent` for an unknown offer, `locked` when another offer is selected, `wrong-state` when this offer is not made,
 * expired or already selected, and `invalid` for an amount outside the offered limits.
 */
export async function requestAmount(
  { tx, at }: Write,
  journey: Journey,
  offerId: string,
  amount: Paise,
): Promise<Offer> {
  const offer = await requireOffer(tx, journey, offerId)
  const selected = await findSelected(tx, journey)
  if (selected && selected.offerId !== offer.offerId) throw lockedToOtherOffer(offerId, selected)
  if (selected)
    throw new Refusal('wrong-state', 'this offer is already selected: its amount cannot be changed any more', {
      proceedBoundaryState: 'LOCKED',
    })
  if (!journey.active || offer.status !== 'OFFER_RECEIVED')
    throw new Refusal('wrong-state', 'there is no offer of this lender to choose from', {
      status: journey.status,
      offerStatus: offer.status,
    })
  requireNotExpired(offer, at)
  checkAmount(offer, amount)
  await setRequestedAmount(tx, offer, amount, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return { ...offer, requestedAmountPaise: amount }
}

async function requireOffer(tx: Tx, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(tx, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  return offer
}
