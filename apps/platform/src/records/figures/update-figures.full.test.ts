// Compares figures with a direct count of random data, while workers crash and rows are committed late.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '@lendloom/seal/id'
import { randomHistory } from '@lendloom/tests/setup/history'
import { testPlatform } from '@lendloom/tests/setup/platform'
import fc from 'fast-check'
import { readProgress, scheduleRecount } from './store.ts'
import { type FigureDeps, recountDay, startOrReadProgress, updateFigures } from './update-figures.ts'

let now = new Date('2026-03-02T04:07:00.000Z')
const { ctx, tenant, secondTenant } = await testPlatform({}, () => now)
const deps: FigureDeps = { db: ctx.db, clock: () => now }
const always = () => true
const minute = 60_000
const hour = 3_600_000
const advanceClock = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const storedFigures = async (grain: string): Promise<string[]> =>
  (
    await ctx.db<{ text: string }>`
      select concat_ws(' ', tenant_id, name, to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI'), application_id, product,
        subject, action, outcome, count) as text from figure where grain = ${grain}`
  )
    .map(({ text }) => text)
    .sort()

function crashingWorker(writes: number): FigureDeps {
  const db = Object.assign(((...args: Parameters<typeof ctx.db>) => ctx.db(...args)) as typeof ctx.db, ctx.db, {
    tx: ((work) => {
      if (writes-- <= 0) throw new Error('killed')
      return ctx.db.tx(work)
    }) as typeof ctx.db.tx,
  })
  return { db, clock: () => now }
}

async function updateAfterSettling(): Promise<void> {
  advanceClock(26 * hour)
  await updateFigures(deps, always)
}

test('figures equal a direct count, also after a complete recount', async () => {
  const history = randomHistory(ctx, [tenant, secondTenant])
  const differences = async (grain: 'HALF_HOUR' | 'DAY') => {
    const stored = new Set(await storedFigures(grain))
    const expected = new Set(history.expectedRows(now, grain))
    return [...new Set([...stored, ...expected])].filter((row) => stored.has(row) !== expected.has(row))
  }
  const step = fc.record({
    act: fc.constantFrom(...history.acts),
    // A random number that selects the journey, offer or delivery, and the change.
    pick: fc.nat(1000),
    minutes: fc.constantFrom(0, 0, 1, 7, 29, 31, 200),
    // Milliseconds by which the timestamp of a row precedes its commit.
    lateBy: fc.constantFrom(0, 0, 0, 12 * minute, 5 * hour),
    worker: fc.constantFrom('none', 'none', 'single', 'concurrent', 'crashing'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      for (const { act, pick, minutes, lateBy, worker } of steps) {
        advanceClock(minutes * minute)
        // A changed row is committed minutes after its timestamp, a new row up to hours after its timestamp.
        const isNew = ['begin', 'request', 'deliver', 'send', 'receive', 'write'].includes(act)
        await history.do(act, pick, new Date(now.getTime() - (isNew ? lateBy : Math.min(lateBy, 12 * minute))))
        if (worker === 'single') await updateFigures(deps, always)
        if (worker === 'concurrent') await Promise.all([updateFigures(deps, always), updateFigures(deps, always)])
        if (worker === 'crashing') await updateFigures(crashingWorker(pick % 7), always).catch(() => {})
      }
      await updateAfterSettling()
      for (const grain of ['HALF_HOUR', 'DAY'] as const) assert.deepEqual(await differences(grain), [])
    }),
    // Each run continues the history of the previous run, so fast-check cannot shrink a failing run.
    { numRuns: 5, endOnFailure: true },
  )
  const beforeRebuild = [...(await storedFigures('HALF_HOUR')), ...(await storedFigures('DAY'))]
  assert.ok(beforeRebuild.length > 20, `${beforeRebuild.length} rows`)
  await scheduleRecount(ctx.db, new Date('2026-03-01T00:00:00Z'))
  // A rebuild crashes and resumes from its stored progress.
  await updateFigures(crashingWorker(30), always).catch(() => {})
  const [first] = await readProgress(ctx.db)
  assert.ok(first && first.checkedUntil < now)
  while ((await recountDay(deps, await startOrReadProgress(deps, 'journey'))) !== null);
  await updateFigures(deps, always)
  assert.deepEqual([...(await storedFigures('HALF_HOUR')), ...(await storedFigures('DAY'))], beforeRebuild)
})

test('an exhausted delivery that succeeds later is counted as REPEATED', async () => {
  const history = randomHistory(ctx, [tenant, secondTenant])
  const startedAt = now
  await history.do('begin', 0, now)
  const delivery = await history.do('deliver', 0, now)
  await history.do('giveUp', 0, now)
  await updateFigures(deps, always)
  advanceClock(3 * 24 * hour)
  await updateFigures(deps, always)
  const outcomes = async () =>
    (
      await ctx.db<{ outcome: string }>`
        select outcome from figure where name = 'delivery' and grain = 'HALF_HOUR' and begins_at > ${new Date(startedAt.getTime() - hour)}`
    ).map(({ outcome }) => outcome)
  assert.deepEqual(await outcomes(), ['GIVEN_UP'])
  assert.ok(delivery && delivery >= firstIdAt(startedAt))
  await ctx.db`
    update webhook_delivery set state = 'DELIVERED', delivered_at = ${now}, last_attempt_at = ${now}, tries = tries + 1
    where delivery_id = ${delivery}`
  await updateFigures(deps, always)
  assert.deepEqual(await outcomes(), ['REPEATED'])
})

test('a worker does not overwrite a newer count with an older one', async () => {
  const history = randomHistory(ctx, [tenant, secondTenant])
  advanceClock(48 * hour)
  await history.do('begin', 0, now)
  let isFirstWrite = true
  const slowWorker: FigureDeps = {
    clock: () => now,
    db: Object.assign(((...args: Parameters<typeof ctx.db>) => ctx.db(...args)) as typeof ctx.db, ctx.db, {
      tx: (async (work) => {
        // Another worker counts a new journey between this worker's read and write.
        if (isFirstWrite) {
          isFirstWrite = false
          await history.do('begin', 0, now)
          await updateFigures(deps, always)
        }
        return ctx.db.tx(work)
      }) as typeof ctx.db.tx,
    }),
  }
  await updateFigures(slowWorker, always)
  const rows = await ctx.db<{ count: number }>`
    select sum(count)::float8 as count from figure
    where name = 'journey' and grain = 'HALF_HOUR' and outcome = 'STARTED' and begins_at > ${new Date(now.getTime() - hour)}`
  assert.equal(rows[0]?.count, 2)
})
