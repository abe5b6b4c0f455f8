// The rows to come after principal was repaid ahead of them, or is owed once more; pure rules.

import { interestOn, regularInstalment, weeklyRate } from '#kit/money/annuity.ts'
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import type { Fraction } from '#kit/money/irr.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Posting, posting } from '#partner/ledger/entry.ts'
import { interestOnDays } from './accrue.ts'
import type { Keep, Loan } from './loan.ts'
import { bpsOf, unitOf } from './rounding.ts'
import { newRow, paidOf, type Row } from './row.ts'

/** What of a loan its schedule follows from. */
export type Planned = Pick<Loan, 'terms' | 'disbursedOn' | 'installmentPaise'>

export interface Change {
  /** What is added to the principal of the rows to come; below zero when it was repaid. */
  principal: Paise
  /** The business day from which interest runs on it, or no longer does. */
  on: string
  keep: Keep
  /** How many rows there are to be with `TERM`; as many as there were unless given. */
  count?: number
  at: Date
}

export interface Replanned {
  rows: Row[]
  /** Interest that was paid ahead and is no longer asked for: it repays principal, and is the borrower's where none is left. */
  postings: Posting[]
  installmentPaise: Paise
}

/** Rows that part payments change: those after the day, but for rows that were paid ahead and those before them. */
export function rowsToCome(rows: Row[], on: string): Row[] {
  const first = rows.findIndex((row) => !row.fellDue && row.dueOn > on)
  if (first < 0) return []
  const paid = rows.findLastIndex((row, i) => i > first && paidOf(row) > 0n)
  return rows.slice(paid > first ? paid + 1 : first)
}

/** The most that can be repaid ahead on a day: what is unpaid of the principal to come, less interest paid ahead that becomes principal; never below zero. */
export function repayable(loan: Planned, rows: Row[], on: string): Paise {
  const coming = rowsToCome(rows, on)
  const [current] = coming
  if (!current) return 0n
  const unpaid = coming.reduce((sum, { due, paid }) => sum + due.principal - paid.principal, 0n)
  const before = rows.slice(0, rows.length - coming.length)
  const over = paidTooMuch(current, weekAfter(loan, { before, current, coming }, { principal: -unpaid, on }).interest)
  return unpaid > over ? unpaid - over : 0n
}

/** A schedule on a day: what part payments leave as it is, the row under way, and all rows from that one on. */
interface Underway {
  before: Row[]
  current: Row
  coming: Row[]
}

/** The week under way with another principal from a day on: its interest, and what that is earned on until when. */
function weekAfter(
  { disbursedOn, terms }: Planned,
  { before, current, coming }: Underway,
  { principal, on }: Pick<Change, 'principal' | 'on'>,
) {
  const begun = current.accruedOn ?? before.at(-1)?.dueOn ?? disbursedOn
  const from = later(begun, on)
  const was = coming.reduce((sum, { due }) => sum + due.principal, 0n)
  const principalDays = current.principalDays + was * BigInt(daysBetween(begun, from))
  const all = principalDays + (was + principal) * BigInt(daysBetween(from, current.dueOn))
  return { interest: interestOnDays(all, terms, unitOf(terms.rounding)), principalDays, accruedOn: from }
}

/**
 * The schedule with another principal to come, all rows given and returned. The row under way has its interest corrected for
 * the days that are left of it; later ones are planned anew, on what is left, by the rate of the loan (actual/365). Rows that
 * are no longer needed go; a row that is left without principal is due at once. What fell due stays as it is. Refused by the caller: more than `repayable`.
 */
export function replanned(loan: Planned, rows: Row[], change: Change): Replanned {
  const { principal, on, keep, at } = change
  const coming = rowsToCome(rows, on)
  const before = rows.slice(0, rows.length - coming.length)
  const current = coming[0] ?? nextRow(loan, before, on, at)
  const left = coming.reduce((sum, { due }) => sum + due.principal, 0n) + principal
  const first = corrected(current, weekAfter(loan, { before, current, coming }, change), left, at)
  const isClosed = left === first.row.paid.principal && on < current.dueOn && on > (before.at(-1)?.dueOn ?? '')
  const plan = planOf(loan, left, keep === 'TERM' ? (change.count ?? Math.max(coming.length, 1)) : null)
  const after = rowsFrom(plan, { ...first.row, dueOn: isClosed ? on : current.dueOn }, coming, at)
  return { rows: [...before, ...after], postings: first.postings, installmentPaise: plan.installment }
}

