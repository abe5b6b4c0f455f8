// How the page interprets the responses and failures of API calls.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey, sendTo } from './api.ts'

const respondWith = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const requests: [string, RequestInit][] = []
  const fetch = async (url: string, init: RequestInit) => {
    requests.push([url, init])
    return new Response(JSON.stringify(body), { status, headers })
  }
  return { requests, send: sendTo('/api/embed', fetch as typeof globalThis.fetch, 'page-1') }
}
const readCall = { method: 'GET', path: '/journey' } as const
const error = (code: string, details: object = {}) => ({
  data: null,
  error: { code, message: '', retryable: false, details },
})

test('a call sends the session token and the idempotency key, without cookies', async () => {
  const { requests, send } = respondWith(200, { view: 1 })
  assert.deepEqual(await send({ method: 'PUT', path: '/profile', body: { a: 1 }, key: 'k' }, 'st_1'), {
    kind: 'ok',
    body: { view: 1 },
    tag: null,
  })
  const [[url, init]] = requests as [[string, RequestInit]]
  assert.equal(url, '/api/embed/profile')
  assert.equal(init.credentials, 'omit')
  assert.deepEqual(init.headers, {
    'x-page-id': 'page-1',
    authorization: 'Bearer st_1',
    'content-type': 'application/json',
    'idempotency-key': 'k',
  })
})

test('D1 §6: a poll sends the tag of the shown view, and a 304 means the same view', async () => {
  const { requests, send } = respondWith(200, { view: 1 }, { etag: 'W/"a"' })
  assert.deepEqual(await send({ ...readCall, tag: 'W/"b"' }, 's'), { kind: 'ok', body: { view: 1 }, tag: 'W/"a"' })
  const [[, init]] = requests as [[string, RequestInit]]
  assert.equal((init.headers as Record<string, string>)['if-none-match'], 'W/"b"')
  assert.equal(init.cache, 'no-store', "the browser stores no borrower's data")
  const unchanged = sendTo('', async () => new Response(null, { status: 304 }), 'p')
  assert.deepEqual(await unchanged(readCall, 's'), { kind: 'same' })
})

test('D1 §7: each error response maps to one kind of result', async () => {
  const kinds: [number, unknown, string][] = [
    [401, error('AUTH_INVALID_SESSION'), 'expired'],
    [400, error('VALIDATION_FAILED', { fields: [{ path: 'profile.pan', message: 'x' }] }), 'fields'],
    [409, error('STATE_PRECONDITION_FAILED', { missingFields: ['address.city'] }), 'fields'],
    [409, error('STATE_PRECONDITION_FAILED'), 'stale'],
    [409, error('OFFER_LOCK_CONFLICT'), 'stale'],
    [409, error('ASYNC_OPERATION_PENDING'), 'pending'],
    [429, error('RATE_LIMITED'), 'busy'],
    [503, error('UPSTREAM_TEMPORARY_FAILURE'), 'busy'],
    [502, 'not an envelope', 'busy'],
    [404, error('RESOURCE_NOT_FOUND'), 'stale'],
  ]
  for (const [status, body, kind] of kinds)
    assert.equal((await respondWith(status, body).send(readCall, 's')).kind, kind, `${status}`)
})

test('a missing field is an error at its path, and Retry-After sets the delay', async () => {
  const missing = respondWith(409, error('STATE_PRECONDITION_FAILED', { missingFields: ['address.city'] }))
  assert.deepEqual(await missing.send(readCall, 's'), {
    kind: 'fields',
    faults: [{ path: 'address.city', message: '' }],
  })
  const busy = respondWith(429, error('RATE_LIMITED'), { 'retry-after': '3' })
  assert.deepEqual(await busy.send(readCall, 's'), { kind: 'busy', afterMs: 3000 })
  const running = respondWith(409, error('ASYNC_OPERATION_PENDING'), { 'retry-after': '1' })
  assert.deepEqual(await running.send(readCall, 's'), { kind: 'busy', afterMs: 1000 })
})

test('no response, or an unreadable one, counts as offline', async () => {
  const offline = sendTo('', () => Promise.reject(new TypeError('Failed to fetch')), 'p')
  assert.deepEqual(await offline(readCall, 's'), { kind: 'offline', isCut: false })
  const broken = sendTo('', async () => new Response('<html>', { status: 200 }), 'p')
  assert.deepEqual(await broken(readCall, 's'), { kind: 'offline', isCut: false })
})

test('keys are unique and do not require a secure context', () => {
  assert.match(newKey(), /^[0-9a-f]{32}$/)
  assert.notEqual(newKey(), newKey())
})
