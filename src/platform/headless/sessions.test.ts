// A borrower's two tokens: the scope of each, rotation, and detection of a copied token (D2 §5).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '#kit/crypto/id.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { issueKey } from '#platform/access/api-key.ts'
import { startHeadlessClient } from '#test/setup/headless-api.ts'
import { ask, type Reply, testPlatform } from '#test/setup/platform.ts'

let passedSeconds = 0
const platform = await testPlatform({ RATE_LIMITS: 'off' }, () => secondsAfter(new Date(), passedSeconds))
const { ctx, tenant, secondTenant, url } = platform
const api = startHeadlessClient(platform)
const refused = ({ status, body }: Reply) => [status, body.error?.code]
const refresh = (token: string, idempotencyKey: string | null = uuidv4()) =>
  api.call('/sessions/refresh', { method: 'POST', token, idempotencyKey })
const statusWith = async (token: string) => (await api.call('/journeys', { token })).status

test('D2 §2.3: a new session returns its tokens and its borrower, and must not be cached', async () => {
  const body = api.newBorrower()
  const { status, headers, body: reply } = await api.bootstrap({ ...body, journeyType: 'PERSONAL_LOAN' })
  assert.equal(status, 201)
  assert.equal(headers.get('cache-control'), 'no-store')
  const { borrowerID, borrowerExternalID, sessionToken, refreshToken, activeJourney, ...expiry } = reply.data
  assert.deepEqual([borrowerExternalID, activeJourney], [body.borrowerExternalID, null])
  assert.match(borrowerID, /^[0-9a-f-]{36}$/)
  assert.match(sessionToken, /^st_/)
  assert.match(refreshToken, /^rt_/)
  const minutes = (Date.parse(expiry.sessionExpiresAt) - Date.parse(reply.timestamp)) / 60_000
  const days = (Date.parse(expiry.refreshExpiresAt) - Date.parse(reply.timestamp)) / 86_400_000
  assert.deepEqual([minutes, days], [30, 7])
})

