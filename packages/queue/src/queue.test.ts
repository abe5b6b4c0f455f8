// Several workers share one real job table: leases, retries, keys, order, wakes and stopping.

import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { secondsAfter } from '@lendloom/foundation/clock'
import { logTo, quietLog } from '@lendloom/foundation/log'
import { exposition } from '@lendloom/foundation/metrics'
import { Refusal } from '@lendloom/foundation/refusal'
import { schedule } from '@lendloom/foundation/schedule'
import { runInTrace, trace } from '@lendloom/foundation/trace'
import { connect } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import { deadlineMs } from '@lendloom/tests/setup/deadline'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
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
function startWorker(handle: (job: Job) => Promise<void>, options: Partial<WorkOptions<unknown>> = {}): Worker {
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
async function until(isTrue: () => boolean | Promise<boolean>, condition: string): Promise<void> {
  const end = Date.now() + deadlineMs
  while (!(await isTrue())) {
    if (Date.now() > end) assert.fail(`timed out waiting until ${condition}`)
    await sleep(5)
  }
}
const untilAllDone = () => until(async () => (await rows()).length === 0, 'no job is left')
const newGate = () => Promise.withResolvers<void>()

test('a job is passed to its handler once, with its payload and correlation id', async () => {
  const seen: Job[] = []
  await runInTrace({ correlationId: 'req-1' }, () => add({ payload: { a: [1, null], b: 'x' } }))
  startWorker(async (job) => {
    seen.push(job)
    assert.equal(trace()?.correlationId, 'req-1')
  })
  await untilAllDone()
  const { jobId, enqueuedAt, ...rest } = seen[0]!
  assert.ok(jobId && enqueuedAt instanceof Date)
  assert.deepEqual(rest, {
    tenantId,
    kind,
    payload: { a: [1, null], b: 'x' },
    attempt: 1,
    lostLeases: 0,
    correlationId: 'req-1',
    traceparent: null,
  })
  assert.equal(seen.length, 1)
})

test('ARCHITECTURE rule 7: a job is stored only if its transaction commits', async () => {
  const failing = db.tx(async (tx) => {
    await enqueue(tx, { tenantId, kind, payload: {}, dueAt: now })
    throw new Error('the transaction fails')
  })
  await assert.rejects(failing)
  assert.deepEqual(await rows(), [])
})

test('a commit wakes the worker before its next poll', async () => {
  startWorker(async () => {}, { pollMs: 600_000 })
  // The first poll may find this job.
  await add()
  await untilAllDone()
  await add()
  await untilAllDone()
})

test('polling finds a job that another process enqueued', async () => {
  startWorker(async () => {})
  // The first poll may find this job.
  await add()
  await untilAllDone()
  await db`insert into job ${db({ tenantId, jobId: uuidv4(), kind, payload: '{}', dueAt: now })}`
  await untilAllDone()
})

test('a worker claims only due jobs of its own kind', async () => {
  await add({ payload: 'later', dueAt: secondsAfter(now, 1) })
  await add({ payload: 'another', kind: 'another' })
  await add({ payload: 'due' })
  const seen: unknown[] = []
  startWorker(async ({ payload }) => void seen.push(payload))
  // A claim takes every due job.
  await until(() => seen.length > 0, 'the due job is done')
  assert.deepEqual(seen, ['due'])
  now = secondsAfter(now, 1)
  db.wake(kind)
  await until(() => seen.length === 2, 'the later job is done')
  assert.deepEqual(seen, ['due', 'later'])
  await until(async () => (await rows()).length === 1, 'only the job of the other kind remains')
})

test('due jobs are claimed in the order of their due times', async () => {
  const order = [5, 3, 9, 1, 7, 2]
  for (const second of order) await add({ payload: second, dueAt: secondsAfter(now, -second) })
  const seen: unknown[] = []
  startWorker(async ({ payload }) => void seen.push(payload), { concurrency: 1 })
  await untilAllDone()
  assert.deepEqual(seen, [9, 7, 5, 3, 2, 1])
})

test('a failed job is retried after its delay, and the reason is stored', async () => {
  await add()
  let tries = 0
  startWorker(async () => {
    if (++tries < 3) throw new Refusal('upstream', `failure ${tries}`)
  })
  await until(async () => (await rows())[0]?.lastError === 'failure 1', 'the first failure is stored')
  assert.deepEqual(await rows(), [{ attempt: 1, dueAt: secondsAfter(now, 5), lastError: 'failure 1' }])
  now = secondsAfter(now, 5)
  db.wake(kind)
  await until(async () => (await rows())[0]?.lastError === 'failure 2', 'the second failure is stored')
  now = secondsAfter(now, 5)
  db.wake(kind)
  await untilAllDone()
  assert.equal(tries, 3)
})

test('RetryLater sets the delay of the retry', async () => {
  await add()
  startWorker(async () => {
    throw new RetryLater(1.5, 'not yet')
  })
  await until(async () => (await rows())[0]?.lastError === 'not yet', 'the job is postponed')
  assert.deepEqual(await rows(), [{ attempt: 1, dueAt: secondsAfter(now, 1.5), lastError: 'not yet' }])
})

test('a second job with the same key is ignored until the first job is done', async () => {
  await add({ key: 'k', payload: 'first' })
  await add({ key: 'k', payload: 'second' })
  const seen: unknown[] = []
  const release = newGate()
  startWorker(async ({ payload }) => {
    seen.push(payload)
    await release.promise
  })
  await until(() => seen.length === 1, 'the first job is in progress')
  await add({ key: 'k', payload: 'third' })
  release.resolve()
  await untilAllDone()
  await add({ key: 'k', payload: 'fourth' })
  await untilAllDone()
  assert.deepEqual(seen, ['first', 'fourth'])
})

test('ARCHITECTURE rule 11: a job whose worker died is claimed again when its lease expires', async () => {
  await add()
  // Simulates a process that was killed after claiming the job.
  await db`update job set due_at = ${secondsAfter(now, 60)}, attempt = 1, unanswered_claims = 1`
  await add()
  const seen: { attempt: number; lostLeases: number }[] = []
  startWorker(async ({ attempt, lostLeases }) => void seen.push({ attempt, lostLeases }))
  // A claim takes every due job.
  await until(() => seen.length > 0, 'the other job is done')
  assert.deepEqual(seen, [{ attempt: 1, lostLeases: 0 }])
  now = secondsAfter(now, 60)
  await untilAllDone()
  assert.deepEqual(seen, [
    { attempt: 1, lostLeases: 0 },
    { attempt: 2, lostLeases: 1 },
  ])
})

test('ARCHITECTURE rule 11: a failure of the handler resets the count of lost leases', async () => {
  await add()
  await db`update job set attempt = 1, unanswered_claims = 1`
  const seen: number[] = []
  startWorker(async ({ lostLeases }) => {
    if (seen.push(lostLeases) === 1) throw new RetryLater(5, 'not yet')
  })
  await until(async () => (await rows())[0]?.lastError === 'not yet', 'the job is postponed')
  now = secondsAfter(now, 600)
  db.wake(kind)
  await untilAllDone()
  assert.deepEqual(seen, [1, 0])
})

test('ARCHITECTURE rule 19: a job whose worker dies repeatedly is retried with growing pauses', async () => {
  await add()
  const handled: number[] = []
  const pauses: number[] = []
  // Simulates workers that died. The new worker starts before the job is due.
  await db`update job set attempt = 2, unanswered_claims = 2, due_at = ${secondsAfter(now, 3600)}`
  startWorker(async ({ lostLeases }) => void handled.push(lostLeases))
  for (const lostLeases of [2, 4, 6, 8, 10]) {
    await db`update job set unanswered_claims = ${lostLeases}, due_at = ${now}`
    db.wake(kind)
    await until(async () => (await rows())[0]!.dueAt > secondsAfter(now, 20), 'the job is postponed')
    const [row] = await rows()
    assert.equal(row?.lastError, 'its worker died or hung')
    pauses.push((row.dueAt.getTime() - now.getTime()) / 60_000)
  }
  assert.deepEqual(handled, [])
  assert.deepEqual(pauses, [0.5, 2, 10, 60, 240])
  assert.match((await exposition()).text, /^jobs_total\{kind="test",outcome="abandoned"\} 5$/m)
  now = secondsAfter(now, 240 * 60)
  db.wake(kind)
  await untilAllDone()
  assert.deepEqual(handled, [11])
})

test('ARCHITECTURE rule 19: after two lost leases a job is passed to setAside', async () => {
  await add()
  await db`update job set attempt = 2, unanswered_claims = 2`
  const seen: string[] = []
  startWorker(async () => void seen.push('handled'), { setAside: async () => void seen.push('set aside') })
  await untilAllDone()
  assert.deepEqual(seen, ['set aside'])
})

test('ARCHITECTURE rule 19: jobs whose worker died are retried one at a time, and waiting jobs count no lost lease', async () => {
  const kinds = [kind, kind, 'other']
  for (const each of kinds) await add({ kind: each })
  await db`update job set attempt = 1, unanswered_claims = 1`
  const gates: ReturnType<typeof newGate>[] = []
  const handle = async (): Promise<void> => {
    const jobGate = newGate()
    gates.push(jobGate)
    await jobGate.promise
  }
  startWorker(handle)
  startWorker(handle, { kind: 'other' })
  const lostLeaseCounts = async () =>
    (await db<{ n: number }>`select unanswered_claims as n from job order by n`).map(({ n }) => n)
  for (let i = 1; i <= kinds.length; i++) {
    await until(() => gates.length === i, `job ${i} is in progress`)
    await until(async () => (await rows()).every(({ attempt }) => attempt === 2), 'all jobs have been claimed')
    assert.deepEqual(await lostLeaseCounts(), [...Array(kinds.length - i).fill(1), 2])
    gates[i - 1]!.resolve()
  }
  await untilAllDone()
})

test('after an internal error only the log contains the error message, and the job stores a generic reason', async () => {
  const lines: string[] = []
  await add()
  // Throws a RangeError.
  startWorker(async () => void 'x'.repeat(-1), {
    log: logTo('test', 'info', { write: (line) => void lines.push(line) }),
  })
  await until(async () => (await rows())[0]?.lastError !== null, 'the job has failed')
  const [, errorId] = /^an internal error occurred; the log has the details under ([0-9a-f-]{36})$/.exec(
    (await rows())[0]!.lastError!,
  )!
  assert.match(lines.join(), new RegExp(`${errorId}.*Invalid count|Invalid count.*${errorId}`))
})

/** Starts two workers with leases of three seconds, and a job that one of them runs. The test moves the clock. */
async function startJobWithLease({ mock }: TestContext) {
  let elapsedSeconds = 0
  mock.timers.enable({ apis: ['setInterval'] })
  mock.method(performance, 'now', () => elapsedSeconds * 1000)
  await add()
  const release = newGate()
  const seen: number[] = []
  const probe = 'probe'
  let probes = 0
  const handle = async ({ attempt, payload }: Job) => {
    if (payload === probe) return void probes++
    seen.push(attempt)
    if (attempt === 1) await release.promise
  }
  for (const _ of [1, 2]) startWorker(handle, { leaseSeconds: 3 })
  await until(() => seen.length === 1, 'the job is in progress')
  return {
    release,
    seen,
    /** Waits until a worker has claimed all that is due, by a job that is due last. */
    async untilDueIsClaimed() {
      const before = probes
      await add({ payload: probe })
      await until(() => probes > before, 'the probe is claimed')
    },
    untilRenewed: () => until(async () => (await rows())[0]!.dueAt >= secondsAfter(now, 3), 'the lease is renewed'),
    advanceOneSecond() {
      elapsedSeconds++
      now = secondsAfter(now, 1)
      mock.timers.tick(1000)
      db.wake(kind)
    },
  }
}

test('the lease is renewed while the handler runs', async (t) => {
  const { release, seen, advanceOneSecond, untilRenewed } = await startJobWithLease(t)
  for (let second = 1; second <= 9; second++) {
    advanceOneSecond()
    await untilRenewed()
  }
  release.resolve()
  await untilAllDone()
  assert.deepEqual(seen, [1])
})

test('the lease of a hung handler is no longer renewed after ten leases', async (t) => {
  const { release, seen, advanceOneSecond, untilRenewed, untilDueIsClaimed } = await startJobWithLease(t)
  // Ten leases of three seconds end at second 30, and the last renewal ends at second 33.
  for (let second = 1; second <= 30; second++) {
    advanceOneSecond()
    await untilRenewed()
  }
  for (let second = 31; second <= 32; second++) advanceOneSecond()
  await untilDueIsClaimed()
  assert.deepEqual(seen, [1], 'the last lease has not expired yet')
  advanceOneSecond()
  await until(() => seen.length === 2, 'the other worker claims the job')
  release.resolve()
})

test('ARCHITECTURE rule 11: a worker that lost its lease cannot finish or change the job', async () => {
  await add()
  const first = newGate()
  const second = newGate()
  const seen: number[] = []
  const outcome: string[] = []
  startWorker(async (job) => {
    seen.push(job.attempt)
    await (job.attempt === 1 ? first : second).promise
    try {
      await db.tx(async (tx) => {
        await tx`insert into effect ${tx({ jobId: job.jobId, what: `by ${job.attempt}` })}`
        await finish(tx, job)
      })
      outcome.push(`finished ${job.attempt}`)
    } catch (error) {
      outcome.push(`failed ${job.attempt}`)
      throw error
    }
  })
  await until(() => seen.length === 1, 'the first worker has the job')
  now = secondsAfter(now, 61)
  db.wake(kind)
  await until(() => seen.length === 2, 'the second worker has the job')
  first.resolve()
  await until(() => outcome.length > 0, 'the first worker has ended')
  assert.deepEqual(await db`select what from effect`, [])
  assert.deepEqual(
    (await rows()).map(({ attempt, lastError }) => ({ attempt, lastError })),
    [{ attempt: 2, lastError: null }],
  )
  second.resolve()
  await untilAllDone()
  assert.deepEqual(await db`select what from effect`, [{ what: 'by 2' }])
  assert.deepEqual(outcome, ['failed 1', 'finished 2'])
})

test('a worker never exceeds its concurrency', async () => {
  for (let i = 0; i < 40; i++) await add()
  let running = 0
  let maxRunning = 0
  let seen = 0
  startWorker(
    async () => {
      maxRunning = Math.max(maxRunning, ++running)
      // Random delays let jobs end in a random order.
      await sleep(Math.random() * 10)
      running--
      seen++
    },
    { concurrency: 5 },
  )
  await untilAllDone()
  assert.equal(seen, 40)
  assert.equal(maxRunning, 5)
})

test('stop waits for running jobs and claims no further job', async () => {
  const release = newGate()
  after(() => release.resolve())
  let seen = 0
  // With a higher concurrency, a claim that began before the stop could still get the second job.
  const oneAtATime = { concurrency: 1 }
  const worker = startWorker(async () => {
    seen++
    await release.promise
  }, oneAtATime)
  await add()
  await until(() => seen === 1, 'the first job is in progress')
  let isStopped = false
  const stopping = worker.stop().then(() => (isStopped = true))
  await add()
  assert.equal(isStopped, false)
  assert.equal(seen, 1)
  release.resolve()
  await stopping
  db.wake(kind)
  // A worker that starts later has found its job.
  let otherSeen = 0
  startWorker(async () => void otherSeen++, { kind: 'another' })
  await add({ kind: 'another' })
  await until(() => otherSeen === 1, 'the job of the other kind is done')
  await until(async () => (await rows()).length === 1, 'only the second job is left')
  assert.equal((await rows()).length, 1)
  assert.equal(seen, 1)
})

test('a worker survives the loss of its database connections', async () => {
  let seen = 0
  // If the connection is cut while the job is finished, the job is retried after its lease.
  startWorker(async () => void seen++, {
    clock: () => new Date(),
    leaseSeconds: 1,
    schedule: schedule(['PT0.2S'], 'repeat'),
  })
  await add({ dueAt: new Date() })
  await untilAllDone()
  await db`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await add({ dueAt: new Date() })
  await until(() => seen > 1, 'the job is done')
  // The connection of this query may be cut too.
  await until(async () => (await rows().catch(() => null))?.length === 0, 'no job is left')
})

test('property: each job has exactly one effect and never runs in two workers at once, despite failures', async () => {
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
      const running = new Set<string>()
      const runConcurrently: string[] = []
      const handle = async (job: Job) => {
        const { failures, ms } = job.payload as { failures: number; ms: number }
        if (running.has(job.jobId)) runConcurrently.push(job.jobId)
        running.add(job.jobId)
        await sleep(ms)
        running.delete(job.jobId)
        if (job.attempt <= failures) throw new RetryLater(0, 'not yet')
        await db.tx(async (tx) => {
          await tx`insert into effect ${tx({ jobId: job.jobId, what: 'done' })}`
          await finish(tx, job)
        })
      }
      const started = Array.from({ length: count }, () => startWorker(handle, { concurrency }))
      await untilAllDone()
      await Promise.all(started.map((worker) => worker.stop()))
      assert.deepEqual(runConcurrently, [])
      const effects = await db<{ n: number }>`select count(*)::int as n from effect group by job_id`
      assert.deepEqual(
        effects.map(({ n }) => n),
        jobs.map(() => 1),
      )
    }),
    { numRuns: roundsOf(6), endOnFailure: true },
  )
})
