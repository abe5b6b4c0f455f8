// Listeners over real HTTP: a command line pulls signed updates in order and reports what became of them (D1 §6).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { dueIn } from '@lendloom/cli/src/clock/due.ts'
import { bucketOf, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries } from '@lendloom/tests/setup/webhooks'
import type { ForwardedUpdate } from '@lendloom/wire/console/command-line'
import { secretOf, verify } from '@lendloom/wire/webhook/signature'
import { examples } from '#platform/api/reference/texts.ts'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { removeStoppedListeners } from '#platform/integrators/webhook/listener.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import { listNewest } from '#platform/people/audit/store.ts'

let aheadMs = 0
const platform = await testPlatform({}, () => new Date(Date.now() + aheadMs))
const { ctx, tenant, secondTenant } = platform
const { tenantId, applicationId } = tenant
const developer = await consoleUser(platform, { role: 'developer', tenantId })
const outsider = await consoleUser(platform, { role: 'developer', tenantId: secondTenant.tenantId })
const secret = secretOf(randomBytes(32))

async function queueUpdate(journeyId: string, sequence: number, callbackUrl: string | null = null): Promise<string> {
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const event = { tenantId, applicationId, journeyId, sequence, status: 'STARTED' as const, eventId }
  const body = Buffer.from(JSON.stringify({ journeyId, sequence, name: 'आशा' }))
  await ctx.db.tx((tx) => insertDeliveries(tx, deliveryOf(ctx, event, body, callbackUrl), ctx.clock()))
  return eventId
}

async function listen(forwardTo = 'http://localhost:3000/webhooks'): Promise<string> {
  const reply = await developer.ask('POST', '/webhooks/listeners', { applicationId, forwardTo, secret })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return `/webhooks/listeners/${reply.body.endpointId}`
}

async function pull(path: string, results: object[] = []): Promise<ForwardedUpdate[]> {
  const reply = await developer.ask('POST', `${path}/pull`, { results })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.items
}

const answered = ({ receipt }: ForwardedUpdate, status: number) => ({ receipt, status, problem: null, tookMs: 12 })
const remove = (path: string) => developer.ask('DELETE', path.replace('listeners', 'endpoints'))

test('D1 §6.2: pulled updates are signed, and the next one of a journey waits for the result of the one before', async () => {
  const path = await listen()
  const journeyId = uuidv4()
  const eventIds = [await queueUpdate(journeyId, 1), await queueUpdate(journeyId, 2)]
  const [first, ...others] = await pull(path)
  assert.equal(first!.sequence, 1)
  assert.equal(first!.attempt, 1)
  assert.deepEqual(others, [])
  const headers = Object.fromEntries(first!.headers.map(({ name, value }) => [name, value]))
  assert.equal(headers['webhook-id'], eventIds[0])
  verify(secret, headers, Buffer.from(first!.body), new Date())
  assert.deepEqual(JSON.parse(first!.body), { journeyId, sequence: 1, name: 'आशा' })

  // A failed update is due again after the schedule of the sandbox, before the second.
  aheadMs += 1000
  const retry = pull(path, [answered(first!, 500)])
  aheadMs += 2000
  const [again] = await retry
  assert.equal(again!.sequence, 1)
  assert.equal(again!.attempt, 2)
  const [second] = await pull(path, [answered(again!, 200)])
  assert.equal(second!.sequence, 2)
  assert.equal(second!.attempt, 1)
  await queueUpdate(journeyId, 3)
  const [third] = await pull(path, [answered(second!, 204)])
  assert.equal(third!.sequence, 3)
  const { items } = (await developer.ask('GET', `/webhooks/deliveries?journeyId=${journeyId}`)).body
  assert.deepEqual(
    items.map(({ state, totalAttempts }: { state: string; totalAttempts: number }) => ({ state, totalAttempts })),
    [
      { state: 'PENDING', totalAttempts: 0 },
      { state: 'DELIVERED', totalAttempts: 1 },
      { state: 'DELIVERED', totalAttempts: 2 },
    ],
  )
  await remove(path)
})

test('the platform never calls the address of a listener, also not for a test', async () => {
  const receiver = await startReceiver()
  const path = await listen(receiver.url('/hook'))
  const endpoint = path.replace('listeners', 'endpoints')
  assert.equal((await developer.ask('GET', endpoint)).body.isListener, true)
  const worker = webhookDeliveryWorker(ctx, immediateRetries)
  const journeyId = uuidv4()
  await queueUpdate(journeyId, 1)
  assert.deepEqual(
    (await dueIn(ctx.db)).filter(({ what }) => what.startsWith('webhook')),
    [],
    'the clock does not wait for it',
  )
  for (const act of ['test', 'rotate-secret'])
    assert.equal((await developer.ask('POST', `${endpoint}/${act}`)).status, 409, act)
  assert.equal((await developer.ask('PATCH', endpoint, { url: receiver.url('/other') })).status, 409)
  const [update] = await pull(path)
  assert.equal(update?.journeyId, journeyId)
  await worker.stop()
  assert.equal(receiver.received.length, 0)
  await receiver.stop()
  await remove(path)
})

