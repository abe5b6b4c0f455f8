// Access that must be denied: another tenant's journeys, spent and old links, expired sessions and journeys.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { platformApis } from '@lendloom/platform/src/apis.ts'
import { issueKey, type KeyScope } from '@lendloom/platform/src/integrators/access/api-key.ts'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { createApplication } from '@lendloom/platform/src/integrators/access/tenant.ts'
import { expireIdle } from '@lendloom/platform/src/lending/journey/advance.ts'
import { findJourney } from '@lendloom/platform/src/lending/journey/store.ts'
import { awaitOffer } from '@lendloom/platform/src/lending/offer/lender-answers.ts'
import { listOffers } from '@lendloom/platform/src/lending/offer/store.ts'
import { RetryLater } from '@lendloom/queue/queue'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import {
  application,
  type Borrower,
  call,
  enter,
  newApplicant,
  openSession,
  type SessionRequest,
  tokenOf,
} from '#test/setup/borrower.ts'
import { noRanges } from '#test/setup/offered.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { spoil } from '#test/setup/spoil.ts'
import { inEnglish } from '#test/setup/words.ts'

const startedAt = new Date()
let passedSeconds = 0
// Only the tests advance this clock, because they check time limits to the second.
const {
  url,
  ctx: programs,
  tenant,
  secondTenant,
} = await testPlatform({}, () => secondsAfter(startedAt, passedSeconds))
const days = (count: number) => count * 86_400

const openPage = async (person: SessionRequest = newApplicant(), by: SandboxTenant = tenant): Promise<Borrower> =>
  enter(url, (await openSession(url, by, person)).body.embedUrl)
const code = ({ body }: { body: { error?: { code: string } } }) => body.error?.code
const eventsOf = ({ journeyId }: Borrower) => programs.db<{ status: string }>`
  select status from lifecycle_event where journey_id = ${journeyId} order by sequence`

const advanceBy = (key: string, journeyId: string) =>
  ask(`${url}/api/sandbox/journeys/${journeyId}/advance`, { method: 'POST', key, body: { to: 'PROFILED' } })

test('D1 §2.3.1: advancing another tenant’s journey returns 404, as for any unknown id', async () => {
  const { journeyId } = await openPage()
  const refused = await advanceBy(secondTenant.apiKey, journeyId)
  assert.equal(refused.status, 404)
  assert.equal(code(refused), 'RESOURCE_NOT_FOUND')
  const unknown = await advanceBy(secondTenant.apiKey, '01930000-0000-7000-8000-0000000000aa')
  assert.equal(refused.body.error.message, unknown.body.error.message, 'the same message as for an unknown id')
  const [job] = await programs.db<{ count: number }>`select count(*)::int as count from job where kind = 'autopilot'`
  assert.equal(job!.count, 0)
})

test('D1 §5: an API key of another application of the tenant cannot reach the journey', async () => {
  const { journeyId } = await openPage()
  const { tenantId } = tenant
  const at = programs.clock()
  const other = await programs.db.tx(async (tx) => {
    const applicationId = await createApplication(tx, { tenantId, name: 'Another app', origins: [] }, at)
    const scopes: KeyScope[] = ['sessions', 'webhooks', 'sandbox']
    return issueKey(tx, { tenantId, applicationId, label: 'other', scopes, isLive: false, expiresAt: null }, at)
  })
  assert.equal((await advanceBy(other.apiKey, journeyId)).status, 404)
  const deliveries = await ask(`${url}/api/lab/webhook-deliveries?journeyID=${journeyId}`, { key: other.apiKey })
  assert.deepEqual(deliveries.body.data.items, [])
})

