// The end of a journey whose loan is closed, and the jobs that tell the complaint module of it.

import type { Tx } from '@lendloom/postgres/sql'
import { enqueue } from '@lendloom/queue/queue'
import type { JourneyKey } from './journey.ts'
import { updateJourney } from './store.ts'

/** The kind of the jobs that tell the complaint module of a closed loan. */
export const loanClosedKind = 'loan-closed'

export interface ClosedLoan {
  journeyId: string
  /** Whether the lender has reported that the borrower left in the cooling-off period. */
  isExit?: boolean
}

/** Ends the journey of a closed loan, and reports it to the complaint module. */
export async function recordClosedLoan(tx: Tx, { tenantId, journeyId }: JourneyKey, at: Date): Promise<void> {
  await updateJourney(tx, { tenantId, journeyId }, { active: false, closedAt: at }, at)
  await enqueue(tx, {
    tenantId,
    kind: loanClosedKind,
    key: journeyId,
    dueAt: at,
    payload: { journeyId } satisfies ClosedLoan,
  })
}

/** Reports to the complaint module that the lender says the borrower left in the cooling-off period. */
export const reportExit = (tx: Tx, { tenantId, journeyId }: JourneyKey, at: Date): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind: loanClosedKind,
    key: `${journeyId} exit`,
    dueAt: at,
    payload: { journeyId, isExit: true } satisfies ClosedLoan,
  })
