// Posts entries to the books of a day, never to those of a closed day.

import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { postEntries } from '#partner/books/ledger/post-entries.ts'
import { lastBusinessDay, lockLastDay } from './class/store.ts'

/** Posts entries to today's books, even if their value date is earlier. */
export const postInBooks = (tx: Tx, entries: LedgerEntry[], at: Date): Promise<void> =>
  postSince(tx, entries, at, businessDate(at))

/** Posts day-end entries to the books of their business day, or of the first open day if that day is closed. */
export const postAtDayEnd = (tx: Tx, entries: LedgerEntry[], at: Date): Promise<void> =>
  postSince(tx, entries, at, '0001-01-01')

/** Posts to the latest of `day`, the first open day and the entry's value date. */
async function postSince(tx: Tx, entries: LedgerEntry[], at: Date, day: string): Promise<void> {
  if (entries.every(({ postings }) => postings.length === 0)) return
  const closed = await lockCurrentLastDay(tx)
  const open = closed === null ? day : plusDays(closed, 1)
  await postEntries(tx, entries, { at, on: open > day ? open : day })
}

/** Locks and returns the last closed day. Retries if another day was closed while this waited for the lock. */
async function lockCurrentLastDay(tx: Tx): Promise<string | null> {
  for (;;) {
    const [locked, last] = await Promise.all([lockLastDay(tx), lastBusinessDay(tx)])
    if (locked === (last?.endedOn ?? null)) return locked
  }
}
