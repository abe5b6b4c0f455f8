// What the console tells of a lender’s reports, for lenders with stops, with forms, and with neither.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { progressIn } from './reported-progress.ts'

const stop = (type: string, code: string) => ({ type, instructions: { name: type, code } })
const bodyWith = (fulfillment: object, item: object = {}) =>
  JSON.stringify({ message: { order: { fulfillments: [fulfillment], items: [item] } } })

test('FIS12 §26: of a lender with stops, the last one that is done is told', () => {
  const stops = [stop('PERSONAL_INFORMATION', 'SUCCESSFUL'), stop('SINGLE_REDIRECTION', 'IN_PROGRESS')]
  const later = [stop('KYC', 'successful'), stop('REPAYMENT', 'INITIATED'), stop('LOAN_AGREEMENT', 'PENDING')]
  assert.deepEqual(progressIn(bodyWith({ stops: [...stops, ...later] })), { subject: 'KYC', state: 'SUCCESSFUL' })
  const state = { descriptor: { code: 'DISBURSED' } }
  assert.deepEqual(progressIn(bodyWith({ stops: [...stops, ...later], state })), { subject: null, state: 'DISBURSED' })
})

test('FIS12 §13: the status of a form comes before the state of the loan', () => {
  const state = { descriptor: { code: 'INITIATED' } }
  const form = { xinput: { form: { id: 'F1' }, form_response: { status: 'APPROVED', submission_id: 's' } } }
  assert.deepEqual(progressIn(bodyWith({ state }, form)), { subject: 'FORM', state: 'APPROVED' })
  assert.deepEqual(progressIn(bodyWith({ state })), { subject: null, state: 'INITIATED' })
})

test('FIS12 §26: a report that says nothing readable has no progress', () => {
  for (const body of ['', '[]', '{"message":{"order":{"fulfillments":[7]}}}', bodyWith({})])
    assert.equal(progressIn(body), null, body)
  assert.equal(progressIn(bodyWith({ state: { descriptor: { code: 'x'.repeat(61) } } })), null)
})
