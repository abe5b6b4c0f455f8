// The queue: leases, retries, keys, order, wakes and stopping, with several workers on one real table.

import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { uuidv4 } from '#kit/crypto/id.ts'
import { connect } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { logTo, quietLog } from '#kit/runtime/log.ts'
import { exposition } from '#kit/runtime/metrics.ts'
import { schedule } from '#kit/runtime/schedule.ts'
import { trace, traced } from '#kit/runtime/trace.ts'
import { testDatabase } from '#test/setup/database.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { enqueue, finish, type Job, type NewJob, RetryLater, type Worker, type WorkOptions, work } from './queue.ts'

const db = connect(await testDatabase('platform'), { connections: 12 })
const workers = new Set<Worker>()
after(async () => {
  await Promise.all([...workers].map((worker) => worker.stop()))
  await db.close()
})
await db`create table effect (job_id uuid, what text)`

let now = new Date('2026-11-01T10:00:00Z')
const kind = 'test'
const tenantId = uuidv4()
beforeEach(async () => {
  await Promise.all([...workers].map((worker) => worker.stop()))
  workers.clear()
  await db`delete from job`
  await db`delete from effect`
})

const add = (job: Partial<NewJob> = {}) =>
  db.tx((tx) => enqueue(tx, { tenantId, kind, payload: {}, dueAt: now, ...job }))
function start(handle: (job: Job) => Promise<void>, options: Partial<WorkOptions<unknown>> = {}): Worker {
  const worker = work({
    kind,
    db,
    clock: () => now,
    log: quietLog,
    handle,
    schedule: schedule(['PT5S'], 'repeat'),
    ...options,
  })
  workers.add(worker)
  return worker
}
interface Row {
  attempt: number
  dueAt: Date
  lastError: string | null
}
const rows = () => db<Row>`select attempt, due_at, last_error from job order by due_at`
async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + deadlineMs
  while (!(await isSo())) {
    if (Date.now() > end) assert.fail(`waited in vain until ${what}`)
    await sleep(5)
  }
}
const done = () => until(async () => (await rows()).length === 0, 'no job is left')
const gate = () => Promise.withResolvers<void>()

test('a job is handed over whole, done once, and gone', async () => {
  const seen: Job[] = []
  await traced({ correlationId: 'req-1' }, () => add({ payload: { a: [1, null], b: 'x' } }))
  start(async (job) => {
    seen.push(job)
    assert.equal(trace()?.correlationId, 'req-1')
  })
  await done()
  const { jobId, enqueuedAt, ...rest } = seen[0]!
  assert.ok(jobId && enqueuedAt instanceof Date)
  assert.deepEqual(rest, {
    tenantId,
    kind,
    payload: { a: [1, null], b: 'x' },
    attempt: 1,
    lostLeases: 0,
    correlationId: 'req-1',
  })
  assert.equal(seen.length, 1)
})

test('ARCHITECTURE rule 7: a job exists exactly when the effect of its transaction does', async () => {
  const failing = db.tx(async (tx) => {
    await enqueue(tx, { tenantId, kind, payload: {}, dueAt: now })
    throw new Error('no')
  })
  await assert.rejects(failing)
  assert.deepEqual(await rows(), [])
})

test('a commit wakes the worker at once, long before its poll', async () => {
  start(async () => {}, { pollMs: 600_000 })
  // Until it has looked once, and rests.
  await sleep(50)
  await add()
  await done()
})

test('what another process enqueued is found by the poll', async () => {
  start(async () => {})
  // Until it has looked once, and rests.
  await sleep(50)
  await db`insert into job ${db({ tenantId, jobId: uuidv4(), kind, payload: '{}', dueAt: now })}`
  await done()
})

test('a job that is not yet due waits, and only its own kind is taken', async () => {
  await add({ dueAt: secondsAfter(now, 1) })
  await add({ kind: 'another' })
  let seen = 0
  start(async () => void seen++)
  // Long enough to take a job, which must not be.
  await sleep(60)
  assert.equal(seen, 0)
  now = secondsAfter(now, 1)
  db.wake(kind)
  await until(() => seen === 1, 'the due one is done')
  await until(async () => (await rows()).length === 1, 'the other kind is left')
})

