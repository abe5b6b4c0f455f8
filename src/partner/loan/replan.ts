// Future rows after principal was prepaid, or is owed again; pure rules.

import { interestOn, regularInstalment, weeklyRate } from '#kit/money/annuity.ts'
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import type { Fraction } from '#kit/money/irr.ts'
import { greatest, least, type Paise } from '#kit/money/money.ts'
import { type Posting, posting } from '#partner/ledger/store.ts'
import { earningPrincipal, interestOnDays } from './accrue.ts'
import type { Keep, Loan } from './loan.ts'
import { bpsOf, unitOf } from './rounding.ts'
import { type InstallmentRow, newRow, paidOf, parts, principalOf } from './row.ts'

/** The part of a loan that determines its schedule. */
export type PlanBasis = Pick<Loan, 'terms' | 'disbursedOn' | 'installmentPaise'>

export interface PrincipalChange {
  /** Added to the principal of future rows; negative for a repayment. */
  principal: Paise
  /** The business day from which interest runs on it, or no longer does. */
  on: string
  keep: Keep
  /** Money was returned: with `TERM` its payment is spread over future rows. */
  isOwedAgain?: boolean
  at: Date
}

/** The effect of earlier part payments: the term, if they lowered the instalment. */
export const keptBefore = ({ installmentPaise, terms }: PlanBasis): Keep =>
  installmentPaise < terms.installmentPaise ? 'TERM' : 'INSTALLMENT'

export interface NewPlan {
  rows: InstallmentRow[]
  /**
   * Prepaid interest that is no longer due: it repays principal, and belongs to the borrower when none is left. When a
   * row's interest rises, paid principal becomes interest again.
   */
  postings: Posting[]
  installmentPaise: Paise
}

/** Rows that part payments change: those that fall due after the day. */
export function rowsToCome(rows: InstallmentRow[], on: string): InstallmentRow[] {
  const first = rows.findIndex((row) => !row.fellDue && row.dueOn > on)
  return first < 0 ? [] : rows.slice(first)
}

/**
 * The largest prepayment on a day: unpaid future principal, less prepaid interest that becomes principal; never
 * negative.
 */
export function repayable(loan: PlanBasis, rows: InstallmentRow[], on: string): Paise {
  const [current, ...later] = rowsToCome(countedUntil(loan, rows, on), on)
  if (!current) return 0n
  // No day is left on which interest is earned: that of later rows is not owed at all.
  const over = later.reduce((sum, { paid }) => sum + paid.interest, paidTooMuch(current, earnedBy(loan, current)))
  return greatest(principalOf([current, ...later]) - over, 0n)
}

/** The current row's earned interest until its counted day. */
export const earnedBy = ({ terms }: PlanBasis, { principalDays }: InstallmentRow): Paise =>
  interestOnDays(principalDays, terms, unitOf(terms.rounding))

/**
 * The rows with the interest base counted until a day in the current row. An act that pays future rows, or reverses
 * that, counts first: money does not earn for days before its arrival.
 */
export function countedUntil({ disbursedOn }: PlanBasis, rows: InstallmentRow[], on: string): InstallmentRow[] {
  const coming = rowsToCome(rows, on)
  const [current, ...later] = coming
  if (!current) return rows
  const before = rows.slice(0, rows.length - coming.length)
  const begun = current.accruedOn ?? before.at(-1)?.dueOn ?? disbursedOn
  if (on <= begun && current.accruedOn !== null) return rows
  const principal = coming.reduce((sum, { due }) => sum + due.principal, 0n)
  const accruedOn = latest(begun, on)
  const principalDays =
    current.principalDays + earningPrincipal(principal, coming) * BigInt(daysBetween(begun, accruedOn))
  return [...before, { ...current, principalDays, accruedOn }, ...later]
}

/**
 * The schedule with a changed future principal, or after future rows were paid; takes and returns all rows. The
 * interest of the current row is corrected for its remaining days; later rows are planned again from the rest, at the
 * loan's rate (actual/365). Unneeded rows are removed. Due rows stay unchanged. The caller refuses amounts above
 * `repayable`.
 */
