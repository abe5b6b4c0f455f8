// A row of the schedule with its due and paid amounts, and the condition of a loan by its rows (D3 §2.5).
import { plusDays } from '@lendloom/lending/calendar'
import { maxPaise, type Paise } from '@lendloom/lending/money'
import type { LoanCondition } from './loan.ts'

/** The parts of a row's amount, in the order in which money pays them. */
export const amountParts = ['penalty', 'charges', 'interest', 'principal'] as const
export type AmountPart = (typeof amountParts)[number]
export type Amounts = Record<AmountPart, Paise>

export type RowStatus = 'DUE' | 'PART_PAID' | 'PAID' | 'OVERDUE'

export interface InstallmentRow {
  number: number
  dueOn: string
  due: Amounts
  paid: Amounts
  /** Whether the due date has ended, so that all interest is earned and the unpaid part is owed. */
  fellDue: boolean
  /** The number of penal charges so far, which the policy limits. */
  penalties: number
  /** The day whose day-end adds the next penal charge if the row is unpaid. */
  nextPenaltyOn: string | null
  /**
   * The first day with debits after a due date without debits, from which grace, penal charges and days past due count.
   * Null if the row has not fallen due, or counts from its due date.
   */
  countsFrom: string | null
  /** Whether the row fell due, but is not overdue before the day-end of `countsFrom`. */
  isWaiting: boolean
  /** Interest that was booked before the due date; 0 once the row fell due. */
  accrued: Paise
  /** The day until which interest was accrued; null if none was accrued. */
  accruedOn: string | null
  /** The interest base until `accruedOn`: the sum of `interestBase` over the days of the week, in paise × days. */
  principalDays: bigint
  /** Interest refunded as principal, because the bank reported a repayment late. */
  interestGivenBack: Paise
  /** The part of the principal that is owed because money was refunded that the bank then took back. */
  claimed: Paise
  updatedAt: Date
}

/** An amount of zero in each part. */
export const noAmounts: Amounts = { penalty: 0n, charges: 0n, interest: 0n, principal: 0n }

/** Returns a row on which nothing is due or paid yet. */
export const newRow = (number: number, dueOn: string, at: Date): InstallmentRow => ({
  number,
  dueOn,
  due: noAmounts,
  paid: noAmounts,
  fellDue: false,
  penalties: 0,
  nextPenaltyOn: null,
  countsFrom: null,
  isWaiting: false,
  accrued: 0n,
  accruedOn: null,
  principalDays: 0n,
  interestGivenBack: 0n,
  claimed: 0n,
  updatedAt: at,
})

/** The id of a row on the exchange: the loan id and the number of the row. */
export const installmentId = (loanId: string, number: number): string => `${loanId}-${String(number).padStart(2, '0')}`

/** Returns the row's amount, which excludes penal charges. */
export const amountOf = ({ due }: InstallmentRow): Paise => due.charges + due.interest + due.principal
/** Returns what was paid of the amount, without penal charges. */
export const paidOf = ({ paid }: InstallmentRow): Paise => paid.charges + paid.interest + paid.principal
/** Returns the unpaid rest of the amount, without penal charges. */
export const unpaidOf = (row: InstallmentRow): Paise => amountOf(row) - paidOf(row)
/**
 * Returns the unpaid amount on which penal charges are agreed: without a refund that the bank took back, which is not
 * part of the instalment and is paid last.
 */
export const penalBaseOf = (row: InstallmentRow): Paise => maxPaise(0n, unpaidOf(row) - row.claimed)
/** Returns the unpaid amount of the row, including penal charges. */
export const owedOf = (row: InstallmentRow): Paise => unpaidOf(row) + row.due.penalty - row.paid.penalty

/** Returns the unpaid principal of all rows. */
export const principalOf = (rows: InstallmentRow[]): Paise =>
  rows.reduce((sum, { due, paid }) => sum + due.principal - paid.principal, 0n)

/** Whether the unpaid part of the row is overdue. */
export const isLate = ({ fellDue, isWaiting }: InstallmentRow): boolean => fellDue && !isWaiting

/** OVERDUE takes precedence over PART_PAID. Penal charges do not count. */
export function rowStatus(row: InstallmentRow): RowStatus {
  if (unpaidOf(row) === 0n) return 'PAID'
  if (isLate(row)) return 'OVERDUE'
  return paidOf(row) > 0n ? 'PART_PAID' : 'DUE'
}

/** Returns the condition of a loan. Unlike `rowStatus`, it counts penal charges: they keep a loan overdue. */
export function conditionOf(rows: InstallmentRow[]): LoanCondition {
  if (rows.some((row) => isLate(row) && owedOf(row) > 0n)) return 'overdue'
  return rows.every((row) => owedOf(row) === 0n) ? 'repaid' : 'current'
}

/** Returns the row whose interest is accruing: the first that has not fallen due. */
export const currentRow = (rows: InstallmentRow[]): InstallmentRow | undefined => rows.find((row) => !row.fellDue)

/** Returns the month-end within the current row's week; null if there is none or its interest was accrued. */
export function nextAccrualOn(rows: InstallmentRow[]): string | null {
  const current = currentRow(rows)
  if (!current || current.due.interest === 0n) return null
  const on = plusDays(`${current.dueOn.slice(0, 8)}01`, -1)
  return on > (current.accruedOn ?? plusDays(current.dueOn, -7)) ? on : null
}

/** Returns the next business day whose day-end changes a row. */
export function nextWorkOn(rows: InstallmentRow[]): string | null {
  return earliest([...rows.map(nextChangeOn), nextAccrualOn(rows)])
}

/** The day whose day-end makes the row due, ends its waiting, or adds a penal charge to the unpaid row. */
function nextChangeOn(row: InstallmentRow): string | null {
  if (!row.fellDue) return row.dueOn
  if (row.isWaiting) return row.countsFrom
  return penalBaseOf(row) > 0n ? row.nextPenaltyOn : null
}

/** Returns the due date of the oldest unpaid row. */
export const nextDueOn = (rows: InstallmentRow[]): string | null =>
  earliest(rows.filter((row) => owedOf(row) > 0n).map((row) => row.dueOn))

/** Returns the day from which the arrears of the oldest unpaid row count, or will count at the earliest. */
export const arrearsFrom = (rows: InstallmentRow[]): string | null =>
  earliest(rows.filter((row) => owedOf(row) > 0n).map((row) => row.countsFrom ?? row.dueOn))

/** Returns the earliest day; null if no day is known. */
export const earliest = (days: (string | null)[]): string | null =>
  days.reduce((first, day) => (day !== null && (first === null || day < first) ? day : first), null)
