// The bucket of an id as an expression in a statement, where the program does not know the id.
import { lastWithoutBucket } from '#kit/crypto/id.ts'
import { type Fragment, sql } from './sql.ts'

/** What `bucketOf` gives for an id of version 7 that a row has. */
export function bucketIn(id: Fragment): Fragment {
  const inItsBits = sql`((get_byte(uuid_send(${id}), 6) & 15) << 8 | get_byte(uuid_send(${id}), 7))`
  const last = lastWithoutBucket()
  return last === ''
    ? sql`${inItsBits}::smallint`
    : sql`(case when ${id} > ${last}::uuid then ${inItsBits} else 0 end)::smallint`
}
