// The name of a company is taken from the beginning of what its lender says, and nothing else is taken for one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legalNameOf } from './offer-card.ts'

test('FIS12 §7.7: the legal name is what a long description begins with, as far as the kind of company', () => {
  const cases: Record<string, string> = {
    'Kaveri Bank Limited. A private bank in Mysuru.': 'Kaveri Bank Limited',
    'Girnar Capital Limited, Junagadh': 'Girnar Capital Limited',
    'Example Finance (India) Private Limited, India': 'Example Finance (India) Private Limited',
    ' Meridian & Sons Finance Pvt. Ltd. is an NBFC': 'Meridian & Sons Finance Pvt. Ltd',
    'House of Credit LLP': 'House of Credit LLP',
  }
  for (const [longDescription, legal] of Object.entries(cases))
    assert.equal(legalNameOf({ name: 'Kaveri Bank', longDescription }), legal)
})

test('nothing is told where no company is named first, or its name is shown already', () => {
  for (const longDescription of [
    null,
    undefined,
    '',
    'A bank',
    'We lend with Kaveri Bank Limited',
    'Limited offers',
    'LLP',
  ])
    assert.equal(legalNameOf({ name: 'Kaveri Bank', longDescription }), null, `${longDescription}`)
  const name = 'Kaveri Bank Limited'
  assert.equal(legalNameOf({ name, longDescription: `${name}. A private bank.` }), null)
})
