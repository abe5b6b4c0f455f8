// Outgoing events are sent in order and retried by the contract's schedule. No event is lost.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsAfter } from '@lendloom/foundation/clock'
import { logTo, quietLog } from '@lendloom/foundation/log'
import { exposition } from '@lendloom/foundation/metrics'
import { callForStatus, UnreachableError } from '@lendloom/http/client'
import { connect } from '@lendloom/postgres/sql'
import { noTenantId, type Worker } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { testDatabase } from '@lendloom/tests/setup/database'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { eventSchedule } from '@lendloom/wire/exchange/retry-schedules'
import fc from 'fast-check'
import {
  enqueueEvent,
  listOutbox,
  type NewOutboundEvent,
  type OutboundEvent,
  type OutboxWorkerOptions,
  outboxWorker,
  replay,
  sentEvents,
} from './outbox.ts'

const databaseUrl = await testDatabase('partner')
const keys = newSealKey('t1')
const db = connect(databaseUrl, { connections: 6 })
const seal = sealWith(keys)
const workers = new Set<Worker>()
const stopAll = async () => {
  await Promise.all([...workers].map((worker) => worker.stop()))
  workers.clear()
}
after(async () => {
  await stopAll()
  await db.close()
})

let now = new Date('2026-11-01T10:00:00Z')
const alerts: Record<string, unknown>[] = []
let posted: OutboundEvent[] = []
let answer: (event: OutboundEvent) => number | Promise<number> = () => 202
let headers: Record<string, string> = {}
beforeEach(async () => {
  await stopAll()
  await db`truncate outbox, outbox_entity`
  now = new Date('2026-11-01T10:00:00Z')
  alerts.length = 0
  posted = []
  answer = () => 202
  headers = {}
})

function start(options: Partial<OutboxWorkerOptions> = {}): Worker {
  const worker = outboxWorker({
    schedule: eventSchedule,
    db,
    seal,
    clock: () => now,
    log: quietLog,
    alert: (_, facts) => void alerts.push(facts),
    async post(event) {
      posted.push(event)
      return { status: await answer(event), headers }
    },
    ...options,
  })
  workers.add(worker)
  return worker
}

async function send(partitionKey: string, overrides: Partial<NewOutboundEvent> = {}): Promise<string> {
  const eventId = uuidv7()
  const event = {
    tenantId: noTenantId,
    partitionKey,
    eventId,
    type: 'PAYMENT_UPDATED',
    entityType: 'CASE',
    entityId: partitionKey,
  }
  const build = (entityVersion: number) => ({ event_id: eventId, entity_version: entityVersion })
  await db.tx((tx) => enqueueEvent(tx, seal, { ...event, ...overrides, build }, now))
  return eventId
}
const stateOf = async (eventId: string) => (await listOutbox(db, { eventId }))[0]!
const untilState = (eventId: string, state: string) =>
  until(`the event is ${state}`, async () => (await stateOf(eventId)).state === state)
const advanceClock = (seconds: number) => {
  now = secondsAfter(now, seconds)
  db.wake('outbox')
}

test('D3 §2.2: versions count from 1 per object, without a gap after a rolled-back transaction', async () => {
  await send('case-1')
  await assert.rejects(
    db.tx(async (tx) => {
      const event = {
        tenantId: noTenantId,
        partitionKey: 'case-1',
        eventId: uuidv7(),
        type: 'X',
        entityType: 'CASE',
        entityId: 'case-1',
      }
      await enqueueEvent(tx, seal, { ...event, build: () => ({}) }, now)
      throw new Error('the transaction fails')
    }),
  )
  await Promise.all([
    send('case-1'),
    send('case-1'),
    send('case-2'),
    send('case-1', { entityType: 'PAYMENT', entityId: 'p1' }),
  ])
  const events = await listOutbox(db)
  const versions = (entityId: string) =>
    events
      .filter((event) => event.entityId === entityId)
      .map(({ entityVersion }) => entityVersion)
      .sort()
  assert.deepEqual(versions('case-1'), [1, 2, 3])
  assert.deepEqual(versions('case-2'), [1])
  assert.deepEqual(versions('p1'), [1])
})

