// The total cost of final terms and of late payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costOf, isAtMost, lateCost, parseCharge } from './total-cost.ts'

const offer = {
  amountPrincipal: '200000.00',
  totalInterest: '24832.00',
  processingFees: '1180.10',
  otherUpfrontCharges: '250.20',
  insuranceCharges: '0.00',
  otherCharges: '0.00',
  netDisbursed: '198569.70',
}

test('the cost is the exact sum of interest and all fees', () => {
  const { deducted, ...figures } = costOf(offer)
  assert.deepEqual(figures, { total: 224_832, interest: 24_832, fees: 1430.3, cost: 26_262.3 })
  assert.ok(deducted, 'the fees are deducted from the payout')
})

test('fees that are paid separately are not shown as deducted', () => {
  assert.ok(!costOf({ ...offer, netDisbursed: '200000.00' }).deducted, 'paid separately')
  const free = { ...offer, processingFees: '0.00', otherUpfrontCharges: '0.00', netDisbursed: '200000.00' }
  assert.equal(costOf(free).deducted, false)
  assert.equal(costOf(free).fees, 0)
})

test('a charge is parsed as none, an amount or a rate per period', () => {
  for (const text of ['none', 'Nil', '0%', '0.00', '0 %', 'N/A', 'not applicable'])
    assert.deepEqual(parseCharge(text), { kind: 'none' }, text)
  assert.deepEqual(parseCharge('500.00'), { kind: 'amount', amount: '500.00' })
  const rates = [
    ['18%', '18', null],
    ['18% a year', '18', 'year'],
    ['18% a year on the overdue instalment', '18', 'year'],
    ['15% a year on the overdue amount', '15', 'year'],
    ['18 % p.a.', '18', 'year'],
    ['18% per annum on the overdue instalment', '18', 'year'],
    ['1.5% a month on any unpaid EMI.', '1.5', 'month'],
    ['2% p.m.', '2', 'month'],
    ['1% per week', '1', 'week'],
    ['0.1% daily', '0.1', 'day'],
  ] as const
  for (const [text, rate, per] of rates) assert.deepEqual(parseCharge(text), { kind: 'rate', rate, per }, text)
})

test('a charge that recurs while an instalment is unpaid is parsed as the settings state it', () => {
  const text =
    '1% of what is unpaid at the end of the third day after the due date (or the next day with debits), and again every 7 days, 4 times at most'
  assert.deepEqual(parseCharge(text), { kind: 'repeated', rate: '1', after: 3, every: 7, most: 4 })
  const eleventh = text.replace('third', 'eleventh')
  assert.deepEqual(parseCharge(eleventh), { kind: 'words', text: eleventh })
})

test('a charge with conditions is kept as the lender’s text', () => {
  for (const text of [
    '12% a year on the overdue instalment, and ₹350 when a debit bounces',
    'at least ₹500',
    '2% of the principal outstanding',
    '5.00 or more',
  ])
    assert.deepEqual(parseCharge(text), { kind: 'words', text })
})

test('the cost of a late instalment is computed from a yearly or monthly rate', () => {
  assert.equal(lateCost(30, parseCharge('18% a year'), 9368), 139)
  assert.equal(lateCost(30, parseCharge('2% a month'), 9368), 187)
  for (const text of ['18%', '1% a week', '500.00', 'none', 'as the lender sees fit'])
    assert.equal(lateCost(30, parseCharge(text), 9368), null, text)
  assert.equal(lateCost(30, parseCharge('1% a year'), 100), null, 'less than a rupee')
})

test('a repeated charge for late payment is counted until its most', () => {
  const charge = parseCharge(
    '1% of what is unpaid at the end of the third day after the due date (or the next day with debits), and again every 7 days, 4 times at most',
  )
  const costs = [2, 3, 9, 10, 24, 365].map((days) => [lateCost(days, charge, 9368), isAtMost(days, charge)])
  assert.deepEqual(costs, [
    [null, false],
    [94, false],
    [94, false],
    [187, false],
    [375, true],
    [375, true],
  ])
  assert.ok(!isAtMost(30, parseCharge('18% a year')))
})
