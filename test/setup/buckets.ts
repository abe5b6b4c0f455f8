// Whether each row of a borrower is in the bucket that its ids and tokens say.
import { bucketOf } from '#kit/crypto/id.ts'
import { bucketOfToken } from '#kit/crypto/token.ts'
import type { Db } from '#kit/db/sql.ts'

/** Ids in such rows that are not made for the borrower; a decision has the id that the partner gave it, a viewed offer the one that the app said. */
const ofOthers = [
  ...['tenant_id', 'application_id', 'destination_id', 'replay_id', 'lender_id', 'partner_id', 'person_id'],
  ...['decision_event_id', 'last_viewed_offer_id'],
]
const tokens = ['token_id', 'session_id', 'refresh_id']

interface Carrier {
  table: string
  column: string
}

/** The columns with ids that carry a bucket, of all tables that have buckets. */
export const carriersIn = (db: Db): Promise<Carrier[]> => db<Carrier>`
  select c.table_name as table, c.column_name as column from information_schema.columns b
  join information_schema.columns c using (table_schema, table_name)
  where b.table_schema = 'public' and b.column_name = 'bucket'
    and (c.data_type = 'uuid' and c.column_name <> all(${ofOthers}::text[]) or c.column_name = any(${tokens}::text[]))
  order by 1, 2`

/** Ids that are in another bucket than the one they carry: none. */
export async function bucketFaults(db: Db): Promise<string[]> {
  const faults: string[] = []
  for (const { table, column } of await carriersIn(db)) {
    const { rows } = await db.pool.query<{ bucket: number; id: string }>(
      `select distinct bucket, ${column}::text as id from ${table} where ${column} is not null`,
    )
    for (const { bucket, id } of rows) {
      const carried = tokens.includes(column) ? bucketOfToken(id) : bucketOf(id)
      if (bucket !== carried) faults.push(`${column} ${id} of ${table} is in bucket ${bucket} and carries ${carried}`)
    }
  }
  return faults
}
