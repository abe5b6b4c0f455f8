// Bulk replays on a real database: scope, order within journeys, and takeover from killed workers.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '#kit/http/refusal.ts'
import { doublingPauses, schedule } from '#kit/runtime/schedule.ts'
import { deliver } from '#platform/webhook/deliver.ts'
import { resume as goOn, pause, requireLockedEndpoint } from '#platform/webhook/manage-endpoints.ts'
import { until } from '#test/setup/programs.ts'
import { startReceiver } from '#test/setup/receiver.ts'
import { immediateRetries, webhookFixture } from '#test/setup/webhooks.ts'
import { begin, count, resume, stop } from './manage.ts'
import type { ReplayFilter } from './replay.ts'
import { findReplay } from './store.ts'
import { replaying } from './work.ts'

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

const all: ReplayFilter = {
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
  filter: { ...all, ...filter },
})
const start = (filter: Partial<ReplayFilter> = {}, perSecond = 500) =>
  db.tx((tx) => begin({ tx, at: new Date() }, scope(filter), { perSecond, personId: null }))
const stateOf = async (replayId: string) => (await findReplay(db, { tenantId, replayId }))!
const ended = (replayId: string) => until('the replay', async () => (await stateOf(replayId)).state === 'DONE')
const once204 = { ...immediateRetries, schedule: schedule([], 'give up') }

interface Seen {
  journeyId: string
  sequence: number
  id: string
}
const seenOf = (): Seen[] => receiver.received.map(({ id, body }) => ({ ...JSON.parse(body.toString()), id }))

/** Creates a journey with delivered updates. */
async function delivered(updates: number): Promise<string> {
  const journeyId = await ctx.journey()
  for (let sequence = 1; sequence <= updates; sequence++) await ctx.update(journeyId, sequence)
  return journeyId
}

test('D1 §6.4: a replay sends the first matching update of each journey and all later ones', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url('/a'))
  receiver.answer = ({ body }) => (JSON.parse(body.toString()).sequence === 2 ? 503 : 204)
  const worker = deliver(ctx, once204)
  const [first, second] = [await delivered(3), await delivered(4)]
  await delivered(1)
  await ctx.waitUntilSettled()
  const missed = { states: ['EXHAUSTED' as const], endpointId }
  assert.deepEqual(await count(db, scope(missed)), { journeys: 2, chosen: 2, updates: 5 })
  assert.deepEqual(await count(db, scope({ ...missed, journeyId: first })), { journeys: 1, chosen: 1, updates: 2 })
  assert.deepEqual(await count(db, scope({ ...missed, statuses: ['OFFERED'] })), { journeys: 0, chosen: 0, updates: 0 })
  assert.deepEqual(
    await count(db, scope({ ...missed, until: new Date(Date.now() - 60_000) })).then((c) => c.updates),
    0,
  )
  assert.deepEqual(await count(db, scope({ ...missed, from: new Date(Date.now() - 60_000) })).then((c) => c.updates), 5)

  receiver.answer = () => 204
  receiver.received.length = 0
  const replayer = replaying(ctx, 10)
  const { replayId } = await start(missed)
  await ended(replayId)
  await ctx.waitUntilSettled()
  const orderOf = (journeyId: string) => seenOf().filter((one) => one.journeyId === journeyId)
  assert.deepEqual(
    orderOf(first).map(({ sequence }) => sequence),
    [2, 3],
  )
  assert.deepEqual(
    orderOf(second).map(({ sequence }) => sequence),
    [2, 3, 4],
  )
  assert.equal(receiver.received.length, 5)
  const { journeysDone, updatesDone, endedAt } = await stateOf(replayId)
  assert.deepEqual([journeysDone, updatesDone, endedAt !== null], [2, 5, true])
  await assert.rejects(start(missed), Refusal)
  await Promise.all([worker.stop(), replayer.stop()])
})

const moods = ['take', 'take', 'fail', 'take and fail', 'break'] as const
const patient = {
  ...immediateRetries,
  schedule: schedule(Array<string>(60).fill('PT0.005S'), 'give up'),
  rests: doublingPauses(0.01, 0.02),
}

