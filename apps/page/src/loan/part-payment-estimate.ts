// Estimates a prepayment that keeps the instalment or the term. The lender computes interest by the day. Pure.
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { isWeekly, rateOf } from '../page/format.ts'

/** `count` instalments of `amount`, of which the last may be smaller, and their total interest. */
interface RemainingSchedule {
  count: number
  amount: number
  interest: number
}

export interface PartEstimate {
  now: RemainingSchedule
  INSTALLMENT: RemainingSchedule
  TERM: RemainingSchedule
}

/** Derives the outstanding principal; null if an instalment is overdue or the rate is unknown. */
function remainingDebt(installments: EmbedView['installments'], offer: EmbedOffer) {
  const unpaid = installments.filter(({ status }) => status === 'NOT-DUE' || status === 'DUE')
  const yearlyPercent = rateOf(offer.interestRate)
  const [first] = unpaid
  if (!first || yearlyPercent === null || installments.some(({ status }) => status === 'OVERDUE')) return null
  const perMonth = offer.numberOfInstallments / offer.tenureMonths
  const rate = (yearlyPercent / 100) * (isWeekly(offer) ? 7 / 365 : 1 / (12 * perMonth))
  const principal = unpaid.reduceRight((remaining, { amount }) => previousBalance(remaining + Number(amount), rate), 0)
  const total = unpaid.reduce((sum, { amount }) => sum + Number(amount), 0)
  return { principal, rate, now: { count: unpaid.length, amount: Number(first.amount), interest: total - principal } }
}

/** The balance one period earlier, which became `balance` with interest rounded to whole rupees. */
function previousBalance(balance: number, rate: number): number {
  const estimate = Math.round(balance / (1 + rate))
  return [estimate, estimate - 1, estimate + 1].find((owed) => owed + Math.round(owed * rate) === balance) ?? estimate
}

/** The outstanding principal, which a prepayment must not reach, in whole rupees; null if unknown. */
export const outstandingPrincipal = (installments: EmbedView['installments'], offer: EmbedOffer): number | null =>
  remainingDebt(installments, offer)?.principal ?? null

/** Estimates a prepayment in whole rupees. Null if the principal is unknown, or if nothing would remain. */
export function partEstimate(
  installments: EmbedView['installments'],
  offer: EmbedOffer,
  prepayment: number,
): PartEstimate | null {
  const debt = remainingDebt(installments, offer)
  if (!debt || prepayment <= 0 || prepayment >= debt.principal) return null
  const { rate, now, principal } = debt
  const remaining = principal - prepayment
  const instalment = Math.round(
    rate === 0 ? remaining / now.count : (remaining * rate) / (1 - (1 + rate) ** -now.count),
  )
  return {
    now,
    INSTALLMENT: simulateRepayment(remaining, rate, now.amount),
    TERM: { ...simulateRepayment(remaining, rate, instalment), count: now.count },
  }
}

/** Simulates the repayment, with interest rounded to rupees per period. The last instalment takes the remainder. */
function simulateRepayment(principal: number, rate: number, amount: number): RemainingSchedule {
  let remaining = principal
  let count = 0
  let interest = 0
  while (remaining > amount / 100 && count < 600) {
    const period = Math.round(remaining * rate)
    interest += period
    remaining -= Math.min(remaining, amount - period)
    count += 1
  }
  return { count, amount, interest: Math.round(interest) }
}
