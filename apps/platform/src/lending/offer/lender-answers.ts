// Records the lenders' answers as offers, and the outcome of all answers in the journey.

import { durationMs } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import type { OfferReason } from '@lendloom/lending/reason/reason'
import type { Ranges } from '@lendloom/lending/terms'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import type { Journey, Terms } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { termsFrom, toStoredTerms } from '#platform/lending/journey/stored-terms.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { scheduleLapse } from './journey-lapse.ts'
import { fixedLimits, isSelected, limitsFor, type Offer, outlookOf, searchOutcomeOf, termsDiffer } from './offer.ts'
import {
  endWaitingForSilent,
  findByConversation,
  insertAwaited,
  isLenderOff,
  listOffers,
  setAwaited,
  setNoOffer,
  setTerms,
} from './store.ts'

interface OfferSource {
  conversationId: string
  lenderId: string
  /** `NETWORK` by default. */
  channel?: Offer['channel']
  /** The data on which the lender decides, if known. */
  assessment?: Offer['assessment']
  /** Whether the lender offers one amount and one term only. */
  isFixed?: boolean
}

/** Adds an awaited offer for a lender from which the platform requests an offer (D1 §2.4 `lenders`). */
export async function awaitOffer(
  { tx, at }: Write,
  journey: Journey,
  source: OfferSource,
  ranges: Ranges,
): Promise<void> {
  // Until the lender's offer, a range that it has not stated is a rupee to nothing, and one month.
  const limits = {
    leastAmount: (ranges.minAmount ?? 100n).toString(),
    mostAmount: (ranges.maxAmount ?? 0n).toString(),
    leastMonths: ranges.minTenureMonths ?? 1,
    mostMonths: ranges.maxTenureMonths ?? 1,
  }
  await insertAwaited(
    tx,
    journey,
    {
      offerId: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
      conversationId: source.conversationId,
      lenderId: source.lenderId,
      channel: source.channel ?? 'NETWORK',
      assessment: source.assessment ?? null,
      limits,
    },
    at,
  )
}

/** Adds an awaited second offer of a lender, based on bank data, with the limits of the lender's first offer. */
export async function awaitSecondOffer(
  tx: Tx,
  journey: Journey,
  conversations: { first: string; second: string },
  at: Date,
): Promise<void> {
  const first = await findByConversation(tx, journey, conversations.first)
  const { lenderId, channel, limits } = required(first, 'the first offer of the lender')
  const ids = {
    offerId: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
    conversationId: conversations.second,
    lenderId,
    channel,
  }
  await insertAwaited(tx, journey, { ...ids, assessment: 'account-aggregator', limits }, at)
}

/** Marks the offer of a lender that was unreachable as awaited again. */
export const awaitOfferAgain = (tx: Tx, journey: Journey, { conversationId }: OfferSource, at: Date): Promise<void> =>
  setAwaited(tx, journey, conversationId, at)

/** Records that a lender accepted the profile. The first acceptance makes the journey PROFILED (D1 §3). */
export const recordProfileAccepted = async (ctx: TxContext, journey: Journey): Promise<Journey> =>
  journey.status === 'STARTED' ? advance(ctx, journey, 'profiled') : journey

/**
 * Stores a lender's terms. The lender's first terms are its offer, and the journey's first offer makes the journey
 * OFFERED. Terms for the selected offer are final. The first terms of a lender that is switched off are ignored.
 */
export async function recordTerms(
  ctx: TxContext,
  journey: Journey,
  source: OfferSource,
  receivedTerms: Terms,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findByConversation(tx, journey, source.conversationId)
  if (!offer) throw new Error(`terms for conversation ${source.conversationId}, which has no offer`)
  if (offer.status === 'OFFER_AWAITED' && (await isLenderOff(tx, offer)))
    return recordNoOffer(ctx, journey, source, 'LENDER_NOT_LENDING')
  const first = offer.firstTerms ? termsFrom(offer.firstTerms) : receivedTerms
  // The final terms of 2.0.1 omit the cooling-off period of the offer (FIS12 §24).
  const terms = { ...receivedTerms, coolOffPeriod: receivedTerms.coolOffPeriod ?? first.coolOffPeriod }
  const finalTerms = isSelected(offer)
  const validMs = terms.quoteTtl === null ? null : durationMs(terms.quoteTtl)
  const validUntil = validMs === null ? null : new Date(at.getTime() + validMs)
  await setTerms(
    tx,
    offer,
    {
      terms: toStoredTerms(terms),
      firstTerms: toStoredTerms(first),
      limits: source.isFixed
        ? fixedLimits(first)
        : limitsFor(offer.limits, first, productOf(journey).network.borrowerChoosesTerm),
      finalTerms,
      validUntil,
    },
    at,
  )
  if (validUntil) await scheduleLapse(ctx, journey, validUntil)
  if (finalTerms) {
    const changeInOffer = termsDiffer(first, terms)
    await updateJourney(tx, journey, { changeInOffer }, at)
    return { ...journey, changeInOffer }
  }
  if (journey.status === 'PROFILED') return advance(ctx, journey, 'offered')
  await updateJourney(tx, journey, {}, at)
  return journey
}

