// Changes a case's status by the transition table, records the move (D3 §3), and queues a job of the autopilot. No
// other code changes the status.

import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import { type Case, type CaseMove, type CaseStatus, caseLifecycle, isBeingChecked } from './lifecycle.ts'
import { setStatus } from './store.ts'

/** Moves a locked case and returns it. Throws `wrong-state` if the status does not allow the move. */
export async function moveCase(tx: Tx, loanCase: Case, move: CaseMove, at: Date): Promise<Case> {
  const status = next(caseLifecycle, loanCase.status, move)
  if (!status)
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: this is not possible now`, {
      status: loanCase.status,
    })
  await Promise.all([
    setStatus(tx, loanCase, { move, status, at }),
    mayAct(status) && queueCaseCheck(tx, loanCase.caseRef, at),
  ])
  return { ...loanCase, status, updatedAt: at }
}

export const mayAct = (status: CaseStatus): boolean => status === 'UNDER_REVIEW' || isBeingChecked(status)

/** The kind of the job by which the autopilot acts on a changed case. */
export const changedKind = 'case-changed'

export interface ChangedJob {
  caseRef: string
}

export async function queueCaseCheck(tx: Tx, caseRef: string, at: Date): Promise<void> {
  const payload: ChangedJob = { caseRef }
  await enqueue(tx, { tenantId: noTenantId, kind: changedKind, payload, dueAt: at })
}
