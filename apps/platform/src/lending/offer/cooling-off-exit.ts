// The exit of a loan in its cooling-off period: its days, its cost, and whether a closed loan was cancelled by it.

import { interestOnDays } from '@lendloom/lending/annuity'
import { businessDate, daysBetween, lastDayOf, plusDays } from '@lendloom/lending/calendar'
import { type Paise, paiseFrom } from '@lendloom/lending/money'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import type { Offer } from './offer.ts'

/** The cost of an exit today: `total` is principal and interest for `days`, less the refunded `fee` and what is paid. */
interface ExitCost {
  days: number
  principal: Paise
  interest: Paise
  fee: Paise
  paid: Paise
  total: Paise
}

export interface CoolingOffExit {
  /** The last day of the cooling-off period, as a date. */
  until: string
  /** Whether we and the lender have agreed the price and procedure of exits. */
  agreed: boolean
  /** The last day for the payment after the request, or after a request today. */
  payBy: string | null
  /** Null when nothing is left to pay, or only the lender knows the cost. */
  cost: ExitCost | null
  /** What all payments together must reach to end the loan; null without an agreement. */
  price: Paise | null
}

type LoanTerms = Pick<Offer, 'channel' | 'terms' | 'installments'>

/**
 * If we agreed the price of exits with the lender, the period starts with that of the first instalment; otherwise it
 * starts when the lender reported the disbursal (`paidOutAt`).
 */
function coolingOffPeriodOf(offer: LoanTerms, paidOutAt: Date | null) {
  const [first] = offer.installments
  const agreed = rulesOf(offer).isExitPriceAgreed
  const startedAt = agreed ? first && new Date(first.startsAt) : paidOutAt
  const until = startedAt && lastDayOf(offer.terms?.coolOffPeriod ?? '', startedAt)
  return startedAt && until ? { from: businessDate(startedAt), until, agreed } : null
}

/** After a request, the borrower has these days to pay. */
const daysToPay = 3

/** The days after the period in which a requested exit may be recorded: a month at a partner, a week on the network. */
const daysToExit = { agreed: 30 + daysToPay, network: 7 + daysToPay }

/** What the borrower has paid. From its day, a payment reduces the principal that bears interest. */
export interface PaidSum {
  sum: Paise
  lastDay: string | null
  payments: { day: string; paise: Paise }[]
}

interface LoanEnd {
  closedAt: Date
  requestedAt: Date | null
  paid: PaidSum
}

/**
 * Whether a loan that closed on this day was cancelled in its cooling-off period instead of repaid. With an agreed price,
 * what was paid tells: the price, or less than midway to the amount without a refund of the fee.
 */
export function isCancelledLoan(
  offer: LoanTerms,
  paidOutAt: Date | null,
  { closedAt, requestedAt, paid }: LoanEnd,
): boolean {
  const period = coolingOffPeriodOf(offer, paidOutAt)
  if (!period) return false
  const { from, until, agreed } = period
  const closedOn = businessDate(closedAt)
  if (!requestedAt) return !agreed && closedOn <= until
  if (!agreed) return closedOn <= plusDays(until, daysToExit.network)
  const cost = costOf(offer, { from, on: paid.lastDay ?? closedOn }, paid)
  if (!cost || businessDate(requestedAt) > until || closedOn > plusDays(until, daysToExit.agreed)) return false
  const coversPrincipal = paid.sum >= cost.principal - cost.fee
  // A repayment without the refund exceeds the price by the whole fee, so that `cost.total` is about -fee.
  const isNearerToPrice = cost.fee === 0n || 2n * cost.total + cost.fee > 0n
  return coversPrincipal && isNearerToPrice
}

/** Whether more was paid than an exit costs, so that the lender returns the rest. */
export function isExitOverpaid(offer: LoanTerms, paidOutAt: Date | null, paid: PaidSum): boolean {
  const period = coolingOffPeriodOf(offer, paidOutAt)
  const cost = period?.agreed && paid.lastDay ? costOf(offer, { from: period.from, on: paid.lastDay }, paid) : null
  return cost !== null && cost.total < 0n
}

const nothingPaid: PaidSum = { sum: 0n, lastDay: null, payments: [] }

/** The cost of an exit on a day, with interest on each day's principal; null for unknown terms. */
function costOf(
  { terms: stored }: LoanTerms,
  { from, on }: { from: string; on: string },
  { sum: paid, payments }: PaidSum,
): ExitCost | null {
  if (!stored) return null
  const { principal, interest: planned, interestRate, processingFee: fee, installmentAmount } = termsFrom(stored)
  // The rate has two decimals like an amount in rupees, so that its hundredths are basis points.
  const bps = paiseFrom(interestRate.replace('%', ''))
  if (bps === null) return null
  const days = daysBetween(from, on)
  // A lender whose amounts include paise does not round interest to rupees.
  const unit = planned % 100n === 0n && installmentAmount % 100n === 0n ? 100n : 1n
  const principalDays = payments.reduce(
    (left, { day, paise }) => (day < on ? left - paise * BigInt(daysBetween(day < from ? from : day, on)) : left),
    principal * BigInt(days),
  )
  const interest = interestOnDays(principalDays > 0n ? principalDays : 0n, bps, unit)
  return { days, principal, interest, fee, paid, total: principal + interest - fee - paid }
}

/** The last day for an exit that was requested but not paid, once it is over; null when the lender decides that day. */
export function missedExitDay(
  offer: LoanTerms,
  paidOutAt: Date | null,
  { requestedAt, at }: { requestedAt: Date; at: Date },
): string | null {
  const period = coolingOffPeriodOf(offer, paidOutAt)
  if (!period?.agreed) return null
  const requestedOn = businessDate(requestedAt)
  const lastDay = requestedOn > period.until ? period.until : plusDays(requestedOn, daysToPay)
  return businessDate(at) > lastDay ? lastDay : null
}

/**
 * Returns the cooling-off exit, or null when the terms have no cooling-off period or the period has ended. After a
 * request in the period, the borrower may also pay in the days after it.
 */
export function coolingOffExitOf(
  offer: LoanTerms,
  paidOutAt: Date | null,
  at: Date,
  { requestedAt, paid = nothingPaid }: { requestedAt?: Date | undefined; paid?: PaidSum } = {},
): CoolingOffExit | null {
  const { terms: stored, installments } = offer
  const period = coolingOffPeriodOf(offer, paidOutAt)
  if (!stored || !period) return null
  const { from, until, agreed } = period
  const today = businessDate(at)
  const requestedOn = requestedAt ? businessDate(requestedAt) : today
  const payBy = agreed ? plusDays(requestedOn, daysToPay) : null
  const lastDay = requestedAt && payBy && payBy > until ? payBy : until
  if (requestedOn > until || today > lastDay) return null
  if (!agreed) return { until, agreed, payBy, cost: null, price: null }
  // A schedule that the lender has changed, for example after a payment that we do not know, makes our cost wrong.
  const { principal, interest: planned } = termsFrom(stored)
  const scheduled = installments.reduce((total, { amount }) => total + BigInt(amount), 0n)
  const isUntouched = scheduled === principal + planned && installments.every(({ status }) => status === 'NOT-PAID')
  const cost = costOf(offer, { from, on: today }, paid)
  if (!cost) return { until, agreed, payBy, cost, price: null }
  const isKnown = cost.total > 0n && (isUntouched || paid.sum > 0n)
  return { until, agreed, payBy, cost: isKnown ? cost : null, price: cost.total + paid.sum }
}
