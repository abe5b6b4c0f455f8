// The session token and refresh token of a borrower: scope, rotation, and detection of a copied token (D2 §5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { uuidv4 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { ask, type Reply, testPlatform } from '@lendloom/tests/setup/platform'
import { issueKey } from '#platform/integrators/access/api-key.ts'

let elapsedSeconds = 0
const platform = await testPlatform({ RATE_LIMITS: 'off' }, () => secondsAfter(new Date(), elapsedSeconds))
const { ctx, tenant, secondTenant, url } = platform
const api = startHeadlessClient(platform)
const statusAndCode = ({ status, body }: Reply) => ({ status, code: body.error?.code })
const refresh = (token: string, idempotencyKey: string | null = uuidv4()) =>
  api.call('/sessions/refresh', { method: 'POST', token, idempotencyKey })
const journeysStatus = async (token: string) => (await api.call('/journeys', { token })).status

test('D2 §2.3: a new session returns its tokens and its borrower with Cache-Control: no-store', async () => {
  const body = api.newBorrower()
  const { status, headers, body: reply } = await api.bootstrap({ ...body, journeyType: 'PERSONAL_LOAN' })
  assert.equal(status, 201)
  assert.equal(headers.get('cache-control'), 'no-store')
  const { borrowerID, borrowerExternalID, sessionToken, refreshToken, activeJourney, ...expiry } = reply.data
  assert.equal(borrowerExternalID, body.borrowerExternalID)
  assert.equal(activeJourney, null)
  assert.match(borrowerID, /^[0-9a-f-]{36}$/)
  assert.match(sessionToken, /^st_/)
  assert.match(refreshToken, /^rt_/)
  const minutes = (Date.parse(expiry.sessionExpiresAt) - Date.parse(reply.timestamp)) / 60_000
  const days = (Date.parse(expiry.refreshExpiresAt) - Date.parse(reply.timestamp)) / 86_400_000
  assert.equal(minutes, 30)
  assert.equal(days, 7)
})

test('D2 §5: an external id identifies the same borrower at the hosted and headless API', async () => {
  const body = api.newBorrower()
  const first = await api.bootstrap(body)
  const second = await api.bootstrap(body)
  assert.equal(first.body.data.borrowerID, second.body.data.borrowerID)
  const other = await api.bootstrap({ ...body, profile: { contactNumber: '9812345678' } })
  assert.deepEqual(statusAndCode(other), { status: 409, code: 'STATE_PRECONDITION_FAILED' })
  assert.equal(other.body.error.details.field, 'profile.contactNumber')
  const hosted = await ask(`${url}/api/lab/sessions`, {
    method: 'POST',
    key: tenant.apiKey,
    body: { borrowerProviderID: body.borrowerExternalID, profile: body.profile },
  })
  assert.equal(hosted.status, 201)
  const resumed = await api.bootstrap(body)
  assert.equal(resumed.body.data.borrowerID, first.body.data.borrowerID)
  assert.equal(resumed.body.data.activeJourney.status, 'STARTED', 'the headless session resumes the hosted journey')
})

test('D2 §7: a refused session names every wrong field', async () => {
  const { body, status } = await api.bootstrap({
    borrowerExternalID: '',
    journeyType: 'CAR_LOAN',
    profile: { contactNumber: '12345', pan: 'X', nickname: 'A' },
  })
  assert.equal(status, 400)
  const paths = body.error.details.fields.map(({ path }: { path: string }) => path).sort()
  const wrong = ['borrowerExternalID', 'journeyType', 'profile.contactNumber', 'profile.nickname', 'profile.pan']
  assert.deepEqual(paths, wrong)
})

