// Checks the annual percentage rate against the regulator's illustration and independently computed schedules.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { array, assert as assertProperty, bigInt, constantFrom, integer, property } from 'fast-check'
import {
  apr,
  aprPercent,
  type Fraction,
  monthsInYear,
  percent,
  periodicIrr,
  weeksInYear,
  wholeWeeksInYear,
} from './annual-rate.ts'
import { exactInstalment, monthlyRate, schedule, weeklyRate } from './annuity.ts'
import { divideHalfUp, paiseFrom } from './money.ts'

const references = JSON.parse(readFileSync(new URL('./fixtures/schedules.json', import.meta.url), 'utf8'))
const tenDecimals = (rate: bigint) => divideHalfUp(rate, 10n ** 20n).toString()

test('KFS illustration: the APR is 17.07 % with the unrounded instalment and 17.0989 % with the rounded one', () => {
  const { numerator, denominator } = exactInstalment({
    principal: 2_000_000n,
    rate: monthlyRate(1500n),
    instalments: 24,
  })
  const precision = 10n ** 12n
  const payments = Array<bigint>(24).fill((numerator * precision) / denominator)
  assert.equal(apr(1_960_000n * precision, payments, monthsInYear), 170_706n)
  assert.equal(aprPercent(1_960_000n * precision, payments, monthsInYear), references.rbi.apr_printed_pct)
  assert.equal(tenDecimals(periodicIrr(1_960_000n * precision, payments)), '142254612')
  assert.equal(apr(19_600n, Array<bigint>(24).fill(970n), monthsInYear), 170_989n)
})

for (const [name, periods] of [
  ['W1', wholeWeeksInYear],
  ['W2', weeksInYear],
  ['W3', weeksInYear],
  ['M1', monthsInYear],
] as const) {
  test(`reference schedule ${name}: the periodic IRR and the APR match, with and without GST on the fee`, () => {
    const { rows, net_disbursed, gst_on_fee, period_irr, ...reference } = references[name]
    const payments: bigint[] = rows.map((row: { amount: string }) => paiseFrom(row.amount)!)
    const net = paiseFrom(net_disbursed)!
    assert.equal(tenDecimals(periodicIrr(net, payments)), String(Number(period_irr.split('.')[1])))
    assert.equal(apr(net, payments, periods), BigInt(reference.apr_nominal_pct.replace('.', '')))
    const aprWithoutGst = BigInt(reference.apr_nominal_excluding_gst_pct.replace('.', ''))
    assert.equal(apr(net + paiseFrom(gst_on_fee)!, payments, periods), aprWithoutGst)
  })
}

test('KFS: a loan of which hardly anything is disbursed has its APR at once, by the definition', () => {
  for (const [net, instalment, count] of [
    [1n, 5_00_00n, 24],
    [10n, 1_00_00_000_00n, 24],
    [1n, 99_99_99_999_99n, 60],
  ] as const) {
    const payments = Array<bigint>(count).fill(instalment)
    const rate = periodicIrr(net, payments)
    // The first payment alone is worth more than the loan at a lower rate, and all of them less at a higher one.
    const first = divideHalfUp(instalment * 10n ** 30n, net)
    assert.ok(rate >= first - 2n * 10n ** 30n && rate <= first, `${rate} is not near ${first}`)
  }
})

test('property: without fees the APR is the interest rate, except for rounding', () => {
  assertProperty(
    property(bigInt(200n, 4_000n), integer({ min: 3, max: 60 }), (bps, instalments) => {
      const principal = 1_000_000_00n
      const rows = schedule({ principal, rate: monthlyRate(bps), instalments, unit: 1n })
      const actual = apr(
        principal,
        rows.map((row) => row.amount),
        monthsInYear,
      )
      const expected = bps * 100n
      assert.ok(actual - expected <= 5n && expected - actual <= 5n, `${actual} is not ${expected}`)
    }),
    { numRuns: roundsOf(30) },
  )
})

test('a fee raises the APR; a loan that is not fully repaid has no APR', () => {
  const rows = schedule({ principal: 100_000_00n, rate: monthlyRate(1400n), instalments: 12, unit: 100n })
  const payments = rows.map((row) => row.amount)
  assert.ok(apr(97_000_00n, payments, monthsInYear) > apr(100_000_00n, payments, monthsInYear))
  assert.throws(() => periodicIrr(100_000_00n, [1n]), /less than the loan/)
  assert.throws(() => periodicIrr(0n, [1n]), /nothing is disbursed/)
})

test('KFS: the APR is rounded only once, from the exact rate to two decimals', () => {
  // The exact APR is 35.094975 %. Rounding first to 35.0950 % and then to two decimals would give 35.10 %.
  const rows = schedule({ principal: 90_000_00n, rate: weeklyRate(2400n), instalments: 22, unit: 100n })
  const payments = rows.map(({ amount }) => amount)
  assert.equal(apr(87_876_00n, payments, weeksInYear, 6), 35_094_975n)
  assert.equal(aprPercent(87_876_00n, payments, weeksInYear), '35.09')
})

test('property, KFS: the APR is exact, rounded half up to two decimals', () => {
  const payments = array(bigInt(1n, 90_000_00n), { minLength: 1, maxLength: 40 })
  const periodsPerYear = constantFrom(monthsInYear, weeksInYear, wholeWeeksInYear)
  assertProperty(
    property(payments, bigInt(40n, 100n), periodsPerYear, (payments, share, periodsPerYear) => {
      const net = (payments.reduce((sum, each) => sum + each, 0n) * share) / 100n
      if (net > 0n) assert.ok(isRounded(aprPercent(net, payments, periodsPerYear), { net, payments }, periodsPerYear))
    }),
    { numRuns: roundsOf(5_000) },
  )
})

/**
 * Whether the exact APR rounds to `text`. The balance after the last payment must not be positive at the lowest rate
 * that rounds to `text`, and must be positive at the lowest rate that rounds to the next value.
 */
function isRounded(
  text: string,
  { net, payments }: { net: bigint; payments: bigint[] },
  periodsPerYear: Fraction,
): boolean {
  const thousandths = BigInt(text.replace('.', '')) * 10n
  const finalBalance = (yearly: bigint): bigint => {
    const numerator = yearly * periodsPerYear.denominator
    const denominator = 100_000n * periodsPerYear.numerator
    let balance = net
    let scale = 1n
    for (const payment of payments) {
      scale *= denominator
      balance = balance * (denominator + numerator) - payment * scale
    }
    return balance
  }
  return finalBalance(thousandths - 5n) <= 0n && finalBalance(thousandths + 5n) > 0n
}

test('percent writes a rate with two decimals', () => {
  assert.equal(percent(1_707n), '17.07')
  assert.equal(percent(51n), '0.51')
  assert.equal(percent(1n), '0.01')
  assert.equal(percent(12_000n), '120.00')
})
