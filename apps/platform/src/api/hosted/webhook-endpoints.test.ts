// Webhook endpoints and deliveries over HTTP: registration, listing, rotation, removal, replay, and refusals.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { schedule } from '@lendloom/foundation/schedule'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import { verify } from '@lendloom/wire/webhook/signature'
import { issueKey } from '#platform/integrators/access/api-key.ts'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'

const { url, ctx, tenant, secondTenant } = await testPlatform()
const receiver = await startReceiver()
after(() => receiver.stop())

const endpoints = `${url}/api/lab/webhook-endpoints`
const deliveries = `${url}/api/lab/webhook-deliveries`
const key = tenant.apiKey
const register = (body: unknown, headers: Record<string, string> = {}) =>
  ask(endpoints, { method: 'POST', key, body, headers })

/** Commits a lifecycle update of the tenant's journey, as `advance` would. */
async function commitUpdate(journeyId: string, sequence = 1, owner = tenant): Promise<void> {
  const { tenantId, applicationId } = owner
  const event = {
    tenantId,
    applicationId,
    journeyId,
    sequence,
    status: 'STARTED' as const,
    eventId: uuidv7(Date.now(), bucketOf(journeyId)),
  }
  await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, Buffer.from('{}'), null), new Date()))
}

test('D1 §6: only the registration returns the secret of an endpoint', async () => {
  const created = await register({ url: receiver.url('/one'), statuses: ['STARTED', 'DISBURSED'] })
  assert.equal(created.status, 201)
  assert.equal(created.headers.get('cache-control'), 'no-store')
  const { id, secret, createdAt, ...rest } = created.body
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(rest, {
    url: receiver.url('/one'),
    statuses: ['STARTED', 'DISBURSED'],
    disabledAt: null,
    disabledBecause: null,
    loanEvents: null,
    headers: [],
    clientCredentials: null,
  })
  const { body } = await ask(endpoints, { key })
  assert.deepEqual(body.data.page, { nextCursor: null, hasMore: false })
  assert.deepEqual(body.data.items, [{ id, createdAt, ...rest }])
  await ask(`${endpoints}/${id}`, { method: 'DELETE', key })
})

test('D1 §6: an invalid endpoint is not stored, and the refusal names the field', async () => {
  for (const [body, field] of [
    [{}, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: 'https://10.0.0.1/hook' }, 'url'],
    [{ url: 'http://169.254.169.254/latest/meta-data' }, 'url'],
    [{ url: 'https://user:secret@hooks.example.com/' }, 'url'],
    [{ url: 'https://hooks.example.com/', statuses: [] }, 'statuses'],
    [{ url: 'https://hooks.example.com/', statuses: ['STARTED', 'NONE'] }, 'statuses.1'],
    [{ url: 'https://hooks.example.com/', events: ['STARTED'] }, 'events'],
  ] as const) {
    const { status, body: answer } = await register(body)
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(answer.error.code, 'VALIDATION_FAILED')
    assert.equal(answer.error.details.field, field)
  }
  assert.deepEqual((await ask(endpoints, { key })).body.data.items, [])
})

test('D1 §5: a request without a key returns 401, and a key without the webhooks scope returns 403', async () => {
  const { status, body } = await ask(endpoints)
  assert.equal(status, 401)
  assert.equal(body.error.code, 'AUTH_INVALID_API_KEY')
  const { tenantId, applicationId } = tenant
  const narrow = {
    tenantId,
    applicationId,
    label: 'narrow',
    scopes: ['sessions' as const],
    isLive: false,
    expiresAt: null,
  }
  const { apiKey } = await ctx.db.tx((tx) => issueKey(tx, narrow, new Date()))
  for (const path of [endpoints, deliveries]) {
    const answer = await ask(path, { key: apiKey })
    assert.equal(answer.status, 403)
    assert.equal(answer.body.error.code, 'ACCESS_SCOPE_MISMATCH')
  }
})

test('D1 §6: a repeated registration with the same Idempotency-Key creates no second endpoint', async () => {
  const headers = { 'idempotency-key': uuidv4() }
  const first = await register({ url: receiver.url('/once') }, headers)
  const again = await register({ url: receiver.url('/once') }, headers)
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await register({ url: receiver.url('/other') }, headers)
  assert.equal(other.status, 422)
  assert.equal((await ask(endpoints, { key })).body.data.items.length, 1)
  await ask(`${endpoints}/${first.body.id}`, { method: 'DELETE', key })
})

test('D1 §6: another tenant can neither read nor change endpoints and deliveries', async () => {
  const { body } = await register({ url: receiver.url('/mine') })
  await commitUpdate(uuidv4())
  const [delivery] = (await ask(deliveries, { key })).body.data.items
  const otherTenantKey = secondTenant.apiKey
  assert.deepEqual((await ask(endpoints, { key: otherTenantKey })).body.data.items, [])
  assert.deepEqual((await ask(deliveries, { key: otherTenantKey })).body.data.items, [])
  for (const [method, path] of [
    ['DELETE', `${endpoints}/${body.id}`],
    ['POST', `${endpoints}/${body.id}/rotate-secret`],
    ['POST', `${deliveries}/${delivery.id}/replay`],
    ['DELETE', `${endpoints}/${uuidv4()}`],
    ['POST', `${endpoints}/nonsense/rotate-secret`],
    ['POST', `${deliveries}/nonsense/replay`],
  ] as const) {
    const answer = await ask(path, { method, key: otherTenantKey })
    assert.equal(answer.status, 404, path)
    assert.equal(answer.body.error?.code, 'RESOURCE_NOT_FOUND', path)
  }
  assert.equal((await ask(`${endpoints}/${body.id}`, { method: 'DELETE', key })).status, 204)
  assert.equal((await ask(`${endpoints}/${body.id}`, { method: 'DELETE', key })).status, 404)
})

