// Slow, dead or silent receivers: isolation between endpoints.

import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, test } from 'node:test'
import { exposition } from '@lendloom/foundation/metrics'
import { pauseSeconds, schedule } from '@lendloom/foundation/schedule'
import type { Worker } from '@lendloom/queue/queue'
import { uuidv4 } from '@lendloom/seal/id'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries, webhookFixture } from '@lendloom/tests/setup/webhooks'
import { webhookDeliveryWorker } from './deliver-updates.ts'
import { deliveryQueue } from './delivery.ts'

const ctx = await webhookFixture()
const receiver = await startReceiver()
let worker: Worker | undefined

beforeEach(async () => {
  await ctx.clear()
  receiver.received.length = 0
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})
after(() => receiver.stop())

test('D1 §6: a slow endpoint and a long queue do not delay other endpoints', async () => {
  await ctx.endpoint(receiver.url('/slow'), ['OFFERED'])
  await ctx.endpoint(receiver.url('/quick'), ['PROFILED'])
  receiver.answer = ({ path }) => (path === '/slow' ? undefined : 204)
  for (let batch = 0; batch < 10; batch++)
    await Promise.all(Array.from({ length: 100 }, () => ctx.update(uuidv4(), 1, { status: 'OFFERED' })))
  const timeoutMs = 60_000
  worker = webhookDeliveryWorker(ctx, { ...immediateRetries, schedule: schedule(['PT1H'], 'give up'), timeoutMs }, 0)
  const began = performance.now()
  const callsOf = (which: string) => receiver.received.filter(({ path }) => path === which).length
  await until('four calls of the slow endpoint', () => callsOf('/slow') === 4)
  for (let i = 1; i <= 20; i++) {
    await ctx.update(uuidv4(), 1, { status: 'PROFILED' })
    await until(`update ${i} at the quick endpoint`, () => callsOf('/quick') === i)
  }
  assert.ok(performance.now() - began < timeoutMs, 'no update waited for the time-out of the slow endpoint')
  assert.equal(callsOf('/slow'), 4)
})

test('D1 §6: a dead endpoint with a long queue gets one attempt at a time, with pauses', async () => {
  await ctx.endpoint(receiver.url())
  receiver.answer = () => 500
  let now = Date.now()
  for (let i = 0; i < 100; i++) await ctx.update(uuidv4(), 1, { at: new Date(now) })
  worker = webhookDeliveryWorker(
    { ...ctx, clock: () => new Date(now) },
    { ...immediateRetries, schedule: schedule(['PT1H'], 'give up') },
  )
  // An endpoint starts with four concurrent attempts.
  for (const calls of [4, 5, 6]) {
    await until(`${calls} calls`, async () => {
      const attempted = (await ctx.deliveries()).filter(({ attempt }) => attempt > 0)
      return attempted.length === calls
    })
    await ctx.poll()
    assert.equal(receiver.received.length, calls)
    now += 1000 * pauseSeconds(immediateRetries.pauseSchedule, 100)
    ctx.db.wake(deliveryQueue)
  }
})

test('polls do not rewrite waiting deliveries, and the gauge shows the age of the oldest', async () => {
  await ctx.endpoint(receiver.url('/slow'), ['OFFERED'])
  await ctx.endpoint(receiver.url('/failing'), ['PROFILED'])
  receiver.answer = ({ path }) => (path === '/slow' ? undefined : 500)
  const at = new Date(Date.now() - 25 * 60_000)
  for (let i = 0; i < 40; i++) await ctx.update(uuidv4(), 1, { status: 'OFFERED', at })
  const journeyId = uuidv4()
  for (const sequence of [1, 2, 3]) await ctx.update(journeyId, sequence, { status: 'PROFILED', at })
  const rows = () => ctx.db<{ rowVersion: string }>`
    select ctid::text as row_version from webhook_delivery where attempt = 0 and due_at = created_at order by delivery_id`
  const rowsBefore = await rows()
  worker = webhookDeliveryWorker(
    ctx,
    { ...immediateRetries, schedule: schedule(['PT1H'], 'give up'), timeoutMs: 60_000 },
    0,
  )
  await receiver.waitForRequests(5)
  await until('the failure is recorded', async () => (await ctx.deliveries()).some(({ attempt }) => attempt === 1))
  for (let i = 0; i < 20; i++) await ctx.poll()
  const rowsAfter = await rows()
  assert.equal(rowsBefore.length, 43)
  assert.equal(rowsAfter.length, 43 - 5, 'only the four in flight and the failed one were written')
  assert.ok(rowsAfter.every(({ rowVersion }) => rowsBefore.some((row) => row.rowVersion === rowVersion)))
  assert.match((await exposition()).text, /^webhook_due_oldest_seconds 15\d\d/m)
})

test('D1 §6: an endpoint that answers gets more concurrent requests while updates wait', async () => {
  await ctx.endpoint(receiver.url())
  let releases: (() => void)[] = []
  receiver.answer = async () => {
    await new Promise<void>((resolve) => releases.push(resolve))
    return 204
  }
  for (let i = 0; i < 60; i++) await ctx.update(uuidv4(), 1)
  worker = webhookDeliveryWorker(ctx, immediateRetries)
  await until('four are in flight', () => releases.length === 4)
  await ctx.poll()
  assert.equal(releases.length, 4)
  const firstReleases = releases
  releases = []
  for (const release of firstReleases) release()
  await until('more than four are in flight', () => releases.length > 4)
  receiver.answer = () => 204
  for (const release of releases) release()
  const all = await ctx.waitUntilSettled()
  assert.ok(all.every(({ state, attempt }) => state === 'DELIVERED' && attempt === 1))
  assert.equal(receiver.received.length, 60)
})

test('a stopping worker completes requests that are answered soon and releases unanswered deliveries', async () => {
  await ctx.endpoint(receiver.url('/slow'), ['STARTED'])
  await ctx.endpoint(receiver.url('/silent'), ['PROFILED'])
  const soon = Promise.withResolvers<void>()
  receiver.answer = async ({ path }) => {
    if (path === '/silent') return undefined
    await soon.promise
    return 204
  }
  const timeoutMs = 60_000
  const stopping = webhookDeliveryWorker(ctx, { ...immediateRetries, timeoutMs }, 2000)
  await ctx.update(uuidv4(), 1)
  await ctx.update(uuidv4(), 1, { status: 'PROFILED' })
  await receiver.waitForRequests(2)
  const began = performance.now()
  const stopped = stopping.stop()
  soon.resolve()
  await stopped
  assert.ok(performance.now() - began < timeoutMs / 2, 'the stop does not wait for the silent endpoint')
  const all = await ctx.deliveries()
  assert.deepEqual(
    all.map(({ state, attempt }) => ({ state, attempt })).sort((left, right) => left.state.localeCompare(right.state)),
    [
      { state: 'DELIVERED', attempt: 1 },
      { state: 'PENDING', attempt: 0 },
    ],
  )
  assert.ok(all.every(({ dueAt }) => dueAt === null || dueAt <= new Date()))
})