test('D2 §5: a token for other endpoints returns 403, and an invalid token returns 401', async () => {
  const { sessionToken, refreshToken } = (await api.bootstrap()).body.data
  const bootstrap = (token: string) => api.bootstrap(api.newBorrower(), { token })
  for (const token of [sessionToken, refreshToken])
    assert.deepEqual(statusAndCode(await bootstrap(token)), { status: 403, code: 'ACCESS_SCOPE_MISMATCH' })
  for (const token of [tenant.apiKey, refreshToken])
    assert.deepEqual(statusAndCode(await api.call('/journeys', { token })), {
      status: 403,
      code: 'ACCESS_SCOPE_MISMATCH',
    })
  assert.deepEqual(statusAndCode(await refresh(tenant.apiKey)), { status: 403, code: 'ACCESS_SCOPE_MISMATCH' })
  const alterLastCharacter = (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
  const invalidTokens = ['nonsense', alterLastCharacter(sessionToken), alterLastCharacter(tenant.apiKey)]
  for (const token of invalidTokens) {
    assert.deepEqual(statusAndCode(await bootstrap(token)), { status: 401, code: 'AUTH_INVALID_API_KEY' })
    assert.deepEqual(statusAndCode(await api.call('/journeys', { token })), {
      status: 401,
      code: 'AUTH_INVALID_SESSION',
    })
    assert.deepEqual(statusAndCode(await refresh(token)), { status: 401, code: 'AUTH_INVALID_SESSION' })
  }
  assert.deepEqual(statusAndCode(await api.call('/journeys')), { status: 401, code: 'AUTH_INVALID_SESSION' })
})

test('D2 §5: an API key without the sessions scope is refused', async () => {
  const { tenantId, applicationId } = tenant
  const key = { tenantId, applicationId, label: 'x', scopes: ['webhooks' as const], isLive: false, expiresAt: null }
  const { apiKey } = await ctx.db.tx((tx) => issueKey(tx, key, ctx.clock()))
  const reply = await api.bootstrap(api.newBorrower(), { token: apiKey })
  assert.deepEqual(statusAndCode(reply), { status: 403, code: 'ACCESS_SCOPE_MISMATCH' })
})

test('D2 §5: a refresh with either token returns a new pair and invalidates the old session token', async () => {
  for (const name of ['sessionToken', 'refreshToken']) {
    const first = (await api.bootstrap()).body.data
    const { status, body, headers } = await refresh(first[name])
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body.data), ['sessionToken', 'refreshToken', 'sessionExpiresAt', 'refreshExpiresAt'])
    assert.equal(await journeysStatus(body.data.sessionToken), 200)
    assert.equal(await journeysStatus(first.sessionToken), 401)
  }
})

test('D2 §5: exactly one of twenty concurrent refreshes of a pair succeeds', async () => {
  const { refreshToken } = (await api.bootstrap()).body.data
  const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
  const successes = replies.filter(({ status }) => status === 200)
  assert.equal(successes.length, 1)
  for (const reply of replies)
    if (reply !== successes[0]) assert.deepEqual(statusAndCode(reply), { status: 401, code: 'AUTH_INVALID_SESSION' })
})

test('D2 §5: reuse of an old refresh token revokes all later tokens of its session', async () => {
  const first = (await api.bootstrap()).body.data
  const second = (await refresh(first.refreshToken)).body.data
  const third = (await refresh(second.refreshToken)).body.data
  const unrelatedPair = (await api.bootstrap()).body.data
  assert.deepEqual(statusAndCode(await refresh(first.refreshToken)), { status: 401, code: 'AUTH_INVALID_SESSION' })
  assert.equal(await journeysStatus(third.sessionToken), 401)
  assert.deepEqual(statusAndCode(await refresh(third.refreshToken)), { status: 401, code: 'AUTH_INVALID_SESSION' })
  assert.equal(await journeysStatus(unrelatedPair.sessionToken), 200)
})

test('D2 §5: reuse of an old session token is refused, and the new pair stays valid', async () => {
  const first = (await api.bootstrap()).body.data
  const second = (await refresh(first.refreshToken)).body.data
  assert.deepEqual(statusAndCode(await refresh(first.sessionToken)), { status: 401, code: 'AUTH_INVALID_SESSION' })
  assert.equal(await journeysStatus(second.sessionToken), 200)
})

