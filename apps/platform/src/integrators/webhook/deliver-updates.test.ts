// Deliveries on a real database to real receivers: content, order, retries and isolation.

import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { schedule } from '@lendloom/foundation/schedule'
import { runInTrace } from '@lendloom/foundation/trace'
import type { Worker } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries, webhookFixture } from '@lendloom/tests/setup/webhooks'
import { verify } from '@lendloom/wire/webhook/signature'
import { type WorkerDeps, webhookDeliveryWorker } from './deliver-updates.ts'
import { deliveryQueue } from './delivery.ts'
import { type DeliveryPolicy, sandboxPolicy } from './delivery-policy.ts'
import { setResumed } from './endpoint/store.ts'
import { changeSubscription, removeEndpoint, requireLockedEndpoint, rotateEndpointSecret } from './manage-endpoints.ts'
import { resendDelivery } from './resend-delivery.ts'

const ctx = await webhookFixture()
const receiver = await startReceiver()
let worker: Worker | undefined

beforeEach(async () => {
  await ctx.clear()
  receiver.received.length = 0
  receiver.answer = () => 204
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})
after(() => receiver.stop())

const noRetries = schedule([], 'give up')

function start(policy: DeliveryPolicy = immediateRetries, deps: WorkerDeps = ctx): void {
  worker = webhookDeliveryWorker(deps, policy)
}
const receivedSequences = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).sequence)
/** Returns the only delivery when it has this many recorded attempts. */
const waitForAttempts = (times: number) =>
  until(`attempt ${times}`, async () => {
    const [delivery] = await ctx.deliveries()
    return delivery!.attempt === times && delivery!
  })

test('D1 §6: an update arrives byte for byte, signed, with webhook-id and correlation id', async () => {
  const { secret } = await ctx.endpoint(receiver.url('/hook?x=1'))
  start()
  const journeyId = uuidv4()
  const eventId = await runInTrace({ correlationId: 'night-7' }, () => ctx.update(journeyId, 1))
  const [request] = await receiver.waitForRequests(1)
  assert.equal(request!.path, '/hook?x=1')
  assert.equal(request!.body.toString(), JSON.stringify({ journeyId, sequence: 1, status: 'STARTED' }))
  assert.equal(request!.id, eventId)
  assert.equal(request!.headers['content-type'], 'application/json')
  assert.equal(request!.headers['user-agent'], 'Lendloom')
  assert.equal(request!.headers['x-correlation-id'], 'night-7')
  verify(secret, request!.headers, request!.body, new Date())
  const [delivery] = await ctx.waitUntilSettled()
  assert.equal(delivery!.state, 'DELIVERED')
  assert.equal(delivery!.lastAnswer, '204')
  assert.equal(delivery!.attempt, 1)
})

test('D1 §6: sends an update only to subscribed endpoints, with the same webhook-id for every destination', async () => {
  await ctx.endpoint(receiver.url('/all'))
  await ctx.endpoint(receiver.url('/some'), ['OFFERED', 'STARTED'])
  await ctx.endpoint(receiver.url('/other'), ['OFFERED'])
  start()
  const eventId = await ctx.update(uuidv4(), 1, { callbackUrl: receiver.url('/callback') })
  await ctx.waitUntilSettled()
  assert.deepEqual(receiver.received.map(({ path }) => path).sort(), ['/all', '/callback', '/some'])
  assert.deepEqual([...new Set(receiver.received.map(({ id }) => id))], [eventId])
})

test('D1 §6: a callback is signed with the secrets of all endpoints of its application, and is unsigned if there is no endpoint', async () => {
  start()
  await ctx.update(uuidv4(), 1, { callbackUrl: receiver.url('/callback') })
  await receiver.waitForRequests(1)
  assert.equal(receiver.received[0]!.headers['webhook-signature'], undefined)
  const first = await ctx.endpoint(receiver.url('/other'), ['DISBURSED'])
  const second = await ctx.endpoint(receiver.url('/other'), ['DISBURSED'])
  await ctx.update(uuidv4(), 1, { callbackUrl: receiver.url('/callback') })
  const [, request] = await receiver.waitForRequests(2)
  for (const { secret } of [first, second]) verify(secret, request!.headers, request!.body, new Date())
})

