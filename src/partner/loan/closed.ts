// A loan was closed in any way: its mandate has no further purpose, and the bank module is notified.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'

export const closedKind = 'loan-closed'

export interface ClosedJob {
  caseRef: string
}

/** Days in which the bank may still return the debit that closed a loan: it opens the loan again, and needs the mandate (D3 §3). */
export const lateReturnDays = 3

/** One job for each closing, in the transaction of the closing; it is due once the bank can no longer return the last debit. */
export async function noteClosed(tx: Tx, caseRefs: string[], at: Date): Promise<void> {
  const dueAt = daysAfter(at, lateReturnDays)
  await Promise.all(
    caseRefs.map((caseRef) => {
      const payload: ClosedJob = { caseRef }
      return enqueue(tx, { tenantId: nobody, kind: closedKind, payload, dueAt })
    }),
  )
}
