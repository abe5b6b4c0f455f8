// The condition by which a statement about rows that are given stays on the server of their case.
import { type Fragment, sql } from './sql.ts'

/**
 * Where all rows that are given are of one case, says it of `table` beside the join with them: of several servers only that
 * one is asked. Of several cases it says nothing, as a list compared with each row would cost more than the join.
 */
export function ofOneCase(table: Fragment, caseRefs: string[]): Fragment {
  const [only, ...others] = new Set(caseRefs)
  return only !== undefined && others.length === 0 ? sql`${table}.case_ref = ${only}::text` : sql`true`
}
