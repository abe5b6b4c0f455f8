// The recommendation and its price, against the published schedule; and the partner's terms in our form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { exampleOffer } from '#contract/exchange/example/event.ts'
import { faultsOf } from '#kit/http/refusal.ts'
import { decimalText, rupees } from '#kit/money/money.ts'
import { changed } from '#platform/offer/offer.ts'
import { indicativeTerms, recommend } from './recommend.ts'
import { usualRules } from './settings.ts'
import { finalTerms, monthsOf, requireSoundOffer, termsOf } from './terms.ts'

const rules = usualRules
const available = (score: number) => ({ status: 'AVAILABLE' as const, score })

test('D3 §2.3: one lakh over 22 weeks at 24 % costs what the schedule in whole rupees says', () => {
  const terms = indicativeTerms(rules, 100_000_00n)
  assert.equal(terms.installmentPaise, 4790_00n)
  assert.equal(terms.interestPaise, 5379_00n)
  assert.deepEqual([terms.feePaise, terms.taxPaise, terms.netPaise], [2000_00n, 360_00n, 97_640_00n])
  assert.equal(terms.aprPercent, '35.11')
  assert.equal(terms.installments, 22)
})

test('D3 §2.3: income, score and what the bureau does not know decide how much is recommended', () => {
  const most = (income: number | null, bureau: Parameters<typeof recommend>[1]['bureau']) =>
    recommend(rules, { income, bureau })
  assert.deepEqual(most(50_000, available(700)), { decision: 'ELIGIBLE', mostPaise: 150_000_00n, reason: null })
  assert.equal(most(1_000_000, available(700)).mostPaise, 200_000_00n, 'never more than the most')
  assert.equal(most(50_000, { status: 'NO_HIT', score: null }).mostPaise, 75_000_00n, 'half without a history')
  assert.equal(most(50_000, available(649)).decision, 'INELIGIBLE')
  assert.equal(most(3_000, available(800)).decision, 'INELIGIBLE', 'less than the least')
  assert.equal(most(null, available(800)).decision, 'INELIGIBLE')
  assert.equal(
    most(50_000, { status: 'FAILED', score: null }).decision,
    'REVIEW_REQUIRED',
    'no report is no permission',
  )
})

test('D3 §2.3: whatever is recommended is in whole thousands, between the least and the most, with a reason otherwise', () => {
  const bureau = fc.oneof(
    fc.record({ status: fc.constant('AVAILABLE' as const), score: fc.integer({ min: 300, max: 900 }) }),
    fc.record({ status: fc.constantFrom('NO_HIT' as const, 'FAILED' as const), score: fc.constant(null) }),
  )
  fc.assert(
    fc.property(fc.nat(10_000_000), bureau, (income, known) => {
      const { decision, mostPaise, reason } = recommend(rules, { income, bureau: known })
      assert.equal(decision === 'ELIGIBLE', mostPaise !== null)
      assert.equal(decision === 'ELIGIBLE', reason === null)
      if (mostPaise === null) return
      assert.equal(mostPaise % 1000_00n, 0n)
      assert.ok(mostPaise >= 10_000_00n && mostPaise <= 200_000_00n)
    }),
  )
})

test('D3 §2.4, D1 change_in_offer: the same price under another name, link and validity is no change; any other price is', () => {
  const at = new Date('2026-11-20T10:00:00.000Z')
  const quote = { id: 'R', validUntil: new Date('2026-11-27T10:00:00.000Z'), kfsUrl: null, termsUrl: null }
  const agreed = { coolOffDays: 3, penalCharges: '1% a week' }
  const offer = exampleOffer()
  const { terms, quote: final } = finalTerms(offer)
  const first = termsOf(terms, quote, agreed, at)
  assert.deepEqual([first.applicationFee, first.foreclosureFee], ['0.00', '0.00'], 'what is free is said to be')
  assert.equal(changed(first, termsOf(terms, final, agreed, at)), false)
  const asWritten = finalTerms({
    ...offer,
    annual_interest_rate_percent: `${Number(offer.annual_interest_rate_percent)}`,
  })
  assert.equal(changed(first, termsOf(asWritten.terms, final, agreed, at)), false, '24 and 24.00 are one rate')
  const dearer = finalTerms({ ...offer, processing_fee_amount: '1.00' })
  assert.equal(changed(first, termsOf(dearer.terms, final, agreed, at)), true)
  assert.ok(!isDeepStrictEqual(first, termsOf(terms, final, agreed, at)))
})

test('D1 §2.4: 22 weeks are told in weeks; where only months are kept they are five', () => {
  assert.deepEqual([monthsOf(22), monthsOf(1), monthsOf(52), monthsOf(53)], [5, 1, 12, 12])
})

const wrongIn = (change: object, recommended = 100_000_00n) =>
  faultsOf(() => requireSoundOffer({ ...exampleOffer(), ...change }, recommended)).map(({ path }) => path)

test('D3 §2.4: a final offer whose APR its payments contradict, or above the recommended amount, is not sound', () => {
  assert.deepEqual(wrongIn({}), [])
  assert.deepEqual(wrongIn({ apr_percent: '1.00' }), ['data.offer.apr_percent'])
  assert.deepEqual(wrongIn({ apr_percent: '24.00' }), ['data.offer.apr_percent'], 'the fee is not in it')
  assert.deepEqual(wrongIn({ apr_percent: '60.00' }), ['data.offer.apr_percent'])
  assert.deepEqual(wrongIn({ annual_interest_rate_percent: '36.00' }), ['data.offer.apr_percent'])
  for (const usual of ['34.99', '35.11', '41.9']) assert.deepEqual(wrongIn({ apr_percent: usual }), [], usual)
  assert.deepEqual(wrongIn({}, 99_999_99n), ['data.offer.loan_amount'])
  assert.deepEqual(wrongIn({ apr_percent: '1.00' }, 1n), ['data.offer.loan_amount', 'data.offer.apr_percent'])
})

test('D3 §2.4: whatever a lender offers by its schedule in whole rupees is sound', () => {
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
      assert.deepEqual(wrongIn(offer, terms.loanPaise), [])
    }),
    { numRuns: 300 },
  )
})
