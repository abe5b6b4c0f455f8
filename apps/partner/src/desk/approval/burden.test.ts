// What an offer takes of the borrower’s income, by the lender’s own rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IncomeData, isBeyondPolicy, reviewOffer } from '#partner/origination/review/bank/review-offer.ts'
import type { BankRules } from '#partner/origination/review/bank/settings.ts'
import { beyondRecommendation, burdenWarning, monthFacts, offerFigures } from './burden.ts'

type Lead = Parameters<typeof offerFigures>[1]['lead']
const leadWith = (monthly_income: string | null): Lead =>
  ({
    borrower: { monthly_income },
    bureau: { status: 'NO_HIT', score: null },
    proposed_offer: { loan_amount: '60000.00' },
  }) as unknown as Lead
const lead = leadWith('60000.00')
const large = { installmentPaise: 1_427_700n }
const rules: BankRules = [
  { code: 'TOO_HIGH', measure: 'obligationsPercent', most: 70, effect: 'DECLINE' },
  { code: 'HIGH', measure: 'obligationsPercent', most: 50, effect: 'REVIEW' },
]
const noFigures = { inflowPaise: null, obligationsPaise: null }

test('D3 §2.3: a weekly instalment is told as a sum a month beside the stated income', () => {
  const month = ['A month, about', '₹61,900']
  assert.deepEqual(monthFacts(large, lead), [month, ['Stated monthly income', '₹60,000']])
  assert.deepEqual(monthFacts(large, leadWith(null)), [month, ['Stated monthly income', null]])
})

test('D3 §2.3: the warning has the figure and the limit of the policy’s rule, with the EMIs that the statement shows', () => {
  const small = { amountPaise: 6_000_000n, installmentPaise: 285_500n }
  const warningOf = (terms: typeof small, figures: IncomeData['figures'] = noFigures) =>
    burdenWarning(terms, { lead, figures, rules })
  assert.equal(
    warningOf({ amountPaise: 30_000_000n, ...large }),
    'With this offer EMIs are 103.2% of income; the policy declines above 70%. That is about ₹61,900 a month for this one, out of ₹60,000 of stated income. Up to about ₹2,03,000 is within 70%.',
  )
  assert.equal(warningOf(small), null)
  const indebted = { inflowPaise: null, obligationsPaise: 2_000_000n }
  assert.equal(
    warningOf(small, indebted),
    'With this offer EMIs are 54.0% of income; the policy asks for a review above 50%. That is about ₹12,400 a month for this one and ₹20,000 for other loans, out of ₹60,000 of stated income. Up to about ₹48,000 is within 50%.',
  )
  const findings = reviewOffer(small, { lead, figures: indebted, rules })
  assert.equal(isBeyondPolicy(findings), false, 'an officer reviews it alone')
  const poor = warningOf(small, { inflowPaise: 2_000_000n, obligationsPaise: null })
  assert.match(poor!, /61\.9%.*out of ₹20,000 that come in\./, 'the lower income counts')
  const hopeless = warningOf(small, { inflowPaise: 2_000_000n, obligationsPaise: 3_000_000n })
  assert.match(hopeless!, /No amount is within 70%\.$/)
  assert.deepEqual(reviewOffer(large, { lead, figures: noFigures, rules: [] }), [], 'without such a rule')
  const unstated = burdenWarning(small, { lead: leadWith(null), figures: noFigures, rules })
  assert.equal(unstated, null, 'without an income')
})

test('D3 §2.3: without the EMIs of a statement an offer can break a rule, but does not meet one', () => {
  const outcomes = (figures: IncomeData['figures']) =>
    reviewOffer({ installmentPaise: 285_500n }, { lead, figures, rules }).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes(noFigures), ['MISSING', 'MISSING'])
  assert.deepEqual(outcomes({ inflowPaise: 6_000_000n, obligationsPaise: 0n }), ['MET', 'MET'])
})

test('D3 §2.5: an approver reads in words how far an offer goes beyond the recommendation', () => {
  const comparedTo = (rupees: bigint) => beyondRecommendation(rupees * 100n, 6_000_000n)
  assert.equal(comparedTo(120_000n), 'twice what was recommended')
  assert.equal(comparedTo(300_000n), '5\u{a0}times what was recommended')
  assert.equal(comparedTo(150_000n), '2.5\u{a0}times what was recommended')
  assert.equal(comparedTo(62_000n), '₹2,000 more than recommended')
  assert.equal(comparedTo(60_000n), 'as recommended')
  assert.equal(comparedTo(30_000n), '₹30,000 less than recommended')
  assert.equal(beyondRecommendation(100n, 0n), '₹1 more than recommended')
})

test('D3 §2.5: an approver reads the offer, the recommendation and the instalment first, then the warning', () => {
  const terms = { ...large, amountPaise: 30_000_000n, numberOfInstallments: 22 }
  const text = offerFigures(terms, { lead, figures: noFigures, rules }).text.replaceAll(/<[^>]+>/g, ' ')
  assert.match(
    text,
    /Offer to approve +₹3,00,000 +5\u{a0}times what was recommended +Recommended +₹60,000 +Weekly instalment +₹14,277 +22 instalments, about ₹61,900 a month/u,
  )
  assert.match(text, /With this offer EMIs are 103\.2% of income; the policy declines above 70%\./)
  const within = offerFigures({ ...terms, installmentPaise: 285_500n }, { lead, figures: noFigures, rules })
  assert.doesNotMatch(within.text, /EMIs are/)
})
