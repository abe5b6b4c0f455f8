// What no offer of a lender is outside of, whichever wire it came by. The bounds are wide: they refuse what cannot be an
// offer, such as a negative principal, and judge no price.

import { durationMs } from '@lendloom/foundation/clock'
import { type Paise, percentOf, rupees } from './money.ts'
import { netDisbursedOf, type Terms } from './terms.ts'

/** A thousand crore rupees. */
const mostPaise: Paise = 10_000_000_000_00n

/** In percent a year. Small loans for days have rates of several hundred percent. */
const mostPercent = 1000

/** Fifty years. */
export const mostMonths = 600

/** At most one instalment for each day of a month. */
const mostPerMonth = 31

/** How long an offer may be valid. */
const mostValidityMs = 366 * 86_400_000

export interface TermFault {
  term: keyof Terms
  message: string
}

/** What of the terms cannot be a lender's; empty for possible ones. A credit line has no instalments and no payout. */
export function termFaults(terms: Terms, isLine = false): TermFault[] {
  const amounts = ['interest', 'processingFee', 'otherUpfront', 'insurance', 'otherCharges'] as const
  const positiveAmounts = isLine
    ? (['principal'] as const)
    : (['principal', 'netDisbursed', 'installmentAmount'] as const)
  const rates = ['interestRate', 'apr'] as const
  return [
    ...positiveAmounts.flatMap((term) => (isPositive(terms[term]) ? [] : [fault(term, positiveText)])),
    ...amounts.flatMap((term) => (isAmount(terms[term]) ? [] : [fault(term, amountText)])),
    ...rates.flatMap((term) => (isRate(terms[term]) ? [] : [fault(term, rateText)])),
    ...(isCount(terms.termMonths, mostMonths) ? [] : [fault('termMonths', `must be from 1 to ${mostMonths} months`)]),
    ...(isLine ? [] : loanFaults(terms)),
    ...(isValidity(terms.quoteTtl) ? [] : [fault('quoteTtl', validityText)]),
    ...(isAtMostAYear(terms.coolOffPeriod) ? [] : [fault('coolOffPeriod', 'must be at most a year')]),
    ...(isShare(terms.ltvRatio) ? [] : [fault('ltvRatio', 'must be from 0 % to 100 %')]),
  ]
}

/**
 * What of a loan contradicts itself, with room for lenders who round, step instalments up or count a year otherwise: a
 * payout above the principal, charges that leave none of it, instalments that do not come near to the principal, and a yearly cost far below the rate.
 */
function loanFaults(terms: Terms): TermFault[] {
  const { principal, netDisbursed, installmentAmount, installmentsCount, termMonths, interestRate, apr } = terms
  const fees = ['processingFee', 'otherUpfront', 'insurance', 'otherCharges'] as const
  const mostCount = termMonths * mostPerMonth
  const repaid = installmentAmount * BigInt(installmentsCount)
  return [
    ...(isCount(installmentsCount, mostCount)
      ? []
      : [fault('installmentsCount', `must be from 1 to ${mostCount} in ${termMonths} months`)]),
    ...fees.flatMap((fee) => (terms[fee] <= principal ? [] : [fault(fee, 'must not be more than the principal')])),
    ...(netDisbursedOf(terms) > 0n ? [] : [fault('netDisbursed', 'must be above zero without the upfront charges')]),
    ...(netDisbursed <= principal ? [] : [fault('netDisbursed', 'must not be more than the principal')]),
    ...(repaid * 2n >= principal
      ? []
      : [fault('installmentAmount', 'must repay the principal with the number of instalments')]),
    ...(percentIn(apr) * 2 >= percentIn(interestRate) ? [] : [fault('apr', 'must not be far below the interest rate')]),
  ]
}

const fault = (term: keyof Terms, message: string): TermFault => ({ term, message })

/** Whether an amount is one that a lender may state: not negative, and within what a loan can be. */
export const isAmount = (amount: Paise): boolean => amount >= 0n && amount <= mostPaise
export const amountText = `must be an amount from 0.00 to ${rupees(mostPaise)}`

const isPositive = (amount: Paise): boolean => amount > 0n && isAmount(amount)
const positiveText = `must be above zero and at most ${rupees(mostPaise)}`

/** The text is a percentage, as `percentOf` reads it. */
const percentIn = (text: string): number => Number.parseFloat(text)

export const isRate = (text: string): boolean => percentIn(text) >= 0 && percentIn(text) <= mostPercent
export const rateText = `must be from 0 % to ${mostPercent} %`

const isCount = (count: number, most: number): boolean => count >= 1 && count <= most

export const validityText = 'must be above zero and at most a year'
/** A text that is no duration is the reader's to judge. */
export function isValidity(text: string | null): boolean {
  const ms = text === null ? null : durationMs(text)
  return ms === null || (ms > 0 && ms <= mostValidityMs)
}

function isAtMostAYear(text: string | null): boolean {
  const ms = text === null ? null : durationMs(text)
  return ms === null || ms <= mostValidityMs
}

/** A text that is no percentage is the reader's to judge. */
function isShare(text: string | null): boolean {
  const percent = text === null ? null : percentOf(text)
  return percent === null || (percentIn(percent) >= 0 && percentIn(percent) <= 100)
}

/** The times of loans that are told by lenders: within them lies every day of a loan of fifty years. */
const earliestYear = 2000
const latestYear = 2199

export const isMomentOfLoan = (moment: Date): boolean =>
  moment.getUTCFullYear() >= earliestYear && moment.getUTCFullYear() <= latestYear
export const momentText = `must be a moment from ${earliestYear} to ${latestYear}`
