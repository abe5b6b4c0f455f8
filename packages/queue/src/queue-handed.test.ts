// Jobs that a transaction hands to a worker of its own process, which saves their claim.
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { secondsAfter } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { connect, type Tx } from '@lendloom/postgres/sql'
import { withPatience } from '@lendloom/postgres/wait-limit'
import { uuidv4 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import { until } from '@lendloom/tests/setup/programs'
import { enqueue, finish, type Job, type NewJob, type Worker, type WorkOptions, work } from './queue.ts'

const db = connect(await testDatabase('platform'), { connections: 12 })
const kind = 'test'
const tenantId = uuidv4()
let now = new Date('2026-11-01T10:00:00Z')
let worker: Worker | undefined
afterEach(async () => {
  await worker?.stop()
  await db`delete from job`
})
after(() => db.close())

async function startWorker(
  handle: (job: Job<{ n?: number }>) => Promise<void>,
  options: Partial<WorkOptions<unknown>> = {},
): Promise<void> {
  worker = work<{ n?: number }>({ kind, db, clock: () => now, log: quietLog, pollMs: 600_000, handle, ...options })
  await untilSlotIsFree()
}
/** A claim in flight keeps all free slots of the worker. */
const untilSlotIsFree = () =>
  until('the worker has a free slot', () => {
    const slot = db.takers.get(kind)?.(now)
    slot?.end(false)
    return Boolean(slot)
  })
const add =
  (job: Partial<NewJob> = {}) =>
  (tx: Tx) =>
    enqueue(tx, { tenantId, kind, payload: {}, dueAt: now, ...job })
const rows = () => db<{ attempt: number; dueAt: Date }>`select attempt, due_at from job order by due_at`
const untilNoJobIsLeft = () => until('no job is left', async () => (await rows()).length === 0)

test('a handed job is not claimed, and is leased while it runs', async () => {
  const seen: unknown[] = []
  let statements = 0
  await startWorker(async (job) => {
    statements = db.statements - before
    seen.push(job, ...(await rows()))
  })
  const before = db.statements
  await db.tx(add({ payload: { n: 1 } }))
  await untilNoJobIsLeft()
  const [job, row] = seen
  const { jobId, enqueuedAt, ...rest } = job as Job
  assert.ok(jobId && enqueuedAt instanceof Date)
  const expected = { tenantId, kind, payload: { n: 1 }, attempt: 1, lostLeases: 0 }
  assert.deepEqual(rest, { ...expected, correlationId: null, traceparent: null })
  assert.deepEqual(row, { attempt: 1, dueAt: secondsAfter(now, 15) })
  assert.equal(statements, 1, 'only the insert')
  await turn()
  assert.equal(seen.length, 2)
})

test('ARCHITECTURE rule 7: a job of a transaction that fails or is repeated is handed at most once', async () => {
  const seen: (number | undefined)[] = []
  await startWorker(async ({ payload }) => void seen.push(payload.n))
  await assert.rejects(
    db.tx(async (tx) => {
      await add({ payload: { n: 1 } })(tx)
      throw new Error('it fails')
    }),
  )
  let attempts = 0
  await db.tx(async (tx) => {
    await add({ payload: { n: 2 } })(tx)
    if (++attempts === 1) await tx`do $$ begin raise exception 'again' using errcode = '40001'; end $$`
  })
  await until('the repeated one has run', () => seen.length > 0)
  await untilNoJobIsLeft()
  assert.equal(attempts, 2)
  assert.deepEqual(seen, [2])
})

test('a job with the key of an unfinished job is not handed', async () => {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  await startWorker(async () => {
    runs++
    await gate.promise
  })
  await db.tx(add({ key: 'k' }))
  await until('the first runs', () => runs === 1)
  await db.tx(add({ key: 'k' }))
  assert.equal((await rows()).length, 1)
  gate.resolve()
  await untilNoJobIsLeft()
  assert.equal(runs, 1)
})

test('a worker without a free slot is handed nothing, and never runs more than its slots', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const handle = async () => {
    most = Math.max(most, ++running)
    runs++
    await gate.promise
    running--
  }
  await startWorker(handle, { concurrency: 2 })
  const both = Promise.withResolvers<void>()
  let added = 0
  const transactions = Array.from({ length: 5 }, () =>
    db.tx(async (tx) => {
      await add()(tx)
      if (++added === 5) both.resolve()
      await both.promise
    }),
  )
  await Promise.all(transactions)
  await until('both slots are taken', () => running === 2)
  await db.tx(add())
  assert.deepEqual(
    (await rows()).map(({ attempt }) => attempt),
    [0, 0, 0, 0, 1, 1],
  )
  gate.resolve()
  await untilNoJobIsLeft()
  assert.equal(most, 2)
  assert.equal(runs, 6)
})

