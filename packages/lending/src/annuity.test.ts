// Checks repayment schedules against the regulator's illustration, independently computed references and properties.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { assert as assertProperty, bigInt, constantFrom, integer, property } from 'fast-check'
import type { Fraction } from './annual-rate.ts'
import {
  affordablePrincipal,
  exactInstalment,
  monthlyRate,
  regularInstalment,
  schedule,
  totalInterest,
  weeklyRate,
} from './annuity.ts'
import { divideHalfUp, paiseFrom, rupees } from './money.ts'

const references = JSON.parse(readFileSync(new URL('./fixtures/schedules.json', import.meta.url), 'utf8'))
const rates: Record<string, Fraction> = {
  // A year of 52 weeks at 24 %.
  W1: { numerator: 2400n, denominator: 520_000n },
  W2: weeklyRate(2400n),
  W3: weeklyRate(2400n),
  M1: monthlyRate(1600n),
}

for (const name of ['W1', 'W2', 'W3', 'M1']) {
  const reference = references[name]
  const plan = {
    principal: paiseFrom(reference.principal)!,
    rate: rates[name]!,
    instalments: reference.installments as number,
    unit: name === 'W3' || name === 'M1' ? 100n : 1n,
  } as const

  test(`reference schedule ${name}: every row and every total matches`, () => {
    const rows = schedule(plan)
    const actualRows = rows.map((row) => ({
      n: row.number,
      opening: rupees(row.opening),
      interest: rupees(row.interest),
      principal: rupees(row.principal),
      amount: rupees(row.amount),
      closing: rupees(row.closing),
    }))
    assert.deepEqual(actualRows, reference.rows)
    assert.equal(rupees(regularInstalment(plan)), reference.regular_installment)
    assert.equal(rupees(rows.at(-1)!.amount), reference.final_installment)
    assert.equal(rupees(totalInterest(rows)), reference.total_interest)
    const { numerator, denominator } = exactInstalment(plan)
    assert.equal(divideHalfUp(numerator * 10_000n, denominator).toString(), reference.emi_unrounded.replace('.', ''))
  })
}

test('KFS illustration: the unrounded instalment is 969.7329609 and the total interest is 3274', () => {
  const plan = { principal: 2_000_000n, rate: monthlyRate(1500n), instalments: 24 }
  const { numerator, denominator } = exactInstalment(plan)
  assert.equal(divideHalfUp(numerator * 100_000n, denominator).toString(), '9697329609')
  assert.equal(divideHalfUp(numerator * 24n - 2_000_000n * denominator, denominator * 100n).toString(), '3274')
})

const plans = {
  principal: bigInt({ min: 1_000n, max: 500_000n }).map((amount) => amount * 100n),
  rate: bigInt({ min: 0n, max: 4_800n }).map(monthlyRate),
  instalments: integer({ min: 1, max: 84 }),
  unit: constantFrom(1n as const, 100n as const),
}

test('property: a schedule repays exactly the principal, and its balance never rises', () => {
  assertProperty(
    property(plans.principal, plans.rate, plans.instalments, plans.unit, (principal, rate, instalments, unit) => {
      const rows = schedule({ principal, rate, instalments, unit })
      assert.equal(rows.length, instalments)
      assert.equal(rows.at(-1)!.closing, 0n)
      assert.equal(
        rows.reduce((sum, row) => sum + row.principal, 0n),
        principal,
      )
      for (const [i, row] of rows.entries()) {
        assert.equal(row.amount, row.principal + row.interest)
        assert.equal(row.opening - row.principal, row.closing)
        assert.equal(row.opening, i === 0 ? principal : rows[i - 1]!.closing)
        assert.equal(row.amount % unit, 0n)
        assert.ok(row.principal >= 0n && row.interest >= 0n)
      }
    }),
    { numRuns: roundsOf(200) },
  )
})

test('property: affordablePrincipal returns the largest principal that the instalment repays', () => {
  assertProperty(
    property(
      bigInt(100_00n, 100_000_00n),
      plans.rate,
      integer({ min: 3, max: 84 }),
      (instalment, rate, instalments) => {
        const principal = affordablePrincipal(instalment, rate, instalments)
        const instalmentOf = (amount: bigint) => exactInstalment({ principal: amount, rate, instalments })
        const exact = instalmentOf(principal)
        assert.ok(exact.numerator <= instalment * exact.denominator)
        const oneRupeeMore = instalmentOf(principal + 100n)
        assert.ok(oneRupeeMore.numerator > instalment * oneRupeeMore.denominator)
      },
    ),
    { numRuns: roundsOf(100) },
  )
})
