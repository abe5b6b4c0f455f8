// Transactions when the database fails them: deadlocks, conflicts, killed connections, lost answers, a server that is away.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refusalFrom } from '#kit/http/failure.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { testDatabase } from '#test/setup/database.ts'
import { type DatabaseProxy, databaseProxy } from '#test/setup/database-line.ts'
import { retryAtStart } from './at-start.ts'
import { connect, type Db, isDiskFull, isTransient, type Run, type Tx } from './sql.ts'

const url = await testDatabase('platform')
const db = connect(url, { connections: 4 })
after(() => db.close())
await db`create table cell (name text primary key, value integer not null)`

const values = async (): Promise<Record<string, number>> => {
  const rows = await db<{ name: string; value: number }>`select name, value from cell`
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
async function fresh(): Promise<void> {
  await db`delete from cell`
  await db`insert into cell values ('a', 0), ('b', 0)`
}
const add = (tx: Tx, name: string) => tx`update cell set value = value + 1 where name = ${name}`

/** A promise and what resolves it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { passed: promise, open: resolve }
}

test('of two transactions in a deadlock both come to their end', async () => {
  await fresh()
  const [gates, ends] = [
    { a: gate(), b: gate() },
    { a: gate(), b: gate() },
  ]
  const tries = { a: 0, b: 0 }
  const cross = async (mine: 'a' | 'b', other: 'a' | 'b') => {
    await db.tx(async (tx) => {
      // Undone, it comes back when the other has ended: a server that is slow to wake that one would let it in before.
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

test('a snapshot sees one state, whatever is committed meanwhile, and changes nothing', async () => {
  await fresh()
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

test('a serialization failure is tried again, also one that shows itself at the commit', async () => {
  await fresh()
  const read = { a: gate(), b: gate() }
  // Each reads what the other writes: only one of them can be right.
  const skew = (mine: 'a' | 'b', other: 'a' | 'b') =>
    db.tx(async (tx) => {
      await tx`set transaction isolation level serializable`
      const [row] = await tx<{ value: number }>`select value from cell where name = ${other}`
      read[mine].open()
      await read[other].passed
      await tx`update cell set value = ${row!.value + 1} where name = ${mine}`
    })
  await Promise.all([skew('a', 'b'), skew('b', 'a')])
  assert.deepEqual(Object.values(await values()).sort(), [1, 2])
})

test('a connection that is killed in mid-transaction costs nothing but time', async () => {
  await fresh()
  let tries = 0
  const result = await db.tx(async (tx) => {
    const [self] = await tx<{ pid: number }>`select pg_backend_pid() as pid`
    await add(tx, 'a')
    if (++tries === 1) await db`select pg_terminate_backend(${self!.pid})`
    await add(tx, 'b')
    return 'done'
  })
  assert.deepEqual([result, tries, await values()], ['done', 2, { a: 1, b: 1 }])
})

test('an error of the work itself is not tried again', async () => {
  let tries = 0
  const failing = db.tx(async (tx) => {
    tries++
    await tx`select * from nowhere`
  })
  await assert.rejects(failing, /nowhere/)
  assert.equal(tries, 1)
})

test('a statement that nobody waited for goes out with the commit, and fails it', async () => {
  await fresh()
  const silent = (statement: Promise<unknown>) => void statement.catch(() => {})
  await db.tx(async (tx) => silent(add(tx, 'a')))
  const failing = db.tx(async (tx) => {
    await add(tx, 'b')
    silent(tx`insert into cell values ('a', 1)`)
  })
  await assert.rejects(failing, /cell_pkey/)
  assert.deepEqual(await values(), { a: 1, b: 0 })
})

async function overTroubledLine(work: (far: Db, line: DatabaseProxy) => Promise<void>): Promise<void> {
  const line = await databaseProxy(url)
  const far = connect(line.url, { connections: 3 })
  try {
    await work(far, line)
  } finally {
    line.close()
    await far.close()
  }
}

test('a commit whose answer is lost is never repeated: it has happened once', () =>
  overTroubledLine(async (far, line) => {
    await fresh()
    let tries = 0
    line.loseCommit()
    const unknown = far.tx(async (tx) => {
      tries++
      await add(tx, 'a')
    })
    await assert.rejects(unknown, (error: Error) => /answer is unknown/.test(error.message) && !isTransient(error))
    assert.equal(tries, 1)
    assert.deepEqual(await values(), { a: 1, b: 0 })
    await far.tx((tx) => add(tx, 'b'))
    assert.deepEqual(await values(), { a: 1, b: 1 })
  }))

test('a write of the start whose commit is lost is repeated, and so is one while the server is away', () =>
  overTroubledLine(async (far, line) => {
    await fresh()
    const ensure = () => far.tx((tx) => tx`update cell set value = 1 where name = 'a' returning value`)
    line.loseCommit()
    assert.deepEqual(await retryAtStart(ensure), [{ value: 1 }])
    await Promise.all([line.outage(300), retryAtStart(() => far`select 1`)])
    await assert.rejects(
      retryAtStart(() => far`select * from nowhere`),
      /nowhere/,
    )
  }))

test('a server that is away for a while is waited for, and the pool is whole again', () =>
  overTroubledLine(async (far, line) => {
    await fresh()
    const many = () => Promise.all(Array.from({ length: 6 }, () => far.tx((tx) => add(tx, 'a'))))
    await many()
    await Promise.all([line.outage(300), many()])
    await many()
    assert.deepEqual(await values(), { a: 18, b: 0 })
    assert.ok(far.pool.totalCount <= 3)
  }))

test('a single statement while the server is away fails in a way that is known to pass', () =>
  overTroubledLine(async (far, line) => {
    await far`select 1`
    const back = line.outage(150)
    await assert.rejects(far`select 1`, isTransient)
    await back
    assert.deepEqual(await far`select 1 as one`, [{ one: 1 }])
  }))

test('a hanging process does not hold its locks for ever', async () => {
  const [row] = await db<{ limit: string }>`select current_setting('idle_in_transaction_session_timeout') as limit`
  assert.equal(row!.limit, '1min')
})

/** A statement that is prepared on four connections, and what changes its result as a migration does. */
async function widened() {
  const wide = connect(url, { connections: 4 })
  await wide`drop table if exists wide`
  await wide`create table wide (a integer)`
  await wide`insert into wide values (1)`
  let columns = 1
  const widen = () => db.pool.query(`alter table wide add column ${'abcdef'[columns++]} integer default ${columns}`)
  const read = (on: Run) => on`select * from wide`
  const onEach = () =>
    Promise.all(Array.from({ length: 4 }, () => wide.tx((tx) => Promise.all([read(tx), tx`select pg_sleep(0.02)`]))))
  await onEach()
  return { wide, widen, read, onEach }
}

test('a plan that a migration outdated costs a try, in a transaction and in a single statement, and is then prepared anew', async () => {
  const { wide, widen, read, onEach } = await widened()
  await widen()
  let tries = 0
  const rows = await wide.tx((tx) => {
    tries++
    return read(tx)
  })
  assert.deepEqual([rows, tries], [[{ a: 1, b: 2 }], 2])
  // The connections that were not used meanwhile are as outdated as the first one: none of them fails any more.
  await onEach()
  await widen()
  assert.deepEqual(
    await Promise.all(Array.from({ length: 4 }, () => read(wide))),
    Array(4).fill([{ a: 1, b: 2, c: 3 }]),
  )
  await wide.close()
})

/** What an act fails with; it must fail. */
const errorOf = (act: Promise<unknown>): Promise<unknown> =>
  act.then(
    () => assert.fail('it has not failed'),
    (error) => error,
  )

const connectionsOf = async (of: Db, count: number): Promise<number[]> => {
  const taken = await Promise.all(Array.from({ length: count }, () => of.pool.connect()))
  const rows = await Promise.all(taken.map((client) => client.query('select pg_backend_pid() as pid')))
  for (const client of taken) client.release()
  return rows.map((result) => result.rows[0].pid).sort()
}

/** As after a switch: the connections that are open lead to a server that is read-only by now, new ones to its successor. */
async function switched(of: Db, count: number): Promise<void> {
  const taken = await Promise.all(Array.from({ length: count }, () => of.pool.connect()))
  for (const client of taken) await client.query('set default_transaction_read_only = on')
  for (const client of taken) client.release()
}

test('a connection that leads to a server which is read-only by now leaves the pool, and the write goes to its successor', async () => {
  await fresh()
  const far = connect(url, { connections: 3 })
  const before = await connectionsOf(far, 3)
  await switched(far, 3)
  let tries = 0
  await far.tx((tx) => {
    tries++
    return add(tx, 'a')
  })
  assert.equal(tries, 2)
  await switched(far, 3)
  await far`update cell set value = value + 1 where name = 'b'`
  assert.deepEqual(await values(), { a: 1, b: 1 })
  const after = await connectionsOf(far, 3)
  assert.deepEqual(
    after.filter((pid) => before.includes(pid)),
    [],
  )
  assert.equal(await far.isWritable(), true)
  await far.close()
})

test('a database that stays read-only is passing: 503, to be tried again', async () => {
  const name = new URL(url).pathname.slice(1)
  await db.pool.query(`alter database ${name} set default_transaction_read_only = on`)
  const far = connect(url, { connections: 2 })
  const error = await errorOf(far`update cell set value = 9`)
  assert.ok(isTransient(error))
  const refusal = refusalFrom(error)
  assert.ok(refusal instanceof Refusal)
  assert.deepEqual([refusal.kind, refusal.details], ['upstream', { retryAfterSeconds: 1 }])
  assert.equal(await far.isWritable(), false)
  await far.close()
  await db.pool.query(`alter database ${name} reset default_transaction_read_only`)
})

test('a full disk is passing, is not tried again at once, and costs no connection', async () => {
  await fresh()
  const far = connect(url, { connections: 2 })
  await far`select 1`
  const before = await connectionsOf(far, 2)
  assert.equal(await far.isWritable(), true)
  await db.pool.query(`create function no_space() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  await db.pool.query('create trigger no_space before update on cell execute function no_space()')
  let tries = 0
  const inTransaction = () =>
    far.tx((tx) => {
      tries++
      return add(tx, 'a')
    })
  for (const write of [inTransaction, () => far`update cell set value = 9`]) {
    const error = await errorOf(write())
    assert.ok(isDiskFull(error) && isTransient(error))
    const refusal = refusalFrom(error)
    assert.ok(refusal instanceof Refusal)
    assert.deepEqual([refusal.kind, refusal.details], ['upstream', { retryAfterSeconds: 30 }])
  }
  assert.equal(tries, 1)
  assert.equal(await far.isWritable(), false)
  await db.pool.query('drop trigger no_space on cell')
  assert.deepEqual(await connectionsOf(far, 2), before)
  await far.tx((tx) => add(tx, 'a'))
  assert.deepEqual(await values(), { a: 1, b: 0 })
  await far.close()
})
