// The annual percentage rate (APR): periods per year × internal rate of return (IRR) of one period.
import { divideHalfUp } from './money.ts'

/** An exact quotient. For example, the monthly rate of 16 % a year is 1600 / 120000. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

export const monthsInYear: Fraction = { numerator: 12n, denominator: 1n }
/** By actual days. */
export const weeksInYear: Fraction = { numerator: 365n, denominator: 7n }
export const wholeWeeksInYear: Fraction = { numerator: 52n, denominator: 1n }

/** The number 1 in the fixed-point numbers of this file, which have 30 decimals. */
const fixedOne = 10n ** 30n

/**
 * The rate per period, times 10^30, at which the present value of `payments` equals `net`. All amounts have the same
 * unit. Throws when the payments are less than `net`, because the rate would be negative.
 */
export function periodicIrr(net: bigint, payments: bigint[]): bigint {
  if (net <= 0n) throw new Error('nothing is disbursed')
  if (payments.reduce((sum, payment) => sum + payment, 0n) < net) throw new Error('the payments are less than the loan')
  const target = net * fixedOne
  // Newton's method. The present value is convex in the rate, so no step passes the root.
  let rate = 0n
  for (;;) {
    const { value, slope } = presentValue(payments, rate)
    const step = ((value - target) * fixedOne) / slope
    if (step <= 0n) break
    rate += step
  }
  return leastRate(rate, (candidate) => presentValue(payments, candidate).value <= target)
}

/**
 * The least rate that is enough, near a rate that the rounding errors of divisions have moved: mostly by a few units of
 * the last decimal, and by very many if hardly anything is disbursed. So the distance is doubled, then halved.
 */
function leastRate(near: bigint, isEnough: (rate: bigint) => boolean): bigint {
  if (isEnough(0n)) return 0n
  let low = near
  let high = near
  for (let width = 1n; !isEnough(high); width *= 2n) {
    low = high
    high += width
  }
  for (let width = 1n; isEnough(low); width *= 2n) {
    high = low
    low = low > width ? low - width : 0n
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** The present value of payments at the ends of periods 1, 2, 3 …, and its negated derivative; both times 10^30. */
function presentValue(payments: bigint[], rate: bigint): { value: bigint; slope: bigint } {
  const growth = fixedOne + rate
  let value = 0n
  let slope = 0n
  for (const payment of payments.toReversed()) {
    value = divideHalfUp((value + payment * fixedOne) * fixedOne, growth)
    slope = divideHalfUp((slope + value) * fixedOne, growth)
  }
  return { value, slope }
}

/**
 * The nominal APR in percent, times 10^`decimals`: 170706n is 17.0706 %. The regulator calls the rate "effective", but
 * its examples are nominal rates, which this method reproduces.
 */
export function apr(net: bigint, payments: bigint[], periodsPerYear: Fraction, decimals = 4): bigint {
  const scale = 100n * 10n ** BigInt(decimals)
  return divideHalfUp(
    periodicIrr(net, payments) * periodsPerYear.numerator * scale,
    fixedOne * periodsPerYear.denominator,
  )
}

/** Writes the APR in percent with two decimals: `17.07`. */
export const aprPercent = (net: bigint, payments: bigint[], periodsPerYear: Fraction): string =>
  percent(apr(net, payments, periodsPerYear, 2))

/** Writes a rate in hundredths of a percent as percent: 1707n is `17.07`. */
export function percent(hundredths: bigint): string {
  const digits = hundredths.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
