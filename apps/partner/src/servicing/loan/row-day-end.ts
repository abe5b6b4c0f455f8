// The day-end of schedule rows: due dates and penal charges. Pure functions.

import { plusDays } from '@lendloom/lending/calendar'
import { type LedgerEntry, posting } from '#partner/books/ledger/entry.ts'
import { daysWithoutPenalty, type PenaltyPolicy, penaltyOn } from '#partner/origination/terms/penalty.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { accrue, type OmittedRows } from './accrue.ts'
import { type InstallmentRow, nextAccrualOn, nextWorkOn, penalBaseOf } from './installment-row.ts'

export type DayTerms = Pick<LoanTerms, 'penalty' | 'rounding' | 'annualRatePercent'>

type PartialDayTerms = DayTerms & OmittedRows

/** Returns the first day on or after a day on which the lender presents debits. */
export type DebitDays = (on: string) => string

export interface DayEnds {
  through: string
  debitDays: DebitDays
  at: Date
}

interface DayEndRows {
  rows: InstallmentRow[]
  entries: Omit<LedgerEntry, 'caseRef'>[]
}

/**
 * Applies the day-ends up to `through` in order, each as if it had run on time. Skips days on which no row changes.
 * `rows` must include all unpaid rows, up to the first unpaid row that is due after `through`.
 */
export function endDays(
  rows: InstallmentRow[],
  terms: PartialDayTerms,
  { through, debitDays, at }: DayEnds,
): DayEndRows {
  const entries: Omit<LedgerEntry, 'caseRef'>[] = []
  let current = rows
  for (let on = nextWorkOn(current); on !== null && on <= through; on = nextWorkOn(current)) {
    const day = on
    if (day === nextAccrualOn(current)) {
      const earned = accrue(current, terms, day, at)
      entries.push(...earned.entries)
      current = earned.rows
    }
    current = current.map((row) => {
      const result = endDayOf(row, terms, { through: day, debitDays, at })
      if (!result) return row
      if (result.entry) entries.push(result.entry)
      return result.row
    })
  }
  return { rows: current, entries }
}

interface RowResult {
  row: InstallmentRow
  /** Null if the books do not change. */
  entry: Omit<LedgerEntry, 'caseRef'> | null
}

function endDayOf(row: InstallmentRow, terms: DayTerms, dayEnd: DayEnds): RowResult | null {
  if (!row.fellDue) return makeDue(row, terms, dayEnd)
  if (row.isWaiting) return endWaiting(row, terms, dayEnd)
  return chargePenalty(row, terms, dayEnd.through, dayEnd.at)
}

/**
 * Makes a row due at the day-end of its due date. The borrower owes its interest and charges from then on. The row
 * waits for the first day with debits, because a borrower must not pay for the lender's calendar.
 */
function makeDue(
  row: InstallmentRow,
  { penalty }: DayTerms,
  { through: on, debitDays, at }: DayEnds,
): RowResult | null {
  if (row.dueOn > on) return null
  const since = debitDays(row.dueOn)
  const isWaiting = since > row.dueOn
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
      nextPenaltyOn: nextPenaltyAfter(penalty, 0, since),
      countsFrom: isWaiting ? since : null,
      isWaiting,
      updatedAt: at,
    },
    entry: { entryId: `due-${row.number}`, kind: 'DUE', businessOn: on, reverses: null, postings },
  }
}

/**
 * Ends the waiting of a row on its first day with debits. If the lender has taken the debits of this day back since, the
 * row waits longer; it never waits for less than was first computed.
 */
function endWaiting(
  row: InstallmentRow,
  { penalty }: DayTerms,
  { through: on, debitDays, at }: DayEnds,
): RowResult | null {
  if (row.countsFrom === null || row.countsFrom > on) return null
  const since = debitDays(row.countsFrom)
  if (since === row.countsFrom) return { row: { ...row, isWaiting: false, updatedAt: at }, entry: null }
  const first = nextPenaltyAfter(penalty, row.penalties, since)
  const nextPenaltyOn = latest(row.nextPenaltyOn, first)
  return { row: { ...row, countsFrom: since, nextPenaltyOn, updatedAt: at }, entry: null }
}

/** Adds a penal charge on a row's unpaid amount, which excludes earlier penal charges and a claimed refund. */
function chargePenalty(row: InstallmentRow, { penalty, rounding }: DayTerms, on: string, at: Date): RowResult | null {
  const unpaid = penalBaseOf(row)
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

/** Returns the day of the next penal charge on a row that is unpaid since `since`; null if there is none. */
const nextPenaltyAfter = (penalty: PenaltyPolicy, previousCharges: number, since: string): string | null =>
  penalty.bps > 0 && previousCharges < penalty.most ? plusDays(since, daysWithoutPenalty(penalty)) : null

/** Restarts penal charges on a reopened row from `since`, so that days on which the row was paid are not charged. */
export function restartPenalties(
  before: InstallmentRow,
  after: InstallmentRow,
  penalty: PenaltyPolicy,
  since: string,
): InstallmentRow {
  if (!after.fellDue || penalBaseOf(before) > 0n || penalBaseOf(after) === 0n) return after
  const first = nextPenaltyAfter(penalty, after.penalties, since)
  return { ...after, nextPenaltyOn: latest(after.nextPenaltyOn, first) }
}

/** Returns the later day of the next penal charge; `first` is null without a further charge. */
const latest = (planned: string | null, first: string | null): string | null =>
  first !== null && planned !== null && planned > first ? planned : first
