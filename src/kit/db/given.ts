// Rows that a statement of several parts writes only if another part of it yields one.
import { type Fragment, sql } from './sql.ts'

/**
 * What an insert takes: the values, for each row that `given` (a `from` item) yields; by themselves where nothing is given. Only
 * those are sent to one server at once where rows are on several.
 */
export const valuesIf = (given: Fragment | null, values: Fragment): Fragment =>
  given ? sql`select ${values} from ${given} as given` : sql`values (${values})`