export function replanned(loan: PlanBasis, given: InstallmentRow[], change: PrincipalChange): NewPlan {
  const { principal, on, keep, isOwedAgain = false, at } = change
  const rows = countedUntil(loan, given, on)
  const coming = rowsToCome(rows, on)
  const before = rows.slice(0, rows.length - coming.length)
  const [current = nextRow(loan, before, on, at), ...later] = coming
  const left = coming.reduce((sum, { due }) => sum + due.principal, 0n) + principal
  const level = (rowCount: number): Paise => levelFor(loan, left, rowCount, keptBy(loan, left, [current, ...later]))
  const toCome = keep === 'TERM' ? Math.max(coming.length, 1) : null
  const lastOf = (rowCount: number): Paise => {
    const { rows: planned } = rowsFrom(planOf(loan, left, rowCount, level(rowCount)), [current, ...later], at)
    return planned.slice(-1).reduce((sum, { due }) => sum + due.interest + due.principal, 0n)
  }
  const count =
    toCome !== null && isOwedAgain
      ? countWithLast(loan, countOwedAgain(loan, toCome, before.length, level), lastOf)
      : toCome
  // Only principal that is repaid ahead lowers the instalment: a row that is paid early lowers the last one.
  const installment = count !== null && (principal !== 0n || isOwedAgain) ? level(count) : loan.installmentPaise
  const plan = planOf(loan, left, count, installment)
  const after = rowsFrom(plan, [current, ...later], at)
  return { rows: [...before, ...after.rows], postings: after.postings, installmentPaise: plan.installment }
}

const latest = (a: string, b: string): string => (a > b ? a : b)

/**
 * After every row is due, the next one is due on the same weekday. Its interest starts on the day, but not before the
 * last row is due, so that weeks never overlap.
 */
function nextRow({ disbursedOn }: PlanBasis, before: InstallmentRow[], on: string, at: Date): InstallmentRow {
  const last = before.at(-1)?.dueOn ?? disbursedOn
  let dueOn = plusDays(last, 7)
  while (dueOn <= on) dueOn = plusDays(dueOn, 7)
  return { ...newRow(before.length + 1, dueOn, at), accruedOn: latest(last, on) }
}

interface RowPlan {
  loan: PlanBasis
  rate: Fraction
  left: Paise
  installment: Paise
  /** How many rows there are; null for as many as it takes. */
  count: number | null
  /** The last row's tolerance beyond the instalment, for accumulated rounding. */
  tolerance: Paise
}

/** The current row's minimum principal, which was already paid. */
const keptBy = (loan: PlanBasis, left: Paise, [current, ...rest]: [InstallmentRow, ...InstallmentRow[]]): Paise =>
  current.paid.principal +
  current.paid.interest -
  interestUnderWay(loan, current, earningPrincipal(left, [current, ...rest]))

function planOf(loan: PlanBasis, left: Paise, count: number | null, installment: Paise): RowPlan {
  const { terms } = loan
  // Rounded to nothing it would never repay what is left.
  const unit = unitOf(terms.rounding)
  const [rate, tolerance] = [rateOf(loan), toleranceOf(terms)]
  return { loan, rate, left, installment: greatest(installment, unit), count, tolerance }
}

const toleranceOf = ({ rounding, tenureWeeks }: PlanBasis['terms']): Paise => unitOf(rounding) * BigInt(tenureWeeks)

/** The instalment that repays an amount in a number of rows. */
function levelFor(loan: PlanBasis, left: Paise, count: number, kept: Paise): Paise {
  const [rate, unit] = [rateOf(loan), unitOf(loan.terms.rounding)]
  const level = (principal: Paise, instalments: number): Paise =>
    principal === 0n ? loan.installmentPaise : regularInstalment({ principal, rate, instalments, unit })
  const even = level(left, count)
  // A row that was paid with more than that keeps it: the others are level among themselves.
  return count > 1 && kept > even ? level(left - kept, count - 1) : even
}

/**
 * The number of rows that repay principal after some is owed again: the future rows, unless their level instalment
 * would exceed the agreed one. Then rows are added until it equals the previous one, within the agreed term, and beyond
 * it until it equals the agreed one. The agreed number of rows always suffices, because the principal never exceeds the
 * agreed one.
 */
function countOwedAgain(
  { terms, installmentPaise }: PlanBasis,
  toCome: number,
  before: number,
  level: (rowCount: number) => Paise,
): number {
  let count = toCome
  if (level(count) <= terms.installmentPaise) return count
  while (level(count) > (before + count < terms.tenureWeeks ? installmentPaise : terms.installmentPaise)) count++
  return count
}

/**
 * The number of rows for which the last instalment does not exceed the agreed one, except for rounding: it absorbs what
 * the current row does not repay, because that earned interest on more principal. Unchanged when no number achieves it.
 */
function countWithLast({ terms }: PlanBasis, given: number, lastOf: (rowCount: number) => Paise): number {
  const most = terms.installmentPaise + toleranceOf(terms)
  for (let count = given; count <= terms.tenureWeeks; count++) if (lastOf(count) <= most) return count
  return given
}

