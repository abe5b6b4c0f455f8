// Calls of one transaction share a statement.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { sharedStatement } from './shared-statement.ts'
import { connect, type Tx } from './sql.ts'

const db = connect(await testDatabase('platform'))
after(() => db.close())

const double = sharedStatement(async (tx: Tx, numbers: number[]) => {
  const rows = await tx<{ twice: number }>`select 2 * number as twice from unnest(${numbers}::int[]) as input (number)`
  return rows.map(({ twice }) => twice)
})

test('calls of one turn on a transaction share a statement, and later calls send another', async () => {
  const before = db.statements
  const results = await db.tx(async (tx) => [
    await Promise.all([double(tx, 1), double(tx, 2), double(tx, 3)]),
    await Promise.all([double(tx, 4)]),
  ])
  assert.deepEqual(results, [[2, 4, 6], [8]])
  assert.equal(db.statements - before, 2)
})

test('transactions share no statement, and a failure reaches every call', async () => {
  const both = await Promise.all([5, 6].map((number) => db.tx((tx) => double(tx, number))))
  assert.deepEqual(both, [10, 12])
  const failing = db.tx((tx) => Promise.all([double(tx, 1), double(tx, 2 ** 40)]))
  await assert.rejects(failing, /out of range/)
})
