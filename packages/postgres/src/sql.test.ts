// The database client on a real PostgreSQL: types, transactions, wakes and statement counts.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { connect, sql, type Tx, violatesUnique } from './sql.ts'

const db = connect(await testDatabase('platform'), { connections: 4 })
after(() => db.close())
await db`create table account (name text primary key, balance bigint not null, opened_on date, seen_at timestamptz, data jsonb, tags text[])`

const balances = async () => {
  const rows = await db<{ name: string; balance: bigint }>`select name, balance from account order by name`
  return Object.fromEntries(rows.map(({ name, balance }) => [name, balance]))
}
const deleteAccounts = () => db`delete from account`

test('reads values with their types: bigint, calendar date, instant, JSON, list, null', async () => {
  const row = {
    name: "O'Neil; drop table account",
    balance: 9007199254740993n,
    openedOn: '2024-02-29',
    seenAt: new Date('2026-11-01T10:11:12.345Z'),
    data: JSON.stringify({ a: [1, { b: null }] }),
    tags: ['x', 'y,"z'],
  }
  const [inserted] = await db`insert into account ${db(row)} returning *`
  assert.deepEqual(inserted, { ...row, data: { a: [1, { b: null }] } })
  const [nulls] = await db`select null::text as nothing, opened_on is null as is_none from account`
  assert.deepEqual(nulls, { nothing: null, isNone: false })
  await deleteAccounts()
})

test('a template can run repeatedly with different nested fragments', async () => {
  await db`insert into account ${db({ name: 'a', balance: 1n })}`
  await db`insert into account ${db({ name: 'b', balance: 2n })}`
  const find = (name: string | null) =>
    db`select name from account where ${name === null ? sql`true` : sql`name = ${name}`} order by name`
  assert.deepEqual(await find('a'), [{ name: 'a' }])
  assert.deepEqual(await find(null), [{ name: 'a' }, { name: 'b' }])
  assert.deepEqual(await find('b'), [{ name: 'b' }])
  await deleteAccounts()
})

test('ARCHITECTURE rule 7: a transaction commits whole or not at all', async () => {
  await db.tx((tx) => tx`insert into account ${tx({ name: 'kept', balance: 1n })}`)
  const failing = db.tx(async (tx) => {
    await tx`insert into account ${tx({ name: 'lost', balance: 1n })}`
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(await balances(), { kept: 1n })
  await deleteAccounts()
})

test('concurrent statements of one transaction run in order', async () => {
  await db.tx(async (tx) => {
    await Promise.all([
      tx`insert into account ${tx({ name: 'a', balance: 1n })}`,
      tx`update account set balance = balance + 1`,
      tx`update account set balance = balance * 10`,
    ])
  })
  assert.deepEqual(await balances(), { a: 20n })
  await deleteAccounts()
})

test('when one of several concurrent statements fails, none takes effect after the rollback', async () => {
  const insert = (tx: Tx, name: string) => tx`insert into account ${tx({ name, balance: 1n })}`
  const failing = db.tx((tx) => Promise.all([insert(tx, 'a'), tx`select 1 / 0`, insert(tx, 'b'), insert(tx, 'c')]))
  await assert.rejects(failing, /division by zero/)
  await db`select 1`
  assert.deepEqual(await balances(), {})
})

test('rejects a statement after the end of its transaction', async () => {
  let escaped: Tx | undefined
  await db.tx(async (tx) => {
    escaped = tx
  })
  await assert.rejects(escaped!`insert into account ${db({ name: 'late', balance: 1n })}`, /after the end/)
  assert.deepEqual(await balances(), {})
})

test('a statement that was not awaited is part of its transaction', async () => {
  await db.tx(async (tx) => {
    void tx`insert into account ${tx({ name: 'a', balance: 1n })}`
    void tx`select pg_sleep(0.05)`
    void tx`update account set balance = 2`
  })
  assert.deepEqual(await balances(), { a: 2n })
  await deleteAccounts()
})

test('a transaction fails even if its work caught the error of a statement', async () => {
  const woken: string[] = []
  const unsubscribe = db.onWake('q', () => woken.push('q'))
  const swallowing = db.tx(async (tx) => {
    await tx`insert into account ${tx({ name: 'a', balance: 1n })}`
    await tx`select 1 / 0`.catch(() => {})
    tx.wake('q')
  })
  await assert.rejects(swallowing, /division by zero/)
  unsubscribe()
  assert.deepEqual(await balances(), {})
  assert.deepEqual(woken, [])
})

test('violatesUnique recognizes a deferred constraint that fails at the commit', async () => {
  await db`create table once (n integer, constraint once_only unique (n) deferrable initially deferred)`
  const twice = db.tx((tx) => Promise.all([tx`insert into once (n) values (1)`, tx`insert into once (n) values (1)`]))
  await assert.rejects(twice, (error) => violatesUnique(error, 'once_only'))
})

test('violatesUnique recognizes a constraint by its name', async () => {
  const add = () => db`insert into account ${db({ name: 'a', balance: 1n })}`
  await add()
  await assert.rejects(add(), (error) => violatesUnique(error, 'account_pkey') && !violatesUnique(error, 'another'))
  await deleteAccounts()
})

test('ARCHITECTURE rule 7: a transaction wakes a queue once, and only after its commit', async () => {
  const woken: string[] = []
  const unsubscribes = ['q', 'r'].map((queue) => db.onWake(queue, () => woken.push(queue)))
  await db.tx(async (tx) => {
    tx.wake('q')
    tx.wake('q')
    await tx`select 1`
    assert.deepEqual(woken, [])
  })
  assert.deepEqual(woken, ['q'])
  await db
    .tx(async (tx) => {
      tx.wake('r')
      throw new Error('no')
    })
    .catch(() => {})
  assert.deepEqual(woken, ['q'])
  for (const unsubscribe of unsubscribes) unsubscribe()
  db.wake('q')
  assert.deepEqual(woken, ['q'])
})

test('counts statements', async () => {
  const before = db.statements
  await db`select 1`
  await db.tx(async (tx) => {
    await tx`select 1`
    await tx`select 2`
  })
  assert.equal(db.statements - before, 3)
})

test('transactions wait when all connections are in use', async () => {
  await db`insert into account ${db({ name: 'a', balance: 0n })}`
  await Promise.all(
    Array.from({ length: 40 }, () => db.tx((tx) => tx`update account set balance = balance + 1 where name = 'a'`)),
  )
  assert.deepEqual(await balances(), { a: 40n })
  assert.equal(db.pool.waitingCount, 0)
  assert.ok(db.pool.totalCount <= 4)
  await deleteAccounts()
})
