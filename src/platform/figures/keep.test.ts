// Figures equal a direct count of a random history, with crashing workers and late rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { firstIdAt } from '#kit/crypto/id.ts'
import { randomHistory } from '#test/setup/history.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { checkDay, type FigureDeps, pass, startOrReadProgress } from './keep.ts'
import { readProgress, setBack } from './store.ts'

let now = new Date('2026-03-02T04:07:00.000Z')
const { ctx, tenant, secondTenant } = await testPlatform({}, () => now)
const means: FigureDeps = { db: ctx.db, clock: () => now }
const whole = () => true
const [minute, hour] = [60_000, 3_600_000]
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}

const kept = async (grain: string): Promise<string[]> =>
  (
    await ctx.db<{ text: string }>`
      select concat_ws(' ', tenant_id, name, to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI'), application_id, product,
        subject, action, outcome, count) as text from figure where grain = ${grain}`
  )
    .map(({ text }) => text)
    .sort()

/** A worker that crashes at its n-th write. */
function mortal(writes: number): FigureDeps {
  const db = Object.assign(((...args: Parameters<typeof ctx.db>) => ctx.db(...args)) as typeof ctx.db, ctx.db, {
    tx: ((work) => {
      if (writes-- <= 0) throw new Error('killed')
      return ctx.db.tx(work)
    }) as typeof ctx.db.tx,
  })
  return { db, clock: () => now }
}

async function settle(): Promise<void> {
  later(26 * hour)
  await pass(means, whole)
}

test('figures equal a direct count, and a complete recount changes nothing', async () => {
  const history = randomHistory(ctx, [tenant, secondTenant])
  const differences = async (grain: 'HALF_HOUR' | 'DAY') => {
    const [is, should] = [new Set(await kept(grain)), new Set(history.expectedRows(now, grain))]
    return [...new Set([...is, ...should])].filter((row) => is.has(row) !== should.has(row))
  }
  const step = fc.record({
    act: fc.constantFrom(...history.acts),
    // Selects a journey, offer or delivery, and its change.
    pick: fc.nat(1000),
    minutes: fc.constantFrom(0, 0, 1, 7, 29, 31, 200),
    // How long before its commit a row is dated.
    lateBy: fc.constantFrom(0, 0, 0, 12 * minute, 5 * hour),
    worker: fc.constantFrom('none', 'none', 'one', 'two', 'killed'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      for (const { act, pick, minutes, lateBy, worker } of steps) {
        later(minutes * minute)
        // A changed row is dated within minutes of its commit; a new one may be hours late.
        const isNew = ['begin', 'request', 'deliver', 'send', 'receive', 'write'].includes(act)
        await history.do(act, pick, new Date(now.getTime() - (isNew ? lateBy : Math.min(lateBy, 12 * minute))))
        if (worker === 'one') await pass(means, whole)
        if (worker === 'two') await Promise.all([pass(means, whole), pass(means, whole)])
        if (worker === 'killed') await pass(mortal(pick % 7), whole).catch(() => {})
      }
      await settle()
      for (const grain of ['HALF_HOUR', 'DAY'] as const) assert.deepEqual(await differences(grain), [])
    }),
    // The history continues from run to run, so fast-check must not shrink it.
    { numRuns: 5, endOnFailure: true },
  )
  const before = [...(await kept('HALF_HOUR')), ...(await kept('DAY'))]
  assert.ok(before.length > 20, `${before.length} rows`)
  await setBack(ctx.db, new Date('2026-03-01T00:00:00Z'))
  // A rebuild crashes and resumes from its stored progress.
  await pass(mortal(30), whole).catch(() => {})
  const [first] = await readProgress(ctx.db)
  assert.ok(first && first.checkedUntil < now)
  while ((await checkDay(means, await startOrReadProgress(means, 'journey'))) !== null);
  await pass(means, whole)
  assert.deepEqual([...(await kept('HALF_HOUR')), ...(await kept('DAY'))], before)
})

test('the next pass counts a late change, such as the replay of an exhausted delivery', async () => {
  const history = randomHistory(ctx, [tenant, secondTenant])
  const begins = now
  await history.do('begin', 0, now)
  const delivery = await history.do('deliver', 0, now)
  await history.do('giveUp', 0, now)
  await pass(means, whole)
  later(3 * 24 * hour)
  await pass(means, whole)
  const outcomes = async () =>
    (
      await ctx.db<{ outcome: string }>`
        select outcome from figure where name = 'delivery' and grain = 'HALF_HOUR' and begins_at > ${new Date(begins.getTime() - hour)}`
    ).map(({ outcome }) => outcome)
  assert.deepEqual(await outcomes(), ['GIVEN_UP'])
  assert.ok(delivery && delivery >= firstIdAt(begins))
  await ctx.db`
    update webhook_delivery set state = 'DELIVERED', delivered_at = ${now}, last_attempt_at = ${now}, tries = tries + 1
    where delivery_id = ${delivery}`
  await pass(means, whole)
  assert.deepEqual(await outcomes(), ['REPEATED'])
})

test('a worker with older data does not overwrite a newer count', async () => {
  const history = randomHistory(ctx, [tenant, secondTenant])
  later(48 * hour)
  await history.do('begin', 0, now)
  let isFirst = true
  const slow: FigureDeps = {
    clock: () => now,
    db: Object.assign(((...args: Parameters<typeof ctx.db>) => ctx.db(...args)) as typeof ctx.db, ctx.db, {
      tx: (async (work) => {
        // Another worker counts a new journey between this worker's read and write.
        if (isFirst) {
          isFirst = false
          await history.do('begin', 0, now)
          await pass(means, whole)
        }
        return ctx.db.tx(work)
      }) as typeof ctx.db.tx,
    }),
  }
  await pass(slow, whole)
  const rows = await ctx.db<{ count: number }>`
    select sum(count)::float8 as count from figure
    where name = 'journey' and grain = 'HALF_HOUR' and outcome = 'STARTED' and begins_at > ${new Date(now.getTime() - hour)}`
  assert.equal(rows[0]?.count, 2)
})
