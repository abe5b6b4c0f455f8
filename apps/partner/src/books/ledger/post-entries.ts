// Posts entries to the ledger, and reads balances.
import type { Run, Tx } from '@lendloom/postgres/sql'
import { type Balances, noBalances } from './chart.ts'
import type { LedgerEntry } from './entry.ts'
import { insertEntries, type PostingTime, sumByAccount } from './store.ts'

/**
 * Posts entries in the caller's transaction; skips entries without postings. Throws if an entry exists: the caller must
 * lock the case and check this before.
 */
export async function postEntries(tx: Tx, entries: LedgerEntry[], time: PostingTime): Promise<void> {
  const nonEmpty = entries.filter(({ postings }) => postings.length > 0)
  if (nonEmpty.length > 0) await insertEntries(tx, nonEmpty, time)
}

/** Returns the balance of every account of a case, summed from its postings. */
export async function balancesOf(db: Run, caseRef: string): Promise<Balances> {
  const balances = noBalances()
  for (const { account, paise } of await sumByAccount(db, caseRef)) balances[account] = paise
  return balances
}
