// The estimated effect of a prepayment, keeping the instalment or the term, before the lender computes it by day. Pure.
import type { EmbedOffer, EmbedView } from '#contract/hosted/embed.ts'
import { isWeekly, rateOf } from '../page/format.ts'

/** The remaining schedule: a number of equal instalments, a smaller last one, and their interest. */
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

/** The outstanding principal and its rate; null when an instalment is overdue or the rate is unknown. */
function owed(installments: EmbedView['installments'], offer: EmbedOffer) {
  const coming = installments.filter(({ status }) => status === 'NOT-DUE' || status === 'DUE')
  const yearly = rateOf(offer.interestRate)
  const [first] = coming
  if (!first || yearly === null || installments.some(({ status }) => status === 'OVERDUE')) return null
  const perMonth = offer.numberOfInstallments / offer.tenureMonths
  const rate = (yearly / 100) * (isWeekly(offer) ? 7 / 365 : 1 / (12 * perMonth))
  const principal = coming.reduceRight((left, { amount }) => before(left + Number(amount), rate), 0)
  const total = coming.reduce((sum, { amount }) => sum + Number(amount), 0)
  return { principal, rate, now: { count: coming.length, amount: Number(first.amount), interest: total - principal } }
}

/** The amount one period ago that grew to this one with interest, in whole rupees. */
function before(grown: number, rate: number): number {
  const about = Math.round(grown / (1 + rate))
  return [about, about - 1, about + 1].find((owed) => owed + Math.round(owed * rate) === grown) ?? about
}

/** The most that can be prepaid, in whole rupees; null when unknown. */
export const mostAhead = (installments: EmbedView['installments'], offer: EmbedOffer): number | null =>
  owed(installments, offer)?.principal ?? null

/** In rupees. Null when the figures are unknown, or nothing would remain. */
export function partEstimate(
  installments: EmbedView['installments'],
  offer: EmbedOffer,
  part: number,
): PartEstimate | null {
  const of = owed(installments, offer)
  if (!of || part <= 0 || part >= of.principal) return null
  const { rate, now, principal } = of
  const left = principal - part
  const level = Math.round(rate === 0 ? left / now.count : (left * rate) / (1 - (1 + rate) ** -now.count))
  return { now, INSTALLMENT: repaid(left, rate, now.amount), TERM: { ...repaid(left, rate, level), count: now.count } }
}

/** Interest of each period in whole rupees, as lenders round. What roundings leave is paid with the last instalment. */
function repaid(principal: number, rate: number, amount: number): RemainingSchedule {
  let [left, count, interest] = [principal, 0, 0]
  while (left > amount / 100 && count < 600) {
    const period = Math.round(left * rate)
    interest += period
    left -= Math.min(left, amount - period)
    count += 1
  }
  return { count, amount, interest: Math.round(interest) }
}
