// The amount and term with which the page starts, from the app's request (D1 §2.1, FIS12 §13.5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { initialChoiceOf } from './offer-card.ts'

const platform = await testPlatform()
const limits = { leastAmount: '1000000', mostAmount: '20000000', leastMonths: 3, mostMonths: 12 }

test('D1 §2.1: an offer starts with the requested amount and term, in whole rupees and within its limits', () => {
  const cases: [name: string, string | undefined, number | undefined, amount: string, tenureMonths: number][] = [
    ['without a request, the terms of the offer', undefined, undefined, '200000.00', 12],
    ['the requested values', '150000', 6, '150000.00', 6],
    ['whole rupees', '150000.75', undefined, '150000.00', 12],
    ['the minimum', '9999.50', 2, '10000.00', 3],
    ['the maximum', '900000', 36, '200000.00', 12],
    ['the amount of the offer instead of an invalid amount', '0.30000000000000004', 3, '200000.00', 3],
  ]
  for (const [name, requestedAmount, requestedTenureMonths, amount, tenureMonths] of cases) {
    const requested = {
      ...(requestedAmount !== undefined && { requestedAmount }),
      ...(requestedTenureMonths !== undefined && { requestedTenureMonths }),
    }
    assert.deepEqual(initialChoiceOf(limits, terms, requested), { amount, tenureMonths }, name)
  }
})

test('D1 §2.1: without a request, a gold loan starts at a round half of what the gold permits', () => {
  const amountFor = (principal: bigint, leastAmount = '0') => {
    const gold = { ...limits, leastAmount, mostAmount: `${principal}` }
    return initialChoiceOf(gold, { ...terms, principal, ltvRatio: '80.00%' }, {}).amount
  }
  assert.equal(amountFor(351_744_00n), '170000.00')
  assert.equal(amountFor(23_500_00n), '11000.00')
  assert.equal(amountFor(23_500_00n, '2000000'), '20000.00', 'the minimum')
})

test('D1 §2.1: a gold loan’s page starts with the amount and term of the session request', async () => {
  const person = {
    ...newApplicant(),
    journeyType: 'GOLD_LOAN',
    goldLoan: { requestedAmount: 120_000, requestedTenureMonths: '6' },
  }
  await journeyWithOffers(platform, [terms], 0, person)
  const { body } = await openSession(platform.url, platform.tenant, person)
  const { view } = await enter(platform.url, body.embedUrl)
  assert.deepEqual(view.offers[0]!.start, { amount: '120000.00', tenureMonths: 6 })
})
