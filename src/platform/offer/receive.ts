// Turns lenders' answers into offers: asked, offered, not offered; and derives their combined effect on the journey.

import type { Ranges } from '#contract/network/v203/search.ts'
import type { OfferReason, StoredReason } from '#contract/reason/reason.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { durationMs } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import { type Journey, storedTerms, type Terms, termsFrom } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { everyChannel } from '#platform/lender-channels.ts'
import { productOf } from '#platform/product/products.ts'
import { scheduleLapse } from './lapse.ts'
import { changed, isSelected, limitsFor, type Offer, settled } from './offer.ts'
import {
  findByConversation,
  insertAwaited,
  isLenderOff,
  listOffers,
  setAwaited,
  setNoOffer,
  setTerms,
  stopWaitingForSilent,
} from './store.ts'

interface OfferSource {
  conversationId: string
  lenderId: string
  /** The network by default. */
  channel?: Offer['channel']
  /** What the lender decides by, if it tells. */
  assessment?: Offer['assessment']
}

/** Lists a lender that is being asked, whatever it answers (D1 §2.4 `lenders`). */
export async function awaitOffer(
  { tx, at }: Write,
  journey: Journey,
  source: OfferSource,
  ranges: Ranges,
): Promise<void> {
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

/** A lender that has offered is asked for a second offer, by bank data; its catalogue has the limits of that request. */
export async function awaitSecondOffer(
  tx: Tx,
  journey: Journey,
  conversations: { first: string; second: string },
  at: Date,
): Promise<void> {
  const first = await findByConversation(tx, journey, conversations.first)
  const { lenderId, channel, limits } = required(first, 'the offer of a lender that has offered')
  const ids = {
    offerId: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
    conversationId: conversations.second,
    lenderId,
    channel,
  }
  await insertAwaited(tx, journey, { ...ids, assessment: 'account-aggregator', limits }, at)
}

/** Asks an unreached lender again. */
export const awaitOfferAgain = (tx: Tx, journey: Journey, { conversationId }: OfferSource, at: Date): Promise<void> =>
  setAwaited(tx, journey, conversationId, at)

/** A lender took the profile: the first one to do so makes the journey PROFILED (D1 §3). */
export const profileTaken = async (ctx: TxContext, journey: Journey): Promise<Journey> =>
  journey.status === 'STARTED' ? advance(ctx, journey, 'profiled') : journey

/**
 * First terms make an offer, and the first offer makes the journey OFFERED. Terms for the selected offer are final ones. First
 * terms of a lender that was switched off meanwhile are not taken up.
 */
export async function receiveTerms(
  ctx: TxContext,
  journey: Journey,
  source: OfferSource,
  terms: Terms,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findByConversation(tx, journey, source.conversationId)
  if (!offer) throw new Error(`terms for conversation ${source.conversationId}, which was never asked`)
  if (offer.status === 'OFFER_AWAITED' && (await isLenderOff(tx, offer)))
    return noOffer(ctx, journey, source, 'LENDER_NOT_LENDING')
  const first = offer.firstTerms ? termsFrom(offer.firstTerms) : terms
  const finalTerms = isSelected(offer)
  const validMs = terms.quoteTtl === null ? null : durationMs(terms.quoteTtl)
  const validUntil = validMs === null ? null : new Date(at.getTime() + validMs)
  await setTerms(
    tx,
    offer,
    {
      terms: storedTerms(terms),
      firstTerms: storedTerms(first),
      limits: limitsFor(offer.limits, first, productOf(journey).network.isTermChosen),
      finalTerms,
      validUntil,
    },
    at,
  )
  if (validUntil) await scheduleLapse(tx, journey, validUntil)
  if (finalTerms) {
    const changeInOffer = changed(first, terms)
    await updateJourney(tx, journey, { changeInOffer }, at)
    return { ...journey, changeInOffer }
  }
  if (journey.status === 'PROFILED') return advance(ctx, journey, 'offered')
  await updateJourney(tx, journey, {}, at)
  return journey
}

/** A lender will not offer, or did not answer in time. */
export async function noOffer(
  ctx: TxContext,
  journey: Journey,
  source: OfferSource,
  reason: StoredReason<OfferReason>,
): Promise<Journey> {
  const { tx, at } = ctx
  const offer = await findByConversation(tx, journey, source.conversationId)
  if (offer?.status !== 'OFFER_AWAITED') return journey
  await setNoOffer(tx, offer, reason, at)
  await updateJourney(tx, journey, {}, at)
  return settle(ctx, journey)
}

/** Closes the window: silent lenders are no longer awaited. */
export async function closeWindow(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  await stopWaitingForSilent(tx, journey, 'LENDER_SILENT', at)
  return settle(ctx, journey)
}

/** No lender can join any more. */
export async function closeSearch(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  if (journey.search !== 'OPEN') return journey
  await updateJourney(tx, journey, { search: 'CLOSED' }, at)
  return settle(ctx, { ...journey, search: 'CLOSED' })
}

/** The search reached no lender: nothing was decided, and the borrower may try again. */
export async function searchFailed(tx: Tx, journey: Journey, at: Date): Promise<void> {
  if (journey.status === 'STARTED' && journey.search === 'OPEN')
    await updateJourney(tx, journey, { search: 'UNANSWERED' }, at)
}

async function settle(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  if (journey.status !== 'STARTED' && journey.status !== 'PROFILED') return journey
  const offers = await listOffers(tx, journey)
  for (const channel of everyChannel) if (await channel.hasUnlisted(tx, ctx, journey)) return journey
  const outcome = settled(offers, journey.search === 'CLOSED', journey.status === 'PROFILED' || offers.some(decided))
  if (outcome === 'noneOffered') return advance(ctx, await profileTaken(ctx, journey), 'noneOffered')
  if (outcome === 'unanswered') await updateJourney(tx, journey, { search: 'UNANSWERED' }, at)
  return journey
}

/** A reason other than silence is a decision. */
const decided = ({ reason }: Offer): boolean =>
  reason !== null && reason !== 'LENDER_UNREACHABLE' && reason !== 'LENDER_SILENT'
