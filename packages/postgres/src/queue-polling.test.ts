// Polling all queues of a process, and notifications between processes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { deadlineMs } from '@lendloom/tests/setup/deadline'
import { connect, type Db, sql } from './sql.ts'

const url = await testDatabase('platform')
const databases: Db[] = []
after(() => Promise.all(databases.map((db) => db.close())))
const open = (): Db => {
  const db = connect(url, { connections: 2 })
  databases.push(db)
  return db
}

const clock = () => new Date()
const never = sql`null`

/** Resolves when the queue has been woken `times` times. */
const untilWoken = (db: Db, queue: string, times = 1): Promise<void> =>
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

test('rule 11: one statement polls all queues of a process and wakes those with due work', async () => {
  const db = open()
  const past = sql`'2026-01-01'::timestamptz`
  for (let i = 0; i < 20; i++) db.watch({ queue: `quiet-${i}`, next: never, clock })
  db.watch({ queue: 'due', next: past, clock })
  let isQuietWoken = false
  db.onWake('quiet-1', () => {
    isQuietWoken = true
  })
  await untilWoken(db, 'due', 2)
  assert.equal(db.queueStatements, 2)
  assert.equal(db.statements, 0)
  assert.equal(isQuietWoken, false)
})

test('wakes a queue when its next item is due, before the next poll', async () => {
  const db = open()
  const at = new Date(Date.now() + 1500)
  db.watch({ queue: 'soon', next: sql`${at}::timestamptz`, clock })
  await untilWoken(db, 'soon')
  assert.ok(Date.now() >= at.getTime() - 2, 'not before it is due')
})

test('notifies the process that works on a queue, and sends nothing when this process does', async () => {
  const worker = open()
  const other = open()
  worker.watch({ queue: 'notified', next: never, clock })
  const notified = untilWoken(worker, 'notified')
  // Repeated, because the listening connection may not be open yet.
  const wakes = setInterval(() => void other.tx(async (tx) => tx.wake('notified')), 50)
  await notified
  clearInterval(wakes)
  const own = connect(url, { connections: 1 })
  own.onWake('own', () => {})
  own.wake('own')
  await own.close()
  assert.equal(own.queueStatements, 0)
})

test('a process reopens its listening connection when it is cut', async () => {
  const worker = open()
  const other = open()
  worker.watch({ queue: 'cut', next: never, clock })
  const wakes = setInterval(() => other.wake('cut'), 50)
  await untilWoken(worker, 'cut')
  const listeners = () => other<{ pid: number }>`
    select pid from pg_stat_activity where application_name = 'lendloom wakes' and datname = current_database()`
  const cut = new Set((await listeners()).map(({ pid }) => pid))
  await other`select pg_terminate_backend(pid) from unnest(${[...cut]}::integer[]) as pid`
  for (const end = Date.now() + deadlineMs; ; await new Promise((resolve) => setTimeout(resolve, 20))) {
    if ((await listeners()).some(({ pid }) => !cut.has(pid))) break
    assert.ok(Date.now() < end, 'the listening connection is reopened')
  }
  await untilWoken(worker, 'cut')
  clearInterval(wakes)
})
