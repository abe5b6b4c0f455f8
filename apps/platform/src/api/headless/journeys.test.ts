// A borrower's journeys in the headless API: creation, list, detail, state, resume markers and access.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { ask, type Reply, testPlatform } from '@lendloom/tests/setup/platform'
import { issueKey } from '#platform/integrators/access/api-key.ts'
import { createApplication } from '#platform/integrators/access/tenant.ts'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const { ctx, tenant, secondTenant, url } = platform
const api = startHeadlessClient(platform)
const refused = ({ status, body }: Reply) => ({ status, code: body.error?.code })

/** Asserts that every call about the journey with this token returns 404. */
async function assertAbsent(journeyID: string, token: string) {
  const calls = [
    ['GET', ''],
    ['GET', '/state'],
    ['GET', '/profile'],
    ['GET', '/offers'],
    ['GET', '/aa/sessions'],
    ['GET', `/operations/${uuidv4()}`],
    ['PATCH', '/resume', { resume: {} }],
    ['PUT', '/profile', {}],
    ['POST', '/profile/submit', { bureauConsent: true }],
    ['POST', '/post-disbursal/foreclosure'],
  ] as const
  for (const [method, path, body] of calls) {
    const reply = await api.call(`/journeys/${journeyID}${path}`, { method, token, ...(body && { body }) })
    assert.deepEqual(refused(reply), { status: 404, code: 'RESOURCE_NOT_FOUND' }, `${method} ${path}`)
    assert.equal(reply.body.data, null)
  }
}
const statusesOf = (journeyId: string) => ctx.db<{ status: string }>`
  select status from lifecycle_event where journey_id = ${journeyId} order by sequence`

test('D2 §3: a new journey is STARTED, which is its first event', async () => {
  const asha = await api.borrower()
  const { status, body } = await asha.post('/journeys', { type: 'PERSONAL_LOAN' })
  assert.equal(status, 201)
  const { journeyID, updatedAt, ...rest } = body.data
  assert.match(updatedAt, /Z$/)
  assert.deepEqual(rest, {
    type: 'PERSONAL_LOAN',
    status: 'STARTED',
    timelineState: 'PROFILE_REQUIRED',
    nextAction: 'FILL_PROFILE',
    capabilities: { aaEnabled: true, postDisbursalEnabled: true },
    resume: {},
  })
  assert.deepEqual(await statusesOf(journeyID), [{ status: 'STARTED' }])
})

test('D2 §3: a second request in either API returns the active journey of the type', async () => {
  const body = api.newBorrower()
  const asha = await api.borrower(body)
  const first = await asha.post('/journeys', { type: 'PERSONAL_LOAN' })
  const second = await asha.post('/journeys', { type: 'PERSONAL_LOAN' })
  assert.equal(first.status, 201)
  assert.equal(second.status, 200)
  assert.equal(second.body.data.journeyID, first.body.data.journeyID)
  const hosted = { borrowerProviderID: body.borrowerExternalID, profile: body.profile }
  const resumed = await ask(`${url}/api/lab/sessions`, { method: 'POST', key: tenant.apiKey, body: hosted })
  assert.equal(resumed.status, 200, 'the hosted API resumes the journey')
  const gold = await asha.post('/journeys', { type: 'GOLD_LOAN' })
  assert.equal(gold.status, 201)
  assert.deepEqual(gold.body.data.capabilities, { aaEnabled: true, postDisbursalEnabled: true })
})

test('D2 §8: fifty concurrent requests with one key create one journey and get the same response', async () => {
  const asha = await api.borrower()
  const more = { idempotencyKey: uuidv4() }
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => asha.post('/journeys', { type: 'PERSONAL_LOAN' }, more)),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(replies.map(({ body }) => JSON.stringify(body))).size, 1)
  assert.equal(replies.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 49)
  assert.equal((await asha.get('/journeys')).body.data.items.length, 1)
})

test('D2 §3: fifty concurrent requests with different keys create one journey', async () => {
  const asha = await api.borrower()
  const replies = await Promise.all(Array.from({ length: 50 }, () => asha.post('/journeys', { type: 'PERSONAL_LOAN' })))
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  assert.equal(replies.filter(({ status }) => status === 200).length, 49)
})