test('due jobs are taken in the order in which they are due', async () => {
  const order = [5, 3, 9, 1, 7, 2]
  for (const second of order) await add({ payload: second, dueAt: secondsAfter(now, -second) })
  const seen: unknown[] = []
  start(async ({ payload }) => void seen.push(payload), { concurrency: 1 })
  await done()
  assert.deepEqual(seen, [9, 7, 5, 3, 2, 1])
})

test('a handler that fails is called again after its delay, and the reason is kept', async () => {
  await add()
  let tries = 0
  start(async () => {
    if (++tries < 3) throw new Refusal('upstream', `no ${tries}`)
  })
  await until(async () => (await rows())[0]?.lastError === 'no 1', 'the first failure is written down')
  assert.deepEqual(await rows(), [{ attempt: 1, dueAt: secondsAfter(now, 5), lastError: 'no 1' }])
  now = secondsAfter(now, 5)
  db.wake(kind)
  await until(async () => (await rows())[0]?.lastError === 'no 2', 'the second failure is written down')
  now = secondsAfter(now, 5)
  db.wake(kind)
  await done()
  assert.equal(tries, 3)
})

test('Later says itself how long', async () => {
  await add()
  start(async () => {
    throw new RetryLater(1.5, 'not yet')
  })
  await until(async () => (await rows())[0]?.lastError === 'not yet', 'it is put off')
  assert.deepEqual(await rows(), [{ attempt: 1, dueAt: secondsAfter(now, 1.5), lastError: 'not yet' }])
})

test('of two jobs with one key the first stays, also while it is worked on; then the key is free again', async () => {
  await add({ key: 'k', payload: 'first' })
  await add({ key: 'k', payload: 'second' })
  const seen: unknown[] = []
  const hold = gate()
  start(async ({ payload }) => {
    seen.push(payload)
    await hold.promise
  })
  await until(() => seen.length === 1, 'the first is worked on')
  await add({ key: 'k', payload: 'third' })
  hold.resolve()
  await done()
  await add({ key: 'k', payload: 'fourth' })
  await done()
  assert.deepEqual(seen, ['first', 'fourth'])
})

test('ARCHITECTURE rule 11: the job of a worker that died comes back at the end of its lease', async () => {
  await add()
  // What a process leaves behind that is killed between its claim and its end.
  await db`update job set due_at = ${secondsAfter(now, 60)}, attempt = 1, unanswered_claims = 1`
  const seen: number[][] = []
  start(async ({ attempt, lostLeases }) => void seen.push([attempt, lostLeases]))
  // Long enough to take the job, which must not be.
  await sleep(50)
  assert.deepEqual(seen, [])
  now = secondsAfter(now, 60)
  await done()
  assert.deepEqual(seen, [[2, 1]])
})

test('ARCHITECTURE rule 11: a handler that fails has answered: only workers in a row that did not are counted', async () => {
  await add()
  await db`update job set attempt = 1, unanswered_claims = 1`
  const seen: number[] = []
  start(async ({ lostLeases }) => {
    if (seen.push(lostLeases) === 1) throw new RetryLater(5, 'not yet')
  })
  await until(async () => (await rows())[0]?.lastError === 'not yet', 'it is put off')
  now = secondsAfter(now, 600)
  db.wake(kind)
  await done()
  assert.deepEqual(seen, [1, 0])
})

test('ARCHITECTURE rule 19: a job whose worker died twice waits longer before each further try', async () => {
  await add()
  const [tries, pauses]: [number[], number[]] = [[], []]
  // A worker that dies leaves its claim; the next worker of the job survives. It starts before the job is due.
  await db`update job set attempt = 2, unanswered_claims = 2, due_at = ${secondsAfter(now, 3600)}`
  start(async ({ lostLeases }) => void tries.push(lostLeases))
  for (const lost of [2, 4, 6, 8, 10]) {
    await db`update job set unanswered_claims = ${lost}, due_at = ${now}`
    db.wake(kind)
    await until(async () => (await rows())[0]!.dueAt > secondsAfter(now, 20), 'it is put off')
    const [row] = await rows()
    assert.equal(row?.lastError, 'its worker died or hung')
    pauses.push((row.dueAt.getTime() - now.getTime()) / 60_000)
  }
  assert.deepEqual([tries, pauses], [[], [0.5, 2, 10, 60, 240]])
  assert.match((await exposition()).text, /^jobs_total\{kind="test",outcome="abandoned"\} 5$/m)
  now = secondsAfter(now, 240 * 60)
  db.wake(kind)
  await done()
  assert.deepEqual(tries, [11])
})

