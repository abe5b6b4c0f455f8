// Cancels mandates that are no longer needed at the bank, and records the cancellation, which Status reports (D3 §4.4).

import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { cancelMandate } from '#partner/bank/client.ts'
import type { Context } from '#partner/context.ts'
import { recordMandateCancelled } from '#partner/origination/case/apply-report.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { checksOf } from '#partner/origination/case/stored-checks.ts'
import { type ClosedLoanJob, closedLoanQueue } from '#partner/servicing/loan/queue-closed-loans.ts'
import { loanStatusIn } from '#partner/servicing/loan/store.ts'

/** When to retry a cancellation that the bank has not confirmed. */
export const cancelSchedule = doublingPauses(120, 3600)

const kind = 'cancel-mandate'

/** Queues an immediate cancellation of the case's mandate. */
export const enqueueCancellation = (tx: Tx, { caseRef }: Pick<Case, 'caseRef'>, at: Date): Promise<void> =>
  enqueue(tx, { tenantId: noTenantId, kind, key: caseRef, payload: { caseRef }, dueAt: at })

export const mandateCancellationWorker = (ctx: Context): Worker =>
  work<ClosedLoanJob>({
    kind,
    ...ctx,
    handle: ({ payload: { caseRef }, attempt }) => cancelOrRetry(ctx, caseRef, attempt),
  })

/** Cancels the mandates of closed loans. A reopened loan keeps its mandate. */
export const closedLoanWorker = (ctx: Context): Worker =>
  work<ClosedLoanJob>({
    kind: closedLoanQueue,
    ...ctx,
    async handle({ payload: { caseRef }, attempt }) {
      if ((await loanStatusIn(ctx.db, caseRef)) === 'CLOSED') await cancelOrRetry(ctx, caseRef, attempt)
    },
  })

async function cancelOrRetry(ctx: Context, caseRef: string, attempt: number): Promise<void> {
  const { mandate } = await checksOf(ctx.db, ctx.seal, caseRef)
  const umrn = mandate.facts?.umrn
  if (!umrn) return
  const reply = await cancelMandate(ctx, umrn)
  if (reply.is === 'not-found') return
  if (reply.is === 'answered') {
    const cancellation = { umrn, happenedAt: new Date(reply.value.updated_at) }
    return ctx.db.tx(async (tx) =>
      recordMandateCancelled({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), cancellation),
    )
  }
  throw new RetryLater(pauseSeconds(cancelSchedule, attempt), `the bank did not cancel the mandate: ${reply.why}`)
}