test('another tenant sees no listener, and the receipt of another listener is refused', async () => {
  const path = await listen()
  const other = await listen()
  const journeyId = uuidv4()
  await queueUpdate(journeyId, 1)
  assert.equal((await outsider.ask('POST', `${path}/pull`, { results: [] })).status, 404)
  const foreign = { applicationId, forwardTo: 'http://localhost/', secret }
  assert.equal((await outsider.ask('POST', '/webhooks/listeners', foreign)).status, 400)
  const [update] = await pull(other)
  for (const receipt of [update!.receipt, 'AAAA', ''])
    assert.equal(
      (await developer.ask('POST', `${path}/pull`, { results: [answered({ ...update!, receipt }, 200)] })).status,
      400,
    )
  const [unchanged] = (await developer.ask('GET', `/webhooks/deliveries?journeyId=${journeyId}&state=DELIVERED`)).body
    .items
  assert.equal(unchanged, undefined)
  for (const each of [path, other]) await remove(each)
  assert.equal((await developer.ask('POST', `${path}/pull`, { results: [] })).status, 404)
})

test('a stopped listener is removed with the updates it did not get, once, and those that pull stay', async () => {
  const stopped = await listen()
  const kept = await listen()
  const journeyId = uuidv4()
  await queueUpdate(journeyId, 1)
  aheadMs += 119_000
  assert.equal((await pull(kept)).length, 1)
  aheadMs += 2000
  const sweeps = [removeStoppedListeners(ctx), removeStoppedListeners(ctx)]
  for (const each of await Promise.all([listen(), listen(), ...sweeps])) if (each) await remove(each)
  assert.equal((await developer.ask('POST', `${stopped}/pull`, { results: [] })).status, 404)
  const { items } = (await developer.ask('GET', `/webhooks/deliveries?journeyId=${journeyId}`)).body
  assert.deepEqual(
    items.map(({ state }: { state: string }) => state),
    ['PENDING'],
  )
  await remove(kept)
})

test('D1 §6: a failing listener adds nothing to the missing updates of an application, whose callbacks it does not sign', async () => {
  const receiver = await startReceiver()
  const endpoint = { applicationId, url: receiver.url('/endpoint') }
  const added = (await developer.ask('POST', '/webhooks/endpoints', endpoint)).body
  const path = await listen()
  const giveUp = () =>
    ctx.db`update webhook_delivery set state = 'EXHAUSTED', due_at = null
      where destination_id = ${path.split('/').at(-1)} returning 1`
  const missing = async () =>
    (await ask(`${platform.url}/api/lab/webhook-deliveries?missing=true`, { key: tenant.apiKey })).body.data.items
  const journeyId = uuidv4()
  await queueUpdate(journeyId, 1, receiver.url('/callback'))
  assert.equal((await giveUp()).length, 1)
  assert.deepEqual(await missing(), [])
  await remove(path)
  assert.deepEqual(await missing(), [])

  const other = await listen()
  const worker = webhookDeliveryWorker(ctx, immediateRetries)
  const callback = (await receiver.waitForRequests(2)).find((each) => each.path === '/callback')
  await worker.stop()
  assert.equal(String(callback?.headers['webhook-signature']).split(' ').length, 1)
  verify(added.secret, callback?.headers ?? {}, callback?.body ?? Buffer.from(''), new Date())
  await receiver.stop()
  await remove(other)
  await developer.ask('DELETE', `/webhooks/endpoints/${added.endpoint.endpointId}`)
})

test('twenty listeners leave room for twenty endpoints', async () => {
  const paths = []
  for (let count = 0; count < 20; count++) paths.push(await listen())
  const { status, body } = await developer.ask('POST', '/webhooks/listeners', {
    applicationId,
    secret,
    forwardTo: 'http://localhost/',
  })
  assert.equal(status, 409)
  assert.match(body.error.message, /at most 20 listeners/)
  const endpoint = { applicationId, url: 'http://127.0.0.1:9/' }
  const added = await developer.ask('POST', '/webhooks/endpoints', endpoint)
  assert.equal(added.status, 201)
  let isPullOver = false
  const pulls = Promise.all(paths.map((path) => pull(path).finally(() => (isPullOver = true))))
  assert.equal((await developer.ask('GET', '/me')).status, 200)
  assert.ok(!isPullOver, 'other requests are answered while pulls wait')
  await pulls
  for (const path of [...paths, `/webhooks/listeners/${added.body.endpoint.endpointId}`]) await remove(path)
})