test('ARCHITECTURE rule 19: a job of a worker that sets jobs aside is set aside after two lost leases', async () => {
  await add()
  await db`update job set attempt = 2, unanswered_claims = 2`
  const seen: string[] = []
  start(async () => void seen.push('handled'), { setAside: async () => void seen.push('set aside') })
  await done()
  assert.deepEqual(seen, ['set aside'])
})

test('ARCHITECTURE rule 19: of jobs whose worker died one at a time is tried, and those that wait have lost nothing', async () => {
  const kinds = [kind, kind, 'other']
  for (const each of kinds) await add({ kind: each })
  await db`update job set attempt = 1, unanswered_claims = 1`
  const begun: ReturnType<typeof gate>[] = []
  const handle = async (): Promise<void> => {
    const mine = gate()
    begun.push(mine)
    await mine.promise
  }
  start(handle)
  start(handle, { kind: 'other' })
  const claims = async () =>
    (await db<{ n: number }>`select unanswered_claims as n from job order by n`).map(({ n }) => n)
  for (let i = 1; i <= kinds.length; i++) {
    await until(() => begun.length === i, `job ${i} is tried`)
    await until(async () => (await rows()).every(({ attempt }) => attempt === 2), 'all have been claimed')
    assert.deepEqual(await claims(), [...Array(kinds.length - i).fill(1), 2])
    begun[i - 1]!.resolve()
  }
  await done()
})

test('of an internal error a job keeps a fixed sentence, and its words are in the log under the id', async () => {
  const lines: string[] = []
  await add()
  start(async () => void 'x'.repeat(-1), { log: logTo('test', 'info', { write: (line) => void lines.push(line) }) })
  await until(async () => (await rows())[0]?.lastError !== null, 'it has failed')
  const [, errorId] = /^an internal error stopped it; the log has it under ([0-9a-f-]{36})$/.exec(
    (await rows())[0]!.lastError!,
  )!
  assert.match(lines.join(), new RegExp(`${errorId}.*Invalid count|Invalid count.*${errorId}`))
})

/** A job of a lease of three seconds that is worked on, and somebody else who would take it; time goes on as the test says. */
async function held({ mock }: TestContext) {
  let passed = 0
  mock.timers.enable({ apis: ['setInterval'] })
  mock.method(performance, 'now', () => passed * 1000)
  await add()
  const hold = gate()
  const seen: number[] = []
  const handle = async ({ attempt }: Job) => {
    seen.push(attempt)
    if (attempt === 1) await hold.promise
  }
  for (const _ of [1, 2]) start(handle, { leaseSeconds: 3 })
  await until(() => seen.length === 1, 'it is worked on')
  return {
    hold,
    seen,
    isRenewed: () => until(async () => (await rows())[0]!.dueAt >= secondsAfter(now, 3), 'the lease is renewed'),
    /** A second goes by. */
    pass() {
      passed++
      now = secondsAfter(now, 1)
      mock.timers.tick(1000)
      db.wake(kind)
    },
  }
}

test('a handler that takes longer than its lease keeps it', async (t) => {
  const { hold, seen, pass, isRenewed } = await held(t)
  for (let second = 1; second <= 9; second++) {
    pass()
    await isRenewed()
  }
  hold.resolve()
  await done()
  assert.deepEqual(seen, [1])
})

test('a handler that never comes back keeps its job for ten leases and no longer', async (t) => {
  const { hold, seen, pass, isRenewed } = await held(t)
  for (let second = 1; second <= 30; second++) {
    pass()
    await isRenewed()
  }
  for (let second = 31; second <= 32; second++) pass()
  // Long enough to take the job, which must not be.
  await sleep(50)
  assert.deepEqual(seen, [1], 'its last lease is not over yet')
  pass()
  await until(() => seen.length === 2, 'somebody else tries')
  hold.resolve()
})

