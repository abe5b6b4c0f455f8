// Statements that an act costs, and round trips to the database that it makes one after another.
import type { Db } from '#kit/db/sql.ts'
import type { DatabaseProxy } from './database-line.ts'

/** Round trips of the cheapest of several, of a platform behind the line; statements that are sent together are one. */
export const roundTripsOf = (line: DatabaseProxy, act: () => Promise<unknown>): Promise<number> =>
  cheapest(() => line.roundTrips, act)

/**
 * Statements of the cheapest of several: what a process remembers for some seconds (a token, the lending partners) may have
 * to be read again by one of them.
 */
export const statementsOf = (db: Pick<Db, 'statements'>, act: () => Promise<unknown>): Promise<number> =>
  cheapest(() => db.statements, act)

async function cheapest(count: () => number, act: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let i = 0; i < 6; i++) {
    const before = count()
    await act()
    costs.push(count() - before)
  }
  return Math.min(...costs)
}
