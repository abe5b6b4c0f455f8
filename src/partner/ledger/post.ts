// Posting to the ledger and reading balances: its only interface for other modules.
import type { Run, Tx } from '#kit/db/sql.ts'
import { type Balances, noBalances } from './chart.ts'
import { insertEntries, type LedgerEntry, type PostingTime, sumByAccount } from './store.ts'

/**
 * Posts entries in the caller's transaction; an entry without movement is left out. Throws when an entry exists
 * already: the caller has checked it under the lock of the case.
 */
export async function post(tx: Tx, entries: LedgerEntry[], time: PostingTime): Promise<void> {
  const moving = entries.filter(({ postings }) => postings.length > 0)
  if (moving.length > 0) await insertEntries(tx, moving, time)
}

/** The balance of every account of a case: the sum of its postings, never stored. */
export async function balancesOf(db: Run, caseRef: string): Promise<Balances> {
  const balances = noBalances()
  for (const { account, paise } of await sumByAccount(db, caseRef)) balances[account] = paise
  return balances
}
