// A lender's legal name, read from the beginning of the long description.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { legalNameOf } from './lender-card.ts'

test('FIS12 §7.7: reads the legal name up to the company type', () => {
  const cases: Record<string, string> = {
    'Kaveri Bank Limited. A private bank in Mysuru.': 'Kaveri Bank Limited',
    'Girnar Capital Limited, Junagadh': 'Girnar Capital Limited',
    'Example Finance (India) Private Limited, India': 'Example Finance (India) Private Limited',
    ' Meridian & Sons Finance Pvt. Ltd. is an NBFC': 'Meridian & Sons Finance Pvt. Ltd',
    'House of Credit LLP': 'House of Credit LLP',
  }
  for (const [longDescription, legalName] of Object.entries(cases))
    assert.equal(legalNameOf({ name: 'Kaveri Bank', longDescription }), legalName)
})

test('returns null if the description does not start with a company name, or starts with the displayed name', () => {
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
