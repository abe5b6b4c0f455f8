// Comparison data of offers, and documents of a loan; agreement addresses are sealed, because anyone with one can read
// it.

import { chargeOf } from '#contract/network/tags.ts'
import type { LoanDocument } from '#contract/network/v203/order.ts'
import type { Tx } from '#kit/db/sql.ts'
import { interestOnDays } from '#kit/money/annuity.ts'
import { businessDate, daysBetween, lastDayOf } from '#kit/money/calendar.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import type { Context } from '#platform/context.ts'
import { type Journey, type Terms, termsFrom } from '#platform/journey/journey.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import type { Offer } from './offer.ts'
import { findSelected, setDocuments } from './store.ts'

export type KeptDocument = Pick<LoanDocument, 'code' | 'name' | 'url'>

type OfferKey = Pick<Offer, 'tenantId' | 'journeyId' | 'offerId'>

const contextOf = ({ tenantId, journeyId, offerId }: OfferKey): string =>
  `offer.documents:${tenantId}:${journeyId}:${offerId}`

/** Keeps what the lender named last, of addresses that a browser may follow; a message that names none changes nothing. */
export async function storeDocuments(
  { tx, seal, at }: Pick<Context, 'seal'> & { tx: Tx; at: Date },
  journey: Journey,
  documents: readonly LoanDocument[],
): Promise<void> {
  const kept = documents
    .filter(({ url }) => /^https?:\/\//.test(url))
    .map(({ code, name, url }): KeptDocument => ({ code, name, url }))
  const offer = kept.length > 0 && (await findSelected(tx, journey))
  if (offer) await setDocuments(tx, offer, seal.json(kept, contextOf(offer)), at)
}

export const documentsOf = (
  { seal }: Pick<Context, 'seal'>,
  offer: OfferKey & Pick<Offer, 'documentsSealed'>,
): KeptDocument[] => (offer.documentsSealed ? seal.openJson(offer.documentsSealed, contextOf(offer)) : [])

/** Data for comparing offers, identical in every API; pure. */
export interface PenalCharge {
  kind: 'DELAY' | 'OTHER' | 'FORECLOSURE' | 'RATE_CONVERSION'
  text: string
}

/** Charges besides the price: an amount or a percentage in one format, otherwise the lender's text. */
export function penalCharges(terms: Terms): PenalCharge[] {
  const all = [
    { kind: 'DELAY' as const, text: terms.delayPenaltyFee },
    { kind: 'OTHER' as const, text: terms.otherPenaltyFee },
    { kind: 'FORECLOSURE' as const, text: terms.foreclosureFee },
    { kind: 'RATE_CONVERSION' as const, text: terms.interestRateConversionCharge },
  ]
  return all.flatMap(({ kind, text }) => (text === null ? [] : [{ kind, text: chargeOf(text) }]))
}

/** Offers by annual percentage rate, lowest first: a rule that can be disclosed, and is (RBI's multi-lender rule). */
export const byApr = (one: Offer, other: Offer): number =>
  aprOf(one) - aprOf(other) || (one.offerId < other.offerId ? -1 : 1)

/** The rate of a text such as `16.8%` in hundredths of a percent, for sorting only. */
const aprOf = (offer: Offer): number => {
  const [whole = '0', fraction = ''] = (
    /[\d.]+/.exec(required(offer.firstTerms, 'the terms of an offer').apr)?.[0] ?? '0'
  ).split('.')
  return Number(whole) * 10_000 + Number(fraction.slice(0, 4).padEnd(4, '0'))
}

/** The cost of leaving on a day: principal and interest for the days, less the refunded fee. */
interface LeaveCost {
  days: number
  principal: Paise
  interest: Paise
  fee: Paise
  total: Paise
}

export interface Leave {
  /** The last day, as a date. */
  until: string
  /** Whether price and way are agreed with its lender. */
  agreed: boolean
  /** Null where only the lender knows it: something was paid already, or nothing is agreed. */
  cost: LeaveCost | null
}

/**
 * The cooling-off period; null when the terms have none, and after it. It starts when the lender reported the payout
 * (`paidOutAt`); its schedule may start a day later. For a lender with agreed exits it starts on the day of the payout,
 * even if reported later. The cost is computed for a partner's loan, whose Key Facts Statement refunds the fee and
 * counts interest by the day; other lenders report theirs.
 */
export function leaveOf(
  offer: Pick<Offer, 'channel' | 'terms' | 'installments'>,
  paidOutAt: Date | null,
  at: Date,
): Leave | null {
  const { terms: stored, installments } = offer
  const [first] = installments
  const agreed = rulesOf(offer).exitIsPriced
  const begins = agreed ? first && new Date(first.startsAt) : paidOutAt
  if (!stored || !begins) return null
  const [from, today] = [businessDate(begins), businessDate(at)]
  const until = lastDayOf(stored.coolOffPeriod ?? '', begins)
  if (until === null || today > until) return null
  if (!agreed) return { until, agreed, cost: null }
  const { principal, interest: planned, interestRate, processingFee: fee, installmentAmount } = termsFrom(stored)
  const bps = paiseFrom(interestRate.replace('%', ''))
  const sum = installments.reduce((total, { amount }) => total + BigInt(amount), 0n)
  const isUntouched = sum === principal + planned && installments.every(({ status }) => status === 'NOT-PAID')
  if (bps === null || !isUntouched) return { until, agreed, cost: null }
  const held = daysBetween(from, today)
  // A lender that keeps paise has some in its amounts.
  const unit = planned % 100n === 0n && installmentAmount % 100n === 0n ? 100n : 1n
  const interest = interestOnDays(principal * BigInt(held), bps, unit)
  return { until, agreed, cost: { days: held, principal, interest, fee, total: principal + interest - fee } }
}
