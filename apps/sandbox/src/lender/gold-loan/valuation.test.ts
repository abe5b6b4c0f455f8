// The value of gold and its maximum loan: worked examples, tier boundaries, and properties.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Paise, paiseFrom, rupees } from '@lendloom/lending/money'
import { bigInt, assert as law, property } from 'fast-check'
import type { Purity } from '#sandbox/lender/core/conversation.ts'
import { ltvText } from '#sandbox/lender/core/message-parts.ts'
import {
  goldValue,
  gramsText,
  loanToValueTiers,
  maxLoan,
  milligramsFrom,
  nearestRate,
  pricePerGram,
} from './valuation.ts'

const examples: [grams: string, Purity, nearest: bigint, perGram: string, value: string, loan: string, ltv: string][] =
  [
    ['20', '22K', 916n, '10992.00', '219840.00', '186864', '85.00%'],
    ['27', '22K', 916n, '10992.00', '296784.00', '250000', '84.24%'],
    ['30', '22K', 916n, '10992.00', '329760.00', '263808', '80.00%'],
    ['40', '22K', 916n, '10992.00', '439680.00', '351744', '80.00%'],
    ['60', '22K', 916n, '10992.00', '659520.00', '500000', '75.81%'],
    ['30', '18k', 750n, '9000.00', '270000.00', '229500', '85.00%'],
    ['25', '14K', 585n, '7020.00', '175500.00', '149175', '85.00%'],
    ['50', '21K', 916n, '10500.00', '525000.00', '420000', '80.00%'],
    ['10', '9K', 585n, '4500.00', '45000.00', '38250', '85.00%'],
    ['10', '24K', 995n, '11951.95', '119519.50', '101591', '85.00%'],
  ]
const fineness = { '24K': 995n, '22K': 916n, '21K': 875n, '18k': 750n, '14K': 585n, '9K': 375n }

for (const [grams, purity, nearest, perGram, value, loan, ltv] of examples)
  test(`${grams} g of ${purity} are worth ${value}, with a maximum loan of ${loan}`, () => {
    const worth = goldValue({ milligrams: milligramsFrom(grams)!, purity })
    assert.equal(nearestRate(fineness[purity]).fineness, nearest)
    assert.equal(rupees(pricePerGram(purity)), perGram)
    assert.equal(rupees(worth), value)
    assert.equal(maxLoan(worth), paiseFrom(loan))
    assert.equal(ltvText(maxLoan(worth), worth), ltv)
  })

test('just above a tier’s top the maximum loan stays constant while the value grows', () => {
  for (const [value, loan] of [
    ['250000', '212500'],
    ['294117.64', '249999'],
    ['294117.65', '250000'],
    ['300000', '250000'],
    ['312500', '250000'],
    ['312501', '250000'],
    ['312502', '250001'],
    ['500000', '400000'],
    ['625000', '500000'],
    ['650000', '500000'],
    ['666666.66', '500000'],
    ['666666.67', '500000'],
    ['666668', '500001'],
    ['700000', '525000'],
  ] as const)
    assert.equal(maxLoan(paiseFrom(value)!), paiseFrom(loan), value)
})

test('the cap of a bullet loan includes its interest', () => {
  assert.equal(maxLoan(3_00_000_00n, { annualBps: 1200n, months: 12 }), 2_27_678_00n)
})

test('of two equally near published rates, the rate of the purer gold applies', () => {
  assert.equal(nearestRate(833n).fineness, 916n)
  assert.equal(nearestRate(997n).fineness, 999n)
  assert.equal(nearestRate(0n).fineness, 585n)
})

const values = bigInt({ min: 0n, max: 1_00_00_000_00n })

test('the maximum loan grows with the value, respects its tier, and cannot be raised by a rupee', () => {
  law(
    property(values, bigInt({ min: 0n, max: 1_00_000_00n }), (value, increase) => {
      const loan = maxLoan(value)
      assert.ok(maxLoan(value + increase) >= loan)
      const fits = (amount: Paise) => {
        const { capBps } = loanToValueTiers.find(({ top }) => top === null || amount <= top)!
        return amount * 10_000n <= value * capBps
      }
      assert.ok(fits(loan))
      assert.equal(loan % 100n, 0n)
      assert.ok(!fits(loan + 100n))
    }),
  )
})

test('weights are parsed to the milligram and formatted without trailing zeros', () => {
  assert.deepEqual(['20', ' 20.5 ', '0.001'].map(milligramsFrom), [20_000n, 20_500n, 1n])
  for (const text of ['', '-1', '1.2345', '1,5', 'ten', '12345678']) assert.equal(milligramsFrom(text), null, text)
  assert.deepEqual([20_000n, 20_500n, 1n].map(gramsText), ['20', '20.5', '0.001'])
})
