// A request waits for its database so long and no longer: at one that stands still, at a lock, and for a connection.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '#test/setup/database.ts'
import { databaseProxy } from '#test/setup/database-line.ts'
import { until } from '#test/setup/programs.ts'
import { OutOfPatience, withPatience } from './patience.ts'
import { groupCommit, sharedCommit } from './shared-commit.ts'
import { connect, type Db, isCommitUnknown, isTransient } from './sql.ts'

const url = await testDatabase('platform')
const db = connect(url)
const line = await databaseProxy(url)
after(async () => {
  line.close()
  await db.close()
})
await db`create table cell (name text primary key, value integer not null)`
await db`insert into cell values ('a', 0)`

const valueIn = async (name: string): Promise<number | undefined> =>
  (await db<{ value: number }>`select value from cell where name = ${name}`)[0]?.value
const add = (on: Pick<Db, 'tx'>) => on.tx((tx) => tx`update cell set value = value + 1 where name = 'a'`)

/** A pool behind the line. */
async function farAway(connections: number, work: (far: Db) => Promise<void>): Promise<void> {
  const far = connect(line.url, { connections })
  try {
    await work(far)
  } finally {
    line.resume()
    await far.close()
  }
}

/** What it fails with, within a request that has so much patience. */
const failureOf = (ms: number, work: () => Promise<unknown>): Promise<unknown> =>
  withPatience(ms, work).then(
    () => assert.fail('it has not failed'),
    (error) => error,
  )

test('the transaction of a request at a database that stands still is given up, and never committed', () =>
  farAway(2, async (far) => {
    await add(far)
    const before = await valueIn('a')
    line.pause()
    const failure = await failureOf(200, () => add(far))
    assert.ok(isTransient(failure) && !isCommitUnknown(failure))
    line.resume()
    await add(far)
    assert.equal(await valueIn('a'), before! + 1)
  }))

test('where the database stands still at the commit, the outcome is unknown', () =>
  farAway(1, async (far) => {
    await add(far)
    line.pauseAt('commit')
    assert.ok(isCommitUnknown(await failureOf(200, () => add(far))))
    line.resume()
    await add(far)
  }))

test('waiting for a connection counts, and the connection that comes too late goes back', () =>
  farAway(1, async (far) => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const long = far.tx(async (tx) => {
      await tx`select 1`
      await isOver
    })
    for (const read of [() => far`select 1`, () => far.tx((tx) => tx`select 1`)])
      assert.ok((await failureOf(50, read)) instanceof OutOfPatience)
    end()
    await long
    assert.deepEqual(await far`select 1 as one`, [{ one: 1 }])
    assert.equal(far.pool.totalCount, 1)
  }))

test('all statements of a request together have its patience, and none is sent after it', () =>
  farAway(2, async (far) => {
    let sent = 0
    const failure = await failureOf(400, async () => {
      for (;;) {
        sent++
        await far`select pg_sleep(0.15)`
      }
    })
    assert.ok(failure instanceof OutOfPatience)
    assert.ok(sent <= 3, `${sent} statements`)
    const after = await failureOf(100, async () => {
      await far`select pg_sleep(1)`.catch(() => {})
      await far`select 1`
    })
    assert.ok(after instanceof OutOfPatience)
  }))

test('time in which a request does not wait for the database does not count, nor what it leaves in the background', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const left: Promise<unknown>[] = []
  await withPatience(200, async () => {
    // Longer than its patience.
    await sleep(300)
    await db`select 1`
    left.push(promise.then(() => db`select pg_sleep(0.4)`))
  })
  resolve()
  await Promise.all(left)
})

test('a statement that waits for a lock is ended at the server too, when its request has given up', async () => {
  const waiting = async () => {
    const [row] = await db<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return row!.count
  }
  await db.tx(async (tx) => {
    await tx`update cell set value = 7 where name = 'a'`
    const giving = failureOf(3000, () => add(db))
    await until('the lock is waited for', async () => (await waiting()) === 1)
    assert.ok((await giving) instanceof OutOfPatience)
    await until('the lock is not waited for', async () => (await waiting()) === 0)
  })
  assert.equal(await valueIn('a'), 7)
})

test('a request that waits for its turn in a group gives up in time, and is then not written', () =>
  farAway(3, async (far) => {
    await add(far)
    const insert = (names: string[]) =>
      far.tx((tx) => Promise.all(names.map((name) => tx`insert into cell values (${name}, 1)`)))
    const writes = [
      sharedCommit<string, unknown>({
        ownerOf: (name) => name,
        together: insert,
        alone: (name) => insert([name]),
        isForAll: isTransient,
        groups: 1,
      }),
      groupCommit<string, unknown>(insert),
    ]
    for (const [i, write] of writes.entries()) {
      line.pause()
      const [first, second] = [`first ${i}`, `second ${i}`]
      const failures = await Promise.all([
        failureOf(300, () => write(first)),
        failureOf(300, () => new Promise(setImmediate).then(() => write(second))),
      ])
      for (const failure of failures) assert.ok(isTransient(failure))
      line.resume()
      await write(`third ${i}`)
      assert.equal(await valueIn(second), undefined)
    }
  }))

test('what a request shares with others is not cut when the patience of another one ends', async () => {
  let tries = 0
  const sleepIn = (owner: string, seconds: number) =>
    db.tx(async (tx) => {
      if (owner === 'b') tries++
      await tx`select pg_sleep(${seconds}::float8)`
      return owner
    })
  const alone = ({ owner, seconds }: { owner: string; seconds: number }) => sleepIn(owner, seconds)
  const share = sharedCommit<{ owner: string; seconds: number }, string>({
    ownerOf: ({ owner }) => owner,
    together: (members) => Promise.all(members.map(alone)),
    ...{ alone, isForAll: () => true, groups: 1 },
  })
  const impatient = failureOf(400, async () => {
    await share({ owner: 'a', seconds: 0.2 })
    await db`select pg_sleep(3)`
  })
  // The first one shares by then.
  await sleep(20)
  const patient = withPatience(20_000, () => share({ owner: 'b', seconds: 1 }))
  assert.ok((await impatient) instanceof Error)
  assert.equal(await patient, 'b')
  assert.equal(tries, 1)
})
