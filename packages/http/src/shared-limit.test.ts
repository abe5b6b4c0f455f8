// A limit holds over all processes, up to a share for each process; without the database each process limits alone.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '@lendloom/postgres/sql'
import { testDatabase } from '@lendloom/tests/setup/database'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { deleteFullCounts } from './request-count.ts'
import { type Quota, sharedLimiter, shareOf } from './shared-limit.ts'
import { clockToleranceMs, draw, fullBucket, type Limit } from './token-bucket.ts'

const url = await testDatabase('platform')
const dbs = [connect(url, { connections: 4 }), connect(url, { connections: 4 })]
after(() => Promise.all(dbs.map((db) => db.close())))
const warnings: string[] = []
const log = {
  info() {},
  error() {},
  debug() {},
  warn: (_: unknown, message: string) => warnings.push(message),
} as never
const tenantId = '00000000-0000-0000-0000-000000000001'
const startMs = Date.parse('2026-11-21T10:00:00Z')
const limit: Limit = { perSecond: 10, burst: 40 }
const quotaOf = (caller: string): Quota => ({ policy: 'test', tenantId, caller, limit })
/** Counts are always awaited, however busy the machine is. */
const patienceMs = 600_000
const processes = () => dbs.map((db) => sharedLimiter({ db, log, patienceMs }))

test('D2 §8: two processes with one database allow one burst and then one rate, up to a share each', async () => {
  const [first, second] = processes()
  const quota = quotaOf('both')
  const allowedAt = async (ms: number, times: number) => {
    const draws = Array.from({ length: times }, (_, i) => (i % 2 ? first! : second!).draw(quota, startMs + ms))
    return (await Promise.all(draws)).filter(({ allowed }) => allowed).length
  }
  const excess = 2 * shareOf(limit)
  const atOnce = await allowedAt(0, 200)
  assert.ok(atOnce >= limit.burst && atOnce <= limit.burst + excess, `${atOnce} at once`)
  let total = atOnce
  for (let ms = 100; ms <= 60_000; ms += 100) total += await allowedAt(ms, 6)
  assert.ok(total >= limit.burst + 600 - excess, `${total} in a minute`)
  assert.ok(total <= limit.burst + 600 + excess, `${total} in a minute`)
})

test('the second process learns from its first count what the first one used, and its headers say so', async () => {
  const [first, second] = processes()
  const quota = quotaOf('moves')
  const use = async (limiter: typeof first, times: number) => {
    for (let i = 0; i < times; i++) await limiter!.draw(quota, startMs)
    return limiter!.draw(quota, startMs)
  }
  assert.equal((await use(first, 40)).allowed, false)
  // One more draw than a share waits for the count of the second process.
  const drawn = await use(second, shareOf(limit))
  assert.equal(drawn.allowed, false)
  assert.equal(drawn.left, 0)
  assert.ok(drawn.secondsUntilNext > 0.1, `${drawn.secondsUntilNext} s: the share is a debt`)
})

test('a hot caller costs a statement for half a share, an idle one none', async () => {
  const [db] = dbs
  const limiter = sharedLimiter({ db: db!, log, patienceMs })
  const before = db!.statements
  for (let i = 0; i < 4; i++) await limiter.draw(quotaOf('idle'), startMs)
  assert.equal(db!.statements - before, 0)
  for (let i = 0; i < 40; i++) await limiter.draw(quotaOf('hot'), startMs)
  const statements = db!.statements - before
  assert.ok(statements >= 1 && statements <= 40 / (shareOf(limit) / 2), `${statements} statements`)
})

test('without the database each process limits alone, and warns once', async () => {
  const gone = connect('postgres://127.0.0.1:1/none')
  const limiter = sharedLimiter({ db: gone, log })
  warnings.length = 0
  const bucket = fullBucket(limit, startMs)
  for (let i = 0; i < 120; i++) {
    const at = startMs + i * 10
    assert.equal((await limiter.draw(quotaOf('alone'), at)).allowed, draw(bucket, limit, at).allowed, `request ${i}`)
  }
  await gone.close()
  assert.equal(warnings.length, 1)
})

