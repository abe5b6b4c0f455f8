// The initial amount and term of an offer on the page, from the app's request (D1 §2.1, FIS12 §13.5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enter, newApplicant, openSession } from '#test/setup/borrower.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { initialChoiceOf } from './offer-card.ts'

const platform = await testPlatform()
const limits = { leastAmount: '1000000', mostAmount: '20000000', leastMonths: 3, mostMonths: 12 }

test('D1 §2.1: starts with the requested amount and term, in whole rupees and within the offer’s limits', () => {
  const cases: [requestedAmount: string | undefined, requestedTenureMonths: number | undefined, string, number][] = [
    [undefined, undefined, '200000.00', 12],
    ['150000', 6, '150000.00', 6],
    ['150000.75', undefined, '150000.00', 12],
    ['9999.50', 2, '10000.00', 3],
    ['900000', 36, '200000.00', 12],
    ['0.30000000000000004', 3, '200000.00', 3],
  ]
  for (const [requestedAmount, requestedTenureMonths, amount, tenureMonths] of cases) {
    const requested = {
      ...(requestedAmount !== undefined && { requestedAmount }),
      ...(requestedTenureMonths !== undefined && { requestedTenureMonths }),
    }
    assert.deepEqual(initialChoiceOf(limits, terms, requested), { amount, tenureMonths }, requestedAmount)
  }
})

test('D1 §2.1: the amount and term in the session of a gold loan reach the borrower’s page', async () => {
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
