// The condition by which a statement about rows that are given stays on the server of their case.
import { type Fragment, sql } from './sql.ts'

/**
 * A condition for `table` when all rows belong to one case, so that only its server is asked. Empty for several cases,
 * where comparing each row with a list would cost more than the join.
 */
export function caseCondition(table: Fragment, caseRefs: string[]): Fragment {
  const [only, ...others] = new Set(caseRefs)
  return only !== undefined && others.length === 0 ? sql`${table}.case_ref = ${only}::text` : sql`true`
}
