// Bulk replays on a real database: scope, order within journeys, and takeover from killed workers.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, beforeEach, test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses, schedule } from '@lendloom/foundation/schedule'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { until } from '@lendloom/tests/setup/programs'
import { startReceiver } from '@lendloom/tests/setup/receiver'
import { immediateRetries, webhookFixture } from '@lendloom/tests/setup/webhooks'
import fc from 'fast-check'
import { webhookDeliveryWorker } from '#platform/integrators/webhook/deliver-updates.ts'
import { pauseEndpoint, requireLockedEndpoint, resumeEndpoint } from '#platform/integrators/webhook/manage-endpoints.ts'
import { holdJourney } from '#platform/lending/journey/store.ts'
import { countReplay, resumeReplay, startReplay, stopReplay } from './control-replay.ts'
import type { ReplayFilter } from './replay.ts'
import { bulkReplayWorker } from './replay-worker.ts'
import { findReplay } from './store.ts'

const ctx = await webhookFixture()
const { db, owner } = ctx
const { tenantId } = owner
const receiver = await startReceiver()
after(() => receiver.stop())
beforeEach(async () => {
  await ctx.clear()
  receiver.received.length = 0
  receiver.answer = () => 204
})

const allSettled: ReplayFilter = {
  endpointId: null,
  journeyId: null,
  states: ['DELIVERED', 'EXHAUSTED', 'STOPPED'],
  statuses: null,
  from: null,
  until: null,
}
const scope = (filter: Partial<ReplayFilter> = {}) => ({
  tenantId,
  applicationIds: [owner.applicationId],
  filter: { ...allSettled, ...filter },
})
const start = (filter: Partial<ReplayFilter> = {}, perSecond = 500) =>
  db.tx((tx) => startReplay({ tx, at: new Date() }, scope(filter), { perSecond, personId: null }))
const replayState = async (replayId: string) => (await findReplay(db, { tenantId, replayId }))!
const waitUntilDone = (replayId: string) =>
  until('the replay', async () => (await replayState(replayId)).state === 'DONE')
const singleAttempt = { ...immediateRetries, schedule: schedule([], 'give up') }

interface ReceivedUpdate {
  journeyId: string
  sequence: number
  id: string
}
const receivedUpdates = (): ReceivedUpdate[] =>
  receiver.received.map(({ id, body }) => ({ ...JSON.parse(body.toString()), id }))

/** Creates a journey with delivered updates. */
async function deliverUpdates(updates: number): Promise<string> {
  const journeyId = await ctx.journey()
  for (let sequence = 1; sequence <= updates; sequence++) await ctx.update(journeyId, sequence)
  return journeyId
}

test('D1 §6.4: a replay sends the first matching update of each journey and all later ones', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url('/a'))
  receiver.answer = ({ body }) => (JSON.parse(body.toString()).sequence === 2 ? 503 : 204)
  const worker = webhookDeliveryWorker(ctx, singleAttempt)
  const first = await deliverUpdates(3)
  const second = await deliverUpdates(4)
  await deliverUpdates(1)
  await ctx.waitUntilSettled()
  const missed = { states: ['EXHAUSTED' as const], endpointId }
  assert.deepEqual(await countReplay(db, scope(missed)), {
    journeys: 2,
    chosen: 2,
    updates: 5,
    missed: 2,
    waiting: 0,
  })
  assert.deepEqual(await countReplay(db, scope({ ...missed, journeyId: first })), {
    journeys: 1,
    chosen: 1,
    updates: 2,
    missed: 1,
    waiting: 0,
  })
  assert.deepEqual(await countReplay(db, scope({ ...missed, statuses: ['OFFERED'] })), {
    journeys: 0,
    chosen: 0,
    updates: 0,
    missed: 0,
    waiting: 0,
  })
  assert.equal(
    await countReplay(db, scope({ ...missed, until: new Date(Date.now() - 60_000) })).then((c) => c.updates),
    0,
  )
  assert.equal(
    await countReplay(db, scope({ ...missed, from: new Date(Date.now() - 60_000) })).then((c) => c.updates),
    5,
  )

  receiver.answer = () => 204
  receiver.received.length = 0
  const replayer = bulkReplayWorker(ctx, holdJourney, 10)
  const { replayId } = await start(missed)
  await waitUntilDone(replayId)
  await ctx.waitUntilSettled()
  const updatesOf = (journeyId: string) => receivedUpdates().filter((update) => update.journeyId === journeyId)
  assert.deepEqual(
    updatesOf(first).map(({ sequence }) => sequence),
    [2, 3],
  )
  assert.deepEqual(
    updatesOf(second).map(({ sequence }) => sequence),
    [2, 3, 4],
  )
  assert.equal(receiver.received.length, 5)
  const { journeysDone, updatesDone, endedAt } = await replayState(replayId)
  assert.equal(journeysDone, 2)
  assert.equal(updatesDone, 5)
  assert.notEqual(endedAt, null)
  await assert.rejects(start(missed), Refusal)
  await Promise.all([worker.stop(), replayer.stop()])
})

