// What an offer takes of the borrower’s income, by the lender’s own rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BankRules } from '#partner/origination/review/bank/settings.ts'
import { burdenWarning, monthFacts, offerGrounds } from './burden.ts'

type Lead = Parameters<typeof offerGrounds>[0]
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

test('D3 §2.3: the warning applies the rule for EMIs as a share of income, with the EMIs that the statement shows', () => {
  const small = { installmentPaise: 285_500n }
  const warning = (terms: typeof small, figures: Parameters<typeof burdenWarning>[1]['figures'] = noFigures) =>
    burdenWarning(terms, { lead, figures, rules })
  assert.equal(warning(large), 'With this loan, EMIs take 104% of the income. The rules for bank data allow 50%.')
  assert.equal(warning(small), null)
  assert.match(warning(small, { inflowPaise: null, obligationsPaise: 2_000_000n })!, /54%/)
  assert.match(warning(small, { inflowPaise: 2_000_000n, obligationsPaise: null })!, /62%/, 'the lower income counts')
  assert.equal(burdenWarning(large, { lead, figures: noFigures, rules: [] }), null, 'without such a rule')
  assert.equal(burdenWarning(large, { lead: leadWith(null), figures: noFigures, rules }), null, 'without an income')
})

test('D3 §2.5: who approves an offer sees how far it goes beyond the recommendation', () => {
  const [recommended] = offerGrounds(lead, 300_000_00n)
  assert.deepEqual(recommended, ['Recommended', '₹60,000 · asked ₹3,00,000 (5\u{a0}times)'])
  assert.equal(offerGrounds(lead, 150_000_00n)[0]![1], '₹60,000 · asked ₹1,50,000 (2.5\u{a0}times)')
  assert.equal(offerGrounds(lead, 60_000_00n)[0]![1], '₹60,000, as asked')
  assert.equal(offerGrounds(lead, 30_000_00n)[0]![1], '₹60,000 · asked ₹30,000')
})
