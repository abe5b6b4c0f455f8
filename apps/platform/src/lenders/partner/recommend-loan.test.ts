// The recommended amount and price, and the partner's final terms in our format.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { faultsOf } from '@lendloom/foundation/refusal'
import { decimalText, rupees } from '@lendloom/lending/money'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { exampleOffer } from '@lendloom/wire/exchange/example/event'
import fc from 'fast-check'
import { termsDiffer } from '#platform/lending/offer/offer.ts'
import { indicativeTerms, recommendLoan } from './recommend-loan.ts'
import { defaultRules } from './settings.ts'
import { finalTerms, monthsOf, termsOf, validateFinalOffer } from './terms.ts'

const rules = defaultRules
const available = (score: number) => ({ status: 'AVAILABLE' as const, score })

test('D3 §2.3: the price of one lakh over 22 weeks at 24 % equals the published whole-rupee schedule', () => {
  const terms = indicativeTerms(rules, 100_000_00n)
  assert.equal(terms.installmentPaise, 4790_00n)
  assert.equal(terms.interestPaise, 5379_00n)
  assert.equal(terms.feePaise, 2000_00n)
  assert.equal(terms.taxPaise, 360_00n)
  assert.equal(terms.netPaise, 97_640_00n)
  assert.equal(terms.aprPercent, '35.11')
  assert.equal(terms.installments, 22)
})

test('D3 §2.3: the recommended amount depends on income, score and bureau status', () => {
  const recommendFor = (income: number | null, bureau: Parameters<typeof recommendLoan>[1]['bureau']) =>
    recommendLoan(rules, { income, bureau })
  assert.deepEqual(recommendFor(50_000, available(700)), { decision: 'ELIGIBLE', maxPaise: 150_000_00n, reason: null })
  assert.equal(recommendFor(1_000_000, available(700)).maxPaise, 200_000_00n, 'at most the maximum')
  assert.equal(
    recommendFor(50_000, { status: 'NO_HIT', score: null }).maxPaise,
    75_000_00n,
    'half for a borrower without a credit history',
  )
  assert.equal(recommendFor(50_000, available(649)).decision, 'INELIGIBLE')
  assert.equal(recommendFor(3_000, available(800)).decision, 'INELIGIBLE', 'below the minimum')
  assert.equal(recommendFor(null, available(800)).decision, 'INELIGIBLE')
  assert.equal(
    recommendFor(50_000, { status: 'FAILED', score: null }).decision,
    'REVIEW_REQUIRED',
    'a failed report needs a review',
  )
})

test('D3 §2.3: a recommendation is in whole thousands between minimum and maximum, or has a reason', () => {
  const bureau = fc.oneof(
    fc.record({ status: fc.constant('AVAILABLE' as const), score: fc.integer({ min: 300, max: 900 }) }),
    fc.record({ status: fc.constantFrom('NO_HIT' as const, 'FAILED' as const), score: fc.constant(null) }),
  )
  fc.assert(
    fc.property(fc.nat(10_000_000), bureau, (income, known) => {
      const { decision, maxPaise, reason } = recommendLoan(rules, { income, bureau: known })
      assert.equal(decision === 'ELIGIBLE', maxPaise !== null)
      assert.equal(decision === 'ELIGIBLE', reason === null)
      if (maxPaise === null) return
      assert.equal(maxPaise % 1000_00n, 0n)
      assert.ok(maxPaise >= 10_000_00n && maxPaise <= 200_000_00n)
    }),
  )
})

test('D3 §2.4, D1 change_in_offer: an offer changes only with its price, not with id, links or validity', () => {
  const at = new Date('2026-11-20T10:00:00.000Z')
  const quote = { id: 'R', validUntil: new Date('2026-11-27T10:00:00.000Z'), kfsUrl: null, termsUrl: null }
  const agreed = { coolOffDays: 3, penalCharges: '1% a week' }
  const offer = exampleOffer()
  const { terms, quote: finalQuote } = finalTerms(offer)
  const indicative = termsOf(terms, quote, agreed, at)
  assert.equal(indicative.applicationFee, '0.00', 'free charges are stated as zero')
  assert.equal(indicative.foreclosureFee, '0.00', 'free charges are stated as zero')
  assert.equal(termsDiffer(indicative, termsOf(terms, finalQuote, agreed, at)), false)
  const shortForm = finalTerms({
    ...offer,
    annual_interest_rate_percent: `${Number(offer.annual_interest_rate_percent)}`,
  })
  assert.equal(
    termsDiffer(indicative, termsOf(shortForm.terms, finalQuote, agreed, at)),
    false,
    '24 and 24.00 are the same rate',
  )
  const withFee = finalTerms({ ...offer, processing_fee_amount: '1.00' })
  assert.equal(termsDiffer(indicative, termsOf(withFee.terms, finalQuote, agreed, at)), true)
  assert.ok(!isDeepStrictEqual(indicative, termsOf(terms, finalQuote, agreed, at)))
})

test('D1 §2.4: 22 weeks count as five months', () => {
  assert.equal(monthsOf(22), 5)
  assert.equal(monthsOf(1), 1)
  assert.equal(monthsOf(52), 12)
  assert.equal(monthsOf(53), 12)
})

const faultPaths = (change: object, recommended = 100_000_00n) =>
  faultsOf(() => validateFinalOffer({ ...exampleOffer(), ...change }, recommended)).map(({ path }) => path)

test('D3 §2.4: rejects a final offer above the recommendation, or with an APR that contradicts its payments', () => {
  assert.deepEqual(faultPaths({}), [])
  assert.deepEqual(faultPaths({ apr_percent: '1.00' }), ['data.offer.apr_percent'])
  assert.deepEqual(faultPaths({ apr_percent: '24.00' }), ['data.offer.apr_percent'], 'an APR that leaves out the fee')
  assert.deepEqual(faultPaths({ apr_percent: '60.00' }), ['data.offer.apr_percent'])
  assert.deepEqual(faultPaths({ annual_interest_rate_percent: '36.00' }), ['data.offer.apr_percent'])
  for (const apr of ['34.99', '35.11', '41.9']) assert.deepEqual(faultPaths({ apr_percent: apr }), [], apr)
  assert.deepEqual(faultPaths({}, 99_999_99n), ['data.offer.loan_amount'])
  assert.deepEqual(faultPaths({ apr_percent: '1.00' }, 1n), ['data.offer.loan_amount', 'data.offer.apr_percent'])
})

test('D3 §2.4: accepts every offer with a correct whole-rupee schedule', () => {
  const percents = fc.integer({ min: 0, max: 6000 }).map((hundredths) => decimalText(BigInt(hundredths), 2, 2))
  const prices = fc.record({ ratePercent: percents, feePercent: percents })
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 1_000_000 }), prices, (loan, price) => {
      const terms = indicativeTerms({ ...rules, ...price }, BigInt(loan) * 100n)
      const offer = {
        loan_amount: rupees(terms.loanPaise),
        installment_amount: rupees(terms.installmentPaise),
        annual_interest_rate_percent: terms.interestPercent,
        apr_percent: terms.aprPercent,
        net_disbursed_amount: rupees(terms.netPaise),
        total_payable_amount: rupees(terms.loanPaise + terms.interestPaise),
      }
      assert.deepEqual(faultPaths(offer, terms.loanPaise), [])
    }),
    { numRuns: roundsOf(300) },
  )
})
