// Fault rules: their PANs and lenders are valid, and an ordinary PAN selects no rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { panPattern } from '@lendloom/wire/identifier'
import { faultRules } from '@lendloom/wire/sandbox/fault-rules'
import { scenarioFor } from '@lendloom/wire/sandbox/fault-scenarios'
import { policies } from './lender-policies.ts'

test('each rule has unique digits that make a valid PAN, and names existing lenders', () => {
  assert.equal(new Set(faultRules.map(({ digits }) => digits)).size, faultRules.length)
  for (const { digits, lenders, scenario } of faultRules) {
    assert.match(`ABCPE${digits}F`, new RegExp(panPattern))
    for (const slug of lenders ?? []) assert.ok(policies.some((policy) => policy.slug === slug))
    assert.equal(scenarioFor(`ABCPE${digits}F`, lenders?.[0] ?? 'meridian'), scenario)
  }
})

test('an ordinary PAN, or a lender outside a rule, has no fault', () => {
  assert.equal(scenarioFor('ABCPE1234F', 'meridian'), null)
  assert.equal(scenarioFor('ABCPE9004F', 'kaveri'), null)
  for (const slug of ['meridian', 'sahyadri']) assert.equal(scenarioFor('ABCPE9001F', slug), null)
})
