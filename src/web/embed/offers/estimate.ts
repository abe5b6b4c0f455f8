// The instalment a borrower can expect for another amount or term, before the lender has worked it out. Pure.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { isWeekly, rateOf } from '../page/format.ts'

/** In rupees, rounded to whole ones as lenders round; null when the rate cannot be read. What was offered is not estimated. */
export function estimatedInstalment(offer: EmbedOffer, amount: number, tenureMonths: number): number | null {
  const exact = exactInstalment(offer, amount, tenureMonths)
  if (amount === Number(offer.amountPrincipal) && tenureMonths === offer.tenureMonths)
    return exact && Number(offer.installmentAmount)
  return exact && Math.round(exact)
}

/**
 * Before rounding. The offer itself shows whether interest runs on the outstanding or the original amount: "Fixed" is
 * used for both.
 */
export function exactInstalment(offer: EmbedOffer, amount: number, tenureMonths: number): number | null {
  const yearly = rateOf(offer.interestRate)
  if (yearly === null || amount <= 0 || tenureMonths <= 0) return null
  const offered = Number(offer.installmentAmount)
  const perMonth = offer.numberOfInstallments / offer.tenureMonths
  // As lenders count: a twelfth of the year for a month, seven of 365 days for a week.
  const rate = (yearly / 100) * (isWeekly(offer) ? 7 / 365 : 1 / (12 * perMonth))
  const misses = (rule: InstalmentRule) =>
    Math.abs(rule(Number(offer.amountPrincipal), rate, offer.numberOfInstallments) - offered)
  const rule = misses(flat) < misses(reducing) ? flat : reducing
  return rule(amount, rate, countOf(offer, tenureMonths))
}

/** How many instalments there are over a term. */
export const countOf = ({ numberOfInstallments, tenureMonths }: EmbedOffer, months: number): number =>
  Math.max(1, Math.round((months * numberOfInstallments) / tenureMonths))

/** The instalment of an amount, by the rate of one period and the number of instalments. */
type InstalmentRule = (amount: number, rate: number, count: number) => number
export const reducing: InstalmentRule = (amount, rate, count) =>
  rate === 0 ? amount / count : (amount * rate) / (1 - (1 + rate) ** -count)
const flat: InstalmentRule = (amount, rate, count) => (amount * (1 + rate * count)) / count

/** The terms to choose from: both ends, the offered and the requested one, and round numbers of months between. */
export function tenuresOf(
  { least, most, tenureMonths }: Pick<EmbedOffer, 'least' | 'most' | 'tenureMonths'>,
  wanted = tenureMonths,
): number[] {
  const [from, to] = [least.tenureMonths, most.tenureMonths]
  const step = to - from <= 6 ? 1 : to - from <= 12 ? 3 : 6
  const between = Array.from({ length: Math.floor(to / step) }, (_, i) => (i + 1) * step)
  const all = new Set([from, to, tenureMonths, wanted, ...between].filter((months) => months >= from && months <= to))
  return [...all].sort((a, b) => a - b)
}

/** The monthly cost of weekly instalments: by 365 days and twelve months a year. */
export const weeklyAMonth = (instalment: number): number => Math.round((instalment * 365) / 84)

/**
 * A slider between two amounts in round steps; the last step is shorter when the maximum is not round, and `reach` is
 * then past it. A minimum of one rupee means that the lender names none: the slider starts at a round amount, and less
 * can be typed.
 */
export function sliderOf(lent: number, mostLent: number) {
  const [isOpen, most] = [lent <= 1, Math.floor(mostLent)]
  const least = isOpen ? (rounds.find((amount) => amount * 2 <= most) ?? 1) : lent
  const step = steps.find((step) => least % step === 0 && most - least >= step) ?? 1
  return { isOpen, least, most, step, reach: least + Math.ceil((most - least) / step) * step }
}
const steps = [1_000, 500, 100]
const rounds = [10_000, ...steps]
