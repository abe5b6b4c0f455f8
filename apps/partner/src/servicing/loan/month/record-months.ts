// Records the loan portfolio at each month-end in short transactions; resumes after an interruption.

import type { Db } from '@lendloom/postgres/sql'
import { demandBetween, missingMonthEnds, recordDemand, recordLoanMonths, recordRollsAndVintages } from './store.ts'

const loansPerStatement = 5000

const firstOf = (on: string): string => `${on.slice(0, 8)}01`

/**
 * Records the missing months up to the last closed day. Each is taken from the books of the month's last day,
 * without later postings. Idempotent.
 */
export async function recordMonths(db: Db, lastClosedDay: string): Promise<void> {
  for (const monthEnd of await missingMonthEnds(db, lastClosedDay)) await recordMonth(db, monthEnd)
}

async function recordMonth(db: Db, monthEnd: string): Promise<void> {
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    after = await db.tx((tx) => recordLoanMonths(tx, monthEnd, from, loansPerStatement))
  }
  await db.tx(async (tx) => {
    const [sums] = await Promise.all([
      demandBetween(tx, firstOf(monthEnd), monthEnd),
      recordRollsAndVintages(tx, monthEnd),
    ])
    await recordDemand(tx, monthEnd, sums)
  })
}
