// Entries are posted to the books of a day whose end was not run: what was reported of a day never changes afterwards.

import type { Tx } from '#kit/db/sql.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import type { Entry } from '#partner/ledger/entry.ts'
import { post } from '#partner/ledger/post.ts'
import { keepBooksOpen, lastBusinessDay } from './class/store.ts'

/** Posts an act to the books of today; its value date may be earlier. */
export const postInBooks = (tx: Tx, entries: Entry[], at: Date): Promise<void> =>
  postSince(tx, entries, at, businessDate(at))

/** Posts what the end of a day did to the books of that day, or of the first one that is open. */
export const postAtDayEnd = (tx: Tx, entries: Entry[], at: Date): Promise<void> =>
  postSince(tx, entries, at, '0001-01-01')

/** To the books of `day` at the earliest, of the first open day and of the entry's value date. */
async function postSince(tx: Tx, entries: Entry[], at: Date, day: string): Promise<void> {
  if (entries.every(({ postings }) => postings.length === 0)) return
  const closed = await heldLastDay(tx)
  const open = closed === null ? day : plusDays(closed, 1)
  await post(tx, entries, { at, on: open > day ? open : day })
}

/** The last day that was ended, held: a day that was recorded while this waited has to be held in place of the one before it. */
async function heldLastDay(tx: Tx): Promise<string | null> {
  for (;;) {
    const [held, last] = await Promise.all([keepBooksOpen(tx), lastBusinessDay(tx)])
    if (held === (last?.endedOn ?? null)) return held
  }
}
