// Parts of a lender's messages: rates, penal terms, contacts and return links.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentOf } from '@lendloom/lending/money'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { safeReturn } from '#sandbox/lender/pages/page-frame.ts'
import { policies, subscriberId } from './lender-policies.ts'
import { bpsText, lenderOf, lenderUrl, penalText } from './message-parts.ts'

const deps = { url: 'http://127.0.0.1:4200', seal: sealWith(newSealKey('k')) }

test('rates are formatted without trailing zeros', () => {
  assert.equal(bpsText(1375n), '13.75%')
  assert.equal(bpsText(1400n), '14%')
  assert.equal(bpsText(1150n), '11.5%')
  assert.equal(bpsText(5n), '0.05%')
  assert.equal(percentOf(bpsText(1050n)), '10.5%')
})

test('FIS12 §7.3: the penal rate names its period and its base', () => {
  for (const policy of policies) {
    assert.match(penalText(policy, 'instalment'), /^\d+(?:\.\d+)?% a year on the overdue instalment$/)
    assert.match(penalText(policy, 'amount'), /% a year on the overdue amount$/)
  }
})

test('FIS12 §7.1: every lender has an officer, support contacts and a unique subscriber id', () => {
  for (const policy of policies) {
    const { contact, serviceProvider, logoUrl } = lenderOf(deps, policy)
    for (const value of [...Object.values(contact), ...Object.values(serviceProvider)]) assert.ok(value)
    assert.equal(logoUrl, `${lenderUrl(deps, policy)}/logo.svg`)
    assert.match(subscriberId(policy), /^[a-z]+\.sandbox\.example$/)
  }
  assert.equal(new Set(policies.map(subscriberId)).size, policies.length)
})

test("a return URL must be on the buyer app's host", () => {
  const conversation = { bapUri: 'https://app.lendloom.example/ondc', bapAddress: null }
  assert.equal(safeReturn('https://app.lendloom.example/x?y=1', conversation), 'https://app.lendloom.example/x?y=1')
  for (const other of ['https://evil.example/', 'javascript:alert(1)', '//evil.example', 'app', undefined])
    assert.equal(safeReturn(other, conversation), null)
})
