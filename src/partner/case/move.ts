// The only way to change a case's status: one row of the table, one remembered move, one commit (D3 §3); and the job that notes a change.
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, noTenantId } from '#kit/messaging/queue.ts'
import { next } from '#kit/runtime/machine.ts'
import { type Case, type CaseMove, lifecycle } from './lifecycle.ts'
import { setStatus } from './store.ts'

/** Moves a case whose row is locked, and returns it. Refused as `wrong-state` without such a move. */
export async function moveCase(tx: Tx, loanCase: Case, move: CaseMove, at: Date): Promise<Case> {
  const status = next(lifecycle, loanCase.status, move)
  if (!status)
    throw new Refusal('wrong-state', `the case is ${loanCase.status}: this is not possible now`, {
      status: loanCase.status,
    })
  await Promise.all([setStatus(tx, loanCase, { move, status, at }), noteChange(tx, loanCase.caseRef, at)])
  return { ...loanCase, status, updatedAt: at }
}

/** A case changed in a way that rules may act on. */
export const changedKind = 'case-changed'

export interface ChangedJob {
  caseRef: string
}

/** One job per change, in its transaction: none is lost, and a repeated check has no effect. */
export async function noteChange(tx: Tx, caseRef: string, at: Date): Promise<void> {
  const payload: ChangedJob = { caseRef }
  await enqueue(tx, { tenantId: noTenantId, kind: changedKind, payload, dueAt: at })
}