/** Makes the chosen offer final as it stands, for a lender that sends no further terms (FIS12 §26). */
export async function recordFinalAsOffered(tx: Tx, journey: Journey, source: { conversationId: string }, at: Date) {
  const offer = required(await findByConversation(tx, journey, source.conversationId), 'the offer of the conversation')
  const { terms, firstTerms, limits, validUntil } = offer
  const stored = {
    terms: required(terms, 'the terms of the offer'),
    firstTerms: required(firstTerms, 'the first terms'),
  }
  await setTerms(tx, offer, { ...stored, limits, finalTerms: true, validUntil }, at)
}

/** Records that a lender makes no offer or did not answer in time. */
export async function recordNoOffer(
  ctx: TxContext,
  journey: Journey,
  source: OfferSource,
  reason: OfferReason,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findByConversation(tx, journey, source.conversationId)
  if (offer?.status !== 'OFFER_AWAITED') return journey
  await setNoOffer(tx, offer, reason, at)
  await updateJourney(tx, journey, {}, at)
  return applySearchOutcome(ctx, journey)
}

/**
 * Ends only the offer of a lender that refuses before the borrower's choice. Returns false if the borrower has chosen, or
 * if no other offer is left or awaited: then the refusal ends the application.
 */
export async function withdrawOffer(
  ctx: TxContext,
  journey: Journey,
  source: Pick<OfferSource, 'conversationId'>,
  reason: OfferReason,
): Promise<boolean> {
  const { tx, at } = ctx
  if (journey.status !== 'OFFERED') return false
  const offers = await listOffers(tx, journey)
  const own = offers.find(({ conversationId }) => conversationId === source.conversationId)
  const others = offers.filter((offer) => offer !== own)
  if (!own || outlookOf(journey, others, at) === 'lapsed') return false
  await setNoOffer(tx, own, reason, at)
  await updateJourney(tx, journey, {}, at)
  return true
}

/** Closes the offer window. Lenders that have not answered are no longer awaited. */
export async function closeWindow(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  const exceptions = Object.values(ctx.channels).map((channel) => channel.hasMoreTime)
  await endWaitingForSilent(tx, journey, exceptions, at)
  return applySearchOutcome(ctx, journey)
}

/** Closes the search. No further lender is added to the journey. */
export async function closeSearch(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  if (journey.search !== 'OPEN') return journey
  await updateJourney(tx, journey, { search: 'CLOSED' }, at)
  return applySearchOutcome(ctx, { ...journey, search: 'CLOSED' })
}

/** Records that the search reached no lender; the borrower may try again. */
export async function recordSearchFailure(tx: Tx, journey: Journey, at: Date): Promise<void> {
  if (journey.status === 'STARTED' && journey.search === 'OPEN')
    await updateJourney(tx, journey, { search: 'UNANSWERED' }, at)
}

/** Whether a lender that was asked has no offer yet, not even an awaited one. Until it has, the journey must not end. */
export async function hasUnlistedLender({ tx, channels }: TxContext, journey: Journey): Promise<boolean> {
  const unlisted = Object.values(channels).map((channel) => channel.hasUnlistedLender(tx, journey))
  return (await Promise.all(unlisted)).includes(true)
}

async function applySearchOutcome(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  if (journey.status !== 'STARTED' && journey.status !== 'PROFILED') return journey
  const offers = await listOffers(tx, journey)
  if (await hasUnlistedLender(ctx, journey)) return journey
  const outcome = searchOutcomeOf(
    offers,
    journey.search === 'CLOSED',
    journey.status === 'PROFILED' || offers.some(hasDecided),
  )
  if (outcome === 'noneOffered') return advance(ctx, await recordProfileAccepted(ctx, journey), 'noneOffered')
  if (outcome === 'unanswered') await updateJourney(tx, journey, { search: 'UNANSWERED' }, at)
  return journey
}

/** Whether the lender has decided against an offer. A missing answer does not count as one. */
const hasDecided = ({ reason }: Offer): boolean =>
  reason !== null && reason !== 'LENDER_UNREACHABLE' && reason !== 'LENDER_SILENT'