test('D1 §6: only the tenant of a delivery can list and replay it', async () => {
  const callbackUrl = 'http://127.0.0.1:9/hook'
  const { journeyId } = await openPage(newApplicant({ callbackUrl }))
  const list = (key: string) => ask(`${url}/api/lab/webhook-deliveries?journeyID=${journeyId}`, { key })
  const [delivery, ...more] = (await list(tenant.apiKey)).body.data.items
  assert.equal(delivery.status, 'STARTED')
  assert.equal(delivery.journeyID, journeyId)
  assert.deepEqual(more, [])
  assert.deepEqual((await list(secondTenant.apiKey)).body.data.items, [])
  const replay = `${url}/api/lab/webhook-deliveries/${delivery.id}/replay`
  assert.equal((await ask(replay, { method: 'POST', key: secondTenant.apiKey })).status, 404)
  assert.equal((await ask(replay, { method: 'POST', key: tenant.apiKey })).status, 202)
})

test('D1 §2.3.1: the same identifier at two tenants means two borrowers with two journeys', async () => {
  const person = newApplicant()
  const one = await openPage(person)
  const other = await openPage(person, secondTenant)
  assert.notEqual(one.journeyId, other.journeyId)
  await call(one, 'PUT', '/profile', application())
  assert.equal((await call(other, 'GET', '/journey')).body.view.profile.pan, undefined)
})

test('D2 §8: an Idempotency-Key is scoped to its tenant', async () => {
  const headers = { 'idempotency-key': 'the-same-key' }
  const one = newApplicant()
  const other = newApplicant()
  assert.equal((await openSession(url, tenant, one, headers)).status, 201)
  assert.equal((await openSession(url, secondTenant, other, headers)).status, 201)
})

test('D1 §5: a session cannot act on another journey’s offers', async () => {
  const borrower = await openPage()
  const otherBorrower = await openPage()
  const at = programs.clock()
  const otherJourney = (await findJourney(programs.db, tenant.tenantId, otherBorrower.journeyId))!
  const id = '01930000-0000-7000-8000-0000000000bb'
  const source = { conversationId: id, lenderId: id }
  await programs.db.tx((tx) => awaitOffer({ tx, at }, otherJourney, source, noRanges))
  const [offer] = await listOffers(programs.db, otherJourney)
  const consents = [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }]
  const quote = {
    quoteId: 'the-quote-of-the-other-borrower',
    termsDigest: '0'.repeat(64),
  }
  for (const [act, body] of [
    ['select', { amount: '50000', tenureMonths: 12 }],
    ['accept', { consents, quote }],
    ['decline', {}],
  ] as const) {
    const reply = await call(borrower, 'POST', `/offers/${offer!.offerId}/${act}`, body)
    assert.equal(reply.status, 404, act)
    assert.equal(code(reply), 'RESOURCE_NOT_FOUND', act)
  }
})

test('D1 §5: only one of ten concurrent uses of a link succeeds', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const token = tokenOf(body.embedUrl)
  const tries = Array.from({ length: 10 }, () => ask(`${url}/api/embed/session`, { method: 'POST', body: { token } }))
  const replies = await Promise.all(tries)
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)])
  const late = await ask(`${url}/api/embed/session`, { method: 'POST', body: { token } })
  assert.equal(late.status, 401)
  assert.equal(code(late), 'AUTH_INVALID_SESSION')
})

test('D1 §5: a link expires after 120 seconds', async () => {
  const person = newApplicant()
  const inTime = await openSession(url, tenant, person)
  const tooLate = await openSession(url, tenant, person)
  passedSeconds += 119
  await enter(url, inTime.body.embedUrl)
  passedSeconds += 2
  await assert.rejects(() => enter(url, tooLate.body.embedUrl), /AUTH_INVALID_SESSION/)
})

test('D1 §5: a page session expires after 30 minutes, and a new link resumes the journey', async () => {
  const person = newApplicant()
  const before = await openPage(person)
  await call(before, 'PUT', '/profile', application())
  passedSeconds += 1801
  const ended = await call(before, 'GET', '/journey')
  assert.equal(ended.status, 401)
  assert.equal(code(ended), 'AUTH_INVALID_SESSION')
  const again = await openPage(person)
  assert.equal(again.journeyId, before.journeyId)
  assert.equal(again.view.profile.pan, 'ABCPE1234F')
})

