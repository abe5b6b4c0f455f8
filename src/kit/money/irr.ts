// The annual percentage rate: periods a year times the periodic IRR on what was really received, found by Newton's method.
import { divideHalfUp } from './money.ts'

/** An exact quotient of whole numbers; as a rate, 16 % a year by the month is 1600 / 120000. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

/** Periods per year: of months, of weeks by actual days, and of weeks at 52 per year. */
export const monthsInYear: Fraction = { numerator: 12n, denominator: 1n }
export const weeksInYear: Fraction = { numerator: 365n, denominator: 7n }
export const plainWeeksInYear: Fraction = { numerator: 52n, denominator: 1n }

/** 1 in the fixed-point numbers of this file: 30 decimals, far below any digit that is ever shown. */
const one = 10n ** 30n

/**
 * The periodic rate that makes `payments` worth exactly `net` today, times 10^30. All amounts are in one unit, whichever.
 * Throws when the payments do not even return what was received: such a loan has no rate of this kind.
 */
export function periodicIrr(net: bigint, payments: bigint[]): bigint {
  if (net <= 0n) throw new Error('nothing is disbursed')
  if (payments.reduce((sum, payment) => sum + payment, 0n) < net) throw new Error('the payments are less than the loan')
  const target = net * one
  // The present value falls ever more slowly as the rate rises, so each step from below ends below the root.
  let rate = 0n
  for (;;) {
    const { value, fall } = worth(payments, rate)
    const step = ((value - target) * one) / fall
    if (step <= 0n) break
    rate += step
  }
  // The rounding errors of the divisions are less than a few units of the last decimal.
  while (worth(payments, rate).value > target) rate++
  while (rate > 0n && worth(payments, rate - 1n).value <= target) rate--
  return rate
}

/** Present value of the payments at the end of periods 1, 2, 3 …, and how fast it falls with the rate; both times 10^30. */
function worth(payments: bigint[], rate: bigint): { value: bigint; fall: bigint } {
  const growth = one + rate
  let [value, fall] = [0n, 0n]
  for (const payment of payments.toReversed()) {
    value = divideHalfUp((value + payment * one) * one, growth)
    fall = divideHalfUp((fall + value) * one, growth)
  }
  return { value, fall }
}

/**
 * APR in units of the last of `decimals` decimals of a percent (170706n is 17.0706 %), rounded once: nominal, periods
 * per year × periodic IRR. The regulator's label says "effective" but its own examples are nominal; this method
 * reproduces them.
 */
export function apr(net: bigint, payments: bigint[], inYear: Fraction, decimals = 4): bigint {
  const scale = 100n * 10n ** BigInt(decimals)
  return divideHalfUp(periodicIrr(net, payments) * inYear.numerator * scale, one * inYear.denominator)
}

/** The APR as people read it, `17.07`. */
export const aprPercent = (net: bigint, payments: bigint[], inYear: Fraction): string =>
  percent(apr(net, payments, inYear, 2))

/** A rate in hundredths of a percent as people read it: 1707n is `17.07`. */
export function percent(hundredths: bigint): string {
  const digits = hundredths.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
