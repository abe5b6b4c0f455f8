// Transactions under failures: deadlocks, conflicts, killed connections, lost responses, an unavailable server.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Refusal } from '@lendloom/foundation/refusal'
import { refusalFrom } from '@lendloom/http/src/refusal-of-error.ts'
import { testDatabase } from '@lendloom/tests/setup/database'
import { type DatabaseProxy, databaseProxy } from '@lendloom/tests/setup/database-line'
import { until } from '@lendloom/tests/setup/programs'
import { connect, type Db, isDiskFull, isTransient, type Run, type Tx } from './sql.ts'
import { retryAtStart } from './writes-at-start.ts'

const url = await testDatabase('platform')
const db = connect(url, { connections: 4 })
after(() => db.close())
await db`create table cell (name text primary key, value integer not null)`

const values = async (): Promise<Record<string, number>> => {
  const rows = await db<{ name: string; value: number }>`select name, value from cell`
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
async function resetCells(): Promise<void> {
  await db`delete from cell`
  await db`insert into cell (name, value) values ('a', 0), ('b', 0)`
}
const add = (tx: Tx, name: string) => tx`update cell set value = value + 1 where name = ${name}`

/** A promise, and the function that resolves it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

test('both transactions of a deadlock complete', async () => {
  await resetCells()
  const gates = { a: gate(), b: gate() }
  const ends = { a: gate(), b: gate() }
  const tries = { a: 0, b: 0 }
  const cross = async (mine: 'a' | 'b', other: 'a' | 'b') => {
    await db.tx(async (tx) => {
      // The retry waits for the end of the other transaction, which it could otherwise overtake on a slow server.
      if (++tries[mine] > 1) await ends[other].passed
      await add(tx, mine)
      gates[mine].open()
      await gates[other].passed
      await add(tx, other)
    })
    ends[mine].open()
  }
  await Promise.all([cross('a', 'b'), cross('b', 'a')])
  assert.deepEqual(await values(), { a: 2, b: 2 })
  assert.equal(tries.a + tries.b, 3)
})

test('a snapshot sees one state and is read-only', async () => {
  await resetCells()
  const seen = await db.snapshot(async (read) => {
    const [a] = await read<{ value: number }>`select value from cell where name = 'a'`
    await db`update cell set value = 7`
    const [b] = await read<{ value: number }>`select value from cell where name = 'b'`
    return [a!.value, b!.value]
  })
  assert.deepEqual(seen, [0, 0])
  await assert.rejects(
    db.snapshot((read) => read`update cell set value = 8`),
    /read-only transaction/,
  )
  assert.deepEqual(await values(), { a: 7, b: 7 })
})

test('retries a serialization failure, also at the commit', async () => {
  await resetCells()
  const read = { a: gate(), b: gate() }
  // Each reads the row that the other writes, so only one can commit at first.
  const crossWrite = (mine: 'a' | 'b', other: 'a' | 'b') =>
    db.tx(async (tx) => {
      await tx`set transaction isolation level serializable`
      const [row] = await tx<{ value: number }>`select value from cell where name = ${other}`
      read[mine].open()
      await read[other].passed
      await tx`update cell set value = ${row!.value + 1} where name = ${mine}`
    })
  await Promise.all([crossWrite('a', 'b'), crossWrite('b', 'a')])
  assert.deepEqual(Object.values(await values()).sort(), [1, 2])
})

test('retries a transaction whose connection is killed', async () => {
  await resetCells()
  let tries = 0
  const result = await db.tx(async (tx) => {
    const [self] = await tx<{ pid: number }>`select pg_backend_pid() as pid`
    await add(tx, 'a')
    if (++tries === 1) await db`select pg_terminate_backend(${self!.pid})`
    await add(tx, 'b')
    return 'done'
  })
  assert.equal(result, 'done')
  assert.equal(tries, 2)
  assert.deepEqual(await values(), { a: 1, b: 1 })
})

test('retries a transaction whose connection is lost before the commit is sent', async () => {
  await resetCells()
  let tries = 0
  await db.tx(async (tx) => {
    const [self] = await tx<{ pid: number }>`select pg_backend_pid() as pid`
    await add(tx, 'a')
    if (++tries > 1) return
    await db`select pg_terminate_backend(${self!.pid})`
    const isGone = async () => (await db`select from pg_stat_activity where pid = ${self!.pid}`).length === 0
    await until('the end of the backend', isGone)
    // The driver reads the server's last message.
    await setImmediate()
    await setImmediate()
  })
  assert.equal(tries, 2)
  assert.deepEqual(await values(), { a: 1, b: 0 })
})

test('does not retry an error of the work itself', async () => {
  let tries = 0
  const failing = db.tx(async (tx) => {
    tries++
    await tx`select * from nowhere`
  })
  await assert.rejects(failing, /nowhere/)
  assert.equal(tries, 1)
})

test('a transaction fails with a statement that its work did not await', async () => {
  await resetCells()
  const runUnawaited = (statement: Promise<unknown>) => void statement.catch(() => {})
  await db.tx(async (tx) => runUnawaited(add(tx, 'a')))
  const failing = db.tx(async (tx) => {
    await add(tx, 'b')
    runUnawaited(tx`insert into cell (name, value) values ('a', 1)`)
  })
  await assert.rejects(failing, /cell_pkey/)
  assert.deepEqual(await values(), { a: 1, b: 0 })
})

async function withProxiedDatabase(work: (proxied: Db, line: DatabaseProxy) => Promise<void>): Promise<void> {
  const line = await databaseProxy(url)
  const proxied = connect(line.url, { connections: 3 })
  try {
    await work(proxied, line)
  } finally {
    line.close()
    await proxied.close()
  }
}

test('does not repeat a commit whose response is lost', () =>
  withProxiedDatabase(async (proxied, line) => {
    await resetCells()
    let tries = 0
    line.loseCommit()
    const lostCommit = proxied.tx(async (tx) => {
      tries++
      await add(tx, 'a')
    })
    await assert.rejects(lostCommit, (error: Error) => /answer is unknown/.test(error.message) && !isTransient(error))
    assert.equal(tries, 1)
    assert.deepEqual(await values(), { a: 1, b: 0 })
    await proxied.tx((tx) => add(tx, 'b'))
    assert.deepEqual(await values(), { a: 1, b: 1 })
  }))

test('retryAtStart repeats a write after a lost commit response and during an outage', () =>
  withProxiedDatabase(async (proxied, line) => {
    await resetCells()
    const ensure = () => proxied.tx((tx) => tx`update cell set value = 1 where name = 'a' returning value`)
    line.loseCommit()
    assert.deepEqual(await retryAtStart(ensure), [{ value: 1 }])
    await Promise.all([line.outage(300), retryAtStart(() => proxied`select 1`)])
    await assert.rejects(
      retryAtStart(() => proxied`select * from nowhere`),
      /nowhere/,
    )
  }))

test('transactions wait during an outage of the server and then complete', () =>
  withProxiedDatabase(async (proxied, line) => {
    await resetCells()
    const addSix = () => Promise.all(Array.from({ length: 6 }, () => proxied.tx((tx) => add(tx, 'a'))))
    await addSix()
    await Promise.all([line.outage(300), addSix()])
    await addSix()
    assert.deepEqual(await values(), { a: 18, b: 0 })
    assert.ok(proxied.pool.totalCount <= 3)
  }))

test('a single statement fails with a transient error while the server is unavailable', () =>
  withProxiedDatabase(async (proxied, line) => {
    await proxied`select 1`
    const outage = line.outage(150)
    await assert.rejects(proxied`select 1`, isTransient)
    await outage
    assert.deepEqual(await proxied`select 1 as one`, [{ one: 1 }])
  }))

test('limits how long an idle transaction holds its locks', async () => {
  const [row] = await db<{ limit: string }>`select current_setting('idle_in_transaction_session_timeout') as limit`
  assert.equal(row!.limit, '1min')
})

/** Prepares a statement on four connections; `widen` changes its result columns, as a migration does. */
async function prepareWideTable() {
  const wide = connect(url, { connections: 4 })
  await wide`drop table if exists wide`
  await wide`create table wide (a integer)`
  await wide`insert into wide (a) values (1)`
  let columns = 1
  const widen = () => db.pool.query(`alter table wide add column ${'abcdef'[columns++]} integer default ${columns}`)
  const read = (on: Run) => on`select * from wide`
  const readOnEach = () =>
    Promise.all(Array.from({ length: 4 }, () => wide.tx((tx) => Promise.all([read(tx), tx`select pg_sleep(0.02)`]))))
  await readOnEach()
  return { wide, widen, read, readOnEach }
}

test('retries once and prepares the statement again after a migration outdates its plan', async () => {
  const { wide, widen, read, readOnEach } = await prepareWideTable()
  await widen()
  let tries = 0
  const rows = await wide.tx((tx) => {
    tries++
    return read(tx)
  })
  assert.deepEqual(rows, [{ a: 1, b: 2 }])
  assert.equal(tries, 2)
  // The other connections are replaced too, so no statement fails any more.
  await readOnEach()
  await widen()
  assert.deepEqual(
    await Promise.all(Array.from({ length: 4 }, () => read(wide))),
    Array(4).fill([{ a: 1, b: 2, c: 3 }]),
  )
  await wide.close()
})

/** Returns the error of an act that must fail. */
const errorOf = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => assert.fail('the act did not fail'),
    (error) => error,
  )

