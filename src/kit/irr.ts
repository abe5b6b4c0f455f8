// The annual percentage rate: periods a year times the periodic IRR on what was really received, found by bisection.
import { divideHalfUp } from '#kit/money.ts'

/** An exact quotient of whole numbers; as a rate, 16 % a year by the month is 1600 / 120000. */
export interface Fraction {
  numerator: bigint
  denominator: bigint
}

/** Periods in a year: of months, of weeks of the days they really have, and of weeks when 52 are taken for a year. */
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
  let low = 0n
  let high = one
  while (worth(payments, high) > net * one) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (worth(payments, middle) > net * one) low = middle
    else high = middle
  }
  return high
}

/** Present value of the payments at the end of periods 1, 2, 3 …, times 10^30; folded from the last payment back. */
const worth = (payments: bigint[], rate: bigint): bigint =>
  payments.reduceRight((value, payment) => divideHalfUp((value + payment * one) * one, one + rate), 0n)

/**
 * APR in ten-thousandths of a percent (170706n is 17.0706 %): nominal, periods a year × periodic IRR. The regulator's
 * label says "effective", its own numbers are nominal; this method reproduces them.
 */
export function apr(net: bigint, payments: bigint[], inYear: Fraction): bigint {
  return divideHalfUp(periodicIrr(net, payments) * inYear.numerator * 1_000_000n, one * inYear.denominator)
}

/** The rate as people read it: 170706n is `17.07`. */
export function percent(tenThousandths: bigint): string {
  const hundredths = divideHalfUp(tenThousandths, 100n).toString().padStart(3, '0')
  return `${hundredths.slice(0, -2)}.${hundredths.slice(-2)}`
}
