// The price of a loan, compared with a worked example, and the due dates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { businessDate, plusMonths } from '@lendloom/lending/calendar'
import { instalmentRange, loanOf } from './lending-decision.ts'

test('worked example M1: 5,00,000 over 36 months at 16 %, fee 10,000 and GST 1,800', () => {
  const prices = { fee: { bps: 200n, minimum: 0n, maximum: 10_000_00n }, stampDuty: 0n }
  const loan = loanOf(prices, { principal: 500_000_00n, months: 36, annualBps: 1600n })
  assert.equal(loan.instalment, 17_579_00n)
  assert.equal(loan.rows.at(-1)!.amount, 17_557_00n)
  assert.equal(loan.interest, 132_822_00n)
  assert.equal(loan.processingFee, 11_800_00n)
  assert.equal(loan.netDisbursed, 488_200_00n)
  assert.equal(loan.aprPercent, '17.71')
})

test('a fee is clamped to its bounds, and its tax is rounded to whole rupees', () => {
  const prices = { fee: { bps: 100n, minimum: 999_00n, maximum: 2_000_00n }, stampDuty: 100_00n }
  const small = loanOf(prices, { principal: 10_000_00n, months: 6, annualBps: 1200n })
  assert.equal(small.fee, 999_00n)
  assert.equal(small.feeTax, 180_00n)
  const large = loanOf(prices, { principal: 900_000_00n, months: 6, annualBps: 1200n })
  assert.equal(large.fee, 2_000_00n)
  assert.equal(large.netDisbursed, 900_000_00n - 2_360_00n - 100_00n)
})

test('instalments are due on the same day of each month, or on its last day', () => {
  assert.equal(plusMonths('2026-01-31', 1), '2026-02-28')
  assert.equal(plusMonths('2027-10-31', 4), '2028-02-29')
  assert.equal(plusMonths('2026-11-20', 14), '2028-01-20')
  assert.equal(plusMonths('2026-12-15', 0), '2026-12-15')
})

test('FIS12 §13.5: an instalment range ends on the due day, in India and in UTC', () => {
  const { start, end } = instalmentRange('2026-11-20', 1)
  assert.equal(businessDate(end), '2026-12-20')
  assert.equal(end.toISOString().slice(0, 10), '2026-12-20')
  assert.equal(businessDate(start), '2026-11-21')
  assert.equal(instalmentRange('2026-11-20', 2).start.getTime(), end.getTime() + 1)
  assert.equal(businessDate(new Date('2026-11-20T18:30:00Z')), '2026-11-21')
})