test('D1 §6: retries a failure with the same webhook-id and a new timestamp, then marks the delivery exhausted', async () => {
  const { secret } = await ctx.endpoint(receiver.url())
  receiver.answer = () => 500
  let shift = 0
  start(immediateRetries, { ...ctx, clock: () => new Date(Date.now() + shift) })
  const eventId = await ctx.update(uuidv4(), 1)
  await receiver.waitForRequests(1)
  shift = 7000
  const [delivery] = await ctx.waitUntilSettled()
  const tries = immediateRetries.schedule.pauses.length + 1
  assert.equal(receiver.received.length, tries)
  assert.equal(delivery!.state, 'EXHAUSTED')
  assert.equal(delivery!.attempt, tries)
  assert.equal(delivery!.lastAnswer, '500')
  assert.deepEqual([...new Set(receiver.received.map(({ id }) => id))], [eventId])
  for (const { headers, body } of receiver.received) verify(secret, headers, body, new Date())
  assert.ok(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size > 1)
})

test('D1 §6: the sandbox retries after 1, 2, 4, 8 and 16 seconds', async () => {
  await ctx.endpoint(receiver.url())
  receiver.answer = () => 503
  let now = Date.now()
  start(sandboxPolicy, { ...ctx, clock: () => new Date(now) })
  await ctx.update(uuidv4(), 1, { at: new Date(now) })
  for (const [i, ms] of sandboxPolicy.schedule.milliseconds.entries()) {
    const seconds = ms / 1000
    const dueAt = (await waitForAttempts(i + 1)).dueAt!.getTime()
    const after = (dueAt - now) / 1000
    assert.ok(after >= seconds, `try ${i + 2} is due after ${after} s, not ${seconds} s`)
    assert.ok(after <= seconds * 1.1, `try ${i + 2} is due after ${after} s, more than a tenth after ${seconds} s`)
    now = dueAt - 1
    await ctx.poll()
    assert.equal(receiver.received.length, i + 1, 'no attempt before the due time')
    now = dueAt
    ctx.db.wake(deliveryQueue)
  }
  await ctx.waitUntilSettled()
  assert.equal(receiver.received.length, 6)
})

test('D1 §6: treats a redirect as a failure', async () => {
  await ctx.endpoint(receiver.url('/old'))
  receiver.answer = ({ path }) =>
    path === '/old' ? (response) => void response.writeHead(307, { location: receiver.url('/new') }).end() : 204
  start({ ...immediateRetries, schedule: noRetries })
  await ctx.update(uuidv4(), 1)
  const [delivery] = await ctx.waitUntilSettled()
  assert.equal(delivery!.state, 'EXHAUSTED')
  assert.equal(delivery!.lastAnswer, '307')
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/old'],
  )
})

test('D1 §6: waits for a Retry-After longer than the schedule and ignores a shorter one', async () => {
  await ctx.endpoint(receiver.url())
  let now = Date.now()
  receiver.answer = () => (response) => void response.writeHead(429, { 'retry-after': '100' }).end()
  start(sandboxPolicy, { ...ctx, clock: () => new Date(now) })
  await ctx.update(uuidv4(), 1, { at: new Date(now) })
  await waitForAttempts(1)
  now += 99_000
  await ctx.poll()
  assert.equal(receiver.received.length, 1)
  receiver.answer = () => (response) => void response.writeHead(503, { 'retry-after': '0' }).end()
  now += 1000
  ctx.db.wake(deliveryQueue)
  const { dueAt } = await waitForAttempts(2)
  assert.ok(dueAt!.getTime() - now >= 2000)
})

test('D1 §6: 410 disables the endpoint and stops its deliveries; later updates are stored as stopped', async () => {
  await ctx.endpoint(receiver.url('/gone'))
  await ctx.endpoint(receiver.url('/alive'))
  receiver.answer = ({ path }) => (path === '/gone' ? 410 : 204)
  const firstJourney = uuidv4()
  const secondJourney = uuidv4()
  await ctx.update(firstJourney, 1)
  await ctx.update(firstJourney, 2)
  start({ ...immediateRetries, schedule: schedule(['PT1H'], 'give up') })
  await ctx.waitUntilSettled()
  await ctx.update(secondJourney, 1)
  const all = await ctx.waitUntilSettled()
  assert.deepEqual(all.map(({ state }) => state).sort(), [
    'DELIVERED',
    'DELIVERED',
    'DELIVERED',
    'STOPPED',
    'STOPPED',
    'STOPPED',
  ])
  assert.equal(receiver.received.filter(({ path }) => path === '/gone').length, 1)
  const [row] = await ctx.db<{ disabledBecause: string }>`
    select disabled_because from webhook_endpoint where disabled_at is not null`
  assert.equal(row!.disabledBecause, 'answered 410')
})

