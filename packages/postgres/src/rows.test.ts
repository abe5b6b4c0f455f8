// Rows as a table of a statement.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import {
  bigint,
  boolean,
  bytea,
  type Columns,
  date,
  integer,
  namesOf,
  numberedRowsAs,
  rowsAs,
  text,
  timestamptz,
  uuid,
} from './rows.ts'
import { connect, sql } from './sql.ts'

const db = connect(await testDatabase('partner'), { connections: 1 })
after(() => db.close())

interface Due {
  caseRef: string
  number: number
  paise: bigint
  dueOn: string | null
  isPaid: boolean
  paidAt: Date | null
  noteSealed: Buffer | null
  eventId: string | null
}

const columns: Columns<Due> = {
  caseRef: text((due) => due.caseRef),
  number: integer((due) => due.number),
  paise: bigint((due) => due.paise),
  dueOn: date((due) => due.dueOn),
  isPaid: boolean((due) => due.isPaid),
  paidAt: timestamptz((due) => due.paidAt),
  noteSealed: bytea((due) => due.noteSealed),
  eventId: uuid((due) => due.eventId),
}

const dues: Due[] = [
  {
    caseRef: 'a',
    number: 2,
    paise: 2n ** 62n,
    dueOn: '2026-12-04',
    isPaid: true,
    paidAt: new Date('2026-12-04T06:30:00.123Z'),
    noteSealed: Buffer.from([0, 255]),
    eventId: '0193d2a4-5e1f-7a3b-8c4d-0123456789ab',
  },
  {
    caseRef: 'b',
    number: 1,
    paise: -1n,
    dueOn: null,
    isPaid: false,
    paidAt: null,
    noteSealed: null,
    eventId: null,
  },
]

test('gives a statement rows under the names of their columns', async () => {
  const found = await db<Due>`select ${namesOf(columns)} from ${rowsAs(sql`input`, dues, columns)} order by case_ref`
  assert.deepEqual(found, dues)
})

test('gives a statement the place of each row', async () => {
  const found = await db`select case_ref, place::int as place from ${numberedRowsAs(sql`input`, dues, columns)}`
  assert.deepEqual(found, [
    { caseRef: 'a', place: 1 },
    { caseRef: 'b', place: 2 },
  ])
})

test('gives a statement no rows', async () => {
  assert.deepEqual(await db`select ${namesOf(columns)} from ${rowsAs(sql`input`, [], columns)}`, [])
})
