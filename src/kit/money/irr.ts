// The annual percentage rate (APR): periods per year × periodic IRR of the received amount, found by Newton's method.
import { divideHalfUp } from './money.ts'

/** An exact quotient of whole numbers; the monthly rate of 16 % a year, for example, is 1600 / 120000. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

/** Periods per year: months, weeks by actual days (365 / 7), and weeks at 52 per year. */
export const monthsInYear: Fraction = { numerator: 12n, denominator: 1n }
export const weeksInYear: Fraction = { numerator: 365n, denominator: 7n }
export const wholeWeeksInYear: Fraction = { numerator: 52n, denominator: 1n }

/** 1 in the fixed-point numbers of this file, which have 30 decimals: far more than are ever displayed. */
const fixedOne = 10n ** 30n

/**
 * The periodic rate, times 10^30, at which the present value of `payments` equals `net`; all amounts are in one unit.
 * Throws when the payments are less than `net`, because the rate would be negative.
 */
export function periodicIrr(net: bigint, payments: bigint[]): bigint {
  if (net <= 0n) throw new Error('nothing is disbursed')
  if (payments.reduce((sum, payment) => sum + payment, 0n) < net) throw new Error('the payments are less than the loan')
  const target = net * fixedOne
  // The present value falls ever more slowly as the rate rises, so each step from below ends below the root.
  let rate = 0n
  for (;;) {
    const { value, fall } = presentValue(payments, rate)
    const step = ((value - target) * fixedOne) / fall
    if (step <= 0n) break
    rate += step
  }
  // The rounding errors of the divisions are less than a few units of the last decimal.
  while (presentValue(payments, rate).value > target) rate++
  while (rate > 0n && presentValue(payments, rate - 1n).value <= target) rate--
  return rate
}

/** Present value of payments at the ends of periods 1, 2, 3 …, and how fast it falls with the rate; times 10^30. */
function presentValue(payments: bigint[], rate: bigint): { value: bigint; fall: bigint } {
  const growth = fixedOne + rate
  let [value, fall] = [0n, 0n]
  for (const payment of payments.toReversed()) {
    value = divideHalfUp((value + payment * fixedOne) * fixedOne, growth)
    fall = divideHalfUp((fall + value) * fixedOne, growth)
  }
  return { value, fall }
}

/**
 * The APR in percent times 10^`decimals` (170706n is 17.0706 %), rounded once; nominal: periods per year times
 * periodic IRR. The regulator's label says "effective", but its examples are nominal, and this method reproduces them.
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