test('a claim in flight keeps its slots, so that a worker with one slot runs one job at a time', async () => {
  let running = 0
  let most = 0
  let runs = 0
  const handle = async () => {
    most = Math.max(most, ++running)
    await db`select pg_sleep(0.01)`
    running--
    runs++
  }
  await startWorker(handle, { concurrency: 1 })
  await db.tx(add({ isForLater: true }))
  await db.tx(async (tx) => {
    await tx`select from job for update`
    db.wake(kind)
    await until(
      'the claim waits',
      async () =>
        (await db`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
          .length > 0,
    )
    await db.tx(add())
    assert.deepEqual(
      (await rows()).map(({ attempt }) => attempt),
      [0, 0],
    )
  })
  await untilNoJobIsLeft()
  assert.equal(most, 1)
  assert.equal(runs, 2)
})

test('one transaction hands as many jobs as there are free slots, and gives the slots back when it fails', async () => {
  let runs = 0
  const gate = Promise.withResolvers<void>()
  const handle = async () => {
    await gate.promise
    runs++
  }
  await startWorker(handle, { concurrency: 2 })
  let late: Tx | undefined
  const addFive = async (tx: Tx) => {
    late = tx
    for (let n = 0; n < 5; n++) await add()(tx)
  }
  const failing = db.tx(async (tx) => {
    await addFive(tx)
    throw new Error('it fails')
  })
  await assert.rejects(failing, /it fails/)
  assert.equal(late?.reserve(kind, now), null, 'nothing would end the reservation')
  await untilSlotIsFree()
  await db.tx(addFive)
  const attempts = (await rows()).map(({ attempt }) => attempt)
  gate.resolve()
  assert.deepEqual(attempts, [0, 0, 0, 1, 1])
  await untilNoJobIsLeft()
  assert.equal(runs, 5)
})

test('a job whose transaction commits late in its lease is left to a later claim', async () => {
  let runs = 0
  await startWorker(async () => void runs++)
  await db.tx(async (tx) => {
    await add()(tx)
    now = secondsAfter(now, 8)
  })
  await turn()
  assert.equal(runs, 0)
  assert.equal((await rows()).length, 1)
  now = secondsAfter(now, 7)
  db.wake(kind)
  await untilNoJobIsLeft()
  assert.equal(runs, 1)
})

test('a job handed by a request is not limited by its patience', async () => {
  const errors: unknown[] = []
  const gate = Promise.withResolvers<void>()
  await startWorker(async (job) => {
    await db`select pg_sleep(0.4)`.catch((error) => errors.push(error))
    await db.tx((tx) => finish(tx, job)).catch((error) => errors.push(error))
    gate.resolve()
  })
  await withPatience(200, async () => {
    await db.tx(add())
    await gate.promise
  })
  assert.deepEqual(errors, [])
})

test('a job that is handed while the worker stops becomes due at the end of its lease', async () => {
  let runs = 0
  await startWorker(async () => void runs++)
  await db.tx(async (tx) => {
    await add()(tx)
    await worker?.stop()
  })
  await turn()
  assert.equal(runs, 0)
  now = secondsAfter(now, 15)
  await startWorker(async () => void runs++)
  await untilNoJobIsLeft()
  assert.equal(runs, 1)
})
