// The book at the end of a month, kept with the end of its last day: in short transactions, resumed wherever it stopped.

import type { Db, Tx } from '#kit/db/sql.ts'
import { demandBetween, demandOfMonth, keepDemand, keepLoans, monthsNotKept, rebuildLoans, sumLoans } from './store.ts'

/** Loans of one statement. */
const pageRows = 5000

const firstOf = (on: string): string => `${on.slice(0, 8)}01`

/** Keeps the month that ends with a day as the book stands now. Doing it again changes nothing. */
export async function keepMonth(db: Db, monthEnd: string): Promise<void> {
  if ((await monthsNotKept(db, monthEnd)).includes(monthEnd))
    await keep(db, monthEnd, keepLoans, (tx) => demandBetween(tx, firstOf(monthEnd), monthEnd))
}

/** Keeps months up to the last day that was ended which nobody kept, from the ledger: those of before this was kept, the first time. */
export async function keepEarlierMonths(db: Db, lastEnded: string): Promise<void> {
  for (const monthEnd of await monthsNotKept(db, lastEnded))
    await keep(db, monthEnd, rebuildLoans, (tx) => demandOfMonth(tx, firstOf(monthEnd), monthEnd))
}

async function keep(
  db: Db,
  monthEnd: string,
  loans: typeof keepLoans,
  demand: (tx: Tx) => ReturnType<typeof demandBetween>,
) {
  for (let after: string | null = ''; after !== null; ) {
    const from: string = after
    after = await db.tx((tx) => loans(tx, monthEnd, from, pageRows))
  }
  await db.tx(async (tx) => {
    const [sums] = await Promise.all([demand(tx), sumLoans(tx, monthEnd)])
    await keepDemand(tx, monthEnd, sums)
  })
}
