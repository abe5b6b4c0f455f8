// The book at the end of a month, kept once its last day is ended: in short transactions, resumed wherever it stopped.

import type { Db } from '#kit/db/sql.ts'
import { demandBetween, keepDemand, keepLoans, monthsNotKept, sumLoans } from './store.ts'

/** Loans of one statement. */
const pageRows = 5000

const firstOf = (on: string): string => `${on.slice(0, 8)}01`

/**
 * Records the months up to the last ended day that are missing, by the books of their last days: later postings are not
 * included, however late the end of day. Repeating it changes nothing.
 */
export async function keepMonths(db: Db, lastEnded: string): Promise<void> {
  for (const monthEnd of await monthsNotKept(db, lastEnded)) await keep(db, monthEnd)
}

async function keep(db: Db, monthEnd: string): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    after = await db.tx((tx) => keepLoans(tx, monthEnd, from, pageRows))
  }
  await db.tx(async (tx) => {
    const [sums] = await Promise.all([demandBetween(tx, firstOf(monthEnd), monthEnd), sumLoans(tx, monthEnd)])
    await keepDemand(tx, monthEnd, sums)
  })
}