const processIdsOf = async (pooled: Db, count: number): Promise<number[]> => {
  const clients = await Promise.all(Array.from({ length: count }, () => pooled.pool.connect()))
  const rows = await Promise.all(clients.map((client) => client.query('select pg_backend_pid() as pid')))
  for (const client of clients) client.release()
  return rows.map((result) => result.rows[0].pid).sort()
}

/** Simulates a switchover: open connections become read-only, and new ones reach the new primary. */
async function simulateSwitchover(pooled: Db, count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => pooled.pool.connect()))
  for (const client of clients) await client.query('set default_transaction_read_only = on')
  for (const client of clients) client.release()
}

test('retries a write on new connections when its server became read-only', async () => {
  await resetCells()
  const pooled = connect(url, { connections: 3 })
  const before = await processIdsOf(pooled, 3)
  await simulateSwitchover(pooled, 3)
  let tries = 0
  await pooled.tx((tx) => {
    tries++
    return add(tx, 'a')
  })
  assert.equal(tries, 2)
  await simulateSwitchover(pooled, 3)
  await pooled`update cell set value = value + 1 where name = 'b'`
  assert.deepEqual(await values(), { a: 1, b: 1 })
  const after = await processIdsOf(pooled, 3)
  assert.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  )
  assert.equal(await pooled.isWritable(), true)
  await pooled.close()
})

