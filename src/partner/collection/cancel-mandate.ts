// The purpose of a mandate has ended: the bank is told to stop debits under it, repeatedly until it confirms; Status
// then reports it (D3 §4.4).

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { doubling, pauseSeconds } from '#kit/runtime/schedule.ts'
import { cancelMandate } from '#partner/bank/client.ts'
import { checksOf } from '#partner/case/checks.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { recordCancelled } from '#partner/case/record-check.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { type ClosedJob, closedKind } from '#partner/loan/closed.ts'
import { loanStatusIn } from '#partner/loan/store.ts'

/** When the bank is asked again to cancel a mandate. */
export const cancelSchedule = doubling(120, 3600)

const kind = 'cancel-mandate'

/** At once, and without a way back: the borrower has left within the cooling-off period, or the application has ended. */
export const enqueueCancellation = (tx: Tx, { caseRef }: Pick<Case, 'caseRef'>, at: Date): Promise<void> =>
  enqueue(tx, { tenantId: nobody, kind, key: caseRef, payload: { caseRef }, dueAt: at })

export const cancellingMandates = (ctx: Context): Worker =>
  work<ClosedJob>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: ({ payload: { caseRef }, attempt }) => cancel(ctx, caseRef, attempt),
  })

/** For closed loans: repaid, foreclosed, or with the rest waived. A reopened one keeps its mandate. */
export const cancellingOfClosed = (ctx: Context): Worker =>
  work<ClosedJob>({
    kind: closedKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    async handle({ payload: { caseRef }, attempt }) {
      if ((await loanStatusIn(ctx.db, caseRef)) === 'CLOSED') await cancel(ctx, caseRef, attempt)
    },
  })

async function cancel(ctx: Context, caseRef: string, attempt: number): Promise<void> {
  const { mandate } = await checksOf(ctx.db, ctx.seal, caseRef)
  const umrn = mandate.facts?.umrn
  if (!umrn) return
  const reply = await cancelMandate(ctx, umrn)
  if (reply.is === 'unseen') return
  if (reply.is === 'answered') {
    const cancelled = { umrn, happenedAt: new Date(reply.value.updated_at) }
    return ctx.db.tx(async (tx) =>
      recordCancelled({ ...ctx, tx, at: ctx.clock() }, await lockCase(tx, caseRef), cancelled),
    )
  }
  throw new RetryLater(pauseSeconds(cancelSchedule, attempt), `the bank did not cancel the mandate: ${reply.why}`)
}