test('D2 §5: an external id identifies one borrower at both APIs, and another mobile number is refused', async () => {
  const body = api.newBorrower()
  const [first, second] = [await api.bootstrap(body), await api.bootstrap(body)]
  assert.equal(first.body.data.borrowerID, second.body.data.borrowerID)
  const other = await api.bootstrap({ ...body, profile: { contactNumber: '9812345678' } })
  assert.deepEqual(refused(other), [409, 'STATE_PRECONDITION_FAILED'])
  assert.equal(other.body.error.details.field, 'profile.contactNumber')
  const hosted = await ask(`${url}/api/lab/sessions`, {
    method: 'POST',
    key: tenant.apiKey,
    body: { borrowerProviderID: body.borrowerExternalID, profile: body.profile },
  })
  assert.equal(hosted.status, 201)
  const resumed = await api.bootstrap(body)
  assert.equal(resumed.body.data.borrowerID, first.body.data.borrowerID)
  assert.equal(resumed.body.data.activeJourney.status, 'STARTED', 'a hosted journey continues headless')
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

test('D2 §5: a token is refused with 403 outside its endpoints, an invalid token with 401', async () => {
  const { sessionToken, refreshToken } = (await api.bootstrap()).body.data
  const bootstrap = (token: string) => api.bootstrap(api.newBorrower(), { token })
  for (const token of [sessionToken, refreshToken])
    assert.deepEqual(refused(await bootstrap(token)), [403, 'ACCESS_SCOPE_MISMATCH'])
  for (const token of [tenant.apiKey, refreshToken])
    assert.deepEqual(refused(await api.call('/journeys', { token })), [403, 'ACCESS_SCOPE_MISMATCH'])
  assert.deepEqual(refused(await refresh(tenant.apiKey)), [403, 'ACCESS_SCOPE_MISMATCH'])
  const damage = (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
  const invalidTokens = ['nonsense', damage(sessionToken), damage(tenant.apiKey)]
  for (const token of invalidTokens) {
    assert.deepEqual(refused(await bootstrap(token)), [401, 'AUTH_INVALID_API_KEY'])
    assert.deepEqual(refused(await api.call('/journeys', { token })), [401, 'AUTH_INVALID_SESSION'])
    assert.deepEqual(refused(await refresh(token)), [401, 'AUTH_INVALID_SESSION'])
  }
  assert.deepEqual(refused(await api.call('/journeys')), [401, 'AUTH_INVALID_SESSION'])
})

test('D2 §5: an API key without the sessions scope is refused', async () => {
  const { tenantId, applicationId } = tenant
  const key = { tenantId, applicationId, label: 'x', scopes: ['webhooks' as const], isLive: false, expiresAt: null }
  const { apiKey } = await ctx.db.tx((tx) => issueKey(tx, key, ctx.clock()))
  const reply = await api.bootstrap(api.newBorrower(), { token: apiKey })
  assert.deepEqual(refused(reply), [403, 'ACCESS_SCOPE_MISMATCH'])
})

test('D2 §5: either token rotates the pair, and the old session token stops working', async () => {
  for (const name of ['sessionToken', 'refreshToken']) {
    const first = (await api.bootstrap()).body.data
    const { status, body, headers } = await refresh(first[name])
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body.data), ['sessionToken', 'refreshToken', 'sessionExpiresAt', 'refreshExpiresAt'])
    assert.equal(await statusWith(body.data.sessionToken), 200)
    assert.equal(await statusWith(first.sessionToken), 401)
  }
})

test('D2 §5: of twenty concurrent rotations of a pair exactly one succeeds', async () => {
  const { refreshToken } = (await api.bootstrap()).body.data
  const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
  const successes = replies.filter(({ status }) => status === 200)
  assert.equal(successes.length, 1)
  for (const reply of replies)
    if (reply !== successes[0]) assert.deepEqual(refused(reply), [401, 'AUTH_INVALID_SESSION'])
})

test('D2 §5: reuse of a rotated refresh token revokes the whole family', async () => {
  const first = (await api.bootstrap()).body.data
  const second = (await refresh(first.refreshToken)).body.data
  const third = (await refresh(second.refreshToken)).body.data
  const unrelatedPair = (await api.bootstrap()).body.data
  assert.deepEqual(refused(await refresh(first.refreshToken)), [401, 'AUTH_INVALID_SESSION'])
  assert.equal(await statusWith(third.sessionToken), 401)
  assert.deepEqual(refused(await refresh(third.refreshToken)), [401, 'AUTH_INVALID_SESSION'])
  assert.equal(await statusWith(unrelatedPair.sessionToken), 200)
})

test('D2 §5: reuse of a rotated session token is refused and revokes nothing', async () => {
  const first = (await api.bootstrap()).body.data
  const second = (await refresh(first.refreshToken)).body.data
  assert.deepEqual(refused(await refresh(first.sessionToken)), [401, 'AUTH_INVALID_SESSION'])
  assert.equal(await statusWith(second.sessionToken), 200)
})

test('D2 §5: a retry with the same key within a minute returns the same pair, which is stored sealed', async () => {
  const body = api.newBorrower()
  const key = uuidv4()
  const created = await api.bootstrap(body, { idempotencyKey: key })
  const again = await api.bootstrap(body, { idempotencyKey: key })
  assert.deepEqual([again.status, again.body], [created.status, created.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { refreshToken } = created.body.data
  const rotated = await refresh(refreshToken, key)
  const replayed = await refresh(refreshToken, key)
  assert.deepEqual(replayed.body, rotated.body)
  const rows = await ctx.db<{ outcomeSealed: Buffer }>`select outcome_sealed from idempotency where key = ${key}`
  assert.equal(rows.length, 2)
  for (const { outcomeSealed } of rows) assert.ok(!outcomeSealed.includes('st_'))
  passedSeconds += 61
  assert.deepEqual(refused(await refresh(refreshToken, key)), [401, 'AUTH_INVALID_SESSION'])
  assert.notEqual(
    (await api.bootstrap(body, { idempotencyKey: key })).body.data.sessionToken,
    created.body.data.sessionToken,
  )
})

test('D2 §2.3: a session token expires after half an hour, a refresh token after seven days', async () => {
  const { sessionToken, refreshToken } = (await api.bootstrap()).body.data
  const other = (await api.bootstrap()).body.data
  passedSeconds += 30 * 60
  assert.equal(await statusWith(sessionToken), 401)
  assert.deepEqual(refused(await refresh(sessionToken)), [401, 'AUTH_INVALID_SESSION'])
  const next = (await refresh(refreshToken)).body.data
  assert.equal(await statusWith(next.sessionToken), 200)
  passedSeconds += 7 * 86_400
  assert.deepEqual(refused(await refresh(other.refreshToken)), [401, 'AUTH_INVALID_SESSION'])
})

test('D2 §5: tokens are stored as digests and the prefill is sealed', async () => {
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

test('D2 §7: the same external id at another tenant is another borrower', async () => {
  const body = api.newBorrower()
  const own = await api.bootstrap(body)
  const theirs = await api.bootstrap(body, { token: secondTenant.apiKey })
  assert.equal(theirs.status, 201)
  assert.notEqual(theirs.body.data.borrowerID, own.body.data.borrowerID)
})
