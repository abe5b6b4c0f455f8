// Final terms and their schedule, compared exactly with independently computed figures.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { paiseFrom, rupees } from '@lendloom/lending/money'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { amountOf } from '#partner/servicing/loan/installment-row.ts'
import { initialInstallments } from '#partner/servicing/loan/open-loan.ts'
import { finalTerms, scheduleOf, termsFromJson, termsToJson } from './terms.ts'

const references = JSON.parse(
  readFileSync(new URL(import.meta.resolve('@lendloom/lending/src/fixtures/schedules.json')), 'utf8'),
)
const penalty = { bps: 100, graceDays: 2, everyDays: 7, most: 4 }
const proposed = {
  amountPaise: 100_000_00n,
  tenureWeeks: 22,
  annualRatePercent: '24',
  feePercent: '2',
  taxPercent: '18.00',
  otherChargesPaise: 0n,
  penalty,
  coolOffDays: 3,
}

for (const [name, rounding] of [
  ['W2', 'PAISE'],
  ['W3', 'RUPEE'],
] as const)
  test(`D3 §2.4: 1,00,000 for 22 weeks at 24 % matches reference ${name} in every row, total and the APR`, () => {
    const reference = references[name]
    const terms = finalTerms(proposed, rounding)
    const rows = scheduleOf(terms).map(({ number, opening, interest, principal, amount, closing }) => ({
      n: number,
      opening: rupees(opening),
      interest: rupees(interest),
      principal: rupees(principal),
      amount: rupees(amount),
      closing: rupees(closing),
    }))
    assert.deepEqual(rows, reference.rows)
    assert.equal(terms.numberOfInstallments, 22)
    assert.equal(rupees(terms.installmentPaise), reference.regular_installment)
    assert.equal(rupees(terms.feePaise), reference.fee)
    assert.equal(rupees(terms.taxPaise), reference.gst_on_fee)
    assert.equal(rupees(terms.netPaise), reference.net_disbursed)
    assert.equal(rupees(terms.totalInterestPaise), reference.total_interest)
    assert.equal(rupees(terms.totalPayablePaise), reference.total_payable)
    assert.equal(terms.annualRatePercent, '24.00')
    assert.equal(terms.aprPercent, '35.11')
  })

test('D3 §2.4: the schedule sums up to the total payable, and only the last row differs by rounding', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 5_000n, max: 1_000_000n }),
      fc.integer({ min: 0, max: 4800 }),
      fc.integer({ min: 1, max: 52 }),
      fc.constantFrom('RUPEE' as const, 'PAISE' as const),
      (amount, bps, tenureWeeks, rounding) => {
        const annualRatePercent = rupees(BigInt(bps))
        const terms = finalTerms({ ...proposed, amountPaise: amount * 100n, tenureWeeks, annualRatePercent }, rounding)
        const rows = initialInstallments(terms, '2026-11-20', new Date())
        assert.equal(
          rows.reduce((sum, row) => sum + amountOf(row), 0n),
          terms.totalPayablePaise,
        )
        assert.equal(
          rows.reduce((sum, { due }) => sum + due.principal, 0n),
          terms.amountPaise,
        )
        assert.equal(terms.netPaise + terms.feePaise + terms.taxPaise, terms.amountPaise)
        for (const row of rows.slice(0, -1)) assert.equal(amountOf(row), terms.installmentPaise)
        if (rounding === 'RUPEE') for (const row of rows) assert.equal(amountOf(row) % 100n, 0n)
        assert.equal(terms.annualRatePercent, annualRatePercent)
      },
    ),
    { numRuns: roundsOf(200) },
  )
})

test('D3 §2.5: the first row is due a week after the transfer, the others every week', () => {
  const rows = initialInstallments(finalTerms(proposed), '2026-11-20', new Date())
  assert.deepEqual(
    rows.map((row) => row.dueOn).filter((_, i) => i === 0 || i === 5 || i === 21),
    ['2026-11-27', '2027-01-01', '2027-04-23'],
  )
})

test('D3 §2.4: other upfront charges reduce the net amount, and raise the APR', () => {
  const terms = finalTerms({ ...proposed, otherChargesPaise: paiseFrom('250.00')! })
  assert.equal(rupees(terms.netPaise), '97390.00')
  assert.ok(Number(terms.aprPercent) > 35.11)
})

test('terms survive a round trip through JSON', () => {
  const terms = finalTerms(proposed)
  assert.deepEqual(termsFromJson(JSON.parse(termsToJson(terms))), terms)
})

test('D3 §2.4: rejects terms that leave nothing to disburse, and invalid percentages', () => {
  const invalidTerms = [
    { amountPaise: 0n },
    { tenureWeeks: 0 },
    { otherChargesPaise: 98_000_00n },
    { otherChargesPaise: -1n },
    { annualRatePercent: 'twenty' },
    { feePercent: '-1' },
  ]
  for (const each of invalidTerms)
    assert.throws(
      () => finalTerms({ ...proposed, ...each }),
      (error: Error) => error instanceof Refusal && error.kind === 'invalid',
      JSON.stringify(Object.keys(each)),
    )
})
