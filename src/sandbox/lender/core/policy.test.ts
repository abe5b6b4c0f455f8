// Every rule can be reached, and an ordinary PAN reaches none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { panPattern } from '#contract/identifier.ts'
import { faultRules } from '#contract/sandbox/fault-rules.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import { policies } from './policy.ts'

test('the digits of a rule are its own, make a valid PAN, and name lenders that exist', () => {
  assert.equal(new Set(faultRules.map(({ digits }) => digits)).size, faultRules.length)
  for (const { digits, lenders, scenario } of faultRules) {
    assert.match(`ABCPE${digits}F`, new RegExp(panPattern))
    for (const slug of lenders ?? []) assert.ok(policies.some((policy) => policy.slug === slug))
    assert.equal(scenarioFor(`ABCPE${digits}F`, lenders?.[0] ?? 'meridian'), scenario)
  }
})

test('other PANs and other lenders are decided honestly', () => {
  assert.equal(scenarioFor('ABCPE1234F', 'meridian'), null)
  assert.equal(scenarioFor('ABCPE9004F', 'kaveri'), null)
  for (const slug of ['meridian', 'sahyadri']) assert.equal(scenarioFor('ABCPE9001F', slug), null)
})
