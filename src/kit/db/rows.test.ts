// Rows as a table of a statement.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '#test/setup/database.ts'
import { bigint, type Columns, date, namesOf, rowsAs, text } from './rows.ts'
import { connect, sql } from './sql.ts'

const db = connect(await testDatabase('partner'), { connections: 1 })
after(() => db.close())

interface Due {
  caseRef: string
  paise: bigint
  dueOn: string | null
}

const columns: Columns<Due> = {
  caseRef: text((due) => due.caseRef),
  dueOn: date((due) => due.dueOn),
  paise: bigint((due) => due.paise),
}

test('gives a statement rows under the names of their columns', async () => {
  const dues: Due[] = [
    { caseRef: 'a', paise: 479_000n, dueOn: '2026-12-04' },
    { caseRef: 'b', paise: 1n, dueOn: null },
  ]
  const found = await db<Due>`select ${namesOf(columns)} from ${rowsAs(sql`input`, dues, columns)} order by case_ref`
  assert.deepEqual(found, dues)
})

test('gives a statement no rows', async () => {
  assert.deepEqual(await db`select ${namesOf(columns)} from ${rowsAs(sql`input`, [], columns)}`, [])
})
