// The bucket of an id as an expression in a statement, where the program does not know the id.
import { type Fragment, sql } from './sql.ts'

/** What `bucketOf` gives for an id that a row has. */
export const bucketIn = (id: Fragment): Fragment =>
  sql`((get_byte(uuid_send(${id}), 6) & 15) << 8 | get_byte(uuid_send(${id}), 7))::smallint`