test('D1 §6: after 410 from its previous URL the endpoint stays enabled, and the update goes to the new URL', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url('/old'))
  const urlChange = Promise.withResolvers<void>()
  receiver.answer = async ({ path }) => {
    if (path === '/new') return 204
    await urlChange.promise
    return 410
  }
  const journeyId = uuidv4()
  for (const sequence of [1, 2]) await ctx.update(journeyId, sequence)
  start()
  await receiver.waitForRequests(1)
  await ctx.db.tx(async (tx) => {
    const endpoint = await requireLockedEndpoint(tx, ctx.owner.tenantId, endpointId)
    await changeSubscription({ ...ctx, tx, at: new Date() }, endpoint, { url: receiver.url('/new') })
  })
  urlChange.resolve()
  const all = await ctx.waitUntilSettled()
  assert.deepEqual(
    all.map(({ state }) => state),
    ['DELIVERED', 'DELIVERED'],
  )
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/old', '/new', '/new'],
  )
  assert.equal((await ctx.db`select from webhook_endpoint where disabled_at is not null`).length, 0)
})

test('D1 §6: 410 from a callbackUrl stops only that journey’s callbacks', async () => {
  receiver.answer = ({ path }) => (path === '/gone' ? 410 : 204)
  const stoppedJourney = uuidv4()
  const otherJourney = uuidv4()
  for (const sequence of [1, 2]) {
    await ctx.update(stoppedJourney, sequence, { callbackUrl: receiver.url('/gone') })
    await ctx.update(otherJourney, sequence, { callbackUrl: receiver.url('/alive') })
  }
  start()
  const all = await ctx.waitUntilSettled()
  assert.deepEqual(
    all.filter(({ journeyId }) => journeyId === stoppedJourney).map(({ state }) => state),
    ['STOPPED', 'STOPPED'],
  )
  assert.deepEqual(
    all.filter(({ journeyId }) => journeyId === otherJourney).map(({ state }) => state),
    ['DELIVERED', 'DELIVERED'],
  )
})

test('D1 §6: updates of a journey arrive in order, and later ones wait for retries of an earlier one', async () => {
  await ctx.endpoint(receiver.url())
  const journeyId = uuidv4()
  let failures = 3
  receiver.answer = ({ body }) => (JSON.parse(body.toString()).sequence === 2 && failures-- > 0 ? 500 : 204)
  start()
  for (const sequence of [1, 2, 3, 4]) await ctx.update(journeyId, sequence)
  await ctx.waitUntilSettled()
  assert.deepEqual(receivedSequences(), [1, 2, 2, 2, 2, 3, 4])
})

test('D1 §6: delivers the next update of a journey after an exhausted one', async () => {
  await ctx.endpoint(receiver.url())
  receiver.answer = ({ body }) => (JSON.parse(body.toString()).sequence === 1 ? 400 : 204)
  start({ ...immediateRetries, schedule: schedule(['PT0.01S'], 'give up') })
  const journeyId = uuidv4()
  for (const sequence of [1, 2]) await ctx.update(journeyId, sequence)
  const all = await ctx.waitUntilSettled()
  assert.deepEqual(receivedSequences(), [1, 1, 2])
  assert.deepEqual(
    all.map(({ state }) => state),
    ['EXHAUSTED', 'DELIVERED'],
  )
})

test('D1 §6: an update names the earlier ones that were given up, and directly after them the last delivered number', async () => {
  await ctx.endpoint(receiver.url())
  receiver.answer = ({ body }) => ([1, 3, 4].includes(JSON.parse(body.toString()).sequence) ? 400 : 204)
  start({ ...immediateRetries, schedule: noRetries })
  const journeyId = uuidv4()
  const ids: string[] = []
  for (const sequence of [1, 2, 3, 4, 5, 6]) ids.push(await ctx.update(journeyId, sequence))
  const all = await ctx.waitUntilSettled()
  assert.deepEqual(receivedSequences(), [1, 2, 3, 4, 5, 6])
  const sent = (name: string) => receiver.received.map(({ headers }) => headers[name])
  assert.deepEqual(sent('lendloom-last-delivered'), [undefined, '0', undefined, '2', '2', undefined])
  const [first, , third, fourth] = ids
  const givenUp = `${first} ${third} ${fourth}`
  const named = [undefined, first, first, `${first} ${third}`, givenUp, givenUp]
  assert.deepEqual(sent('lendloom-missing'), named)
  assert.deepEqual(new Set(sent('lendloom-event-version')), new Set(['2026-11-01']))

  receiver.answer = () => 204
  await ctx.db.tx((tx) => resendDelivery(tx, ctx.owner, { deliveryId: all[2]!.deliveryId }, new Date()))
  await ctx.waitUntilSettled()
  assert.equal(receiver.received.at(-1)!.headers['lendloom-missing'], first, 'itself is not missing, nor a later one')
  await ctx.update(journeyId, 7)
  await ctx.waitUntilSettled()
  assert.equal(
    receiver.received.at(-1)!.headers['lendloom-missing'],
    `${first} ${fourth}`,
    'a replayed one is not missing',
  )
})

