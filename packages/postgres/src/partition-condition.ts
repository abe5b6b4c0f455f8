// The condition by which a statement about given rows stays on the server of their partition.
import { type Fragment, sql } from './sql.ts'

/**
 * A condition for `table` when all rows belong to one partition, so that only its server is asked. Empty for several
 * partitions, where comparing each row with a list would cost more than the join.
 */
export function partitionCondition(table: Fragment, partitionKeys: string[]): Fragment {
  const [only, ...others] = new Set(partitionKeys)
  return only !== undefined && others.length === 0 ? sql`${table}.case_ref = ${only}::text` : sql`true`
}
