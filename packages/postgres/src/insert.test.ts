// Binary array parameters.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import fc from 'fast-check'
import { bigints, booleans, byteas, instants, texts, uuids } from './binary-array.ts'
import { connect } from './sql.ts'

const db = connect(await testDatabase('partner'), { connections: 1 })
after(() => db.close())

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
const row = fc.record(
  {
    uuid: fc.uuid(),
    text: fc.option(text, { nil: null }),
    bytes: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    count: fc.option(fc.maxSafeInteger(), { nil: null }),
    flag: fc.boolean(),
    at: fc.option(fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }), {
      nil: null,
    }),
  },
  { noNullPrototype: true },
)

test('property: PostgreSQL reads a binary array as the same values, including empty and null ones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const result = await db`
        select uuid, text, bytes, count::float8 as count, flag, at from unnest(
          ${uuids(rows.map((each) => each.uuid))}::uuid[], ${texts(rows.map((each) => each.text))}::text[],
          ${byteas(rows.map((each) => each.bytes))}::bytea[], ${bigints(rows.map((each) => each.count))}::bigint[],
          ${booleans(rows.map((each) => each.flag))}::boolean[], ${instants(rows.map((each) => each.at))}::timestamptz[]) as one (uuid, text, bytes, count, flag, at)`
      assert.deepEqual(result, rows)
    }),
    { numRuns: roundsOf(60) },
  )
})
