// A row of the schedule: its amounts due and paid, and the loan's state by its rows (D3 §2.5).
import { plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import type { LoanCondition } from './loan.ts'

/** In the order in which money is used within a row. */
export const parts = ['penalty', 'charges', 'interest', 'principal'] as const
export type AmountPart = (typeof parts)[number]
export type Amounts = Record<AmountPart, Paise>

export type RowStatus = 'DUE' | 'PART_PAID' | 'PAID' | 'OVERDUE'

export interface InstallmentRow {
  number: number
  dueOn: string
  due: Amounts
  paid: Amounts
  /** Its due date has passed: its interest is earned, and its unpaid part is overdue. */
  fellDue: boolean
  /** How many penal charges it has had, and the day whose end brings the next one, if it is unpaid then. */
  penalties: number
  nextPenaltyOn: string | null
  /** Its interest that was booked before its due date, and until which day; null while it equals the schedule's. */
  accrued: Paise
  accruedOn: string | null
  /** The exact interest base until that day: `earningPrincipal` of each day of its week, in paise × days. */
  principalDays: bigint
  /** Interest of its week that was refunded as principal, because the lender learned late of a repayment. */
  interestGivenBack: Paise
  updatedAt: Date
}

export const nothing: Amounts = { penalty: 0n, charges: 0n, interest: 0n, principal: 0n }

/** A row that asks for nothing yet. */
export const newRow = (number: number, dueOn: string, at: Date): InstallmentRow => ({
  ...{ number, dueOn, due: nothing, paid: nothing, fellDue: false },
  ...{
    penalties: 0,
    nextPenaltyOn: null,
    accrued: 0n,
    accruedOn: null,
    principalDays: 0n,
    interestGivenBack: 0n,
    updatedAt: at,
  },
})

export const installmentId = (loanId: string, number: number): string => `${loanId}-${String(number).padStart(2, '0')}`

/** The amount of the row. A penal charge is owed with the row but not part of its amount. */
export const amountOf = ({ due }: InstallmentRow): Paise => due.charges + due.interest + due.principal
export const paidOf = ({ paid }: InstallmentRow): Paise => paid.charges + paid.interest + paid.principal
export const unpaidOf = (row: InstallmentRow): Paise => amountOf(row) - paidOf(row)
/** All dues of the row, including penal charges. */
export const owedOf = (row: InstallmentRow): Paise => unpaidOf(row) + row.due.penalty - row.paid.penalty

/** Principal that is outstanding with rows. */
export const principalOf = (rows: InstallmentRow[]): Paise =>
  rows.reduce((sum, { due, paid }) => sum + due.principal - paid.principal, 0n)

/** Overdue weighs more than part paid. */
export const rowStatus = (row: InstallmentRow): RowStatus =>
  unpaidOf(row) === 0n ? 'PAID' : row.fellDue ? 'OVERDUE' : paidOf(row) > 0n ? 'PART_PAID' : 'DUE'

export const statusOf = (rows: InstallmentRow[]): LoanCondition =>
  rows.some((row) => row.fellDue && owedOf(row) > 0n)
    ? 'overdue'
    : rows.every((row) => owedOf(row) === 0n)
      ? 'repaid'
      : 'current'

/** The row whose interest is accruing: the first that has not fallen due. */
export const currentRow = (rows: InstallmentRow[]): InstallmentRow | undefined => rows.find((row) => !row.fellDue)

/** The month's end within the week of the current row, unless its interest was booked until then. */
export function nextAccrualOn(rows: InstallmentRow[]): string | null {
  const current = currentRow(rows)
  if (!current || current.due.interest === 0n) return null
  const on = plusDays(`${current.dueOn.slice(0, 8)}01`, -1)
  return on > (current.accruedOn ?? plusDays(current.dueOn, -7)) ? on : null
}

/** The next business day whose end changes one of the rows. */
export function nextWorkOn(rows: InstallmentRow[]): string | null {
  const days = rows.map((row) => (row.fellDue ? (unpaidOf(row) > 0n ? row.nextPenaltyOn : null) : row.dueOn))
  return earliest([...days, nextAccrualOn(rows)])
}

/** When the oldest row with something to pay is due. */
export const nextDueOn = (rows: InstallmentRow[]): string | null =>
  earliest(rows.filter((row) => owedOf(row) > 0n).map((row) => row.dueOn))

/** The first of some days; null where there is none. */
export const earliest = (days: (string | null)[]): string | null =>
  days.reduce((first, day) => (day !== null && (first === null || day < first) ? day : first), null)