const later = (a: string, b: string): string => (a > b ? a : b)

/**
 * Where every row has fallen due or was paid ahead, the next one is due on the same day of the week. Its interest begins on
 * the day, but not before the last row is due: weeks of two rows never overlap.
 */
function nextRow({ disbursedOn }: Planned, before: Row[], on: string, at: Date): Row {
  const last = before.at(-1)?.dueOn ?? disbursedOn
  let dueOn = plusDays(last, 7)
  while (dueOn <= on) dueOn = plusDays(dueOn, 7)
  return { ...newRow(before.length + 1, dueOn, at), accruedOn: later(last, on) }
}

const paidTooMuch = ({ paid }: Row, interest: Paise): Paise =>
  paid.interest > interest ? paid.interest - interest : 0n

/** A row whose interest changes. What was paid of it ahead and is too much now repays principal as far as any is left. */
function corrected(
  row: Row,
  week: ReturnType<typeof weekAfter>,
  left: Paise,
  at: Date,
): { row: Row; postings: Posting[] } {
  const { interest, ...booked } = week
  const over = paidTooMuch(row, interest)
  const unpaid = left - row.paid.principal
  const repaid = over < unpaid ? over : unpaid
  return {
    row: {
      ...{ ...row, ...booked },
      due: { ...row.due, interest },
      paid: { ...row.paid, interest: row.paid.interest - over, principal: row.paid.principal + repaid },
      updatedAt: at,
    },
    postings: [
      ...posting('INTEREST', 'PRINCIPAL', repaid, row.number),
      ...posting('INTEREST', 'UNAPPLIED', over - repaid, row.number),
    ],
  }
}

interface RowPlan {
  left: Paise
  rate: Fraction
  unit: 1n | 100n
  installment: Paise
  /** How many rows there are; null for as many as it takes. */
  count: number | null
  /** What the last row may ask for beyond the instalment, as roundings add up. */
  tolerance: Paise
}

function planOf({ terms, installmentPaise }: Planned, left: Paise, count: number | null): RowPlan {
  const [rate, unit] = [weeklyRate(bpsOf(terms.annualRatePercent)), unitOf(terms.rounding)]
  const level =
    count === null || left === 0n
      ? installmentPaise
      : regularInstalment({ principal: left, rate, instalments: count, unit })
  // Rounded to nothing it would never repay what is left.
  const installment = level > unit ? level : unit
  return { left, rate, unit, installment, count, tolerance: unit * BigInt(terms.tenureWeeks) }
}

function rowsFrom(plan: RowPlan, first: Row, coming: Row[], at: Date): Row[] {
  const rows: Row[] = []
  let left = plan.left
  let row = first
  for (;;) {
    const interest = rows.length === 0 ? row.due.interest : interestOn(left, plan.rate, plan.unit)
    const regular = greatest(plan.installment - interest, row.paid.principal, plan.unit)
    const isLast = plan.count === null ? left - regular <= plan.tolerance : rows.length + 1 >= plan.count
    const principal = isLast || regular > left ? left : regular
    rows.push({ ...row, due: { ...row.due, interest, principal }, updatedAt: at })
    left -= principal
    if (left === 0n) break
    const { number, dueOn } = row
    row = coming[rows.length] ?? newRow(number + 1, plusDays(dueOn, 7), at)
  }
  return withCharges(rows, coming)
}

const greatest = (...amounts: Paise[]): Paise => amounts.reduce((most, each) => (each > most ? each : most))

/** Charges of rows that go are asked for with the last one that stays. */
function withCharges(rows: Row[], coming: Row[]): Row[] {
  const last = rows.at(-1)
  const charges = coming.slice(rows.length).reduce((sum, { due }) => sum + due.charges, 0n)
  if (!last || charges === 0n) return rows
  return [...rows.slice(0, -1), { ...last, due: { ...last.due, charges: last.due.charges + charges } }]
}