test('D1 §6: a rotation returns a new secret and keeps the old one valid for 24 hours', async () => {
  const { body: created } = await register({ url: receiver.url('/rotated') })
  const { status, body } = await ask(`${endpoints}/${created.id}/rotate-secret`, { method: 'POST', key })
  assert.equal(status, 200)
  assert.notEqual(body.secret, created.secret)
  const hours = (Date.parse(body.oldSecretValidUntil) - Date.now()) / 3_600_000
  assert.ok(hours > 23.9 && hours <= 24)
  await ask(`${endpoints}/${created.id}`, { method: 'DELETE', key })
})

test('D1 §7: a rotation or replay with an unknown field in its body is refused', async () => {
  const { body: created } = await register({ url: receiver.url('/unknown-field') })
  await commitUpdate(uuidv4())
  const [delivery] = (await ask(`${deliveries}?endpointID=${created.id}`, { key })).body.data.items
  for (const path of [`${endpoints}/${created.id}/rotate-secret`, `${deliveries}/${delivery.id}/replay`]) {
    const reply = await ask(path, { method: 'POST', key, body: { validHours: 1 } })
    assert.equal(reply.status, 400, path)
    assert.equal(reply.body.error.details.field, 'validHours', path)
    assert.equal((await ask(path, { method: 'POST', key, body: '{"a":' })).status, 400)
    assert.ok((await ask(path, { method: 'POST', key, body: {} })).status < 300, 'an empty body is allowed')
  }
  await ask(`${endpoints}/${created.id}`, { method: 'DELETE', key })
})

test('D1 §6: an exhausted delivery is listed and can be replayed under the same webhook-id', async () => {
  const { body: created } = await register({ url: receiver.url('/replayed') })
  const journeyID = uuidv4()
  receiver.answer = () => 500
  const worker = webhookDeliveryWorker(ctx, { ...immediateRetries, schedule: schedule([], 'give up') })
  await commitUpdate(journeyID)
  await receiver.waitForRequests(1)
  const find = async (query: string) => (await ask(`${deliveries}?${query}`, { key })).body.data.items
  const waitForState = (state: string) =>
    until(state, async () => (await find(`journeyID=${journeyID}&state=${state}`)).length > 0)
  await waitForState('EXHAUSTED')
  const [exhausted] = await find(`endpointID=${created.id}&status=STARTED`)
  assert.equal(exhausted.journeyID, journeyID)
  assert.equal(exhausted.state, 'EXHAUSTED')
  assert.equal(exhausted.attempts, 1)
  assert.equal(exhausted.lastAnswer, '500')
  assert.equal(exhausted.nextAttemptAt, null)
  assert.deepEqual(exhausted.endpointID, created.id)
  assert.deepEqual(await find(`journeyID=${journeyID}&status=PROFILED`), [])
  assert.deepEqual(await find(`journeyID=${uuidv4()}`), [])

  receiver.answer = () => 204
  const { status, body } = await ask(`${deliveries}/${exhausted.id}/replay`, { method: 'POST', key })
  assert.equal(status, 202)
  assert.equal(body.state, 'PENDING')
  assert.deepEqual(body.webhookID, exhausted.webhookID)
  const [first, second] = await receiver.waitForRequests(2)
  assert.equal(second!.id, first!.id)
  verify(created.secret, second!.headers, second!.body, new Date())
  await waitForState('DELIVERED')
  await worker.stop()

  await ask(`${endpoints}/${created.id}`, { method: 'DELETE', key })
  const replayAfterRemoval = await ask(`${deliveries}/${exhausted.id}/replay`, { method: 'POST', key })
  assert.equal(replayAfterRemoval.status, 409)
  assert.equal(replayAfterRemoval.body.error.code, 'STATE_PRECONDITION_FAILED')
})

test('D1 §6: the pages of the list contain every delivery exactly once', async () => {
  const { body: created } = await register({ url: receiver.url('/paged') })
  for (let i = 0; i < 7; i++) await commitUpdate(uuidv4())
  const ids: string[] = []
  let cursor = ''
  for (let pages = 1; ; pages++) {
    const { body } = await ask(`${deliveries}?endpointID=${created.id}&limit=3${cursor}`, { key })
    ids.push(...body.data.items.map(({ id }: { id: string }) => id))
    if (!body.data.page.hasMore) {
      assert.equal(pages, 3)
      assert.equal(body.data.page.nextCursor, null)
      break
    }
    cursor = `&cursor=${body.data.page.nextCursor}`
  }
  assert.equal(new Set(ids).size, 7)
  assert.deepEqual(ids, ids.toSorted().reverse())
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
    ['cursor=zzz', 'cursor'],
    ['journeyID=1', 'journeyID'],
    ['state=LOST', 'state'],
    ['page=2', 'page'],
  ]) {
    const { status, body } = await ask(`${deliveries}?${query}`, { key })
    assert.equal(status, 400, query)
    assert.equal(body.error.details.field, field, query)
  }
})

test('D1 §6: an application has at most twenty endpoints, even with concurrent registrations', async () => {
  const existing = (await ask(endpoints, { key })).body.data.items.length
  const answers = await Promise.all(Array.from({ length: 30 }, () => register({ url: receiver.url() })))
  assert.equal(answers.filter(({ status }) => status === 201).length, 20 - existing)
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  assert.equal((await ask(`${endpoints}?limit=100`, { key })).body.data.items.length, 20)
  const { status, body } = await register({ url: receiver.url() })
  assert.equal(status, 409)
  assert.equal(body.error.code, 'STATE_PRECONDITION_FAILED')
})
