// What the console tells of messages: reports of lenders with stops, with forms, and with neither; drawdowns; payments.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasSubject, subjectIn } from './message-subject.ts'

const reportIn = (body: string) => subjectIn(body, 'on_status')

const stop = (type: string, code: string) => ({ type, instructions: { name: type, code } })
const bodyWith = (fulfillment: object, item: object = {}) =>
  JSON.stringify({ message: { order: { fulfillments: [fulfillment], items: [item] } } })

test('FIS12 §26: of a lender with stops, the last one that is done is told', () => {
  const stops = [stop('PERSONAL_INFORMATION', 'SUCCESSFUL'), stop('SINGLE_REDIRECTION', 'IN_PROGRESS')]
  const later = [stop('KYC', 'successful'), stop('REPAYMENT', 'INITIATED'), stop('LOAN_AGREEMENT', 'PENDING')]
  assert.deepEqual(reportIn(bodyWith({ stops: [...stops, ...later] })), { subject: 'KYC', state: 'SUCCESSFUL' })
  const state = { descriptor: { code: 'DISBURSED' } }
  assert.deepEqual(reportIn(bodyWith({ stops: [...stops, ...later], state })), { subject: null, state: 'DISBURSED' })
})

test('FIS12 §13: the status of a form comes before the state of the loan', () => {
  const state = { descriptor: { code: 'INITIATED' } }
  const form = { xinput: { form: { id: 'F1' }, form_response: { status: 'APPROVED', submission_id: 's' } } }
  assert.deepEqual(reportIn(bodyWith({ state }, form)), { subject: 'FORM', state: 'APPROVED' })
  assert.deepEqual(reportIn(bodyWith({ state })), { subject: null, state: 'INITIATED' })
})

test('FIS12 §26: a report that says nothing readable has no progress', () => {
  for (const body of ['', '[]', '{"message":{"order":{"fulfillments":[7]}}}', bodyWith({})])
    assert.equal(reportIn(body), null, body)
  assert.equal(reportIn(bodyWith({ state: { descriptor: { code: 'x'.repeat(61) } } })), null)
})

test('FIS12 §27: of a sanctioned line, on which every stop is done, the state is told', () => {
  const stops = [stop('LIEN_MARKING', 'COMPLETED'), stop('ESIGN', 'COMPLETED')]
  const state = { descriptor: { code: 'SANCTIONED' } }
  assert.deepEqual(reportIn(bodyWith({ stops, state })), { subject: null, state: 'SANCTIONED' })
})

test('FIS12 §27.5: the messages of a drawdown name the line’s order, and so the drawdown', () => {
  const order = { ref_order_ids: ['ORDER-L'], fulfillments: [{ state: { descriptor: { code: 'DISBURSED' } } }] }
  const body = JSON.stringify({ message: { order } })
  assert.deepEqual(subjectIn(body, 'on_update'), { subject: 'DRAWDOWN', state: 'DISBURSED' })
  const request = JSON.stringify({ message: { order: { ref_order_ids: ['ORDER-L'] } } })
  assert.deepEqual(subjectIn(request, 'init'), { subject: 'DRAWDOWN', state: null })
  assert.equal(subjectIn(JSON.stringify({ message: { order: { ref_order_ids: [] } } }), 'init'), null)
})

test('FIS12 §7.4, §7.5, §11.1: an update is about the last payment for which the borrower asked', () => {
  const payments = [
    { type: 'POST_FULFILLMENT', status: 'NOT-PAID', time: { label: 'INSTALLMENT' } },
    { status: 'PAID', time: { label: 'PRE_PART_PAYMENT' } },
    { status: 'NOT-PAID', time: { label: 'FORECLOSURE' } },
  ]
  const bodyOf = (listed: unknown) => JSON.stringify({ message: { order: { payments: listed } } })
  assert.deepEqual(subjectIn(bodyOf(payments), 'on_update'), { subject: 'FORECLOSURE', state: 'NOT-PAID' })
  assert.equal(subjectIn(bodyOf(payments.slice(0, 1)), 'on_update'), null)
  for (const hostile of [7, [7, null], [{ time: 'x' }], [{ time: { label: 'constructor' } }]])
    assert.equal(subjectIn(bodyOf(hostile), 'on_update'), null)
})

test('only bodies of messages whose action does not tell enough are opened', () => {
  assert.deepEqual(['search', 'select', 'on_issue', undefined].map(hasSubject), [false, false, false, false])
  assert.deepEqual(['init', 'on_update', 'on_status'].map(hasSubject), [true, true, true])
})