test('D3 §6: the event is stored sealed, and every attempt sends the same bytes', async () => {
  const eventId = await send('case-1')
  const [row] = await db<{ bodySealed: Buffer }>`select body_sealed from outbox`
  assert.equal(row!.bodySealed.includes(eventId), false)
  answer = () => 503
  start()
  await until('the event was attempted', () => posted.length === 1)
  await until('the attempt was recorded', async () => (await stateOf(eventId)).attempt === 1)
  answer = () => 200
  advanceClock(60)
  await untilState(eventId, 'DELIVERED')
  const [sent] = await sentEvents(db, seal, { tenantId: noTenantId, partitionKey: 'case-1' })
  assert.deepEqual(
    posted.map(({ raw }) => raw.toString()),
    Array(2).fill(JSON.stringify({ event_id: eventId, entity_version: 1 })),
  )
  assert.deepEqual(sent!.raw, posted[0]!.raw)
  assert.deepEqual(
    posted.map(({ attempt }) => attempt),
    [1, 2],
  )
})

test('D3 §8: after an internal error only the log contains the error message, and the event is retried', async () => {
  const lines: string[] = []
  const eventId = await send('case-1')
  // Throws a RangeError.
  answer = () => 'x'.repeat(-1).length
  start({ log: logTo('test', 'info', { write: (line) => void lines.push(line) }) })
  await until('the event was attempted', async () => (await stateOf(eventId)).attempt === 1)
  const { lastAnswer, state } = await stateOf(eventId)
  assert.equal(state, 'PENDING')
  const [, errorId] = /^an internal error occurred; the log has the details under ([0-9a-f-]{36})$/.exec(lastAnswer!)!
  assert.match(lines.find((line) => line.includes(errorId!))!, /Invalid count/)
})

test('D3 §8: retries after 1, 5, 15, 60 and 240 minutes, then alerts operators and keeps the event', async () => {
  const eventId = await send('case-1')
  answer = () => {
    throw new UnreachableError('no answer in time')
  }
  start()
  const minutes: number[] = []
  for (let attempt = 1; attempt <= 5; attempt++) {
    await until(`attempt ${attempt} is recorded`, async () => (await stateOf(eventId)).attempt === attempt)
    const pause = ((await stateOf(eventId)).dueAt!.getTime() - now.getTime()) / 60_000
    minutes.push(pause)
    advanceClock(pause * 60 - 1)
    // An early attempt would be made within this time.
    await sleep(30)
    assert.equal(posted.length, attempt, 'no attempt before the due time')
    advanceClock(1)
  }
  assert.deepEqual(minutes, [1, 5, 15, 60, 240])
  await untilState(eventId, 'DEAD')
  const { lastAnswer, attempt, deadAt } = await stateOf(eventId)
  assert.equal(lastAnswer, 'no answer in time')
  assert.equal(attempt, 6)
  assert.deepEqual(deadAt, now)
  await until('the alert is sent', () => alerts.length === 1)
  assert.equal(alerts[0]!.eventId, eventId)
  assert.equal(alerts[0]!.answer, 'no answer in time')
})

test('D3 §8: the pause is the longer of Retry-After and the scaled schedule', async () => {
  const pauseSecondsOf = async (eventId: string) => {
    await until('the event was attempted', async () => (await stateOf(eventId)).attempt === 1)
    return ((await stateOf(eventId)).dueAt!.getTime() - now.getTime()) / 1000
  }
  answer = () => 429
  headers = { 'retry-after': '7200' }
  start()
  assert.equal(await pauseSecondsOf(await send('case-1')), 7200)
  headers = { 'retry-after': '5' }
  assert.equal(await pauseSecondsOf(await send('case-2')), 60)
  headers = { 'retry-after': 'Sun, 01 Nov 2026 13:00:00 GMT' }
  assert.equal(await pauseSecondsOf(await send('case-3')), 10_800)
  await stopAll()
  headers = {}
  start({ timeScale: 0.01 })
  assert.equal(await pauseSecondsOf(await send('case-4')), 0.6)
})

