// What nobody may see or do: another tenant's journeys, a spent or old link, a session that has ended, an expired journey.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { RetryLater } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { issueKey, type KeyScope } from '#platform/access/api-key.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { createApplication } from '#platform/access/tenant.ts'
import { platformApis } from '#platform/apis.ts'
import { expireIdle } from '#platform/journey/advance.ts'
import { findJourney } from '#platform/journey/store.ts'
import { awaitOffer } from '#platform/offer/receive.ts'
import { listOffers } from '#platform/offer/store.ts'
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
import { ask, testPlatform } from '#test/setup/platform.ts'
import { inEnglish } from '#test/setup/words.ts'

const began = new Date()
let passedSeconds = 0
// It stands still but for what a test lets pass: a second counts here.
const { url, ctx: programs, tenant, secondTenant } = await testPlatform({}, () => secondsAfter(began, passedSeconds))
const days = (count: number) => count * 86_400

const opened = async (person: SessionRequest = newApplicant(), by: SandboxTenant = tenant): Promise<Borrower> =>
  enter(url, (await openSession(url, by, person)).body.embedUrl)
const code = ({ body }: { body: { error?: { code: string } } }) => body.error?.code
const eventsOf = ({ journeyId }: Borrower) => programs.db<{ status: string }>`
  select status from lifecycle_event where journey_id = ${journeyId} order by sequence`

const advanceBy = (key: string, journeyId: string) =>
  ask(`${url}/api/sandbox/journeys/${journeyId}/advance`, { method: 'POST', key, body: { to: 'PROFILED' } })

test('D1 §2.3.1: a journey of another tenant is nowhere, for its advance as for everything else', async () => {
  const { journeyId } = await opened()
  const refused = await advanceBy(secondTenant.apiKey, journeyId)
  assert.deepEqual([refused.status, code(refused)], [404, 'RESOURCE_NOT_FOUND'])
  const nowhere = await advanceBy(secondTenant.apiKey, '01930000-0000-7000-8000-0000000000aa')
  assert.equal(refused.body.error.message, nowhere.body.error.message, 'as if it did not exist')
  const [job] = await programs.db<{ count: number }>`select count(*)::int as count from job where kind = 'autopilot'`
  assert.equal(job!.count, 0)
})

test('D1 §5: a key of another application of the same tenant does not reach the journey either', async () => {
  const { journeyId } = await opened()
  const { tenantId } = tenant
  const at = programs.clock()
  const other = await programs.db.tx(async (tx) => {
    const applicationId = await createApplication(tx, { tenantId, name: 'Another app', origins: [] }, at)
    const scopes: KeyScope[] = ['sessions', 'webhooks', 'sandbox']
    return issueKey(tx, { tenantId, applicationId, label: 'other', scopes, live: false, expiresAt: null }, at)
  })
  assert.equal((await advanceBy(other.apiKey, journeyId)).status, 404)
  const deliveries = await ask(`${url}/api/lab/webhook-deliveries?journeyID=${journeyId}`, { key: other.apiKey })
  assert.deepEqual(deliveries.body.data.items, [])
})

test('D1 §6: deliveries are listed and replayed by their own tenant alone', async () => {
  const callbackUrl = 'http://127.0.0.1:9/hook'
  const { journeyId } = await opened(newApplicant({ callbackUrl }))
  const list = (key: string) => ask(`${url}/api/lab/webhook-deliveries?journeyID=${journeyId}`, { key })
  const [own, ...more] = (await list(tenant.apiKey)).body.data.items
  assert.deepEqual([own.status, own.journeyID, more], ['STARTED', journeyId, []])
  assert.deepEqual((await list(secondTenant.apiKey)).body.data.items, [])
  const replay = `${url}/api/lab/webhook-deliveries/${own.id}/replay`
  assert.equal((await ask(replay, { method: 'POST', key: secondTenant.apiKey })).status, 404)
  assert.equal((await ask(replay, { method: 'POST', key: tenant.apiKey })).status, 202)
})

test('D1 §2.3.1: the same identifier under two tenants is two borrowers with two journeys', async () => {
  const person = newApplicant()
  const [one, other] = [await opened(person), await opened(person, secondTenant)]
  assert.notEqual(one.journeyId, other.journeyId)
  await call(one, 'PUT', '/profile', application())
  assert.equal((await call(other, 'GET', '/journey')).body.view.profile.pan, undefined)
})

test('D2 §8: an Idempotency-Key of one tenant means nothing to another', async () => {
  const headers = { 'idempotency-key': 'the-same-key' }
  const [one, other] = [newApplicant(), newApplicant()]
  assert.equal((await openSession(url, tenant, one, headers)).status, 201)
  assert.equal((await openSession(url, secondTenant, other, headers)).status, 201)
})

const unlimited = {
  minInterestRate: null,
  maxInterestRate: null,
  minTenureMonths: null,
  maxTenureMonths: null,
  minAmount: null,
  maxAmount: null,
}

test('D1 §5: the session of one journey can do nothing with the offers of another', async () => {
  const [mine, other] = [await opened(), await opened()]
  const at = programs.clock()
  const theirs = (await findJourney(programs.db, tenant.tenantId, other.journeyId))!
  const id = '01930000-0000-7000-8000-0000000000bb'
  const source = { conversationId: id, lenderId: id }
  await programs.db.tx((tx) => awaitOffer({ tx, at }, theirs, source, unlimited))
  const [offer] = await listOffers(programs.db, theirs)
  const consents = [{ purpose: 'key_facts', textVersion: currentConsentVersion, language: 'en' }]
  for (const [act, body] of [
    ['select', { amount: '50000', tenureMonths: 12 }],
    ['accept', { consents }],
    ['decline', {}],
  ] as const) {
    const reply = await call(mine, 'POST', `/offers/${offer!.offerId}/${act}`, body)
    assert.deepEqual([reply.status, code(reply)], [404, 'RESOURCE_NOT_FOUND'], act)
  }
})