test('D1 §6.4: a replayed journey arrives in order and ends with its newest update, despite failures and new updates', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 4 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.array(fc.constantFrom(...moods), { maxLength: 40 }),
      async (lengths, script) => {
        await ctx.clear()
        await ctx.endpoint(receiver.url('/a'))
        receiver.answer = () => 204
        const workers = [deliver(ctx, patient), deliver(ctx, patient)]
        const journeys = await Promise.all(
          lengths.map(async ([before, more]) => ({ journeyId: await delivered(before), before, more })),
        )
        await ctx.waitUntilSettled()
        const taken: Seen[] = []
        let step = 0
        receiver.answer = ({ id, body }) => {
          const mood = script[step++] ?? 'take'
          if (mood.startsWith('take')) taken.push({ ...JSON.parse(body.toString()), id })
          if (mood === 'break') return (response) => void response.destroy()
          return mood === 'take' ? 200 : 500
        }
        const replayers = [replaying(ctx, 5), replaying(ctx, 5)]
        const [{ replayId }] = await Promise.all([
          start(),
          ...journeys.map(async ({ journeyId, before, more }) => {
            for (let i = 1; i <= more; i++) await ctx.update(journeyId, before + i)
          }),
        ])
        await ended(replayId)
        await ctx.waitUntilSettled()
        await Promise.all([...workers, ...replayers].map((worker) => worker.stop()))
        for (const { journeyId, before, more } of journeys) {
          const sequences = taken.filter((one) => one.journeyId === journeyId).map(({ sequence }) => sequence)
          const again = sequences.slice(sequences.indexOf(1))
          assert.deepEqual(
            again,
            again.toSorted((a, b) => a - b),
            'from the replay on, nothing comes before an earlier one',
          )
          assert.deepEqual(
            [...new Set(again)],
            Array.from({ length: before + more }, (_, i) => i + 1),
          )
          const early = sequences.slice(0, sequences.indexOf(1))
          assert.ok(
            early.every((sequence) => sequence > before),
            'before it, only what was new',
          )
        }
      },
    ),
    { numRuns: 8 },
  )
})

/** A worker in its own process with only the database. */
const program = `
import { connect } from '#kit/db/sql.ts'
import { quietLog } from '#kit/runtime/log.ts'
import { replaying } from '#platform/webhook/bulk-replay/work.ts'
replaying({ db: connect(process.env.DATABASE_URL), clock: () => new Date(), log: quietLog }, 10)
`

test('another worker continues after a killed one, and a stopped replay waits until it is resumed', async () => {
  await ctx.endpoint(receiver.url('/a'))
  const worker = deliver(ctx, immediateRetries)
  for (let i = 0; i < 30; i++) await delivered(1)
  await ctx.waitUntilSettled()
  await worker.stop()
  const { replayId } = await start({}, 6)
  const key = { tenantId, replayId }
  const env = { ...process.env, DATABASE_URL: ctx.databaseUrl }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const gone = once(child, 'exit')
  await until('a part', async () => (await stateOf(replayId)).journeysDone >= 6)
  child.kill('SIGKILL')
  await gone
  const left = await stateOf(replayId)
  assert.ok(left.journeysDone < 30, `${left.journeysDone} of 30 when it was killed`)

  // Every clock read of this worker advances by a second, so that the dead worker's lease expires.
  let ticks = 20
  const hurried = { ...ctx, clock: () => new Date(Date.now() + 1000 * ticks++) }
  await db.tx((tx) => stop({ tx, at: new Date() }, key))
  const first = replaying(hurried, 5)
  await until(
    'the end of its job',
    async () => (await db`select 1 from job where kind = 'webhook-replay'`).length === 0,
  )
  await first.stop()
  const stopped = await stateOf(replayId)
  assert.deepEqual([stopped.state, stopped.journeysDone], ['STOPPED', left.journeysDone])
  await assert.rejects(
    db.tx((tx) => stop({ tx, at: new Date() }, key)),
    Refusal,
  )

  await db.tx((tx) => resume({ tx, at: new Date() }, key))
  const second = replaying(hurried, 5)
  await ended(replayId)
  await second.stop()
  const { journeysDone, updatesDone, journeysSkipped } = await stateOf(replayId)
  assert.deepEqual([journeysDone, updatesDone, journeysSkipped], [30, 30, 0])
  receiver.received.length = 0
  const then = 1000 * ticks
  const last = deliver({ ...ctx, clock: () => new Date(Date.now() + then) }, immediateRetries)
  await ctx.waitUntilSettled()
  await last.stop()
  assert.equal(new Set(seenOf().map(({ id }) => id)).size, 30)
  assert.equal(receiver.received.length, 30)
})

test('a paused endpoint receives nothing until it resumes, then everything in order', async () => {
  const { endpointId } = await ctx.endpoint(receiver.url('/a'))
  const worker = deliver(ctx, immediateRetries)
  const journeyId = await delivered(2)
  await ctx.waitUntilSettled()
  await db.tx(async (tx) => pause(tx, await requireLockedEndpoint(tx, tenantId, endpointId), new Date()))
  receiver.received.length = 0
  const replayer = replaying(ctx, 10)
  await ctx.update(journeyId, 3)
  const other = await ctx.journey()
  await ctx.update(other, 1)
  const { replayId } = await start({ states: ['DELIVERED'] })
  await ended(replayId)
  // A second worker starts with a full scan.
  await worker.stop()
  const another = deliver(ctx, immediateRetries)
  const beside = await ctx.endpoint(receiver.url('/beside'))
  await ctx.update(await ctx.journey(), 1)
  await receiver.waitForRequests(1)
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/beside'],
  )
  await db.tx(async (tx) => goOn(tx, await requireLockedEndpoint(tx, tenantId, endpointId)))
  await ctx.waitUntilSettled()
  assert.deepEqual(
    seenOf()
      .filter((one) => one.journeyId === journeyId)
      .map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.ok(beside.endpointId)
  await Promise.all([another.stop(), replayer.stop()])
})
