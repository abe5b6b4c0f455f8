// Until when a borrower may leave a loan without a reason, and what that costs today; pure (RBI Digital Lending Directions, cooling-off).

import { interestOnDays } from '#kit/money/annuity.ts'
import { businessDate, daysBetween, lastDayOf } from '#kit/money/calendar.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import { termsFrom } from '#platform/journey/terms.ts'
import { rulesOf } from '#platform/lender/rules.ts'
import type { Offer } from './offer.ts'

/** What is paid to leave on a day: principal and interest for the days, less the fee that is given back. */
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
 * Null where the terms name no period, and once it is over. It begins when the money was paid out, which is when the lender said
 * so (`paidOutAt`): its plan may begin a day later. The plan of a lender with agreed exits begins on the very day of the payout,
 * also where that is told later. The cost is known for a loan of the partner, whose Key Facts Statement gives the fee back and
 * counts interest by the day; any other lender says it itself.
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