test('a write to a read-only database fails with a transient error and Retry-After', async () => {
  const name = new URL(url).pathname.slice(1)
  await db.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  const pooled = connect(url, { connections: 2 })
  const error = await errorOf(pooled`update cell set value = 9`)
  assert.ok(isTransient(error))
  const refusal = refusalFrom(error)
  assert.ok(refusal instanceof Refusal)
  assert.equal(refusal.kind, 'upstream')
  assert.deepEqual(refusal.details, { retryAfterSeconds: 1 })
  assert.equal(await pooled.isWritable(), false)
  await pooled.close()
  await db.pool.query(`alter database ${name} reset default_transaction_read_only`)
})

test('a write to a full disk fails at once with a transient error and keeps its connection', async () => {
  await resetCells()
  const pooled = connect(url, { connections: 2 })
  await pooled`select 1`
  const before = await processIdsOf(pooled, 2)
  assert.equal(await pooled.isWritable(), true)
  await db.pool.query(`create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await db.pool.query('create trigger no_space before update on cell execute function no_space()')
  let tries = 0
  const inTransaction = () =>
    pooled.tx((tx) => {
      tries++
      return add(tx, 'a')
    })
  for (const write of [inTransaction, () => pooled`update cell set value = 9`]) {
    const error = await errorOf(write())
    assert.ok(isDiskFull(error) && isTransient(error))
    const refusal = refusalFrom(error)
    assert.ok(refusal instanceof Refusal)
    assert.equal(refusal.kind, 'upstream')
    assert.deepEqual(refusal.details, { retryAfterSeconds: 30 })
  }
  assert.equal(tries, 1)
  assert.equal(await pooled.isWritable(), false)
  await db.pool.query('drop trigger no_space on cell')
  assert.deepEqual(await processIdsOf(pooled, 2), before)
  await pooled.tx((tx) => add(tx, 'a'))
  assert.deepEqual(await values(), { a: 1, b: 0 })
  await pooled.close()
})
