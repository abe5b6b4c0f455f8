// The look at all queues of a process, and the wakes between processes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/setup/database.ts'
import { deadlineMs } from '#test/setup/deadline.ts'
import { connect, type Db, sql } from './sql.ts'

const url = await testDatabase('platform')
const opened: Db[] = []
after(() => Promise.all(opened.map((db) => db.close())))
const open = (): Db => {
  const db = connect(url, { connections: 2 })
  opened.push(db)
  return db
}

const clock = () => new Date()
const never = sql`null`

/** Resolves when the queue has been woken so often. */
const woken = (db: Db, queue: string, times = 1): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${queue} was not woken`)), deadlineMs)
    let left = times
    const stop = db.onWake(queue, () => {
      if (--left > 0) return
      clearTimeout(timer)
      stop()
      resolve()
    })
  })

test('rule 11: one statement looks at all queues of a process, and wakes those in which something is due', async () => {
  const db = open()
  const past = sql`'2026-01-01'::timestamptz`
  for (let i = 0; i < 20; i++) db.watch({ queue: `quiet-${i}`, next: never, clock })
  db.watch({ queue: 'due', next: past, clock })
  let isQuietWoken = false
  db.onWake('quiet-1', () => {
    isQuietWoken = true
  })
  await woken(db, 'due', 2)
  assert.deepEqual([db.looks, db.statements], [2, 0])
  assert.equal(isQuietWoken, false)
})

test('what becomes due before the next look is woken by then', async () => {
  const db = open()
  const at = new Date(Date.now() + 1500)
  db.watch({ queue: 'soon', next: sql`${at}::timestamptz`, clock })
  await woken(db, 'soon')
  assert.ok(Date.now() >= at.getTime() - 2, 'not before it is due')
})

test('a wake reaches the process that works on the queue, whichever it is; one that works on it itself tells nobody', async () => {
  const [worker, other] = [open(), open()]
  worker.watch({ queue: 'told', next: never, clock })
  const heard = woken(worker, 'told')
  // The connection that hears is opened by then, or the wake is sent again.
  const again = setInterval(() => void other.tx(async (tx) => tx.wake('told')), 50)
  await heard
  clearInterval(again)
  const own = connect(url, { connections: 1 })
  own.onWake('own', () => {})
  own.wake('own')
  await own.close()
  assert.equal(own.looks, 0)
})

test('a process whose hearing connection was cut hears again', async () => {
  const [worker, other] = [open(), open()]
  worker.watch({ queue: 'cut', next: never, clock })
  const wakes = setInterval(() => other.wake('cut'), 50)
  await woken(worker, 'cut')
  const hearing = () => other<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'lendloom wakes' and datname = current_database()`
  const cut = new Set((await hearing()).map(({ pid }) => pid))
  await other`select pg_terminate_backend(pid) from unnest(${[...cut]}::integer[]) as pid`
  for (const end = Date.now() + deadlineMs; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    if ((await hearing()).some(({ pid }) => !cut.has(pid))) break
    assert.ok(Date.now() < end, 'it comes back')
  }
  await woken(worker, 'cut')
  clearInterval(wakes)
})
