// Rules for every call to the headless API: envelope, ids, version, and one effect per Idempotency-Key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal, type RefusalKind } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { uuidv4 } from '@lendloom/seal/id'
import { headlessBase, startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { type Reply, testPlatform } from '@lendloom/tests/setup/platform'
import { type ErrorCode, errorCodes, refused, success } from '@lendloom/wire/headless/envelope'
import { platformApi } from '#platform/api/reference/openapi.ts'
import { platformApis } from '#platform/apis.ts'
import { runOnceForKey } from '#platform/integrators/access/idempotency.ts'

// No process listens on this port, so the directory of aggregators is unreachable.
const platform = await testPlatform({ AA_REGISTRY_URL: 'http://127.0.0.1:1' })
const httpApi = startHeadlessClient(platform)
const { ctx, tenant } = platform
const versionHeader = 'x-lendloom-api-version'

function assertEnvelope(reply: Reply, status: number, code: string | null) {
  assert.equal(reply.status, status)
  const { requestID, correlationID, timestamp, data, error, ...otherFields } = reply.body
  assert.deepEqual(otherFields, {})
  for (const id of [requestID, correlationID]) assert.equal(typeof id, 'string')
  assert.equal(new Date(timestamp).toISOString(), timestamp)
  if (code === null) assert.equal(error, null)
  else {
    assert.equal(data, null)
    assert.deepEqual(Object.keys(error), ['code', 'message', 'retryable', 'details'])
    assert.equal(error.code, code)
  }
  assert.equal(reply.headers.get(versionHeader), '2026-11-01')
  assert.equal(reply.headers.get('cache-control'), 'no-store')
}

test('D2 §2.1: every response has the envelope', async () => {
  const asha = await httpApi.borrower()
  assertEnvelope(await asha.get('/journeys'), 200, null)
  assertEnvelope(await asha.get(`/journeys/${uuidv4()}`), 404, 'RESOURCE_NOT_FOUND')
  assertEnvelope(await asha.get('/nothing/here'), 404, 'RESOURCE_NOT_FOUND')
  assertEnvelope(await asha.put('/journeys', {}), 405, 'RESOURCE_NOT_FOUND')
  assertEnvelope(await asha.post('/journeys', '{"type":'), 400, 'VALIDATION_FAILED')
  assertEnvelope(await asha.post('/journeys', { type: 'CAR_LOAN' }), 400, 'VALIDATION_FAILED')
  const text = { headers: { 'content-type': 'text/plain' } }
  assertEnvelope(await asha.post('/journeys', 'type=PERSONAL_LOAN', text), 415, 'VALIDATION_FAILED')
  const unauthenticated = await httpApi.call('/journeys')
  assertEnvelope(unauthenticated, 401, 'AUTH_INVALID_SESSION')
  assert.equal(unauthenticated.headers.get('www-authenticate'), 'Bearer')
})

test('D2 §7: a profile that was altered in the database returns an error', async () => {
  const asha = await httpApi.borrower()
  const ravi = await httpApi.borrower()
  const open = async (borrower: typeof asha) => {
    const { data } = (await borrower.post('/journeys', { type: 'PERSONAL_LOAN' })).body
    return data.journeyID as string
  }
  const tampered = await open(asha)
  const other = await open(ravi)
  await ctx.db`
    update profile set profile_sealed = set_byte(profile_sealed, length(profile_sealed) - 1,
      get_byte(profile_sealed, length(profile_sealed) - 1) # 1)
    where tenant_id = ${tenant.tenantId} and journey_id = ${tampered}`
  const reply = await asha.get(`/journeys/${tampered}/profile`)
  assertEnvelope(reply, 500, 'UPSTREAM_TEMPORARY_FAILURE')
  assert.match(reply.body.error.message, /cannot be opened/)
  assert.equal(reply.body.error.retryable, false)
  assertEnvelope(await ravi.get(`/journeys/${other}/profile`), 200, null)
})

test('D2 §9: the response repeats the correlation id in a header and in the body', async () => {
  const asha = await httpApi.borrower()
  const { headers, body } = await asha.get('/journeys', { headers: { 'x-correlation-id': 'my-own-1' } })
  assert.equal(headers.get('x-correlation-id'), 'my-own-1')
  assert.equal(body.correlationID, 'my-own-1')
})

test('D2 §9: an unknown version is refused with the supported versions and is not stored for the key', async () => {
  const asha = await httpApi.borrower()
  const unknown = { headers: { [versionHeader]: '2025-01-01' } }
  for (const reply of [await asha.get('/journeys', unknown), await httpApi.bootstrap(httpApi.newBorrower(), unknown)]) {
    assertEnvelope(reply, 400, 'VALIDATION_FAILED')
    const { field, supported } = reply.body.error.details
    assert.equal(field, 'X-Lendloom-API-Version')
    assert.deepEqual(supported, ['2026-11-01'])
  }
  assertEnvelope(await asha.get('/journeys', { headers: { [versionHeader]: '2026-11-01' } }), 200, null)
  const [key] = await ctx.db<{ apiVersion: string }>`
    select api_version from api_key where tenant_id = ${tenant.tenantId} and api_version is not null`
  assert.equal(key!.apiVersion, '2026-11-01')
})

test('D2 §8: a missing or malformed Idempotency-Key is refused', async () => {
  const asha = await httpApi.borrower()
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const journeyPath = `/journeys/${journeyID}`
  for (const idempotencyKey of [null, 'with space', 'x'.repeat(256)]) {
    const options = { idempotencyKey }
    const replies = [
      await httpApi.bootstrap(httpApi.newBorrower(), options),
      await httpApi.call('/sessions/refresh', { method: 'POST', token: asha.token, ...options }),
      await asha.post('/journeys', { type: 'PERSONAL_LOAN' }, options),
      await asha.patch(`${journeyPath}/resume`, { resume: {} }, options),
    ]
    for (const reply of replies) {
      assertEnvelope(reply, 400, 'VALIDATION_FAILED')
      assert.equal(reply.body.error.details.field, 'Idempotency-Key')
    }
  }
})

test('D2 §8: an Idempotency-Key is refused with another body or another journey', async () => {
  const asha = await httpApi.borrower()
  const journeys = []
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN'])
    journeys.push((await asha.post('/journeys', { type })).body.data.journeyID)
  const options = { idempotencyKey: uuidv4() }
  const resume = (journeyID: string, lastCompletedStep: string) =>
    asha.patch(`/journeys/${journeyID}/resume`, { resume: { lastCompletedStep } }, options)
  const first = await resume(journeys[0], 'a')
  const again = await resume(journeys[0], 'a')
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  for (const reply of [await resume(journeys[0], 'b'), await resume(journeys[1], 'a')]) {
    assertEnvelope(reply, 422, 'VALIDATION_FAILED')
    assert.equal(reply.body.error.details.field, 'Idempotency-Key')
  }
})

test('D2 §8: an Idempotency-Key applies to one operation of one borrower in all sessions', async () => {
  const body = httpApi.newBorrower()
  const asha = await httpApi.borrower(body)
  const ravi = await httpApi.borrower()
  const options = { idempotencyKey: uuidv4() }
  const first = await asha.post('/journeys', { type: 'PERSONAL_LOAN' }, options)
  const other = await ravi.post('/journeys', { type: 'PERSONAL_LOAN' }, options)
  assert.equal(first.status, 201)
  assert.equal(other.status, 201)
  assert.notEqual(other.body.data.journeyID, first.body.data.journeyID)
  const marked = await asha.patch(`/journeys/${first.body.data.journeyID}/resume`, { resume: {} }, options)
  assert.equal(marked.status, 200)
  const later = await (await httpApi.borrower(body)).post('/journeys', { type: 'PERSONAL_LOAN' }, options)
  assert.equal(later.status, 201)
  assert.deepEqual(later.body, first.body, 'a new session of the same borrower gets the stored response')
})

test('D2 §8: a refusal is not stored for its Idempotency-Key', async () => {
  const asha = await httpApi.borrower()
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const options = { idempotencyKey: uuidv4() }
  const submit = () => asha.post(`/journeys/${journeyID}/profile/submit`, { bureauConsent: true }, options)
  assertEnvelope(await submit(), 400, 'VALIDATION_FAILED')
  const stored = await ctx.db`select 1 from idempotency where key = ${options.idempotencyKey}`
  assert.equal(stored.length, 0)
})

test('D2 §8: a stored response is replayed even while the aggregators are unreachable', async () => {
  const asha = await httpApi.borrower()
  const path = `/journeys/${uuidv4()}/aa/sessions/${uuidv4()}/redirect`
  const key = uuidv4()
  const redirect = () => asha.post(path, {}, { idempotencyKey: key })
  assertEnvelope(await redirect(), 503, 'UPSTREAM_TEMPORARY_FAILURE')
  const { tenantId, applicationId } = tenant
  const operation = {
    tenantId,
    key,
    principal: `borrower:${asha.session.borrowerID}:${applicationId}`,
    replaySeconds: null,
    operation: 'POST /journeys/{journeyID}/aa/sessions/{aaSessionID}/redirect',
    content: { path: headlessBase + path, query: {}, body: {} },
  }
  const ids = { requestId: 'r', correlationId: 'c', at: ctx.clock() }
  const redirection = { redirectURL: 'https://aggregator.example', reqdate: '1', txnid: uuidv4(), expiresAt: 'soon' }
  const data = { aaSessionID: uuidv4(), state: 'REDIRECT_READY', ...redirection }
  await runOnceForKey(ctx, operation, ids.at, async () => answer(200, success(data, ids)))
  const again = await redirect()
  assertEnvelope(again, 200, null)
  assert.deepEqual(again.body.data, data)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('D2 §7: each refusal returns its code, status and retryable flag', () => {
  const expectations: Record<RefusalKind | 'bug', [ErrorCode, number, boolean]> = {
    malformed: ['VALIDATION_FAILED', 400, false],
    invalid: ['VALIDATION_FAILED', 400, false],
    'bad-api-key': ['AUTH_INVALID_API_KEY', 401, false],
    'bad-session': ['AUTH_INVALID_SESSION', 401, false],
    'bad-credential': ['AUTH_INVALID_API_KEY', 401, false],
    forbidden: ['ACCESS_SCOPE_MISMATCH', 403, false],
    absent: ['RESOURCE_NOT_FOUND', 404, false],
    'wrong-method': ['RESOURCE_NOT_FOUND', 405, false],
    'wrong-state': ['STATE_PRECONDITION_FAILED', 409, false],
    locked: ['OFFER_LOCK_CONFLICT', 409, false],
    pending: ['ASYNC_OPERATION_PENDING', 409, true],
    'reused-key': ['VALIDATION_FAILED', 422, false],
    'too-large': ['VALIDATION_FAILED', 413, false],
    'unsupported-media': ['VALIDATION_FAILED', 415, false],
    'rate-limited': ['RATE_LIMITED', 429, true],
    damaged: ['UPSTREAM_TEMPORARY_FAILURE', 500, false],
    upstream: ['UPSTREAM_TEMPORARY_FAILURE', 503, true],
    bug: ['UPSTREAM_TEMPORARY_FAILURE', 500, true],
  }
  const ids = { requestId: 'r', correlationId: 'c', at: new Date(0) }
  for (const [kind, [code, expectedStatus, isRetryable]] of Object.entries(expectations)) {
    const refusal = kind === 'bug' ? kind : new Refusal(kind as RefusalKind, 'no', { retryAfterSeconds: 1, field: 'x' })
    const { status, body, headers } = refused(refusal, ids)
    const { error, data } = body as { error: { code: string; retryable: boolean; details: object }; data: null }
    assert.equal(error.code, code, kind)
    assert.equal(status, expectedStatus, kind)
    assert.equal(error.retryable, isRetryable, kind)
    assert.equal(data, null, kind)
    if (kind === 'bug') continue
    assert.deepEqual(error.details, { field: 'x' }, kind)
    assert.equal(headers['retry-after'], '1', kind)
  }
  assert.deepEqual(new Set(Object.values(expectations).map(([code]) => code)), new Set(errorCodes))
})

test('D2 §7: a rate-limited borrower gets Retry-After', async () => {
  const asha = await httpApi.borrower()
  // The limit refills by five requests a second, so a slow machine must send many more requests than the limit.
  const replies = await Promise.all(Array.from({ length: 100 }, () => asha.get('/journeys')))
  const limited = replies.filter(({ status }) => status === 429)
  assert.ok(limited.length > 0)
  assertEnvelope(limited[0]!, 429, 'RATE_LIMITED')
  assert.equal(limited[0]!.body.error.retryable, true)
  assert.match(limited[0]!.headers.get('retry-after')!, /^\d+$/)
  assert.match(replies[0]!.headers.get('ratelimit')!, /r=\d+/)
})

const api = platformApi(platformApis(ctx), 'http://x') as {
  paths: Record<
    string,
    Record<string, { security?: object[]; parameters?: { in: string; name: string; required: boolean }[] }>
  >
  components: { securitySchemes: object }
}

test('D2 §8, §9: the OpenAPI document lists the required and optional headers of each call', () => {
  for (const [path, operations] of Object.entries(api.paths).filter(([path]) => path.startsWith('/api/v1/headless/')))
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const headers = parameters.filter((each) => each.in === 'header')
      const optional = [
        { name: 'X-Lendloom-API-Version', required: false },
        { name: 'X-Correlation-ID', required: false },
      ]
      assert.deepEqual(
        headers.map(({ name, required }) => ({ name, required })),
        method === 'get' ? optional : [{ name: 'Idempotency-Key', required: true }, ...optional],
        `${method} ${path}`,
      )
    }
})

test('D2 §4: the OpenAPI document names the kind of token for each route', () => {
  const securityOf = (path: string, method: string) => api.paths[`/api/v1/headless${path}`]?.[method]?.security
  assert.deepEqual(securityOf('/sessions', 'post'), [{ apiKey: [] }])
  assert.deepEqual(securityOf('/sessions/refresh', 'post'), [{ refreshToken: [] }])
  assert.deepEqual(securityOf('/journeys/{journeyID}/state', 'get'), [{ sessionToken: [] }])
  assert.deepEqual(Object.keys(api.components.securitySchemes), ['apiKey', 'sessionToken', 'refreshToken'])
})