test('D2 §2.3: the detail of a journey contains the metadata and the pending operations', async () => {
  const asha = await api.borrower()
  const metadata = { campaign: 'diwali', nested: { list: [1, 'two', null] } }
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN', metadata })).body.data
  const { body } = await asha.get(`/journeys/${journeyID}`)
  const { createdAt, selectedOfferID, pendingOperations, servicing, endReason } = body.data
  assert.deepEqual(body.data.metadata, metadata)
  assert.ok(Date.parse(createdAt) > 0)
  assert.equal(selectedOfferID, null)
  assert.deepEqual(pendingOperations, [])
  assert.deepEqual(servicing, [])
  assert.equal(endReason, null)
  const [row] = await ctx.db<{
    text: string
  }>`select n::text as text from journey_note n where journey_id = ${journeyID}`
  assert.ok(!row!.text.includes('diwali'), 'the stored metadata is sealed')
})

test('D2 §2.3: a second request merges its metadata into the active journey', async () => {
  const asha = await api.borrower()
  const begin = (metadata: object) => asha.post('/journeys', { type: 'PERSONAL_LOAN', metadata })
  const first = await begin({ campaign: 'diwali', source: 'app' })
  const again = await begin({ source: 'web', screen: 2 })
  assert.equal(first.status, 201)
  assert.equal(again.status, 200)
  const { body } = await asha.get(`/journeys/${first.body.data.journeyID}`)
  assert.deepEqual(body.data.metadata, { campaign: 'diwali', source: 'web', screen: 2 })
})

test('D2 §6: the state of a journey has only the five fields for polling', async () => {
  const asha = await api.borrower()
  const { journeyID, updatedAt } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const { body } = await asha.get(`/journeys/${journeyID}/state`)
  const expected = { journeyID, status: 'STARTED', nextAction: 'FILL_PROFILE', pendingOperations: [], updatedAt }
  assert.deepEqual(body.data, expected)
})

test('D2 §2.3: a new resume marker keeps the other markers, and null removes a marker', async () => {
  const asha = await api.borrower()
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const setMarker = async (resume: object) => {
    const { body } = await asha.patch(`/journeys/${journeyID}/resume`, { resume })
    return body.data.resume
  }
  const lastViewedOfferID = uuidv4()
  assert.deepEqual(await setMarker({ lastCompletedStep: 'profile' }), { lastCompletedStep: 'profile' })
  assert.deepEqual(await setMarker({ lastViewedOfferID }), { lastCompletedStep: 'profile', lastViewedOfferID })
  assert.deepEqual(await setMarker({ lastCompletedStep: null }), { lastViewedOfferID })
  assert.deepEqual(
    await setMarker({ lastCompletedStep: '' }),
    { lastViewedOfferID },
    'an empty text removes the marker',
  )
  const detail = (await asha.get(`/journeys/${journeyID}`)).body.data
  assert.deepEqual(detail.resume, { lastViewedOfferID })
  assert.equal(detail.status, 'STARTED', 'a marker does not change the status')
  for (const resume of [{ lastViewedOfferID: 'x' }, { lastCompletedStep: ' ' }, { lastStep: 'x' }, 'x']) {
    const reply = await asha.patch(`/journeys/${journeyID}/resume`, { resume })
    assert.deepEqual(refused(reply), { status: 400, code: 'VALIDATION_FAILED' })
  }
})

