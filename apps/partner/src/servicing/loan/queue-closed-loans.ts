// Queues a job for each closed loan, so that its mandate is cancelled.

import { daysAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'

export const closedLoanQueue = 'loan-closed'

export interface ClosedLoanJob {
  caseRef: string
}

/**
 * The days in which the bank may still return the debit that closed a loan. After a return the loan is open again and
 * needs its mandate (D3 §3).
 */
export const lateReturnDays = 3

/** Queues a job for each closed loan, due when the bank can no longer return the debit. */
export async function queueClosedLoans(tx: Tx, caseRefs: string[], at: Date): Promise<void> {
  const dueAt = daysAfter(at, lateReturnDays)
  await Promise.all(
    caseRefs.map((caseRef) => {
      const payload: ClosedLoanJob = { caseRef }
      return enqueue(tx, { tenantId: noTenantId, kind: closedLoanQueue, payload, dueAt })
    }),
  )
}
