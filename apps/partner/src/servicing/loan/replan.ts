// Replans future rows after a prepayment of principal or its reversal; pure rules.

import type { Fraction } from '@lendloom/lending/annual-rate'
import { interestOn, regularInstalment, weeklyRate } from '@lendloom/lending/annuity'
import { daysBetween, plusDays } from '@lendloom/lending/calendar'
import { maxPaise, minPaise, type Paise } from '@lendloom/lending/money'
import { type Posting, posting } from '#partner/books/ledger/entry.ts'
import { bpsOf, unitOf } from '#partner/origination/terms/rounding.ts'
import { interestBase, interestOnDays } from './accrue.ts'
import { amountParts, type InstallmentRow, newRow, paidOf, principalOf } from './installment-row.ts'
import type { Loan, PartPaymentKeeps } from './loan.ts'

/** The part of a loan that determines its schedule. */
export type PlanBasis = Pick<Loan, 'terms' | 'disbursedOn' | 'installmentPaise'>

export interface PrincipalChange {
  /** Added to the principal of future rows; negative for a prepayment. */
  principal: Paise
  /** The business day from which the change affects interest. */
  on: string
  keep: PartPaymentKeeps
  /** Whether a payment was reversed. Its principal is then spread over future rows if `keep` is `TERM`. */
  isReversal?: boolean
  at: Date
}

/** Returns `TERM` if earlier part payments lowered the instalment. */
export const choiceOfEarlierPayments = ({ installmentPaise, terms }: PlanBasis): PartPaymentKeeps =>
  installmentPaise < terms.installmentPaise ? 'TERM' : 'INSTALLMENT'

export interface NewPlan {
  rows: InstallmentRow[]
  /**
   * Prepaid interest that is no longer due repays principal, or becomes unapplied balance when no principal is left.
   * When a row's interest rises, paid principal becomes interest again.
   */
  postings: Posting[]
  installmentPaise: Paise
}

/** Returns the rows that fall due after a day. Part payments change only these rows. */
export function futureRows(rows: InstallmentRow[], on: string): InstallmentRow[] {
  const first = rows.findIndex((row) => !row.fellDue && row.dueOn > on)
  return first < 0 ? [] : rows.slice(first)
}

/**
 * Returns the maximum prepayment on a day, in paise: the unpaid future principal, less the prepaid interest that then
 * becomes principal. Never negative.
 */
export function maxPrepayment(loan: PlanBasis, rows: InstallmentRow[], on: string): Paise {
  const [current, ...later] = futureRows(addInterestBase(loan, rows, on), on)
  if (!current) return 0n
  // After a full prepayment no more interest accrues, so the interest of later rows is not owed at all.
  const overpaid = later.reduce(
    (sum, { paid }) => sum + paid.interest,
    overpaidInterest(current, earnedInterest(loan, current)),
  )
  return maxPaise(principalOf([current, ...later]) - overpaid, 0n)
}

/** Returns a row's earned interest, computed from its interest base so far. */
export const earnedInterest = ({ terms }: PlanBasis, { principalDays }: InstallmentRow): Paise =>
  interestOnDays(principalDays, terms, unitOf(terms.rounding))

/**
 * Adds the interest base until a day to the current row. Must run before an act that pays future rows or reverses such
 * a payment, because the days until then have the old base.
 */
export function addInterestBase({ disbursedOn }: PlanBasis, rows: InstallmentRow[], on: string): InstallmentRow[] {
  const future = futureRows(rows, on)
  const [current, ...later] = future
  if (!current) return rows
  const before = rows.slice(0, rows.length - future.length)
  const countedUntil = current.accruedOn ?? before.at(-1)?.dueOn ?? disbursedOn
  if (on <= countedUntil && current.accruedOn !== null) return rows
  const principal = future.reduce((sum, { due }) => sum + due.principal, 0n)
  const accruedOn = latest(countedUntil, on)
  const principalDays =
    current.principalDays + interestBase(principal, future) * BigInt(daysBetween(countedUntil, accruedOn))
  return [...before, { ...current, principalDays, accruedOn }, ...later]
}

/**
 * Replans the schedule after future principal changed or future rows were paid; takes and returns all rows. Corrects
 * the interest of the current row for its remaining days, replans later rows from the remaining principal at the loan's
 * rate (actual/365), and removes unneeded rows. Due rows stay unchanged. The caller rejects amounts above
 * `maxPrepayment`.
 */
