// Rate limits: reported in every response, separate per tenant and session, and optional.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Arrival } from '@lendloom/http/server'
import { ask, type TestPlatform, testPlatform } from '@lendloom/tests/setup/platform'
import { limitBorrower, limitTenant } from './rate-limit.ts'

let now = new Date('2026-11-01T10:00:00Z')
const clock = () => now
const advanceClock = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}
const lowLimits = {
  TENANT_REQUESTS_PER_SECOND: '2',
  TENANT_BURST: '5',
  BORROWER_REQUESTS_PER_SECOND: '1',
  BORROWER_BURST: '3',
}
const platform = await testPlatform(lowLimits, clock)
const features = ({ url, tenant }: TestPlatform, key = tenant.apiKey) => ask(`${url}/api/lab/features`, { key })
const limitHeaders = ({ headers }: { headers: Headers }) => ({
  policy: headers.get('ratelimit-policy'),
  limit: headers.get('ratelimit'),
})

test('D2 §8: every response to a known caller, even a refusal, reports the policy and the remaining requests', async () => {
  advanceClock(60)
  assert.deepEqual(limitHeaders(await features(platform)), { policy: '"tenant";q=5;w=3', limit: '"tenant";r=4;t=1' })
  const invalidRequest = await ask(`${platform.url}/api/lab/sessions`, {
    method: 'POST',
    key: platform.tenant.apiKey,
    body: {},
  })
  assert.equal(invalidRequest.status, 400)
  assert.deepEqual(limitHeaders(invalidRequest), { policy: '"tenant";q=5;w=3', limit: '"tenant";r=3;t=1' })
  const unknownCaller = await ask(`${platform.url}/api/lab/features`, { key: 'unknown' })
  assert.equal(unknownCaller.status, 401)
  assert.deepEqual(limitHeaders(unknownCaller), { policy: null, limit: null })
})

test('D2 §8: a request above the limit returns a retryable 429 with a correct Retry-After', async () => {
  advanceClock(60)
  for (let i = 0; i < 5; i++) assert.equal((await features(platform)).status, 200)
  const refused = await features(platform)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.error.code, 'RATE_LIMITED')
  assert.equal(refused.body.error.retryable, true)
  assert.deepEqual(limitHeaders(refused), { policy: '"tenant";q=5;w=3', limit: '"tenant";r=0;t=3' })
  const retryAfter = refused.headers.get('retry-after')!
  assert.match(retryAfter, /^[1-9]\d*$/)
  advanceClock(Number(retryAfter))
  assert.equal((await features(platform)).status, 200)
})

test('tenants have separate limits', async () => {
  advanceClock(60)
  for (let i = 0; i < 6; i++) await features(platform)
  assert.equal((await features(platform)).status, 429)
  assert.equal((await features(platform, platform.secondTenant.apiKey)).status, 200)
})

const arrival = () => ({ at: now, answerHeaders: {} }) as unknown as Arrival

test('D2 §8: a borrower’s session has its own limit and does not count towards the tenant’s', async () => {
  advanceClock(60)
  const { ctx, tenant } = platform
  const session = (sessionId: string) => ({ tenantId: tenant.tenantId, sessionId })
  for (let i = 0; i < 3; i++) await limitBorrower(ctx, arrival(), session('session-1'))
  const limitedArrival = arrival()
  await assert.rejects(limitBorrower(ctx, limitedArrival, session('session-1')), {
    kind: 'rate-limited',
    details: { retryAfterSeconds: 1 },
  })
  assert.equal(limitedArrival.answerHeaders.ratelimit, '"borrower";r=0;t=3')
  await limitBorrower(ctx, arrival(), session('session-2'))
  await limitTenant(ctx, arrival(), tenant.tenantId)
})

test('D2 §8: the default burst is 200 for tenants and 20 for borrowers; RATE_LIMITS=off disables limits', async () => {
  const defaults = await testPlatform({}, clock)
  const first = arrival()
  const { tenantId } = defaults.tenant
  await limitTenant(defaults.ctx, first, tenantId)
  assert.deepEqual(Object.values(first.answerHeaders), ['"tenant";q=200;w=2', '"tenant";r=199;t=1'])
  const second = arrival()
  await limitBorrower(defaults.ctx, second, { tenantId, sessionId: 's' })
  assert.deepEqual(Object.values(second.answerHeaders), ['"borrower";q=20;w=4', '"borrower";r=19;t=1'])
  const unlimited = await testPlatform({ ...lowLimits, RATE_LIMITS: 'off' }, clock)
  for (let i = 0; i < 20; i++) {
    const answered = await features(unlimited)
    assert.equal(answered.status, 200)
    assert.deepEqual(limitHeaders(answered), { policy: null, limit: null })
  }
})
