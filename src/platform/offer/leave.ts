// Until when a borrower may leave a loan without a reason, and what that costs today; pure (RBI Digital Lending Directions, cooling-off).

import { interestOnDays } from '#kit/money/annuity.ts'
import { businessDate, daysBetween, daysOfPeriod, plusDays } from '#kit/money/calendar.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import { termsFrom } from '#platform/journey/terms.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import type { Offer } from './offer.ts'

/** What is paid to leave on a day: principal and interest for the days, less the fee that is given back. */
export interface LeaveCost {
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
 * Null where the terms name no period or no instalment says when it began, and once it is over. The cost is known for a loan
 * of the partner, whose Key Facts Statement gives the fee back and counts interest by the day; any other lender says it itself.
 */
export function leaveOf(offer: Pick<Offer, 'channel' | 'terms' | 'installments'>, at: Date): Leave | null {
  const { terms: stored, installments } = offer
  const [first] = installments
  const days = daysOfPeriod(stored?.coolOffPeriod ?? '')
  if (!stored || !first || days === null) return null
  const [from, today] = [businessDate(new Date(first.startsAt)), businessDate(at)]
  const until = plusDays(from, days)
  if (today > until) return null
  const agreed = rulesOf(offer).exitIsPriced
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