const rateOf = ({ terms }: PlanBasis): Fraction => weeklyRate(bpsOf(terms.annualRatePercent))

function rowsFrom(plan: RowPlan, coming: InstallmentRow[], at: Date): { rows: InstallmentRow[]; postings: Posting[] } {
  const rows: InstallmentRow[] = []
  const postings: Posting[] = []
  const unit = unitOf(plan.loan.terms.rounding)
  const paidFrom = paidFromOn(coming)
  let left = plan.left
  for (let row = coming[0]; row; ) {
    const paidHere = paidFrom[rows.length] ?? nothingPaid
    const paidLater = paidFrom[rows.length + 1] ?? nothingPaid
    const { principal: reserved, isPaid: isPaidLater } = paidLater
    const earning = greatest(left - paidHere.ahead, 0n)
    const interest =
      rows.length === 0 ? interestUnderWay(plan.loan, row, earning) : interestOn(earning, plan.rate, unit)
    const corrected = correctedFor(row, interest, left - reserved)
    postings.push(...corrected.postings)
    const { due, paid } = corrected.row
    const regular = least(greatest(plan.installment - due.interest, paid.principal, unit), left - reserved)
    const isLast = plan.count === null ? left - regular <= plan.tolerance : rows.length + 1 >= plan.count
    const principal = isLast && !isPaidLater ? left : regular
    rows.push(changed(row, { ...corrected.row, due: { ...due, principal }, updatedAt: at }))
    left -= principal
    if (left === 0n && !isPaidLater) break
    row = coming[rows.length] ?? newRow(row.number + 1, plusDays(row.dueOn, 7), at)
  }
  return { rows: withCharges(rows, coming), postings }
}

/** The original row when amounts and payments are unchanged. */
const changed = (was: InstallmentRow, is: InstallmentRow): InstallmentRow =>
  parts.every((part) => was.due[part] === is.due[part] && was.paid[part] === is.paid[part]) ? was : is

/** Payments of a future row and of those after it. */
interface PaidFrom {
  principal: Paise
  /** With the prepaid interest: neither earns interest. */
  ahead: Paise
  isPaid: boolean
}

const nothingPaid: PaidFrom = { principal: 0n, ahead: 0n, isPaid: false }

/** By row. */
function paidFromOn(coming: InstallmentRow[]): PaidFrom[] {
  const sums: PaidFrom[] = []
  let sum = nothingPaid
  for (const row of coming.toReversed()) {
    const { principal, interest } = row.paid
    sum = {
      principal: sum.principal + principal,
      ahead: sum.ahead + principal + interest,
      isPaid: sum.isPaid || paidOf(row) > 0n,
    }
    sums.push(sum)
  }
  return sums.reverse()
}

/** The interest of the row under way, which has a part of its week behind it. */
function interestUnderWay(loan: PlanBasis, row: InstallmentRow, earning: Paise): Paise {
  const days = BigInt(daysBetween(row.accruedOn ?? row.dueOn, row.dueOn))
  return earnedBy(loan, { ...row, principalDays: row.principalDays + earning * days })
}

const paidTooMuch = ({ paid }: InstallmentRow, interest: Paise): Paise =>
  paid.interest > interest ? paid.interest - interest : 0n

/**
 * A row with changed interest. An excess prepayment of it repays principal while any of `left` is unpaid; when the
 * interest rises, principal paid in the row pays it first, so that a paid row stays paid.
 */
function correctedFor(row: InstallmentRow, interest: Paise, left: Paise): { row: InstallmentRow; postings: Posting[] } {
  const over = paidTooMuch(row, interest)
  const repaid = least(over, left - row.paid.principal)
  const again = least(greatest(interest - row.paid.interest, 0n), row.paid.principal)
  const { interest: ofInterest, principal } = row.paid
  const paid = { ...row.paid, interest: ofInterest - over + again, principal: principal + repaid - again }
  return {
    row: { ...row, due: { ...row.due, interest }, paid },
    postings: [
      ...posting('INTEREST', 'PRINCIPAL', repaid, row.number),
      ...posting('INTEREST', 'UNAPPLIED', over - repaid, row.number),
      ...posting('PRINCIPAL', 'INTEREST', again, row.number),
    ],
  }
}

/** Charges of removed rows move to the last remaining one. */
function withCharges(rows: InstallmentRow[], coming: InstallmentRow[]): InstallmentRow[] {
  const last = rows.at(-1)
  const charges = coming.slice(rows.length).reduce((sum, { due }) => sum + due.charges, 0n)
  if (!last || charges === 0n) return rows
  return [...rows.slice(0, -1), { ...last, due: { ...last.due, charges: last.due.charges + charges } }]
}