test('D1 §6: an event of a loan counts the last delivered one among the events of the loan', async () => {
  await ctx.endpoint(receiver.url())
  const failing = new Set([1, 1001, 1003])
  receiver.answer = ({ body }) => (failing.has(JSON.parse(body.toString()).sequence) ? 400 : 204)
  start({ ...immediateRetries, schedule: noRetries })
  const journeyId = uuidv4()
  for (const sequence of [1, 2, 1001, 1002, 1003, 1004]) await ctx.update(journeyId, sequence)
  await ctx.waitUntilSettled()
  assert.deepEqual(receivedSequences(), [1, 2, 1001, 1002, 1003, 1004])
  const numbers = receiver.received.map(({ headers }) => headers['lendloom-last-delivered'])
  assert.deepEqual(numbers, [undefined, '0', undefined, '0', undefined, '2'])
})

test('D1 §6: an update names neither the given up updates of another journey, nor of another endpoint, nor those before its endpoint', async () => {
  const failing = await ctx.endpoint(receiver.url('/failing'))
  receiver.answer = ({ path }) => (path === '/failing' ? 400 : 204)
  start({ ...immediateRetries, schedule: noRetries })
  const journeyId = uuidv4()
  const lost = await ctx.update(journeyId, 1)
  await ctx.waitUntilSettled()
  await ctx.db.tx((tx) => removeEndpoint({ tx, at: new Date() }, ctx.owner, failing.endpointId))
  await ctx.endpoint(receiver.url('/failing'))
  await ctx.endpoint(receiver.url('/other'))
  await Promise.all([ctx.update(journeyId, 2), ctx.update(uuidv4(), 2)])
  await ctx.waitUntilSettled()
  assert.equal(receiver.received.length, 5)
  assert.ok(receiver.received.every(({ headers }) => headers['lendloom-missing'] === undefined))
  assert.ok((await ctx.deliveries()).some(({ state, eventId }) => state === 'EXHAUSTED' && eventId === lost))
})

test('D1 §6: an update that was stopped while its endpoint was disabled is named once the endpoint is enabled', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url())
  receiver.answer = () => 410
  start()
  const journeyId = uuidv4()
  const stopped = [await ctx.update(journeyId, 1)]
  await ctx.waitUntilSettled()
  stopped.push(await ctx.update(journeyId, 2))
  await ctx.db.tx((tx) => setResumed(tx, { tenantId: ctx.owner.tenantId, endpointId }, new Date()))
  receiver.answer = () => 204
  await ctx.update(journeyId, 3)
  await ctx.waitUntilSettled()
  const [, last] = receiver.received
  assert.equal(last!.headers['lendloom-missing'], stopped.join(' '))
  assert.equal(last!.headers['lendloom-last-delivered'], '0')
})

test('D1 §6.4: replaying a delivery while a later one is in flight sends no update twice', async () => {
  await ctx.endpoint(receiver.url())
  const journeyId = uuidv4()
  start()
  await ctx.update(journeyId, 1)
  const [first] = await ctx.waitUntilSettled()
  const response = Promise.withResolvers<void>()
  receiver.answer = async ({ body }) => {
    if (JSON.parse(body.toString()).sequence === 2) await response.promise
    return 204
  }
  await ctx.update(journeyId, 2)
  await receiver.waitForRequests(2)
  const [, second] = await ctx.deliveries()
  for (const { deliveryId } of [first!, second!])
    await ctx.db.tx((tx) => resendDelivery(tx, ctx.owner, { deliveryId }, new Date()))
  await receiver.waitForRequests(3)
  await until('the record of the replayed delivery', async () => (await ctx.deliveries())[0]!.state === 'DELIVERED')
  await ctx.poll()
  response.resolve()
  const all = await ctx.waitUntilSettled()
  assert.deepEqual(receivedSequences(), [1, 2, 1])
  assert.deepEqual(
    all.map(({ state, attempt }) => ({ state, attempt })),
    [
      { state: 'DELIVERED', attempt: 1 },
      { state: 'DELIVERED', attempt: 1 },
    ],
  )
})

