// Checks that each row of a borrower is in the bucket that its ids and tokens encode.

import type { Db } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import { bucketOfToken } from '@lendloom/seal/token'

/** Id columns without an encoded bucket: not generated for a borrower, or supplied by a partner or an app. */
const idColumnsWithoutBucket = [
  'tenant_id',
  'application_id',
  'destination_id',
  'replay_id',
  'lender_id',
  'partner_id',
  'person_id',
  'decision_event_id',
  'last_viewed_offer_id',
]
const tokenColumns = ['token_id', 'session_id', 'refresh_id', 'link_id', 'device_id']

interface BucketColumn {
  table: string
  column: string
}

/** Columns whose ids encode a bucket, in all tables with buckets. */
const carriersIn = (db: Db): Promise<BucketColumn[]> => db<BucketColumn>`
  select c.table_name as table, c.column_name as column from information_schema.columns b
  join information_schema.columns c using (table_schema, table_name)
  where b.table_schema = 'public' and b.column_name = 'bucket'
    and (c.data_type = 'uuid' and c.column_name <> all(${idColumnsWithoutBucket}::text[]) or c.column_name = any(${tokenColumns}::text[]))
  order by 1, 2`

/** Describes each id whose row is in the wrong bucket. */
export async function bucketFaults(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const { table, column } of await carriersIn(db)) {
    const { rows } = await db.pool.query<{ bucket: number; id: string }>(
      `select distinct bucket, ${column}::text as id from ${table} where ${column} is not null`,
    )
    for (const { bucket, id } of rows) {
      const encodedBucket = tokenColumns.includes(column) ? bucketOfToken(id) : bucketOf(id)
      if (bucket !== encodedBucket)
        faults.push(`${column} ${id} of ${table} is in bucket ${bucket} but encodes ${encodedBucket}`)
    }
  }
  return faults
}
