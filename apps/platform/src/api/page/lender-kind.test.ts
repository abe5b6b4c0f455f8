// The kind of a lender, recognised from its short description in any spelling.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lenderKindOf } from './lender-card.ts'

test('FIS12 §7.1: recognises a kind of lender only if the description contains nothing else', () => {
  const cases = {
    Bank: 'bank',
    NBFC: 'nbfc',
    'N.B.F.C.': 'nbfc',
    'Non-Banking Financial Company': 'nbfc',
    'Small Finance Bank': 'smallFinanceBank',
    'Co-operative bank': 'cooperativeBank',
    'Housing Finance Company': 'housingFinance',
    'The bank of your village': null,
    'Kaveri Bank': null,
    बैंक: null,
    '': null,
  }
  for (const [text, kind] of Object.entries(cases)) assert.equal(lenderKindOf(text), kind, text)
})