test('a request waits for a database that does not answer only once, and then its process limits alone', async () => {
  let counts = 0
  const silent = () => {
    counts++
    return new Promise<number>(() => {})
  }
  const limiter = sharedLimiter({ db: dbs[0]!, log, count: silent, patienceMs: 1 })
  const allowed: boolean[] = []
  for (let i = 0; i < 50; i++) allowed.push((await limiter.draw(quotaOf('silent'), startMs)).allowed)
  assert.equal(allowed.filter(Boolean).length, limit.burst)
  assert.equal(counts, 1)
})

test('clocks of processes that differ refill once; a clock that was far ahead does not stop the refill', async () => {
  const [ahead, behind] = processes()
  const quota = quotaOf('clocks')
  let total = 0
  for (let ms = 0; ms < 30_000; ms += 200)
    for (const [limiter, offset] of [
      [ahead, clockToleranceMs / 2],
      [behind, 0],
    ] as const)
      for (let i = 0; i < 4; i++) if ((await limiter!.draw(quota, startMs + ms + offset)).allowed) total++
  assert.ok(total <= limit.burst + 300 + 2 * shareOf(limit), `${total} in 30 s`)
  const [restarted] = processes()
  for (let i = 0; i < 41; i++) await restarted!.draw(quota, startMs - 3_600_000)
  const later = await Promise.all(Array.from({ length: 40 }, () => restarted!.draw(quota, startMs - 3_590_000)))
  assert.ok(later.some(({ allowed }) => allowed))
})

test('the sweep deletes the counts of full buckets and keeps the others', async () => {
  const [db] = dbs
  const limiter = sharedLimiter({ db: db!, log, patienceMs })
  for (const caller of ['old', 'new'])
    for (let i = 0; i < 20; i++) await limiter.draw(quotaOf(caller), startMs + (caller === 'new' ? 3_600_000 : 0))
  await deleteFullCounts(db!, new Date(startMs + 3_600_000))
  const rows = await db!<{ caller: string }>`select caller from request_count where caller in ('test old', 'test new')`
  assert.deepEqual(rows, [{ caller: 'test new' }])
})

/** Answers of the database, which arrive when the test flushes them. */
function fakeRow({ perSecond, burst }: Limit) {
  let row: { tokens: number; at: number } | null = null
  const answers: (() => void)[] = []
  return {
    count: (_db: unknown, _key: unknown, { requests, at }: { requests: number; at: Date }) => {
      const known = row ?? { tokens: burst, at: at.getTime() }
      const tokens =
        Math.min(burst, known.tokens + (Math.max(0, at.getTime() - known.at) / 1000) * perSecond) - requests
      row = { tokens, at: Math.max(known.at, at.getTime()) }
      return new Promise<number>((resolve) => answers.push(() => resolve(tokens)))
    },
    answer: () => answers.shift()?.(),
    isIdle: () => answers.length === 0,
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('property: n processes allow at most burst + rate × time + n shares, by arrival, in any order of requests and answers', async () => {
  const rules = fc.record({ perSecond: fc.integer({ min: 1, max: 50 }), burst: fc.integer({ min: 1, max: 60 }) })
  const step = fc.record({
    process: fc.nat(3),
    pauseMs: fc.nat(150),
    requests: fc.integer({ min: 1, max: 12 }),
    answers: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(rules, fc.array(step, { minLength: 1, maxLength: 80 }), async (rule, steps) => {
      const row = fakeRow(rule)
      const limiters = Array.from({ length: 4 }, () =>
        sharedLimiter({ db: dbs[0]!, log, count: row.count, patienceMs }),
      )
      const allowed: number[] = []
      let now = startMs
      for (const { process, pauseMs, requests, answers } of steps) {
        const arrivedAt = now + pauseMs
        now = arrivedAt
        for (let i = 0; i < requests; i++)
          void limiters[process]!.draw({ ...quotaOf('any'), limit: rule }, now).then((drawn) => {
            if (drawn.allowed) allowed.push(arrivedAt)
          })
        for (let i = 0; i < answers; i++) row.answer()
        await settle()
      }
      while (!row.isIdle()) {
        row.answer()
        await settle()
      }
      allowed.sort((a, b) => a - b)
      const most = (seconds: number) => rule.burst + seconds * rule.perSecond + 4 * shareOf(rule) + 1e-6
      for (const [i, from] of allowed.entries())
        for (const [n, to] of allowed.slice(i).entries()) assert.ok(n + 1 <= most((to - from) / 1000), `${n + 1}`)
    }),
    { numRuns: roundsOf(200) },
  )
})