for (const status of [400, 401, 403, 404, 409, 413, 415, 422, 301])
  test(`D3 §8: an event that is answered with ${status} is given up at once and can be replayed`, async () => {
    const eventId = await send('case-1')
    answer = () => status
    start()
    await untilState(eventId, 'DEAD')
    await until('the alert is sent', () => alerts.length === 1)
    assert.equal(posted.length, 1)
    answer = () => 200
    assert.equal(await db.tx((tx) => replay(tx, { tenantId: noTenantId, partitionKey: 'case-1', eventId }, now)), true)
    await untilState(eventId, 'DELIVERED')
    assert.deepEqual(posted[1]!.raw, posted[0]!.raw)
    assert.equal(posted[1]!.attempt, 1)
  })

for (const status of [408, 425, 429, 500, 502, 503, 504])
  test(`D3 §8: an event that is answered with ${status} is retried`, async () => {
    const eventId = await send('case-1')
    answer = () => status
    start()
    await until('the event was attempted', async () => (await stateOf(eventId)).attempt === 1)
    assert.equal((await stateOf(eventId)).state, 'PENDING')
  })

test('replay returns false for an unknown event and for an event of another case', async () => {
  const eventId = await send('case-1')
  const key = { tenantId: noTenantId, partitionKey: 'case-2', eventId }
  assert.equal(await db.tx((tx) => replay(tx, key, now)), false)
  assert.equal(await db.tx((tx) => replay(tx, { ...key, partitionKey: 'case-1', eventId: uuidv7() }, now)), false)
})

test('D3 §6: an event waits for the previous version of its object, but not for other objects', async () => {
  answer = ({ entityId }) => (entityId === 'case-1' ? 503 : 200)
  const ids = [await send('case-1'), await send('case-1'), await send('case-1')]
  const other = await send('case-1', { entityType: 'PAYMENT', entityId: 'p1' })
  start()
  await untilState(other, 'DELIVERED')
  await until('the first event was attempted', async () => (await stateOf(ids[0]!)).attempt === 1)
  await untilState(await send('case-1', { entityType: 'PAYMENT', entityId: 'p2' }), 'DELIVERED')
  assert.deepEqual(
    posted.filter(({ entityId }) => entityId === 'case-1').map(({ eventId }) => eventId),
    [ids[0]],
  )
  answer = () => 200
  advanceClock(60)
  await untilState(ids[2]!, 'DELIVERED')
  assert.deepEqual(
    posted.filter(({ entityId }) => entityId === 'case-1').map(({ eventId }) => eventId),
    [ids[0], ...ids],
  )
})

test('D3 §8: a destination that does not answer gets at most half of the attempts and does not delay others', async () => {
  const silent = uuidv7()
  const released = Promise.withResolvers<number>()
  answer = ({ destinationId }) => (destinationId === silent ? released.promise : 202)
  // Of the 40 events, 32 are attempted, which is half of the concurrency, and 8 wait.
  for (let i = 0; i < 40; i++) await send(`silent-${i}`, { destinationId: silent })
  const untouchedRows = () => db<{ ctid: string }>`select ctid::text from outbox where due_at = created_at`
  const before = (await untouchedRows()).map(({ ctid }) => ctid)
  start({ concurrency: 64 })
  await until('32 attempts are in progress', () => posted.length === 32)
  for (let i = 0; i < 3; i++) await untilState(await send(`other-${i}`), 'DELIVERED')
  assert.equal(posted.filter(({ destinationId }) => destinationId === silent).length, 32)
  const waiting = (await untouchedRows()).map(({ ctid }) => ctid)
  assert.equal(waiting.length, 8)
  assert.ok(waiting.every((ctid) => before.includes(ctid)))
  released.resolve(202)
  await until('all events are delivered', async () =>
    (await listOutbox(db)).every(({ state }) => state === 'DELIVERED'),
  )
})

test('the gauge shows the age of the oldest due event, and 0 when no event is due', async () => {
  const age = async () => Number(/^outbox_due_oldest_seconds (\d+)/m.exec((await exposition()).text)?.[1])
  await send('case-1')
  await send('case-2')
  now = secondsAfter(now, 90)
  // One event waits, because the worker sends one at a time and the first answer comes late.
  let release = (): void => {}
  const late = new Promise<void>((resolve) => {
    release = resolve
  })
  answer = async () => {
    await late
    return 202
  }
  start({ concurrency: 1 })
  await until('the age of the waiting event', async () => (await age()) === 90)
  release()
  await until('no event is due', async () => (await age()) === 0)
})

