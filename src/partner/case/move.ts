// The only way to change a case's status: checks the transition table, and records the move (D3 §3). Queues a recheck.
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, noTenantId } from '#kit/messaging/queue.ts'
import { next } from '#kit/runtime/machine.ts'
import { type Case, type CaseMove, lifecycle } from './lifecycle.ts'
import { setStatus } from './store.ts'

/** Moves a locked case and returns it. Throws `wrong-state` if the status does not allow the move. */
export async function moveCase(tx: Tx, loanCase: Case, move: CaseMove, at: Date): Promise<Case> {
  const status = next(lifecycle, loanCase.status, move)
  if (!status)
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: this is not possible now`, {
      status: loanCase.status,
    })
  await Promise.all([setStatus(tx, loanCase, { move, status, at }), queueCaseCheck(tx, loanCase.caseRef, at)])
  return { ...loanCase, status, updatedAt: at }
}

/** Job kind: a case changed, so that the autopilot may act on it. */
export const changedKind = 'case-changed'

export interface ChangedJob {
  caseRef: string
}

/** Queues one job per change, in the same transaction. */
export async function queueCaseCheck(tx: Tx, caseRef: string, at: Date): Promise<void> {
  const payload: ChangedJob = { caseRef }
  await enqueue(tx, { tenantId: noTenantId, kind: changedKind, payload, dueAt: at })
}
