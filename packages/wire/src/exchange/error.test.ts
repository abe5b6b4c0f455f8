// Error bodies of the exchange: codes, request ids, and no causes of internal errors.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { invalid, Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import { faults } from '@lendloom/foundation/schema'
import { ErrorBody, errorCodes, refusedExchange } from './error.ts'

const expected: Record<RefusalKind, [number, string, boolean]> = {
  malformed: [400, 'VALIDATION_ERROR', false],
  invalid: [422, 'VALIDATION_ERROR', false],
  'bad-api-key': [401, 'UNAUTHORIZED', false],
  'bad-session': [401, 'UNAUTHORIZED', false],
  'bad-credential': [401, 'UNAUTHORIZED', false],
  forbidden: [403, 'FORBIDDEN', false],
  absent: [404, 'NOT_FOUND', false],
  'wrong-method': [405, 'NOT_FOUND', false],
  'wrong-state': [409, 'CONFLICT', false],
  locked: [409, 'CONFLICT', false],
  pending: [409, 'CONFLICT', true],
  'reused-key': [409, 'CONFLICT', false],
  'too-large': [413, 'TOO_LARGE', false],
  'unsupported-media': [415, 'UNSUPPORTED_MEDIA', false],
  'rate-limited': [429, 'RATE_LIMITED', true],
  damaged: [500, 'INTERNAL_ERROR', false],
  upstream: [503, 'INTERNAL_ERROR', true],
}
const bodyOf = (refusal: Refusal | 'bug', arrival = {}): ErrorBody => {
  const { body } = refusedExchange(refusal, arrival)
  assert.deepEqual(faults(ErrorBody, body), [])
  return body as ErrorBody
}
const [eventId, requestId, key] = [1, 2, 3].map((n) => `0190f5a0-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
]

test('D3 §7: every kind of refusal has its status and code', () => {
  for (const [kind, [status, code, retryable]] of Object.entries(expected)) {
    const answer = refusedExchange(new Refusal(kind as RefusalKind, 'refused'), {})
    assert.equal(answer.status, status, kind)
    assert.deepEqual(
      answer.body,
      { request_id: null, error: { code, message: 'refused', retryable, fields: [] } },
      kind,
    )
  }
  assert.deepEqual(new Set(Object.values(expected).map(([, code]) => code)), new Set(errorCodes))
})

test('D3 §7: a bug is retryable and does not reveal its cause', () => {
  const { status } = refusedExchange('bug', {})
  const { error } = bodyOf('bug')
  assert.equal(status, 500)
  assert.equal(error.code, 'INTERNAL_ERROR')
  assert.equal(error.retryable, true)
  assert.deepEqual(error.fields, [])
})

test('D3 §7: every invalid field is reported by path', () => {
  const fields = [
    { path: 'data.borrower.pan', message: 'must be a valid PAN' },
    { path: 'event_id', message: 'must be a UUID' },
  ]
  assert.deepEqual(bodyOf(invalid(fields[0]!, fields[1]!)).error.fields, fields)
  assert.deepEqual(
    bodyOf(new Refusal('forbidden', 'is not the authenticated sender', { field: 'sender' })).error.fields,
    [{ path: 'sender', message: 'is not the authenticated sender' }],
  )
})

test('D3 §7: request_id is the event_id, otherwise X-Request-Id, otherwise Idempotency-Key, otherwise null', () => {
  const refusal = new Refusal('absent', 'x')
  const requestIdFor = (headers: object, raw?: string) =>
    bodyOf(refusal, { headers, ...(raw !== undefined && { raw: Buffer.from(raw) }) }).request_id
  const event = JSON.stringify({ event_id: eventId })
  assert.equal(requestIdFor({ 'x-request-id': requestId, 'idempotency-key': key }, event), eventId)
  assert.equal(requestIdFor({ 'x-request-id': requestId, 'idempotency-key': key }, '{"event_id":'), requestId)
  assert.equal(requestIdFor({ 'idempotency-key': key }), key)
  assert.equal(requestIdFor({}), null)
  for (const wrong of ['<script>', '', 'x'.repeat(10_000)])
    assert.equal(requestIdFor({ 'x-request-id': wrong }, `{"event_id":"${wrong}"}`), null)
  const costly = `{"event_id":"${eventId}","data":[${'0,'.repeat(30_000)}0]}`
  assert.equal(requestIdFor({ 'idempotency-key': key }, costly), key, 'a refused body is not parsed for its id')
  for (const text of ['null', '[]', '{"event_id":5}', '"event_id"']) assert.equal(requestIdFor({}, text), null, text)
  assert.equal(bodyOf(refusal).request_id, null)
})

test('D3 §7: a refusal with a delay sends Retry-After, and a 401 sends WWW-Authenticate', () => {
  const late = refusedExchange(new Refusal('rate-limited', 'x', { retryAfterSeconds: 3 }), {})
  assert.deepEqual(late.headers, { 'retry-after': '3' })
  assert.deepEqual(refusedExchange(new Refusal('bad-credential', 'x'), {}).headers, { 'www-authenticate': 'Bearer' })
})