test('ARCHITECTURE rule 11: who lost its lease has no effect, does not finish, and does not put off', async () => {
  await add()
  const [first, second] = [gate(), gate()]
  const seen: number[] = []
  const outcome: string[] = []
  start(async (job) => {
    seen.push(job.attempt)
    await (job.attempt === 1 ? first : second).promise
    await db.tx(async (tx) => {
      await tx`insert into effect ${tx({ jobId: job.jobId, what: `by ${job.attempt}` })}`
      await finish(tx, job)
    })
    outcome.push(`finished ${job.attempt}`)
  })
  await until(() => seen.length === 1, 'the first has it')
  now = secondsAfter(now, 61)
  db.wake(kind)
  await until(() => seen.length === 2, 'the second has it')
  first.resolve()
  // Long enough for an effect that must not come.
  await sleep(50)
  assert.deepEqual(await db`select what from effect`, [])
  assert.deepEqual(
    (await rows()).map(({ attempt, lastError }) => [attempt, lastError]),
    [[2, null]],
  )
  second.resolve()
  await done()
  assert.deepEqual(await db`select what from effect`, [{ what: 'by 2' }])
  assert.deepEqual(outcome, ['finished 2'])
})

test('never more at once than the worker may, however many are due', async () => {
  for (let i = 0; i < 40; i++) await add()
  let [atOnce, most, seen] = [0, 0, 0]
  start(
    async () => {
      most = Math.max(most, ++atOnce)
      // Jobs end in any order.
      await sleep(Math.random() * 10)
      atOnce--
      seen++
    },
    { concurrency: 5 },
  )
  await done()
  assert.deepEqual([seen, most], [40, 5])
})

test('stop waits for what is in hand and takes nothing new', async () => {
  const hold = gate()
  after(() => hold.resolve())
  let seen = 0
  // One at a time: with room for another, a look that had begun before the stop may still find the second job.
  const oneAtATime = { concurrency: 1 }
  const worker = start(async () => {
    seen++
    await hold.promise
  }, oneAtATime)
  await add()
  await until(() => seen === 1, 'one is in hand')
  let stopped = false
  const stopping = worker.stop().then(() => (stopped = true))
  await add()
  // Long enough to take the second job, which must not be.
  await sleep(30)
  assert.deepEqual([stopped, seen], [false, 1])
  hold.resolve()
  await stopping
  db.wake(kind)
  // Long enough to take it.
  await sleep(30)
  assert.deepEqual([(await rows()).length, seen], [1, 1])
})

test('a worker outlives a database that is away', async () => {
  let seen = 0
  // Also the connection that says that the job is done may be a cut one: then it is done again, and time has to pass for that.
  start(async () => void seen++, { clock: () => new Date(), leaseSeconds: 1, schedule: schedule(['PT0.2S'], 'repeat') })
  // Until it has connections to be cut.
  await sleep(20)
  await db`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await add({ dueAt: new Date() })
  await until(() => seen > 0, 'it is done')
  // The connection that looks may be a cut one too.
  await until(async () => (await rows().catch(() => null))?.length === 0, 'no job is left')
})

test('property: with many workers and failures each job has exactly one effect, and never two holders', async () => {
  const plan = fc.record({
    workers: fc.integer({ min: 1, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 6 }),
    jobs: fc.array(fc.record({ failures: fc.integer({ min: 0, max: 2 }), ms: fc.integer({ min: 0, max: 8 }) }), {
      minLength: 1,
      maxLength: 25,
    }),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ workers: count, concurrency, jobs }) => {
      await db`delete from effect`
      for (const [number, job] of jobs.entries()) await add({ payload: { number, ...job }, key: String(number) })
      const held = new Set<string>()
      const heldTwice: string[] = []
      const handle = async (job: Job) => {
        const { failures, ms } = job.payload as { failures: number; ms: number }
        if (held.has(job.jobId)) heldTwice.push(job.jobId)
        held.add(job.jobId)
        await sleep(ms)
        held.delete(job.jobId)
        if (job.attempt <= failures) throw new RetryLater(0, 'again')
        await db.tx(async (tx) => {
          await tx`insert into effect ${tx({ jobId: job.jobId, what: 'done' })}`
          await finish(tx, job)
        })
      }
      const mine = Array.from({ length: count }, () => start(handle, { concurrency }))
      await done()
      await Promise.all(mine.map((worker) => worker.stop()))
      assert.deepEqual(heldTwice, [])
      const effects = await db<{ n: number }>`select count(*)::int as n from effect group by job_id`
      assert.deepEqual(
        effects.map(({ n }) => n),
        jobs.map(() => 1),
      )
    }),
    { numRuns: 6 },
  )
})
