// An instalment as the lender sends it, and its status for the borrower.

import { businessDate } from '@lendloom/lending/calendar'
import type { InstallmentStatus } from '@lendloom/wire/hosted/embed-servicing'

/** An instalment of the lender's schedule, with the status that the lender sent. `amount` is digits, in paise. */
export interface Installment {
  serialNumber: number
  amount: string
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED' | 'FAILED'
  startsAt: string
  dueAt: string
}

/** The status of an instalment at an instant (D1 §2.4). An unpaid instalment is DUE from its due date in India. */
export function installmentStatus({ status, dueAt }: Installment, at: Date): InstallmentStatus {
  if (status === 'PAID') return 'PAID'
  if (status === 'DEFERRED') return 'CLOSED'
  if (status === 'DELAYED' || status === 'FAILED') return 'OVERDUE'
  return businessDate(at) < businessDate(new Date(dueAt)) ? 'NOT-DUE' : 'DUE'
}
