// Interest by day: simple, on future principal, actual/365; pure rules.

import { interestOnDays as interestAt } from '#kit/money/annuity.ts'
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { type LedgerEntry, posting } from '#partner/ledger/store.ts'
import { bpsOf } from './rounding.ts'
import { currentRow, type InstallmentRow } from './row.ts'
import type { LoanTerms } from './terms.ts'

type Rate = Pick<LoanTerms, 'annualRatePercent'>

/** Rows that are read no further than an act needs them: the principal of those that were left out, less what was paid of them. */
export interface OmittedRows {
  laterPrincipal?: Paise
}

/**
 * The base of interest: the principal of future rows, less all prepayments. Prepaid interest counts like principal
 * until it is earned, because the lender already has that money.
 */
export function earningPrincipal(principal: Paise, coming: InstallmentRow[]): Paise {
  const left = coming.reduce((sum, { paid }) => sum - paid.interest - paid.principal, principal)
  return left > 0n ? left : 0n
}

/** Interest on principal and days, rounded half up: simple, actual/365. */
export const interestOnDays = (principalDays: bigint, { annualRatePercent }: Rate, unit: 1n | 100n): Paise =>
  interestAt(principalDays, bpsOf(annualRatePercent), unit)

/** The interest base of each day of the current week until a day, in paise × days. */
function principalDaysBy(
  current: InstallmentRow,
  rows: InstallmentRow[],
  until: string,
  { laterPrincipal = 0n }: OmittedRows,
): bigint {
  const coming = rows.filter((row) => !row.fellDue)
  const principal = coming.reduce((sum, { due }) => sum + due.principal, laterPrincipal)
  return current.principalDays + earningPrincipal(principal, coming) * BigInt(daysBetween(begunOn(current), until))
}

/** The day up to which a row's interest is known, or the start of its week. */
const begunOn = ({ accruedOn, dueOn }: InstallmentRow): string => accruedOn ?? plusDays(dueOn, -7)

/**
 * Books what was earned until a day and is not booked yet: once for a row and day. Nothing changes when a later day was
 * booked, or nothing was earned. Rows must have all that have not fallen due.
 */
export function accrued(
  rows: InstallmentRow[],
  rate: Rate & OmittedRows,
  on: string,
  at: Date,
): { rows: InstallmentRow[]; entries: Omit<LedgerEntry, 'caseRef'>[] } {
  const current = currentRow(rows)
  if (!current) return { rows, entries: [] }
  const until = on < current.dueOn ? on : current.dueOn
  if (until <= begunOn(current)) return { rows, entries: [] }
  const principalDays = principalDaysBy(current, rows, until, rate)
  // On its due date all of its interest is booked, at the end of the day.
  const earned = until < current.dueOn ? interestOnDays(principalDays, rate, 1n) : current.accrued
  const postings = posting('ACCRUED_INTEREST', 'INTEREST_INCOME', earned - current.accrued, current.number)
  const booked = {
    ...current,
    accrued: earned,
    accruedOn: until,
    principalDays,
    updatedAt: earned === current.accrued ? current.updatedAt : at,
  }
  return {
    rows: rows.map((row) => (row === current ? booked : row)),
    entries: [
      { entryId: `accrual-${current.number}-${until}`, kind: 'ACCRUAL', businessOn: until, reverses: null, postings },
    ],
  }
}