test('D1 §5: only a valid session token opens the page', async () => {
  const borrower = await openPage()
  const { sessionToken } = borrower
  const { body } = await openSession(url, tenant, newApplicant())
  for (const key of [
    tenant.apiKey,
    tokenOf(body.embedUrl),
    spoil(sessionToken),
    `${sessionToken}x`,
    'st_',
    undefined,
  ]) {
    const reply = await ask(`${url}/api/embed/journey`, key === undefined ? {} : { key })
    assert.equal(reply.status, 401, String(key))
    assert.equal(code(reply), 'AUTH_INVALID_SESSION', String(key))
  }
  assert.equal((await openSession(url, { ...tenant, apiKey: sessionToken }, newApplicant())).status, 401)
})

test('D1 §6.6: responses about a borrower are `no-store`, errors included', async () => {
  const borrower = await openPage()
  const replies = [await call(borrower, 'GET', '/journey'), await call(borrower, 'POST', '/profile/submit', {})]
  assert.deepEqual(
    replies.map(({ status, headers }) => ({ status, cacheControl: headers.get('cache-control') })),
    [
      { status: 200, cacheControl: 'no-store' },
      { status: 400, cacheControl: 'no-store' },
    ],
  )
})

test('docs/decisions/0024-sandbox-helps-nowhere-else.md: outside the sandbox there is no journey autopilot and no demo', () => {
  const prefixes = (SANDBOX: boolean) =>
    platformApis({ config: { ...programs.config, SANDBOX } }).map(({ prefix }) => prefix)
  const sandboxOnly = prefixes(true).filter((prefix) => !prefixes(false).includes(prefix))
  assert.deepEqual(sandboxOnly, ['/api/sandbox', '/demo'])
})

const expireIdleJourneys = () => assert.rejects(() => expireIdle(programs), RetryLater)

test('D1 §2.6, D2 §2.2: a journey idle for thirty days expires without an update, and the next session starts a new one', async () => {
  const person = newApplicant()
  await openPage(person)
  passedSeconds += days(29)
  const activeSession = await openPage(person)
  await call(activeSession, 'PUT', '/profile', application())
  passedSeconds += days(29)
  await expireIdleJourneys()
  const resumed = await openPage(person)
  assert.equal(resumed.journeyId, activeSession.journeyId, 'the act of day 29 extends the journey')

  passedSeconds += days(1.5)
  const idleSession = await openPage(person)
  await expireIdleJourneys()
  const { view } = (await call(idleSession, 'GET', '/journey')).body
  assert.equal(view.screen, 'EXPIRED')
  assert.equal(view.status, 'STARTED')
  assert.match(inEnglish(view.endReason), /expired/)
  const refused = await call(idleSession, 'PUT', '/profile', application())
  assert.equal(refused.status, 409)
  assert.equal(code(refused), 'STATE_PRECONDITION_FAILED')
  const advanced = await advanceBy(tenant.apiKey, idleSession.journeyId)
  assert.equal(advanced.status, 409, 'an expired journey cannot be advanced')
  assert.equal(code(advanced), 'STATE_PRECONDITION_FAILED')
  assert.deepEqual(await eventsOf(idleSession), [{ status: 'STARTED' }])

  const reply = await openSession(url, tenant, person)
  assert.equal(reply.status, 201)
  const newSession = await enter(url, reply.body.embedUrl)
  assert.notEqual(newSession.journeyId, idleSession.journeyId)
  assert.deepEqual(await eventsOf(newSession), [{ status: 'STARTED' }])
  const old = await call(idleSession, 'GET', '/journey')
  assert.equal(old.body.view.screen, 'EXPIRED', 'the old session still shows the old journey')
})

test('D1 §3: a disbursed loan does not expire', async () => {
  const borrower = await openPage()
  await programs.db`update journey set status = 'DISBURSED' where journey_id = ${borrower.journeyId}`
  passedSeconds += days(400)
  await expireIdleJourneys()
  const [row] = await programs.db<{
    active: boolean
  }>`select active from journey where journey_id = ${borrower.journeyId}`
  assert.equal(row!.active, true)
})