test('D1 §6: sends no update to a removed endpoint', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url())
  await ctx.update(uuidv4(), 1)
  await ctx.db.tx((tx) => removeEndpoint({ tx, at: new Date() }, ctx.owner, endpointId))
  start()
  await ctx.update(uuidv4(), 1)
  await ctx.poll()
  assert.equal(receiver.received.length, 0)
  const all = await ctx.deliveries()
  assert.deepEqual(
    all.map(({ state, attempt }) => ({ state, attempt })),
    [{ state: 'STOPPED', attempt: 0 }],
  )
})

test('D1 §6: both secrets sign for a day after a rotation, then only the new one', async () => {
  const { endpointId, secret: oldSecret } = await ctx.endpoint(receiver.url())
  const { secret } = await ctx.db.tx((tx) =>
    rotateEndpointSecret(tx, ctx.seal, ctx.owner, { endpointId, at: new Date() }),
  )
  let shift = 0
  start(immediateRetries, { ...ctx, clock: () => new Date(Date.now() + shift) })
  await ctx.update(uuidv4(), 1)
  const [request] = await receiver.waitForRequests(1)
  for (const each of [oldSecret, secret]) verify(each, request!.headers, request!.body, new Date())
  shift = 24 * 3_600_000 + 1000
  await ctx.update(uuidv4(), 1)
  const [, nextRequest] = await receiver.waitForRequests(2)
  const afterOverlap = new Date(Date.now() + shift)
  verify(secret, nextRequest!.headers, nextRequest!.body, afterOverlap)
  assert.throws(() => verify(oldSecret, nextRequest!.headers, nextRequest!.body, afterOverlap))
})

test('D1 §6: an update is not sent twice when database connections break before the response is recorded', async () => {
  await ctx.endpoint(receiver.url())
  receiver.answer = async () => {
    await ctx.db`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`
    return 204
  }
  start()
  await ctx.update(uuidv4(), 1)
  const [delivery] = await ctx.waitUntilSettled()
  assert.equal(delivery!.state, 'DELIVERED')
  assert.equal(delivery!.attempt, 1)
  assert.equal(receiver.received.length, 1)
})

for (const [policyChange, reason] of [
  [{ egress: 'public' }, 'a private address'],
  [{ isHttpAllowed: false }, 'not an https address'],
] as const)
  test(`D1 §6: does not connect to ${reason}`, async () => {
    await ctx.endpoint(receiver.url())
    start({ ...immediateRetries, schedule: noRetries, ...policyChange })
    await ctx.update(uuidv4(), 1)
    const [delivery] = await ctx.waitUntilSettled()
    assert.equal(delivery!.state, 'EXHAUSTED')
    assert.equal(delivery!.lastAnswer, reason)
    assert.equal(receiver.received.length, 0)
  })

test('stores the last twenty attempts of a delivery, numbered, and leaves other deliveries unchanged', async () => {
  await ctx.endpoint(receiver.url())
  receiver.answer = () => 500
  const otherJourney = uuidv4()
  await ctx.update(otherJourney, 1)
  start({ ...immediateRetries, schedule: noRetries })
  await waitForAttempts(1)
  await worker?.stop()
  await ctx.update(uuidv4(), 1)
  start({ ...immediateRetries, schedule: schedule(Array<string>(22).fill('PT0.01S'), 'give up') })
  await until('the last attempt', async () => (await ctx.deliveries()).some(({ attempt }) => attempt === 23))
  const storedAttempts = await ctx.db<{ journeyId: string; number: number }>`
    select d.journey_id, t.number from webhook_try t join webhook_delivery d using (bucket, tenant_id, application_id, delivery_id)
    order by t.number`
  const numbers = storedAttempts.filter(({ journeyId }) => journeyId !== otherJourney).map(({ number }) => number)
  assert.deepEqual(
    numbers,
    Array.from({ length: 20 }, (_, i) => i + 4),
  )
  assert.equal(storedAttempts.length, 21)
})