// The receiver's behaviour at a request; `accept and fail` processes the update but answers 500.
const behaviours = ['accept', 'accept', 'fail', 'accept and fail', 'break'] as const
const fastRetries = {
  ...immediateRetries,
  schedule: schedule(Array<string>(60).fill('PT0.005S'), 'give up'),
  pauseSchedule: doublingPauses(0.01, 0.02),
}

test('D1 §6.4: a replayed journey arrives in order and ends with its newest update, despite failures and new updates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 4 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.array(fc.constantFrom(...behaviours), { maxLength: 40 }),
      async (lengths, script) => {
        await ctx.clear()
        await ctx.endpoint(receiver.url('/a'))
        receiver.answer = () => 204
        const workers = [webhookDeliveryWorker(ctx, fastRetries), webhookDeliveryWorker(ctx, fastRetries)]
        const journeys = await Promise.all(
          lengths.map(async ([firstUpdates, laterUpdates]) => ({
            journeyId: await deliverUpdates(firstUpdates),
            firstUpdates,
            laterUpdates,
          })),
        )
        await ctx.waitUntilSettled()
        const accepted: ReceivedUpdate[] = []
        let step = 0
        receiver.answer = ({ id, body }) => {
          const behaviour = script[step++] ?? 'accept'
          if (behaviour.startsWith('accept')) accepted.push({ ...JSON.parse(body.toString()), id })
          if (behaviour === 'break') return (response) => void response.destroy()
          return behaviour === 'accept' ? 200 : 500
        }
        const replayers = [bulkReplayWorker(ctx, holdJourney, 5), bulkReplayWorker(ctx, holdJourney, 5)]
        const [{ replayId }] = await Promise.all([
          start(),
          ...journeys.map(async ({ journeyId, firstUpdates, laterUpdates }) => {
            for (let i = 1; i <= laterUpdates; i++) await ctx.update(journeyId, firstUpdates + i)
          }),
        ])
        await waitUntilDone(replayId)
        await ctx.waitUntilSettled()
        await Promise.all([...workers, ...replayers].map((worker) => worker.stop()))
        for (const { journeyId, firstUpdates, laterUpdates } of journeys) {
          const sequences = accepted.filter((update) => update.journeyId === journeyId).map(({ sequence }) => sequence)
          const afterReplay = sequences.slice(sequences.indexOf(1))
          assert.deepEqual(
            afterReplay,
            afterReplay.toSorted((a, b) => a - b),
            'updates of the replay arrive in order',
          )
          assert.deepEqual(
            [...new Set(afterReplay)],
            Array.from({ length: firstUpdates + laterUpdates }, (_, i) => i + 1),
          )
          const beforeReplay = sequences.slice(0, sequences.indexOf(1))
          assert.ok(
            beforeReplay.every((sequence) => sequence > firstUpdates),
            'before the replay only new updates arrive',
          )
        }
      },
    ),
    { numRuns: roundsOf(8), endOnFailure: true },
  )
})