test('D3 §6 rule 8: later versions are delivered after a version is given up', async () => {
  const first = await send('case-1')
  const second = await send('case-1')
  answer = ({ entityVersion }) => (entityVersion === 1 ? 422 : 200)
  start()
  await untilState(second!, 'DELIVERED')
  assert.equal((await stateOf(first!)).state, 'DEAD')
})

test('an event that cannot be unsealed stays pending and does not stop other events', async () => {
  const damaged = await send('case-1')
  const intact = await send('case-2')
  await db`update outbox set body_sealed = '\\x00' where event_id = ${damaged!}`
  start()
  await untilState(intact!, 'DELIVERED')
  await until('the event was attempted', async () => (await stateOf(damaged!)).attempt === 1)
  assert.equal((await stateOf(damaged!)).state, 'PENDING')
})

test('property: several workers deliver every event in the order of its object, despite failures', async () => {
  const plan = fc.array(fc.record({ events: fc.integer({ min: 1, max: 6 }), failures: fc.nat({ max: 3 }) }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(plan, fc.integer({ min: 1, max: 3 }), async (objects, count) => {
      await db`truncate outbox, outbox_entity`
      posted = []
      const failuresLeft = objects.map(({ failures }) => failures)
      const realTime = { clock: () => new Date(), timeScale: 0.0005 }
      answer = async ({ entityId }) => {
        // Random delays let answers arrive out of order.
        await sleep(Math.random() * 4)
        return failuresLeft[Number(entityId)]!-- > 0 ? 503 : 202
      }
      now = new Date()
      for (let i = 0; i < count; i++) start(realTime)
      await Promise.all(
        objects.flatMap(({ events }, i) => Array.from({ length: events }, () => send('c', { entityId: String(i) }))),
      )
      await until('all events are delivered', async () =>
        (await listOutbox(db)).every(({ state }) => state === 'DELIVERED'),
      )
      await stopAll()
      for (const [i, { events }] of objects.entries()) {
        const versions = posted
          .filter(({ entityId }) => entityId === String(i))
          .map(({ entityVersion }) => entityVersion)
        assert.deepEqual(
          versions,
          versions.toSorted((a, b) => a - b),
        )
        assert.deepEqual(
          [...new Set(versions)],
          Array.from({ length: events }, (_, v) => v + 1),
        )
      }
    }),
    { numRuns: roundsOf(6), endOnFailure: true },
  )
})

const workerProgram = `
import { callForStatus } from '@lendloom/http/client'
import { quietLog } from '@lendloom/foundation/log'
import { eventSchedule } from '@lendloom/wire/exchange/retry-schedules'
import { outboxWorker } from '@lendloom/event-log/outbox'
import { sealWith } from '@lendloom/seal/seal'
import { connect } from '@lendloom/postgres/sql'
const { DATABASE_URL, KEYS, URL_TO } = process.env
outboxWorker({
  schedule: eventSchedule, db: connect(DATABASE_URL), seal: sealWith(KEYS), clock: () => new Date(), log: quietLog, alert() {},
  post: ({ raw }) => callForStatus({ method: 'POST', url: URL_TO, body: raw }),
})
`

test('D3 §6 rule 8: an event whose worker was killed before recording the answer is sent again, before its successor', async () => {
  now = new Date()
  const first = await send('case-1')
  const second = await send('case-1')
  const receiver = await startReceiver()
  after(() => receiver.stop())
  const child = spawn(process.execPath, ['--input-type=module', '--eval', workerProgram], {
    env: { ...process.env, DATABASE_URL: databaseUrl, KEYS: keys, URL_TO: receiver.url() },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  receiver.answer = async () => {
    child.kill('SIGKILL')
    await ended
    return 202
  }
  await receiver.waitForRequests(1)
  await ended
  receiver.answer = () => 202
  // The killed worker's lease of 30 seconds has expired.
  now = secondsAfter(new Date(), 31)
  start({ post: ({ raw }) => callForStatus({ method: 'POST', url: receiver.url(), body: raw }) })
  await untilState(second!, 'DELIVERED')
  assert.deepEqual(
    receiver.received.map(({ body }) => JSON.parse(body.toString()).event_id),
    [first, first, second],
  )
})
