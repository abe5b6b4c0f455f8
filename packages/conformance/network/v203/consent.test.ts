// Consents are requested before the offer and after the sanction, and are reported as approved.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Lender } from '@lendloom/lending/lender'
import type { Terms } from '@lendloom/lending/terms'
import { stepNamed } from '@lendloom/tests/network-messages/personal-loan'
import { readOrder } from '@lendloom/wire/network/v203/read-order'
import { onSelectConsent, select } from '@lendloom/wire/network/v203/select-to-confirm'
import { update } from '@lendloom/wire/network/v203/update-and-status'
import { writeLenderOrder } from '@lendloom/wire/network/v203/write-order'
import { outgoingFaults } from './rules.ts'

const { lender, terms } = readOrder(stepNamed('on_select_3').message) as { lender: Lender; terms: Terms }
const item = { id: 'pl-account-aggregator', name: 'Personal loan', product: 'PERSONAL_LOAN' } as const
const request = stepNamed('on_select_1')
const submission = {
  formId: request.message.order.items[0].xinput.form.id,
  submissionId: request.message.order.items[0].xinput.form_response.submission_id,
}
const consentHandle = readOrder(request.message).consentHandle!

test('FIS12 §7.8, §8.3: on_select_1 requests a consent without an offer', () => {
  const message = JSON.parse(JSON.stringify(onSelectConsent({ lender, item, submission, consentHandle })))
  assert.deepEqual(message, request.message)
  assert.deepEqual(outgoingFaults('on_select', message), [])
  const { terms: termsWithoutOffer, form, formResponse, warnings } = readOrder(message)
  assert.equal(termsWithoutOffer, null)
  assert.equal(form, null)
  assert.deepEqual(warnings, [])
  assert.deepEqual(formResponse, { ...submission, status: 'PENDING', outcome: 'waiting' })
})

test('FIS12 §7.8: select_2, sent after the consent, equals select_1', () => {
  const repeated = select({ providerId: lender.providerId, itemId: item.id, submission })
  assert.deepEqual(repeated, stepNamed('select_2').message)
  assert.deepEqual(repeated, stepNamed('select_1').message)
})

test('FIS12 §7.8, §8.3: the monitoring consent is requested in on_update and approved by update', () => {
  const { message } = stepNamed('on_update_monitoring')
  const { consentHandle: handle, state } = readOrder(message)
  assert.equal(state, 'CONSENT_REQUIRED')
  const written = writeLenderOrder({ lender, item, terms, consentHandle: handle! })
  assert.deepEqual(written.items[0]!.tags, message.order.items[0].tags)
  assert.deepEqual(outgoingFaults('on_update', message), [])
  const approval = update({ orderId: message.order.id, target: 'fulfillment', state: 'APPROVED' })
  assert.deepEqual(approval, stepNamed('update_fulfillment').message)
})

test('FIS12 §12.1: a consent group without a handle is reported', () => {
  for (const [action, { message }] of [
    ['on_select', request],
    ['on_update', stepNamed('on_update_monitoring')],
  ] as const)
    for (const change of [{ value: '' }, { descriptor: { code: 'CONSENT' } }]) {
      const broken = structuredClone(message)
      const group = broken.order.items[0].tags.find(
        ({ descriptor }: { descriptor: { code: string } }) => descriptor.code === 'CONSENT_INFO',
      )
      Object.assign(group.list[0], change)
      assert.equal(outgoingFaults(action, broken).length, 1, JSON.stringify(change))
    }
})
