// The exchange's dedupe check, documents, receipts and request headers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { faults } from '@lendloom/foundation/schema'
import { pathsOf, withChange } from '@lendloom/tests/setup/exchange-change'
import {
  exampleDedupeReply,
  exampleDedupeRequest,
  exampleDocumentForm,
  exampleDocumentReply,
} from '#wire/exchange/example/answer.ts'
import { dedupeReplyFaults, readDedupeRequest } from './dedupe.ts'
import { DocumentForm, DocumentReply, documentTypes } from './document.ts'
import { requireIdempotencyKey, requireRequestId } from './envelope.ts'
import { isReceipt, receiptOf } from './event-receipt.ts'

const isInvalid =
  (...paths: string[]) =>
  (error: unknown) => {
    assert.ok(error instanceof Refusal && error.kind === 'invalid')
    assert.deepEqual(
      error.details.fields!.map(({ path }) => path),
      paths,
    )
    return true
  }

test('D3 §4.1: a dedupe request must be complete', () => {
  assert.deepEqual(readDedupeRequest(exampleDedupeRequest()), exampleDedupeRequest())
  for (const path of pathsOf(exampleDedupeRequest())) {
    assert.throws(() => readDedupeRequest(withChange(exampleDedupeRequest(), path, undefined)), isInvalid(path), path)
    assert.throws(() => readDedupeRequest(withChange(exampleDedupeRequest(), path, null)), isInvalid(path), path)
  }
  assert.throws(
    () => readDedupeRequest(withChange(exampleDedupeRequest(), 'product', 'PERSONAL_LOAN')),
    isInvalid('product'),
  )
  assert.throws(
    () => readDedupeRequest(withChange(exampleDedupeRequest(), 'applicant.aadhaar', '999999990019')),
    isInvalid('applicant.aadhaar'),
  )
})

const replyFaultPaths = (reply: unknown) => dedupeReplyFaults(reply, exampleDedupeRequest()).map(({ path }) => path)

test('D3 §4.1: a dedupe response must be complete, with null only where allowed', () => {
  assert.deepEqual(replyFaultPaths(exampleDedupeReply()), [])
  for (const path of pathsOf(exampleDedupeReply())) {
    assert.deepEqual(replyFaultPaths(withChange(exampleDedupeReply(), path, undefined)), [path])
    const mayBeNull = path.startsWith('existing_')
    assert.deepEqual(replyFaultPaths(withChange(exampleDedupeReply(), path, null)), mayBeNull ? [] : [path], path)
  }
})

test('D3 §4.1: only AMBIGUOUS requires a review, and NO_MATCH must not name a record', () => {
  const reply = { ...exampleDedupeReply(), match_status: 'AMBIGUOUS' as const }
  assert.deepEqual(replyFaultPaths({ ...reply, decision: 'PROCEED' }), ['decision'])
  assert.deepEqual(replyFaultPaths({ ...reply, decision: 'DECLINE' }), ['decision'])
  assert.deepEqual(replyFaultPaths({ ...reply, decision: 'REVIEW_REQUIRED' }), [])
  const withRecord = { ...exampleDedupeReply(), existing_celestium_lead_id: '1', existing_celestium_loan_id: '2' }
  assert.deepEqual(replyFaultPaths({ ...withRecord, match_status: 'MATCH', decision: 'PROCEED' }), [])
  assert.deepEqual(replyFaultPaths({ ...withRecord, match_status: 'NO_MATCH' }), [
    'existing_celestium_lead_id',
    'existing_celestium_loan_id',
  ])
  assert.deepEqual(replyFaultPaths({ ...exampleDedupeReply(), match_status: 'NO_MATCH', decision: 'DECLINE' }), [])
})

test('D3 §4.1: a response to another request is rejected', () => {
  const other = '0190f5a0-0000-7000-8000-0000000000ff'
  assert.deepEqual(replyFaultPaths({ ...exampleDedupeReply(), request_id: other }), ['request_id'])
  assert.deepEqual(replyFaultPaths({ ...exampleDedupeReply(), external_reference_id: 'OTHER' }), [
    'external_reference_id',
  ])
})

test('D3 §4.3: each document type has the content types and size limit of the table', () => {
  const pdf = 'application/pdf'
  const json = 'application/json'
  const MiB = 2 ** 20
  const expected: Record<string, { contentTypes: string[]; mostMiB: number }> = {
    BUREAU_REPORT: { contentTypes: [pdf, json], mostMiB: 20 },
    BANK_ANALYSIS_REPORT: { contentTypes: [pdf, json], mostMiB: 20 },
    BANK_STATEMENT: { contentTypes: [pdf], mostMiB: 20 },
    AADHAAR_VERIFICATION_PDF: { contentTypes: [pdf], mostMiB: 20 },
    PAN_VERIFICATION_PDF: { contentTypes: [pdf], mostMiB: 20 },
    KYC_REPORT: { contentTypes: [pdf], mostMiB: 20 },
    SIGNED_LOAN_AGREEMENT: { contentTypes: [pdf], mostMiB: 20 },
    MANDATE_DOCUMENT: { contentTypes: [pdf], mostMiB: 20 },
    VKYC_RECORDING: { contentTypes: ['video/mp4'], mostMiB: 250 },
    PAYMENT_SCREENSHOT: { contentTypes: [pdf, 'image/png', 'image/jpeg'], mostMiB: 5 },
  }
  const table = Object.entries(documentTypes).map(([type, { contentTypes, maxBytes }]) => [
    type,
    { contentTypes, mostMiB: maxBytes / MiB },
  ])
  assert.deepEqual(Object.fromEntries(table), expected)
})

