// A request's time budget for the database: the server hangs, or a lock or a connection is not available.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '@lendloom/tests/setup/database'
import { databaseProxy } from '@lendloom/tests/setup/database-line'
import { until } from '@lendloom/tests/setup/programs'
import { groupCommit, sharedCommit } from './shared-commit.ts'
import { connect, type Db, isCommitUnknown, isTransient } from './sql.ts'
import { OutOfPatience, withPatience } from './wait-limit.ts'

const url = await testDatabase('platform')
const db = connect(url)
const line = await databaseProxy(url)
after(async () => {
  line.close()
  await db.close()
})
await db`create table cell (name text primary key, value integer not null)`
await db`insert into cell (name, value) values ('a', 0)`

const valueIn = async (name: string): Promise<number | undefined> =>
  (await db<{ value: number }>`select value from cell where name = ${name}`)[0]?.value
const add = (on: Pick<Db, 'tx'>) => on.tx((tx) => tx`update cell set value = value + 1 where name = 'a'`)

/** Runs work with a pool that connects through the proxy. */
async function withProxiedPool(connections: number, work: (proxied: Db) => Promise<void>): Promise<void> {
  const proxied = connect(line.url, { connections })
  try {
    await work(proxied)
  } finally {
    line.resume()
    await proxied.close()
  }
}

/** Returns the error of `work`, run as a request with this time budget. */
const failureOf = (ms: number, work: () => Promise<unknown>): Promise<unknown> =>
  withPatience(ms, work).then(
    () => assert.fail('the work did not fail'),
    (error) => error,
  )

test('never commits a transaction that was abandoned because the database hangs', () =>
  withProxiedPool(2, async (proxied) => {
    await add(proxied)
    const before = await valueIn('a')
    line.pause()
    const failure = await failureOf(200, () => add(proxied))
    assert.ok(isTransient(failure) && !isCommitUnknown(failure))
    line.resume()
    await add(proxied)
    assert.equal(await valueIn('a'), before! + 1)
  }))

test('the outcome is unknown when the database hangs at the commit', () =>
  withProxiedPool(1, async (proxied) => {
    await add(proxied)
    line.pauseAt('commit')
    assert.ok(isCommitUnknown(await failureOf(200, () => add(proxied))))
    line.resume()
    await add(proxied)
  }))

test('a connection that becomes free after its request ran out of time returns to the pool', () =>
  withProxiedPool(1, async (proxied) => {
    const { promise: hold, resolve: release } = Promise.withResolvers<void>()
    const long = proxied.tx(async (tx) => {
      await tx`select 1`
      await hold
    })
    for (const read of [() => proxied`select 1`, () => proxied.tx((tx) => tx`select 1`)])
      assert.ok((await failureOf(50, read)) instanceof OutOfPatience)
    release()
    await long
    assert.deepEqual(await proxied`select 1 as one`, [{ one: 1 }])
    assert.equal(proxied.pool.totalCount, 1)
  }))

test('one time budget covers all statements of a request', () =>
  withProxiedPool(2, async (proxied) => {
    let statementCount = 0
    const failure = await failureOf(400, async () => {
      for (;;) {
        statementCount++
        await proxied`select pg_sleep(0.15)`
      }
    })
    assert.ok(failure instanceof OutOfPatience)
    assert.ok(statementCount <= 3, `${statementCount} statements`)
    const nextFailure = await failureOf(100, async () => {
      await proxied`select pg_sleep(1)`.catch(() => {})
      await proxied`select 1`
    })
    assert.ok(nextFailure instanceof OutOfPatience)
  }))

test('the time budget counts only waits for the database before the answer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const background: Promise<unknown>[] = []
  await withPatience(200, async () => {
    // Longer than the time budget, but not spent on the database.
    await sleep(300)
    await db`select 1`
    background.push(promise.then(() => db`select pg_sleep(0.4)`))
  })
  resolve()
  await Promise.all(background)
})

test('the server cancels a statement that waits for a lock once its request has timed out', async () => {
  const countLockWaits = async () => {
    const [row] = await db<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return row!.count
  }
  await db.tx(async (tx) => {
    await tx`update cell set value = 7 where name = 'a'`
    const timedOut = failureOf(3000, () => add(db))
    await until('the statement waits for the lock', async () => (await countLockWaits()) === 1)
    assert.ok((await timedOut) instanceof OutOfPatience)
    await until('the statement no longer waits for the lock', async () => (await countLockWaits()) === 0)
  })
  assert.equal(await valueIn('a'), 7)
})

test('a write that times out in the queue of a group is never sent', () =>
  withProxiedPool(3, async (proxied) => {
    await add(proxied)
    const insert = (names: string[]) =>
      proxied.tx((tx) => Promise.all(names.map((name) => tx`insert into cell (name, value) values (${name}, 1)`)))
    const writes = [
      sharedCommit<string, unknown>({
        ownerOf: (name) => name,
        runTogether: insert,
        runAlone: (name) => insert([name]),
        isGroupFailure: isTransient,
        groups: 1,
      }),
      groupCommit<string, unknown>(insert),
    ]
    for (const [i, write] of writes.entries()) {
      line.pause()
      const first = `first ${i}`
      const second = `second ${i}`
      // The first write keeps its slot longer than both wait.
      const failures = await Promise.all([
        failureOf(150, () => write(first)),
        failureOf(150, () => new Promise(setImmediate).then(() => write(second))),
      ])
      for (const failure of failures) assert.ok(isTransient(failure))
      line.resume()
      await write(`third ${i}`)
      assert.equal(await valueIn(second), undefined)
    }
  }))

test('a shared commit continues when one of its requests times out', async () => {
  let tries = 0
  const begun = Promise.withResolvers<void>()
  const sleepIn = (owner: string, seconds: number) =>
    db.tx(async (tx) => {
      if (owner === 'a') begun.resolve()
      if (owner === 'b') tries++
      await tx`select pg_sleep(${seconds}::float8)`
      return owner
    })
  const runAlone = ({ owner, seconds }: { owner: string; seconds: number }) => sleepIn(owner, seconds)
  const share = sharedCommit<{ owner: string; seconds: number }, string>({
    ownerOf: ({ owner }) => owner,
    runTogether: (members) => Promise.all(members.map(runAlone)),
    runAlone,
    isGroupFailure: () => true,
    groups: 1,
  })
  const impatient = failureOf(400, async () => {
    await share({ owner: 'a', seconds: 0.2 })
    await db`select pg_sleep(3)`
  })
  await begun.promise
  const patient = withPatience(20_000, () => share({ owner: 'b', seconds: 1 }))
  assert.ok((await impatient) instanceof Error)
  assert.equal(await patient, 'b')
  assert.equal(tries, 1)
})