test('D1 §5: a link opens once, however many try it at the same moment', async () => {
  const { body } = await openSession(url, tenant, newApplicant())
  const token = tokenOf(body.embedUrl)
  const tries = Array.from({ length: 10 }, () => ask(`${url}/api/embed/session`, { method: 'POST', body: { token } }))
  const replies = await Promise.all(tries)
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)])
  const late = await ask(`${url}/api/embed/session`, { method: 'POST', body: { token } })
  assert.deepEqual([late.status, code(late)], [401, 'AUTH_INVALID_SESSION'])
})

test('D1 §5: a link is good for 120 seconds and not for one more', async () => {
  const person = newApplicant()
  const [inTime, tooLate] = [await openSession(url, tenant, person), await openSession(url, tenant, person)]
  passedSeconds += 119
  await enter(url, inTime.body.embedUrl)
  passedSeconds += 2
  await assert.rejects(() => enter(url, tooLate.body.embedUrl), /AUTH_INVALID_SESSION/)
})

test('D1 §5: a session of the page ends after half an hour, and a new link goes on where it was', async () => {
  const person = newApplicant()
  const before = await opened(person)
  await call(before, 'PUT', '/profile', application())
  passedSeconds += 1801
  const ended = await call(before, 'GET', '/journey')
  assert.deepEqual([ended.status, code(ended)], [401, 'AUTH_INVALID_SESSION'])
  const again = await opened(person)
  assert.equal(again.journeyId, before.journeyId)
  assert.equal(again.view.profile.pan, 'ABCPE1234F')
})

test('D1 §5: nothing but a session opens the page: no key, no link, no mangled or foreign session', async () => {
  const borrower = await opened()
  const { sessionToken } = borrower
  const { body } = await openSession(url, tenant, newApplicant())
  const turned = `${sessionToken.slice(0, -1)}${sessionToken.endsWith('A') ? 'B' : 'A'}`
  for (const key of [tenant.apiKey, tokenOf(body.embedUrl), turned, `${sessionToken}x`, 'st_', undefined]) {
    const reply = await ask(`${url}/api/embed/journey`, key === undefined ? {} : { key })
    assert.deepEqual([reply.status, code(reply)], [401, 'AUTH_INVALID_SESSION'], String(key))
  }
  assert.equal((await openSession(url, { ...tenant, apiKey: sessionToken }, newApplicant())).status, 401)
})

test('D1 §6.6: what the page is told of its borrower is kept by no cache, and refusals neither', async () => {
  const borrower = await opened()
  const replies = [await call(borrower, 'GET', '/journey'), await call(borrower, 'POST', '/profile/submit', {})]
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers.get('cache-control')]),
    [
      [200, 'no-store'],
      [400, 'no-store'],
    ],
  )
})

test('docs/decisions/0024-sandbox-helps-nowhere-else.md: outside the sandbox nothing leads a journey, and there is no demo', () => {
  const prefixes = (SANDBOX: boolean) =>
    platformApis({ config: { ...programs.config, SANDBOX } }).map(({ prefix }) => prefix)
  const played = prefixes(true).filter((prefix) => !prefixes(false).includes(prefix))
  assert.deepEqual(played, ['/api/sandbox', '/demo'])
})

const sweep = () => assert.rejects(() => expireIdle(programs), RetryLater)

test('D1 §2.6, D2 §2.2: a journey without an act for thirty days expires, without an update; the next session begins anew', async () => {
  const person = newApplicant()
  await opened(person)
  passedSeconds += days(29)
  const acting = await opened(person)
  await call(acting, 'PUT', '/profile', application())
  passedSeconds += days(29)
  await sweep()
  const still = await opened(person)
  assert.equal(still.journeyId, acting.journeyId, 'the act of day 29 counts')

  passedSeconds += days(1.5)
  const looking = await opened(person)
  await sweep()
  const { view } = (await call(looking, 'GET', '/journey')).body
  assert.deepEqual([view.screen, view.status], ['EXPIRED', 'STARTED'])
  assert.match(inEnglish(view.endReason), /expired/)
  const refused = await call(looking, 'PUT', '/profile', application())
  assert.deepEqual([refused.status, code(refused)], [409, 'STATE_PRECONDITION_FAILED'])
  const led = await advanceBy(tenant.apiKey, looking.journeyId)
  assert.deepEqual([led.status, code(led)], [409, 'STATE_PRECONDITION_FAILED'], 'nobody can lead it on either')
  assert.deepEqual(await eventsOf(looking), [{ status: 'STARTED' }])

  const reply = await openSession(url, tenant, person)
  assert.equal(reply.status, 201)
  const anew = await enter(url, reply.body.embedUrl)
  assert.notEqual(anew.journeyId, looking.journeyId)
  assert.deepEqual(await eventsOf(anew), [{ status: 'STARTED' }])
  const old = await call(looking, 'GET', '/journey')
  assert.equal(old.body.view.screen, 'EXPIRED', 'the old page still shows the old journey')
})

test('D1 §3: a disbursed loan waits for nobody and does not expire', async () => {
  const borrower = await opened()
  await programs.db`update journey set status = 'DISBURSED' where journey_id = ${borrower.journeyId}`
  passedSeconds += days(400)
  await sweep()
  const [row] = await programs.db<{
    active: boolean
  }>`select active from journey where journey_id = ${borrower.journeyId}`
  assert.equal(row!.active, true)
})