/** A worker in its own process with only the database. */
const program = `
import { connect } from '@lendloom/postgres/sql'
import { quietLog } from '@lendloom/foundation/log'
import { bulkReplayWorker } from './apps/platform/src/integrators/webhook/bulk-replay/replay-worker.ts'
import { holdJourney } from './apps/platform/src/lending/journey/store.ts'
bulkReplayWorker({ db: connect(process.env.DATABASE_URL), clock: () => new Date(), log: quietLog }, holdJourney, 10)
`

test('another worker continues the replay of a killed worker, and a stopped replay continues only when it is resumed', async () => {
  await ctx.endpoint(receiver.url('/a'))
  const worker = webhookDeliveryWorker(ctx, immediateRetries)
  for (let i = 0; i < 30; i++) await deliverUpdates(1)
  await ctx.waitUntilSettled()
  await worker.stop()
  const { replayId } = await start({}, 6)
  const key = { tenantId, replayId }
  const env = { ...process.env, DATABASE_URL: ctx.databaseUrl }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exit = once(child, 'exit')
  await until('six journeys', async () => (await replayState(replayId)).journeysDone >= 6)
  child.kill('SIGKILL')
  await exit
  const stateAtKill = await replayState(replayId)
  assert.ok(stateAtKill.journeysDone < 30, `${stateAtKill.journeysDone} of 30 when it was killed`)

  // Each reading of this clock is a second later, so that the dead worker's lease expires.
  let ticks = 20
  const advancing = { ...ctx, clock: () => new Date(Date.now() + 1000 * ticks++) }
  await db.tx((tx) => stopReplay({ tx, at: new Date() }, key))
  const firstWorker = bulkReplayWorker(advancing, holdJourney, 5)
  await until(
    'the end of the replay job',
    async () => (await db`select 1 from job where kind = 'webhook-replay'`).length === 0,
  )
  await firstWorker.stop()
  const stopped = await replayState(replayId)
  assert.equal(stopped.state, 'STOPPED')
  assert.equal(stopped.journeysDone, stateAtKill.journeysDone)
  await assert.rejects(
    db.tx((tx) => stopReplay({ tx, at: new Date() }, key)),
    Refusal,
  )

  await db.tx((tx) => resumeReplay({ tx, at: new Date() }, key))
  const secondWorker = bulkReplayWorker(advancing, holdJourney, 5)
  await waitUntilDone(replayId)
  await secondWorker.stop()
  const { journeysDone, updatesDone, journeysSkipped } = await replayState(replayId)
  assert.equal(journeysDone, 30)
  assert.equal(updatesDone, 30)
  assert.equal(journeysSkipped, 0)
  receiver.received.length = 0
  const aheadMs = 1000 * ticks
  const deliveryWorker = webhookDeliveryWorker(
    { ...ctx, clock: () => new Date(Date.now() + aheadMs) },
    immediateRetries,
  )
  await ctx.waitUntilSettled()
  await deliveryWorker.stop()
  assert.equal(new Set(receivedUpdates().map(({ id }) => id)).size, 30)
  assert.equal(receiver.received.length, 30)
})

const dbWithActAfterTx = (act: () => Promise<unknown>): typeof db =>
  new Proxy(db, {
    get: (target, name) =>
      name === 'tx'
        ? async (work: Parameters<typeof db.tx>[0]) => {
            const result = await target.tx(work)
            await act()
            return result
          }
        : Reflect.get(target, name),
  })

