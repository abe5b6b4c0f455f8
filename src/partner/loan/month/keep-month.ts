// Records the book at each month-end, in short transactions; resumes after an interruption.

import type { Db } from '#kit/db/sql.ts'
import { demandBetween, missingMonthEnds, recordDemand, recordLoanMonths, recordRollsAndVintages } from './store.ts'

/** Loans per statement. */
const pageRows = 5000

const firstOf = (on: string): string => `${on.slice(0, 8)}01`

/**
 * Records missing months up to the last closed day, by the books of each month's last day, without later postings.
 * Idempotent.
 */
export async function recordMonths(db: Db, lastEnded: string): Promise<void> {
  for (const monthEnd of await missingMonthEnds(db, lastEnded)) await recordMonth(db, monthEnd)
}

async function recordMonth(db: Db, monthEnd: string): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    after = await db.tx((tx) => recordLoanMonths(tx, monthEnd, from, pageRows))
  }
  await db.tx(async (tx) => {
    const [sums] = await Promise.all([
      demandBetween(tx, firstOf(monthEnd), monthEnd),
      recordRollsAndVintages(tx, monthEnd),
    ])
    await recordDemand(tx, monthEnd, sums)
  })
}
