// The instalments that the borrower has missed, by the schedule and the lender's snapshot.

import { businessDate } from '@lendloom/lending/calendar'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { failedDebitOf, instalmentIn } from '#platform/lenders/partner/transfers.ts'
import { type Installment, installmentStatus } from '#platform/lending/journey/installment.ts'
import { overdueInstalments } from '#platform/lending/servicing/repayment-schedule.ts'

/**
 * The overdue instalments, except those past their due date that the lender calls due in a newer snapshot: its calendar
 * may have no debits on the due date.
 */
export const lateInstalmentsIn = (
  installments: Installment[],
  snapshot: SnapshotStatus | null,
  at: Date,
): Installment[] =>
  overdueInstalments(installments, at).filter(
    (each) => installmentStatus(each, at) === 'OVERDUE' || !isCalledDue(snapshot, each),
  )

/** Whether the lender, after the due date, calls the instalment due and not overdue. */
function isCalledDue(snapshot: SnapshotStatus | null, { serialNumber, dueAt }: Installment): boolean {
  const row = instalmentIn(snapshot, serialNumber)
  if (row === undefined || row.status === 'OVERDUE') return false
  return businessDate(new Date(row.updated_at)) > businessDate(new Date(dueAt))
}

/** The oldest overdue instalment, or the one that is due today and whose debit has failed. */
export const missedInstalmentsIn = (
  installments: Installment[],
  snapshot: SnapshotStatus | null,
  at: Date,
): Installment | undefined =>
  lateInstalmentsIn(installments, snapshot, at)[0] ??
  installments.find(
    (each) => installmentStatus(each, at) === 'DUE' && failedDebitOf(snapshot, each.serialNumber) !== undefined,
  )