test('D3 §4.3: a form may omit only provider_reference_id, and a response no key', () => {
  const optionalKeys = (schema: typeof DocumentForm | typeof DocumentReply, value: object) =>
    Object.keys(value).filter((key) => faults(schema, withChange(value, key, undefined)).length === 0)
  assert.deepEqual(faults(DocumentForm, exampleDocumentForm()), [])
  assert.deepEqual(faults(DocumentReply, exampleDocumentReply()), [])
  assert.deepEqual(optionalKeys(DocumentForm, exampleDocumentForm()), ['provider_reference_id'])
  assert.deepEqual(optionalKeys(DocumentReply, exampleDocumentReply()), [])
  for (const [key, wrong] of Object.entries({
    status: 'QUEUED',
    sha256: 'A'.repeat(64),
    size_bytes: '12',
    document_type: 'SELFIE',
  }))
    assert.deepEqual(
      faults(DocumentReply, { ...exampleDocumentReply(), [key]: wrong }).map(({ path }) => path),
      [key],
    )
})

test('D3 §2.2: a new event returns 202, a repeat 200 with the original time, other content 409', () => {
  const event = '0190f5a0-0000-7000-8000-000000000001'
  const receivedAt = new Date('2026-11-20T10:00:00Z')
  const body = { event_id: event, receipt_status: 'RECEIVED', received_at: '2026-11-20T10:00:00.000Z' }
  const first = receiptOf(event, { seen: 'first', receivedAt })
  const same = receiptOf(event, { seen: 'same', receivedAt })
  assert.equal(first.status, 202)
  assert.deepEqual(first.body, body)
  assert.equal(same.status, 200)
  assert.deepEqual(same.body, body)
  assert.throws(
    () => receiptOf(event, { seen: 'different' }),
    (error: Refusal) => error.kind === 'reused-key',
  )
})

test('D3 §2.2: a 2xx without this event’s receipt does not confirm it', () => {
  const event = '0190f5a0-0000-7000-8000-000000000001'
  const body = { event_id: event, receipt_status: 'RECEIVED', received_at: '2026-11-20T10:00:00.000Z' }
  const isReceiptFor = (status: number, reply: object | string) =>
    isReceipt({ status, body: Buffer.from(typeof reply === 'string' ? reply : JSON.stringify(reply)) }, event)
  assert.ok(isReceiptFor(202, body) && isReceiptFor(200, { ...body, more: 1 }))
  assert.ok(isReceiptFor(202, { ...body, event_id: event.toUpperCase() }))
  for (const status of [201, 204, 302, 409, 503]) assert.ok(!isReceiptFor(status, body), `${status}`)
  for (const reply of ['', '<html>Sign in</html>', 'null', '[]', { ...body, receipt_status: 'APPLIED' }])
    assert.ok(!isReceiptFor(202, reply), JSON.stringify(reply))
  assert.ok(!isReceiptFor(202, { ...body, event_id: '0190f5a0-0000-7000-8000-000000000002' }))
})

test('D3 §9: unknown keys are accepted in every response', () => {
  assert.deepEqual(dedupeReplyFaults({ ...exampleDedupeReply(), more: 1 }, exampleDedupeRequest()), [])
  assert.deepEqual(faults(DocumentReply, { ...exampleDocumentReply(), more: 1 }), [])
  assert.deepEqual(faults(DocumentForm, { ...exampleDocumentForm(), more: '1' }), [])
})

test('D3 §2.1: Idempotency-Key is the ID of the body, bare or quoted', () => {
  const id = '0190f5a0-0000-7000-8000-000000000001'
  for (const key of [id, `"${id}"`, id.toUpperCase()]) requireIdempotencyKey({ 'idempotency-key': key }, id)
  for (const key of [undefined, '', 'other', [id, id]])
    assert.throws(() => requireIdempotencyKey({ 'idempotency-key': key }, id), isInvalid('Idempotency-Key'))
})

test('D3 §2.1: X-Request-Id of a read is a UUID', () => {
  const id = '0190f5a0-0000-7000-8000-000000000001'
  assert.equal(requireRequestId({ 'x-request-id': id }), id)
  for (const wrong of [undefined, '', '1', [id, id]])
    assert.throws(() => requireRequestId({ 'x-request-id': wrong }), isInvalid('X-Request-Id'))
})