test('D2 §5: a retry with the same Idempotency-Key within a minute returns the same tokens', async () => {
  const body = api.newBorrower()
  const key = uuidv4()
  const created = await api.bootstrap(body, { idempotencyKey: key })
  const again = await api.bootstrap(body, { idempotencyKey: key })
  assert.equal(again.status, created.status)
  assert.deepEqual(again.body, created.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { refreshToken } = created.body.data
  const rotated = await refresh(refreshToken, key)
  const replayed = await refresh(refreshToken, key)
  assert.deepEqual(replayed.body, rotated.body)
  const rows = await ctx.db<{ outcomeSealed: Buffer }>`select outcome_sealed from idempotency where key = ${key}`
  assert.equal(rows.length, 2)
  for (const { outcomeSealed } of rows) assert.ok(!outcomeSealed.includes('st_'))
  elapsedSeconds += 61
  assert.deepEqual(statusAndCode(await refresh(refreshToken, key)), { status: 401, code: 'AUTH_INVALID_SESSION' })
  assert.notEqual(
    (await api.bootstrap(body, { idempotencyKey: key })).body.data.sessionToken,
    created.body.data.sessionToken,
  )
})

test('D2 §2.3: a session token expires after half an hour, a refresh token after seven days', async () => {
  const { sessionToken, refreshToken } = (await api.bootstrap()).body.data
  const other = (await api.bootstrap()).body.data
  elapsedSeconds += 30 * 60
  assert.equal(await journeysStatus(sessionToken), 401)
  assert.deepEqual(statusAndCode(await refresh(sessionToken)), { status: 401, code: 'AUTH_INVALID_SESSION' })
  const next = (await refresh(refreshToken)).body.data
  assert.equal(await journeysStatus(next.sessionToken), 200)
  elapsedSeconds += 7 * 86_400
  assert.deepEqual(statusAndCode(await refresh(other.refreshToken)), { status: 401, code: 'AUTH_INVALID_SESSION' })
})

test('D2 §5: the database contains no token or prefill in plain text', async () => {
  const body = {
    ...api.newBorrower(),
    profile: { contactNumber: '9711112222', pan: 'ABCPE1234F', panName: 'Asha Verma' },
  }
  const { sessionToken, refreshToken } = (await api.bootstrap(body)).body.data
  const [row] = await ctx.db<{ text: string; prefill: Buffer }>`
    select s::text as text, b.prefill_sealed as prefill from headless_session s join borrower b using (bucket, tenant_id, borrower_id)
    where b.external_id = ${body.borrowerExternalID}`
  for (const secret of [sessionToken, refreshToken, 'ABCPE1234F', '9711112222'])
    assert.ok(!row!.text.includes(secret) && !row!.prefill.includes(secret))
})

test('D2 §7: two tenants may use the same external id for different borrowers', async () => {
  const body = api.newBorrower()
  const firstReply = await api.bootstrap(body)
  const otherTenantsReply = await api.bootstrap(body, { token: secondTenant.apiKey })
  assert.equal(otherTenantsReply.status, 201)
  assert.notEqual(otherTenantsReply.body.data.borrowerID, firstReply.body.data.borrowerID)
})

test('D2 §5: revoking an API key ends the sessions that it opened and refreshed, and no others', async () => {
  const admin = await consoleUser(platform, { role: 'admin', tenantId: tenant.tenantId })
  const { apiKey, keyId } = await issueKey(
    ctx.db,
    {
      tenantId: tenant.tenantId,
      applicationId: tenant.applicationId,
      label: 'leaked',
      scopes: ['sessions'] as const,
      isLive: false,
      expiresAt: null,
    },
    ctx.clock(),
  )
  const open = async (token: string) => (await api.bootstrap(api.newBorrower(), { token })).body.data
  const refreshed = await open(apiKey)
  const opened = await open(apiKey)
  const other = await open(tenant.apiKey)
  const { sessionToken, refreshToken } = (await refresh(refreshed.refreshToken)).body.data
  assert.equal(await journeysStatus(sessionToken), 200)
  assert.equal((await admin.ask('DELETE', `/developers/keys/${keyId}`)).status, 204)
  // Look-ups of sessions are cached for five seconds.
  elapsedSeconds += 5
  for (const token of [sessionToken, opened.sessionToken]) assert.equal(await journeysStatus(token), 401)
  for (const token of [refreshToken, opened.refreshToken]) assert.equal((await refresh(token)).status, 401)
  assert.equal(await journeysStatus(other.sessionToken), 200)
  assert.equal((await refresh(other.refreshToken)).status, 200)
})
