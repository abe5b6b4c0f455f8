// Counts the SQL statements and sequential database round trips of an action.
import type { Db } from '@lendloom/postgres/sql'
import type { DatabaseProxy } from './database-line.ts'

/** The fewest round trips over several runs, for a platform behind the proxy. Statements sent together count as one. */
export const roundTripsOf = (proxy: DatabaseProxy, action: () => Promise<unknown>): Promise<number> =>
  cheapest(() => proxy.roundTrips, action)

/**
 * The fewest statements over several runs: one of the runs may have to reload what a process caches for some seconds (a token,
 * the lending partners).
 */
export const statementsOf = (db: Pick<Db, 'statements'>, action: () => Promise<unknown>): Promise<number> =>
  cheapest(() => db.statements, action)

async function cheapest(count: () => number, action: () => Promise<unknown>): Promise<number> {
  const costs: number[] = []
  for (let i = 0; i < 6; i++) {
    const before = count()
    await action()
    costs.push(count() - before)
  }
  return Math.min(...costs)
}
