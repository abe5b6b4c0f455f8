// The end of a business day: rules for rows that fall due, become overdue and are charged for it, and the posting in that day's books.

import type { Tx } from '#kit/db/sql.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import { post } from '#partner/ledger/post.ts'
import { type LedgerEntry, posting } from '#partner/ledger/store.ts'
import { accrued, type OmittedRows } from './accrue.ts'
import { keepBooksOpen, lastBusinessDay } from './class/store.ts'
import { type PenaltyPolicy, penaltyOn } from './penalty.ts'
import { type InstallmentRow, nextAccrualOn, nextWorkOn, unpaidOf } from './row.ts'
import type { LoanTerms } from './terms.ts'

/** The terms that the end of a day needs. */
export type DayTerms = Pick<LoanTerms, 'penalty' | 'rounding' | 'annualRatePercent'>
type PartialDayTerms = DayTerms & OmittedRows

interface DayEnds {
  rows: InstallmentRow[]
  entries: Omit<LedgerEntry, 'caseRef'>[]
}

/**
 * Ends every business day up to `through` that has work, in order, each as if it had been ended on time; an ended day
 * has no work. The rows must include all unsettled ones up to the first unpaid one after `through`.
 */
export function endDays(rows: InstallmentRow[], terms: PartialDayTerms, through: string, at: Date): DayEnds {
  const entries: Omit<LedgerEntry, 'caseRef'>[] = []
  let now = rows
  for (let on = nextWorkOn(now); on !== null && on <= through; on = nextWorkOn(now)) {
    const day = on
    if (day === nextAccrualOn(now)) {
      const earned = accrued(now, terms, day, at)
      entries.push(...earned.entries)
      now = earned.rows
    }
    now = now.map((row) => {
      const ended = row.fellDue ? charged(row, terms, day, at) : fallenDue(row, terms, day, at)
      if (!ended) return row
      entries.push(ended.entry)
      return ended.row
    })
  }
  return { rows: now, entries }
}

interface RowResult {
  row: InstallmentRow
  entry: Omit<LedgerEntry, 'caseRef'>
}

/** At the end of its due date a row's interest and charges are owed. What was paid ahead was waiting for that. */
function fallenDue(row: InstallmentRow, { penalty }: DayTerms, on: string, at: Date): RowResult | null {
  if (row.dueOn > on) return null
  const postings = [
    ...posting('INTEREST', 'ACCRUED_INTEREST', row.accrued, row.number),
    ...posting('INTEREST', 'INTEREST_INCOME', row.due.interest - row.accrued, row.number),
    ...posting('CHARGES', 'CHARGES_INCOME', row.due.charges, row.number),
  ]
  return {
    row: {
      ...row,
      fellDue: true,
      accrued: 0n,
      principalDays: 0n,
      nextPenaltyOn: firstPenaltyOn(penalty, 0, row.dueOn),
      updatedAt: at,
    },
    entry: { entryId: `due-${row.number}`, kind: 'DUE', businessOn: on, reverses: null, postings },
  }
}

/** A penal charge on what is unpaid of the row's own amount: the base never holds an earlier charge. */
function charged(row: InstallmentRow, { penalty, rounding }: DayTerms, on: string, at: Date): RowResult | null {
  const unpaid = unpaidOf(row)
  if (row.nextPenaltyOn === null || row.nextPenaltyOn > on || unpaid === 0n) return null
  const charge = penaltyOn(unpaid, penalty, rounding)
  const penalties = row.penalties + 1
  return {
    row: {
      ...row,
      due: { ...row.due, penalty: row.due.penalty + charge },
      penalties,
      nextPenaltyOn: penalties < penalty.most ? plusDays(row.nextPenaltyOn, penalty.everyDays) : null,
      updatedAt: at,
    },
    entry: {
      entryId: `penalty-${row.number}-${penalties}`,
      kind: 'PENALTY',
      businessOn: on,
      reverses: null,
      postings: posting('PENALTY', 'PENALTY_INCOME', charge, row.number),
    },
  }
}

/** When a row that is unpaid since the end of `since` is charged for the first time, or again; null when it is not. */
const firstPenaltyOn = (penalty: PenaltyPolicy, had: number, since: string): string | null =>
  penalty.bps > 0 && had < penalty.most ? plusDays(since, penalty.graceDays + 1) : null

/** A row that an act opened again is charged from that day on, not for the days on which it was paid. */
export function openedAgain(
  before: InstallmentRow,
  after: InstallmentRow,
  penalty: PenaltyPolicy,
  since: string,
): InstallmentRow {
  if (!after.fellDue || unpaidOf(before) > 0n || unpaidOf(after) === 0n) return after
  const first = firstPenaltyOn(penalty, after.penalties, since)
  const planned = after.nextPenaltyOn
  return { ...after, nextPenaltyOn: first !== null && planned !== null && planned > first ? planned : first }
}

/** Posts an act to the books of today; its value date may be earlier. */
export const postInBooks = (tx: Tx, entries: LedgerEntry[], at: Date): Promise<void> =>
  postSince(tx, entries, at, businessDate(at))

/** Posts what the end of a day did to the books of that day, or of the first one that is open. */
export const postAtDayEnd = (tx: Tx, entries: LedgerEntry[], at: Date): Promise<void> =>
  postSince(tx, entries, at, '0001-01-01')

/** To the books of `day` at the earliest, of the first open day and of the entry's value date. */
async function postSince(tx: Tx, entries: LedgerEntry[], at: Date, day: string): Promise<void> {
  if (entries.every(({ postings }) => postings.length === 0)) return
  const closed = await heldLastDay(tx)
  const open = closed === null ? day : plusDays(closed, 1)
  await post(tx, entries, { at, on: open > day ? open : day })
}

/** The last ended day, locked: a day that was recorded during the wait must be locked instead. */
async function heldLastDay(tx: Tx): Promise<string | null> {
  for (;;) {
    const [held, last] = await Promise.all([keepBooksOpen(tx), lastBusinessDay(tx)])
    if (held === (last?.endedOn ?? null)) return held
  }
}