test('D2 §4: the list of journeys is newest first, filtered by type and paginated', async () => {
  const asha = await api.borrower()
  const ids: string[] = []
  for (const type of ['PERSONAL_LOAN', 'GOLD_LOAN'])
    ids.unshift((await asha.post('/journeys', { type })).body.data.journeyID)
  const idsOf = (reply: Reply) => reply.body.data.items.map(({ journeyID }: { journeyID: string }) => journeyID)
  assert.deepEqual(idsOf(await asha.get('/journeys')), ids)
  assert.deepEqual(idsOf(await asha.get('/journeys?type=PERSONAL_LOAN')), [ids[1]])
  const first = await asha.get('/journeys?limit=1')
  assert.deepEqual(idsOf(first), [ids[0]])
  assert.equal(first.body.data.page.hasMore, true)
  const second = await asha.get(`/journeys?limit=1&cursor=${first.body.data.page.nextCursor}`)
  assert.deepEqual(idsOf(second), [ids[1]])
  assert.deepEqual(second.body.data.page, { nextCursor: null, hasMore: false })
  for (const query of ['type=CAR', 'limit=0', 'limit=101', 'cursor=x', 'typo=1'])
    assert.deepEqual(refused(await asha.get(`/journeys?${query}`)), { status: 400, code: 'VALIDATION_FAILED' }, query)
})

test('D2 §4: a session returns the newest active journey of the requested type', async () => {
  const body = api.newBorrower()
  const asha = await api.borrower(body)
  const personal = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data.journeyID
  const gold = (await asha.post('/journeys', { type: 'GOLD_LOAN' })).body.data.journeyID
  const active = async (more: object) => (await api.bootstrap({ ...body, ...more })).body.data.activeJourney.journeyID
  assert.equal(await active({}), gold)
  assert.equal(await active({ journeyType: 'PERSONAL_LOAN' }), personal)
  assert.equal(await active({ journeyType: 'GOLD_LOAN' }), gold)
})

test('D2 §3: the prefill of a session fills the next journey and unsubmitted profiles', async () => {
  const body = api.newBorrower()
  const input = { ...body, profile: { ...body.profile, pan: ' abcpe1234f ', panName: 'Asha Verma' } }
  const asha = await api.borrower(input)
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  const profile = async () => (await asha.get(`/journeys/${journeyID}/profile`)).body.data.profile
  assert.deepEqual(await profile(), { ...body.profile, pan: 'ABCPE1234F', panName: 'Asha Verma' })
  await api.bootstrap({ ...body, profile: { ...body.profile, personalemail: 'Asha@Mail.example' } })
  assert.equal((await profile()).personalemail, 'asha@mail.example')
  assert.equal((await asha.get(`/journeys/${journeyID}`)).body.data.status, 'STARTED')
})

test('D2 §7: a journey of another borrower, application or tenant returns 404 for every call', async () => {
  const body = api.newBorrower()
  const sent = { type: 'PERSONAL_LOAN' }
  const more = { idempotencyKey: uuidv4() }
  const { journeyID } = (await (await api.borrower(body)).post('/journeys', sent, more)).body.data
  const { tenantId } = tenant
  const otherApplicationKey = await ctx.db.tx(async (tx) => {
    const applicationId = await createApplication(tx, { tenantId, name: 'Another', origins: [] }, ctx.clock())
    const key = { tenantId, applicationId, label: 'x', scopes: ['sessions' as const], isLive: false, expiresAt: null }
    return issueKey(tx, key, ctx.clock())
  })
  const tokenOf = async (token: string, who: object) =>
    (await api.bootstrap(who, { token })).body.data.sessionToken as string
  const foreignTokens = [
    await tokenOf(tenant.apiKey, api.newBorrower()),
    await tokenOf(otherApplicationKey.apiKey, body),
    await tokenOf(secondTenant.apiKey, body),
  ]
  for (const token of foreignTokens) await assertAbsent(journeyID, token)
  for (const token of foreignTokens) {
    const { status, body } = await api.call('/journeys', { method: 'POST', token, body: sent, ...more })
    assert.equal(status, 201, 'a used Idempotency-Key gives no access to the journey')
    assert.notEqual(body.data.journeyID, journeyID)
  }
  assert.deepEqual(refused(await api.call('/journeys/not-a-uuid', { token: foreignTokens[0]! })), {
    status: 400,
    code: 'VALIDATION_FAILED',
  })
})

test('D2 §2.2: a journey of a type that is not in JourneyType returns 404', async () => {
  const asha = await api.borrower()
  const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data
  await ctx.db`update journey set type = 'LAMF_LOAN' where journey_id = ${journeyID}`
  assert.deepEqual((await asha.get('/journeys')).body.data.items, [])
  await assertAbsent(journeyID, asha.token)
})