test('D1 §6: a listener is listed with its person, who alone pulls, and the audit log counts its updates', async () => {
  const path = await listen()
  const endpointId = path.split('/').at(-1)
  const colleague = await consoleUser(platform, { role: 'admin', tenantId })
  await queueUpdate(uuidv4(), 1)
  await queueUpdate(uuidv4(), 1)
  assert.equal((await colleague.ask('POST', `${path}/pull`, { results: [] })).status, 404)
  assert.equal((await pull(path)).length, 2)
  const { items } = (await colleague.ask('GET', '/webhooks/endpoints')).body
  const listed = items.find((each: { endpointId: string }) => each.endpointId === endpointId)
  assert.equal(listed.listenerName, developer.person.name)
  assert.equal(listed.listenerUpdates, 2)

  await remove(path)
  const stopped = (await listen()).split('/').at(-1)
  aheadMs += 121_000
  await removeStoppedListeners(ctx)
  const entries = await listNewest(ctx.db, tenantId, null, 5)
  const ends = entries.filter(({ act }) => act === 'WEBHOOK_LISTENER_ENDED')
  assert.deepEqual(
    ends.map(({ subject, personId, detail }) => ({ subject, personId, detail })),
    [
      { subject: stopped, personId: developer.person.personId, detail: '{"updates":0}' },
      { subject: endpointId, personId: developer.person.personId, detail: '{"updates":2}' },
    ],
  )
})

test('D1 §6: outside a sandbox a listener gets masked updates, signed as they are, and operators cannot listen', async () => {
  const live = await testPlatform({ SANDBOX: 'off' })
  const { tenantId, applicationId } = live.tenant
  const body = { applicationId, forwardTo: 'http://localhost:3000/', secret }
  const operator = await consoleUser(live, { role: 'operator' })
  assert.equal((await operator.ask('POST', `/webhooks/listeners?tenantId=${tenantId}`, body)).status, 403)
  const user = await consoleUser(live, { role: 'developer', tenantId })
  const listener = await user.ask('POST', '/webhooks/listeners', body)
  assert.equal(listener.status, 201)
  assert.equal(listener.body.isMasked, true)

  const journeyId = uuidv4()
  const eventId = uuidv7(Date.now(), bucketOf(journeyId))
  const event = { tenantId, applicationId, journeyId, sequence: 1, status: 'OFFER_SELECTED' as const, eventId }
  const update = Object(examples.lifecycleUpdate?.request)
  const delivery = deliveryOf(live.ctx, event, Buffer.from(JSON.stringify(update)), null)
  await live.ctx.db.tx((tx) => insertDeliveries(tx, delivery, live.ctx.clock()))
  const pulled = await user.ask('POST', `/webhooks/listeners/${listener.body.endpointId}/pull`, { results: [] })
  const [forwarded] = pulled.body.items as ForwardedUpdate[]
  const headers = Object.fromEntries(forwarded!.headers.map(({ name, value }) => [name, value]))
  verify(secret, headers, Buffer.from(forwarded!.body), new Date())
  assert.equal(headers['lendloom-masked'], 'true')
  const { personal, work, address } = update.borrower.profile
  const { panName, dob, contactNumber } = personal
  for (const hidden of [panName, dob, contactNumber, work.companyName, address.addressL1])
    assert.ok(hidden && !forwarded!.body.includes(hidden), hidden)
  const { journey, id } = JSON.parse(forwarded!.body).borrower
  assert.deepEqual(id, update.borrower.id)
  assert.deepEqual(journey.id, update.borrower.journey.id)
  assert.equal(journey.status, 'OFFER_SELECTED')
})

test('bad listeners are refused with the field', async () => {
  const good = { applicationId, forwardTo: 'http://localhost:3000/', secret }
  for (const [field, value] of [
    ['applicationId', uuidv4()],
    ['forwardTo', 'javascript:alert(1)'],
    ['forwardTo', 'http://'],
    ['secret', 'whsec_short'],
    ['statuses', []],
  ] as const) {
    const { status, body } = await developer.ask('POST', '/webhooks/listeners', { ...good, [field]: value })
    assert.equal(status, 400, field)
    assert.match(JSON.stringify(body.error), new RegExp(`"${field}"`))
  }
})