export function replan(loan: PlanBasis, allRows: InstallmentRow[], change: PrincipalChange): NewPlan {
  const { principal, on, keep, isReversal = false, at } = change
  const rows = addInterestBase(loan, allRows, on)
  const future = futureRows(rows, on)
  const before = rows.slice(0, rows.length - future.length)
  const [current = additionalRow(loan, before, on, at), ...later] = future
  const principalLeft = future.reduce((sum, { due }) => sum + due.principal, 0n) + principal
  const level = (rowCount: number): Paise =>
    levelInstallment(loan, principalLeft, rowCount, minCurrentPrincipal(loan, principalLeft, [current, ...later]))
  // Without a fixed term, the instalment stays and determines how many rows are needed.
  const rowsOfTerm = keep === 'TERM' ? Math.max(future.length, 1) : null
  const lastAmount = (rowCount: number): Paise => {
    const { rows: planned } = rowsFrom(planOf(loan, principalLeft, rowCount, level(rowCount)), [current, ...later], at)
    return planned.slice(-1).reduce((sum, { due }) => sum + due.interest + due.principal, 0n)
  }
  const count =
    rowsOfTerm !== null && isReversal
      ? rowCountForLast(loan, rowCountAfterReversal(loan, rowsOfTerm, before.length, level), lastAmount)
      : rowsOfTerm
  // Only a prepayment of principal lowers the instalment; a row that is paid early lowers the last row.
  const installment = count !== null && (principal !== 0n || isReversal) ? level(count) : loan.installmentPaise
  const plan = planOf(loan, principalLeft, count, installment)
  const after = rowsFrom(plan, [current, ...later], at)
  return { rows: [...before, ...after.rows], postings: after.postings, installmentPaise: plan.installment }
}

const latest = (a: string, b: string): string => (a > b ? a : b)

/**
 * Returns an additional row after the last due row, on the same weekday. Its interest starts on the day `on`, but not
 * before the last due date, so that the weeks of two rows never overlap.
 */
function additionalRow({ disbursedOn }: PlanBasis, before: InstallmentRow[], on: string, at: Date): InstallmentRow {
  const last = before.at(-1)?.dueOn ?? disbursedOn
  let dueOn = plusDays(last, 7)
  while (dueOn <= on) dueOn = plusDays(dueOn, 7)
  return { ...newRow(before.length + 1, dueOn, at), accruedOn: latest(last, on) }
}

interface RowPlan {
  loan: PlanBasis
  rate: Fraction
  /** The principal that the rows must repay. */
  left: Paise
  installment: Paise
  /** The number of rows; null for as many as the instalment requires. */
  count: number | null
  /** The amount by which the last row may exceed the instalment, because of accumulated rounding. */
  tolerance: Paise
}

/** Returns the principal of the current row that is already paid, once its payments cover its interest. */
const minCurrentPrincipal = (
  loan: PlanBasis,
  left: Paise,
  [current, ...rest]: [InstallmentRow, ...InstallmentRow[]],
): Paise =>
  current.paid.principal +
  current.paid.interest -
  currentRowInterest(loan, current, interestBase(left, [current, ...rest]))

function planOf(loan: PlanBasis, left: Paise, count: number | null, installment: Paise): RowPlan {
  const { terms } = loan
  // An instalment that rounds to zero would never repay the loan.
  const unit = unitOf(terms.rounding)
  const rate = rateOf(loan)
  const tolerance = toleranceOf(terms)
  return { loan, rate, left, installment: maxPaise(installment, unit), count, tolerance }
}

const toleranceOf = ({ rounding, tenureWeeks }: PlanBasis['terms']): Paise => unitOf(rounding) * BigInt(tenureWeeks)

/** Returns the level instalment that repays an amount in a number of rows. */
function levelInstallment(loan: PlanBasis, left: Paise, count: number, minPrincipal: Paise): Paise {
  const rate = rateOf(loan)
  const unit = unitOf(loan.terms.rounding)
  const level = (principal: Paise, instalments: number): Paise =>
    principal === 0n ? loan.installmentPaise : regularInstalment({ principal, rate, instalments, unit })
  const even = level(left, count)
  // If more principal of the current row is already paid, the other rows share the remaining principal equally.
  return count > 1 && minPrincipal > even ? level(left - minPrincipal, count - 1) : even
}

/**
 * Returns the number of future rows after a reversal. If the level instalment would exceed the agreed instalment, adds
 * rows until it is at most the previous instalment, or beyond the agreed term at most the agreed instalment. The agreed
 * number of rows always suffices, because the principal never exceeds the agreed amount.
 */
function rowCountAfterReversal(
  { terms, installmentPaise }: PlanBasis,
  futureCount: number,
  before: number,
  level: (rowCount: number) => Paise,
): number {
  let count = futureCount
  if (level(count) <= terms.installmentPaise) return count
  while (level(count) > (before + count < terms.tenureWeeks ? installmentPaise : terms.installmentPaise)) count++
  return count
}

/**
 * Returns the first number of rows, from `minCount` on, for which the last instalment exceeds the agreed instalment by
 * no more than rounding; `minCount` if there is none. The last row also repays the principal that the current row
 * cannot repay, because a reversal raised its interest.
 */
function rowCountForLast({ terms }: PlanBasis, minCount: number, lastAmount: (rowCount: number) => Paise): number {
  const maxLast = terms.installmentPaise + toleranceOf(terms)
  for (let count = minCount; count <= terms.tenureWeeks; count++) if (lastAmount(count) <= maxLast) return count
  return minCount
}

const rateOf = ({ terms }: PlanBasis): Fraction => weeklyRate(bpsOf(terms.annualRatePercent))

