// Round trips to the database that an act costs.
import type { Db } from '#kit/db/sql.ts'

/**
 * Statements of the cheapest of three: what a process remembers for some seconds (a token, the lending partners) may have
 * to be read again by one of them.
 */
export async function statementsOf(db: Pick<Db, 'statements'>, act: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let i = 0; i < 3; i++) {
    const before = db.statements
    await act()
    costs.push(db.statements - before)
  }
  return Math.min(...costs)
}
