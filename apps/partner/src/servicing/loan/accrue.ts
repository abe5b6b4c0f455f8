// Simple daily interest (actual/365) on the principal of rows that have not fallen due. Pure functions.

import { interestOnDays as interestAt } from '@lendloom/lending/annuity'
import { daysBetween, plusDays } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { type LedgerEntry, posting } from '#partner/books/ledger/entry.ts'
import { bpsOf } from '#partner/origination/terms/rounding.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { currentRow, type InstallmentRow } from './installment-row.ts'

type Rate = Pick<LoanTerms, 'annualRatePercent'>

/** The unpaid principal of rows that were not loaded. */
export interface OmittedRows {
  laterPrincipal?: Paise
}

/**
 * The principal that earns interest: that of future rows, less their prepaid principal and interest. Prepaid interest
 * counts as principal until it is earned, because the lender already has that money.
 */
export function interestBase(principal: Paise, future: InstallmentRow[]): Paise {
  const remaining = future.reduce((sum, { paid }) => sum - paid.interest - paid.principal, principal)
  return remaining > 0n ? remaining : 0n
}

/** Returns simple interest (actual/365) on principal × days, rounded half up. */
export const interestOnDays = (principalDays: bigint, { annualRatePercent }: Rate, unit: 1n | 100n): Paise =>
  interestAt(principalDays, bpsOf(annualRatePercent), unit)

/** Sums the interest bases of the days of the current week until a day, in paise × days. */
function principalDaysUntil(
  current: InstallmentRow,
  rows: InstallmentRow[],
  until: string,
  { laterPrincipal = 0n }: OmittedRows,
): bigint {
  const future = rows.filter((row) => !row.fellDue)
  const principal = future.reduce((sum, { due }) => sum + due.principal, laterPrincipal)
  return current.principalDays + interestBase(principal, future) * BigInt(daysBetween(accruedUntil(current), until))
}

/** The day until which a row's interest was accrued, or the start of its week. */
const accruedUntil = ({ accruedOn, dueOn }: InstallmentRow): string => accruedOn ?? plusDays(dueOn, -7)

/**
 * Accrues the interest of the current row until a day. Changes nothing if interest until that day was accrued before.
 * `rows` must contain every row that has not fallen due, except rows whose principal is `laterPrincipal`.
 */
export function accrue(
  rows: InstallmentRow[],
  rate: Rate & OmittedRows,
  on: string,
  at: Date,
): { rows: InstallmentRow[]; entries: Omit<LedgerEntry, 'caseRef'>[] } {
  const current = currentRow(rows)
  if (!current) return { rows, entries: [] }
  const until = on < current.dueOn ? on : current.dueOn
  if (until <= accruedUntil(current)) return { rows, entries: [] }
  const principalDays = principalDaysUntil(current, rows, until, rate)
  // On the due date, the day-end books the interest that has not been accrued.
  const earned = until < current.dueOn ? interestOnDays(principalDays, rate, 1n) : current.accrued
  const postings = posting('ACCRUED_INTEREST', 'INTEREST_INCOME', earned - current.accrued, current.number)
  const accruedRow = {
    ...current,
    accrued: earned,
    accruedOn: until,
    principalDays,
    updatedAt: earned === current.accrued ? current.updatedAt : at,
  }
  return {
    rows: rows.map((row) => (row === current ? accruedRow : row)),
    entries: [
      { entryId: `accrual-${current.number}-${until}`, kind: 'ACCRUAL', businessOn: until, reverses: null, postings },
    ],
  }
}