/** Builds the rows of a plan. They keep their numbers, due dates and payments: a row with payments is never removed. */
function rowsFrom(plan: RowPlan, future: InstallmentRow[], at: Date): { rows: InstallmentRow[]; postings: Posting[] } {
  const rows: InstallmentRow[] = []
  const postings: Posting[] = []
  const unit = unitOf(plan.loan.terms.rounding)
  const prepayments = prepaymentsByRow(future)
  let left = plan.left
  for (let row = future[0]; row; ) {
    const fromThisRow = prepayments[rows.length] ?? noPrepayments
    const fromNextRow = prepayments[rows.length + 1] ?? noPrepayments
    const { principal: reserved, isPaid: isLaterRowPaid } = fromNextRow
    const earning = maxPaise(left - fromThisRow.total, 0n)
    const isCurrent = rows.length === 0
    const interest = isCurrent ? currentRowInterest(plan.loan, row, earning) : interestOn(earning, plan.rate, unit)
    const corrected = changeInterest(row, interest, left - reserved)
    postings.push(...corrected.postings)
    const { due, paid } = corrected.row
    // Each row repays at least one unit, so that the loop ends, and leaves the principal that later rows have prepaid.
    const regular = minPaise(maxPaise(plan.installment - due.interest, paid.principal, unit), left - reserved)
    const isLast = plan.count === null ? left - regular <= plan.tolerance : rows.length + 1 >= plan.count
    const principal = isLast && !isLaterRowPaid ? left : regular
    rows.push(originalIfEqual(row, { ...corrected.row, due: { ...due, principal }, updatedAt: at }))
    left -= principal
    if (left === 0n && !isLaterRowPaid) break
    row = future[rows.length] ?? newRow(row.number + 1, plusDays(row.dueOn, 7), at)
  }
  return { rows: moveCharges(rows, future), postings }
}

/** Returns the original row object when amounts and payments are unchanged. */
const originalIfEqual = (original: InstallmentRow, updated: InstallmentRow): InstallmentRow =>
  amountParts.every((part) => original.due[part] === updated.due[part] && original.paid[part] === updated.paid[part])
    ? original
    : updated

/** Prepayments of a future row and of all rows after it. */
interface Prepayments {
  principal: Paise
  /** Prepaid principal and interest, on which no interest is charged. */
  total: Paise
  isPaid: boolean
}

const noPrepayments: Prepayments = { principal: 0n, total: 0n, isPaid: false }

/** Returns for each row, by index, the prepayments of this row and all rows after it. */
function prepaymentsByRow(future: InstallmentRow[]): Prepayments[] {
  const sums: Prepayments[] = []
  let sum = noPrepayments
  for (const row of future.toReversed()) {
    const { principal, interest } = row.paid
    sum = {
      principal: sum.principal + principal,
      total: sum.total + principal + interest,
      isPaid: sum.isPaid || paidOf(row) > 0n,
    }
    sums.push(sum)
  }
  return sums.reverse()
}

/** Returns the current row's interest: on its base so far, and on the principal `earning` for the remaining days. */
function currentRowInterest(loan: PlanBasis, row: InstallmentRow, earning: Paise): Paise {
  const days = BigInt(daysBetween(row.accruedOn ?? row.dueOn, row.dueOn))
  return earnedInterest(loan, { ...row, principalDays: row.principalDays + earning * days })
}

const overpaidInterest = ({ paid }: InstallmentRow, interest: Paise): Paise =>
  paid.interest > interest ? paid.interest - interest : 0n

/**
 * Changes a row's interest. Overpaid interest repays principal, up to the unpaid part of `left`. If the interest rises,
 * principal that was paid in the row pays the added interest, so that a paid row stays paid.
 */
function changeInterest(
  row: InstallmentRow,
  interest: Paise,
  left: Paise,
): { row: InstallmentRow; postings: Posting[] } {
  const overpaid = overpaidInterest(row, interest)
  const repaid = minPaise(overpaid, left - row.paid.principal)
  const reconverted = minPaise(maxPaise(interest - row.paid.interest, 0n), row.paid.principal)
  const { interest: paidInterest, principal } = row.paid
  const paid = {
    ...row.paid,
    interest: paidInterest - overpaid + reconverted,
    principal: principal + repaid - reconverted,
  }
  return {
    row: { ...row, due: { ...row.due, interest }, paid },
    postings: [
      ...posting('INTEREST', 'PRINCIPAL', repaid, row.number),
      ...posting('INTEREST', 'UNAPPLIED', overpaid - repaid, row.number),
      ...posting('PRINCIPAL', 'INTEREST', reconverted, row.number),
    ],
  }
}

/** Moves the charges of removed rows to the last remaining row. */
function moveCharges(rows: InstallmentRow[], future: InstallmentRow[]): InstallmentRow[] {
  const last = rows.at(-1)
  const charges = future.slice(rows.length).reduce((sum, { due }) => sum + due.charges, 0n)
  if (!last || charges === 0n) return rows
  return [...rows.slice(0, -1), { ...last, due: { ...last.due, charges: last.due.charges + charges } }]
}
