// Estimates the instalment for another amount or term than the lender's offer. Pure.
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { isWeekly, rateOf } from '../page/format.ts'

/** The instalment in whole rupees; the lender's figure for its own amount and term. Null if the rate is unreadable. */
export function estimatedInstalment(offer: EmbedOffer, amount: number, tenureMonths: number): number | null {
  const exact = exactInstalment(offer, amount, tenureMonths)
  if (amount === Number(offer.amountPrincipal) && tenureMonths === offer.tenureMonths)
    return exact && Number(offer.installmentAmount)
  return exact && Math.round(exact)
}

/**
 * The estimate before rounding. The offer's figures show whether interest accrues on the outstanding balance or the
 * original amount, because lenders call both "Fixed".
 */
export function exactInstalment(offer: EmbedOffer, amount: number, tenureMonths: number): number | null {
  const yearlyPercent = rateOf(offer.interestRate)
  if (yearlyPercent === null || amount <= 0 || tenureMonths <= 0) return null
  const offeredInstalment = Number(offer.installmentAmount)
  const countPerMonth = offer.numberOfInstallments / offer.tenureMonths
  // A month counts as a twelfth of a year, a week as 7 of 365 days, as lenders count.
  const rate = (yearlyPercent / 100) * (isWeekly(offer) ? 7 / 365 : 1 / (12 * countPerMonth))
  const deviation = (rule: InstalmentRule) =>
    Math.abs(rule(Number(offer.amountPrincipal), rate, offer.numberOfInstallments) - offeredInstalment)
  const rule = deviation(flat) < deviation(reducing) ? flat : reducing
  return rule(amount, rate, countOf(offer, tenureMonths))
}

/** The number of instalments over a term. */
export const countOf = ({ numberOfInstallments, tenureMonths }: EmbedOffer, months: number): number =>
  Math.max(1, Math.round((months * numberOfInstallments) / tenureMonths))

/** Computes an instalment; `rate` is per instalment period. */
type InstalmentRule = (amount: number, rate: number, count: number) => number
export const reducing: InstalmentRule = (amount, rate, count) =>
  rate === 0 ? amount / count : (amount * rate) / (1 - (1 + rate) ** -count)
const flat: InstalmentRule = (amount, rate, count) => (amount * (1 + rate * count)) / count

/** The selectable terms: both limits, the offered and the requested term, and round numbers of months between. */
export function tenuresOf(
  { least, most, tenureMonths }: Pick<EmbedOffer, 'least' | 'most' | 'tenureMonths'>,
  requested = tenureMonths,
): number[] {
  const min = least.tenureMonths
  const max = most.tenureMonths
  const step = max - min <= 6 ? 1 : max - min <= 12 ? 3 : 6
  const roundTerms = Array.from({ length: Math.floor(max / step) }, (_, i) => (i + 1) * step)
  const all = new Set(
    [min, max, tenureMonths, requested, ...roundTerms].filter((months) => months >= min && months <= max),
  )
  return [...all].sort((a, b) => a - b)
}

/** The monthly cost of weekly instalments, with 365 days a year. */
export const weeklyToMonthly = (instalment: number): number => Math.round((instalment * 365) / 84)

/**
 * The amounts of a slider, from the least to the most. They are round, and farther apart the larger they are, so that the
 * amounts that most borrowers want have most of its length. A minimum of one rupee means that the lender sets none
 * (`isOpen`): the slider then starts at a round amount, and the borrower can type less.
 */
export function sliderOf(lenderMin: number, lenderMax: number) {
  const isOpen = lenderMin <= 1
  const most = Math.floor(lenderMax)
  const least = isOpen ? (roundAmounts.find((amount) => amount * 2 <= most) ?? 1) : lenderMin
  const coarse = coarseDivisors.map((divisor) => amountsBetween(least, most, divisor))
  const amounts = coarse.find(({ length }) => length > leastSteps) ?? amountsBetween(least, most, finestDivisor)
  return { isOpen, least, most, amounts }
}

/** Round amounts, each at most a `divisor`th above the last. */
function amountsBetween(least: number, most: number, divisor: number): number[] {
  const amounts = [least]
  for (let amount = least; amount < most; amounts.push(amount)) {
    const step = steps.find((each) => each * divisor <= amount) ?? 1
    amount = Math.min(most, (Math.floor(amount / step) + 1) * step)
  }
  return amounts
}

const steps = [100_000, 50_000, 25_000, 10_000, 5_000, 1_000, 500, 100, 50, 10]
/** A slider with fewer steps would be too coarse. */
const leastSteps = 20
const coarseDivisors = [10, 20, 50, 100]
const finestDivisor = 1000
const roundAmounts = [10_000, 1_000, 500, 100]
