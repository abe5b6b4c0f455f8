// Texts of lenders' offers: why a lender made none, and what the lenders of a journey have answered together.

import type { ConsoleOffer, JourneyHead } from '@lendloom/wire/console/journeys'
import { inlineLabelOf, labelOf, rupees } from '../ui/code-labels.ts'
import { countText } from '../ui/format-figures.ts'

type Answer = Pick<ConsoleOffer, 'status' | 'reason' | 'rejectedAt'>

/** Why a lender made no offer, or that it may still answer. */
export function noOfferText({ status, reason, rejectedAt }: Answer, isEnded: boolean): string {
  if (status === 'OFFER_AWAITED') return isEnded ? 'Did not answer' : 'No answer yet'
  if (reason === 'OTHER_OFFER_CHOSEN') return 'Not used: the borrower chose another offer'
  if (rejectedAt !== null && reason) return labelOf(reason)
  return `No offer${reason ? `: ${inlineLabelOf(reason)}` : ''}`
}

/** An annual percentage rate with two decimals, as the desk writes it: `34.90%`. */
export const aprText = (apr: string): string =>
  apr.replace(
    /^(\d+)(?:\.(\d{0,2}))?%$/,
    (_, whole: string, decimals: string | undefined) => `${whole}.${(decimals ?? '').padEnd(2, '0')}%`,
  )

/** The instalments of an offer, such as `22 weekly instalments of ₹7,185`; empty without an amount, and for a credit line. */
export function instalmentsText({
  installment,
  installmentsCount,
  repaymentFrequency,
  creditLine,
}: Pick<ConsoleOffer, 'creditLine' | 'installment' | 'installmentsCount' | 'repaymentFrequency'>): string {
  if (!installment || creditLine) return ''
  const word = frequencyWords.find(([pattern]) => pattern.test(repaymentFrequency ?? ''))?.[1] ?? ''
  if (!installmentsCount) return `${`${word} instalments`.trim()} of ${rupees(installment)}`
  return `${countText(installmentsCount, `${word} instalment`.trim())} of ${rupees(installment)}`
}

/** What a lender offers, such as `₹2,00,000 · 13.00% APR` or `Credit line up to ₹5,00,000 · 13.00% APR`. */
export function offerText({
  creditLine,
  principal,
  apr,
}: Pick<ConsoleOffer, 'creditLine' | 'principal' | 'apr'>): string {
  const amount = `${creditLine ? 'Credit line up to ' : ''}${rupees(principal)}`
  return apr ? `${amount} · ${aprText(apr)} APR` : amount
}

/** The interest rate and the APR of an offer; empty without either. */
export const rateText = ({ interestRate, apr }: Pick<ConsoleOffer, 'interestRate' | 'apr'>): string =>
  [interestRate && `${interestRate} a year`, apr && `${aprText(apr)} APR`].filter(Boolean).join(' · ')

/** Lenders write a frequency as a word or as an ISO 8601 duration. */
const frequencyWords: [RegExp, string][] = [
  [/week|^P(1W|7D)$/i, 'weekly'],
  [/month|^P1M$/i, 'monthly'],
]

const causeOf = ({ status, reason }: Answer): string =>
  status === 'OFFER_AWAITED' ? 'no answer' : reason ? inlineLabelOf(reason) : 'no reason given'

/** Why no lender made an offer, the most frequent cause first, such as `4 of 5 lenders: credit score, 1: no answer`. */
export function noOfferSummary(offers: readonly Answer[]): string {
  const causes = [...Map.groupBy(offers, causeOf)].sort(([, one], [, other]) => other.length - one.length)
  return causes
    .map(
      ([cause, { length }], i) =>
        `${i === 0 ? `${length} of ${countText(offers.length, 'lender')}` : length}: ${cause}`,
    )
    .join(', ')
}

/** How far the lenders have answered, for a journey that waits for them or for the choice of an offer; empty otherwise. */
export function answersSummary({
  waitsFor,
  offers,
}: Pick<JourneyHead, 'waitsFor'> & { offers: readonly Answer[] }): string {
  if (offers.length === 0) return ''
  const lenders = countText(offers.length, 'lender')
  const answered = offers.filter(({ status }) => status !== 'OFFER_AWAITED')
  if (waitsFor?.what === 'OFFERS') return `${answered.length} of ${lenders} answered`
  const received = offers.filter(({ status, rejectedAt }) => status === 'OFFER_RECEIVED' && rejectedAt === null)
  return waitsFor?.what === 'CHOICE' ? `${countText(received.length, 'offer')} from ${lenders}` : ''
}