test('D1 §6.4: a replay that is resumed just after its worker has seen the stop continues', async () => {
  await ctx.endpoint(receiver.url('/a'))
  const worker = webhookDeliveryWorker(ctx, immediateRetries)
  await deliverUpdates(1)
  await ctx.waitUntilSettled()
  const { replayId } = await start()
  const key = { tenantId, replayId }
  await db.tx((tx) => stopReplay({ tx, at: new Date() }, key))
  const resumed = Promise.withResolvers<void>()
  const resumeOnce = async () => {
    if ((await replayState(replayId)).state !== 'STOPPED') return
    await db.tx((tx) => resumeReplay({ tx, at: new Date() }, key))
    resumed.resolve()
  }
  const firstWorker = bulkReplayWorker({ ...ctx, db: dbWithActAfterTx(resumeOnce) }, holdJourney, 10)
  await resumed.promise
  await firstWorker.stop()
  const jobs = await db`select 1 from job where kind = 'webhook-replay' and key = ${replayId}`
  assert.ok(jobs.length === 1 || (await replayState(replayId)).state === 'DONE', 'a worker can continue the replay')
  const secondWorker = bulkReplayWorker(ctx, holdJourney, 10)
  await waitUntilDone(replayId)
  await Promise.all([worker.stop(), secondWorker.stop()])
})

test('D1 §6.4: a long replay continues seconds after an error', async () => {
  await ctx.endpoint(receiver.url('/a'))
  const worker = webhookDeliveryWorker(ctx, immediateRetries)
  await deliverUpdates(1)
  await ctx.waitUntilSettled()
  const { replayId } = await start()
  // Each second of a replay is an attempt of its job.
  await db`update job set attempt = 60 where kind = 'webhook-replay' and key = ${replayId}`
  const at = new Date()
  const unavailable = dbWithActAfterTx(() => Promise.reject(new Error('the connection was lost')))
  const failing = bulkReplayWorker({ ...ctx, db: unavailable, clock: () => at }, holdJourney, 10)
  const nextAttempt = () => db<{ dueAt: Date }>`
    select due_at from job where kind = 'webhook-replay' and key = ${replayId} and last_error is not null`
  await until('the error', async () => (await nextAttempt()).length > 0)
  await failing.stop()
  assert.deepEqual(await nextAttempt(), [{ dueAt: secondsAfter(at, 5) }])
  const later = bulkReplayWorker({ ...ctx, clock: () => secondsAfter(new Date(), 5) }, holdJourney, 10)
  await waitUntilDone(replayId)
  await Promise.all([worker.stop(), later.stop()])
})

test('a paused endpoint receives nothing until it is resumed, and then every update in order', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url('/a'))
  const worker = webhookDeliveryWorker(ctx, immediateRetries)
  const journeyId = await deliverUpdates(2)
  await ctx.waitUntilSettled()
  await db.tx(async (tx) => pauseEndpoint(tx, await requireLockedEndpoint(tx, tenantId, endpointId), new Date()))
  receiver.received.length = 0
  const replayer = bulkReplayWorker(ctx, holdJourney, 10)
  await ctx.update(journeyId, 3)
  const other = await ctx.journey()
  await ctx.update(other, 1)
  const { replayId } = await start({ states: ['DELIVERED'] })
  await waitUntilDone(replayId)
  // A second worker starts with a full scan.
  await worker.stop()
  const secondWorker = webhookDeliveryWorker(ctx, immediateRetries)
  const activeEndpoint = await ctx.endpoint(receiver.url('/active'))
  await ctx.update(await ctx.journey(), 1)
  await receiver.waitForRequests(1)
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/active'],
  )
  await db.tx(async (tx) => resumeEndpoint(tx, await requireLockedEndpoint(tx, tenantId, endpointId), ctx.clock()))
  await ctx.waitUntilSettled()
  assert.deepEqual(
    receivedUpdates()
      .filter((update) => update.journeyId === journeyId)
      .map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.ok(activeEndpoint.endpointId)
  await Promise.all([secondWorker.stop(), replayer.stop()])
})
