// The two tokens of a borrower: what each opens, how a pair is traded once, and what a copy of one does (D2 §5).
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
const reaches = async (token: string) => (await api.call('/journeys', { token })).status

test('D2 §2.3: a session has its pair, its borrower and no journey yet; it is not to be stored', async () => {
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

test('D2 §5: the same identifier is the same borrower, at the hosted API too; another number is refused', async () => {
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
  assert.equal(resumed.body.data.activeJourney.status, 'STARTED', 'what began hosted goes on headless')
})

test('D2 §7: every wrong field of a session is named', async () => {
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

test('D2 §5: each token opens its own endpoints; a valid one elsewhere is out of scope, any other is nobody', async () => {
  const { sessionToken, refreshToken } = (await api.bootstrap()).body.data
  const bootstrap = (token: string) => api.bootstrap(api.newBorrower(), { token })
  for (const token of [sessionToken, refreshToken])
    assert.deepEqual(refused(await bootstrap(token)), [403, 'ACCESS_SCOPE_MISMATCH'])
  for (const token of [tenant.apiKey, refreshToken])
    assert.deepEqual(refused(await api.call('/journeys', { token })), [403, 'ACCESS_SCOPE_MISMATCH'])
  assert.deepEqual(refused(await refresh(tenant.apiKey)), [403, 'ACCESS_SCOPE_MISMATCH'])
  const damaged = (token: string) => token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
  const wrong = ['nonsense', damaged(sessionToken), damaged(tenant.apiKey)]
  for (const token of wrong) {
    assert.deepEqual(refused(await bootstrap(token)), [401, 'AUTH_INVALID_API_KEY'])
    assert.deepEqual(refused(await api.call('/journeys', { token })), [401, 'AUTH_INVALID_SESSION'])
    assert.deepEqual(refused(await refresh(token)), [401, 'AUTH_INVALID_SESSION'])
  }
  assert.deepEqual(refused(await api.call('/journeys')), [401, 'AUTH_INVALID_SESSION'])
})

test('D2 §5: a key without the scope for sessions opens none', async () => {
  const { tenantId, applicationId } = tenant
  const of = { tenantId, applicationId, label: 'x', scopes: ['webhooks' as const], live: false, expiresAt: null }
  const { apiKey } = await ctx.db.tx((tx) => issueKey(tx, of, ctx.clock()))
  const reply = await api.bootstrap(api.newBorrower(), { token: apiKey })
  assert.deepEqual(refused(reply), [403, 'ACCESS_SCOPE_MISMATCH'])
})

test('D2 §5: either token trades the pair; the old one opens nothing any more', async () => {
  for (const name of ['sessionToken', 'refreshToken']) {
    const first = (await api.bootstrap()).body.data
    const { status, body, headers } = await refresh(first[name])
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(Object.keys(body.data), ['sessionToken', 'refreshToken', 'sessionExpiresAt', 'refreshExpiresAt'])
    assert.equal(await reaches(body.data.sessionToken), 200)
    assert.equal(await reaches(first.sessionToken), 401)
  }
})

test('D2 §5: of twenty who trade one pair at once one wins, and what it got works', async () => {
  const { refreshToken } = (await api.bootstrap()).body.data
  const [ahead, rest] = [refresh(refreshToken), Array.from({ length: 19 }, () => refresh(refreshToken))]
  const replies = await Promise.all([ahead, ...rest])
  const won = replies.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const reply of replies) if (reply !== won[0]) assert.deepEqual(refused(reply), [401, 'AUTH_INVALID_SESSION'])
})

test('D2 §5: a traded refresh token that comes back later ends the whole family', async () => {
  const first = (await api.bootstrap()).body.data
  const second = (await refresh(first.refreshToken)).body.data
  const third = (await refresh(second.refreshToken)).body.data
  const bystander = (await api.bootstrap()).body.data
  assert.deepEqual(refused(await refresh(first.refreshToken)), [401, 'AUTH_INVALID_SESSION'])
  assert.equal(await reaches(third.sessionToken), 401)
  assert.deepEqual(refused(await refresh(third.refreshToken)), [401, 'AUTH_INVALID_SESSION'])
  assert.equal(await reaches(bystander.sessionToken), 200)
})

test('D2 §5: a traded session token that comes back is refused, and ends nothing', async () => {
  const first = (await api.bootstrap()).body.data
  const second = (await refresh(first.refreshToken)).body.data
  assert.deepEqual(refused(await refresh(first.sessionToken)), [401, 'AUTH_INVALID_SESSION'])
  assert.equal(await reaches(second.sessionToken), 200)
})

test('D2 §5: whoever lost the answer gets the same pair with the same key, for a minute, sealed meanwhile', async () => {
  const body = api.newBorrower()
  const key = uuidv4()
  const opened = await api.bootstrap(body, { idempotencyKey: key })
  const again = await api.bootstrap(body, { idempotencyKey: key })
  assert.deepEqual([again.status, again.body], [opened.status, opened.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { refreshToken } = opened.body.data
  const traded = await refresh(refreshToken, key)
  const replayed = await refresh(refreshToken, key)
  assert.deepEqual(replayed.body, traded.body)
  const rows = await ctx.db<{ outcomeSealed: Buffer }>`select outcome_sealed from idempotency where key = ${key}`
  assert.equal(rows.length, 2)
  for (const { outcomeSealed } of rows) assert.ok(!outcomeSealed.includes('st_'))
  passedSeconds += 61
  assert.deepEqual(refused(await refresh(refreshToken, key)), [401, 'AUTH_INVALID_SESSION'])
  assert.notEqual(
    (await api.bootstrap(body, { idempotencyKey: key })).body.data.sessionToken,
    opened.body.data.sessionToken,
  )
})

test('D2 §2.3: a session ends after half an hour, its refresh token after seven days', async () => {
  const { sessionToken, refreshToken } = (await api.bootstrap()).body.data
  const other = (await api.bootstrap()).body.data
  passedSeconds += 30 * 60
  assert.equal(await reaches(sessionToken), 401)
  assert.deepEqual(refused(await refresh(sessionToken)), [401, 'AUTH_INVALID_SESSION'])
  const next = (await refresh(refreshToken)).body.data
  assert.equal(await reaches(next.sessionToken), 200)
  passedSeconds += 7 * 86_400
  assert.deepEqual(refused(await refresh(other.refreshToken)), [401, 'AUTH_INVALID_SESSION'])
})

test('D2 §5: tokens are kept as digests, and the prefill sealed', async () => {
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

test('D2 §7: a borrower of another tenant is another borrower', async () => {
  const body = api.newBorrower()
  const own = await api.bootstrap(body)
  const theirs = await api.bootstrap(body, { token: secondTenant.apiKey })
  assert.equal(theirs.status, 201)
  assert.notEqual(theirs.body.data.borrowerID, own.body.data.borrowerID)
})
