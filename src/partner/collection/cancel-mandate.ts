// A borrower has left their loan: the bank is told to take no more debits under its mandate, again and again until it says so.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { cancelMandate } from '#partner/bank/client.ts'
import type { Case } from '#partner/case/case.ts'
import { checksOf } from '#partner/case/checks.ts'
import type { Context } from '#partner/context.ts'

const kind = 'cancel-mandate'

export const enqueueCancellation = (tx: Tx, { caseRef }: Pick<Case, 'caseRef'>, at: Date): Promise<void> =>
  enqueue(tx, { tenantId: nobody, kind, key: caseRef, payload: { caseRef }, dueAt: at })

export const cancellingMandates = (ctx: Context): Worker =>
  work<{ caseRef: string }>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    async handle({ payload: { caseRef }, attempt }) {
      const { mandate } = await checksOf(ctx.db, ctx.seal, caseRef)
      const umrn = mandate.facts?.umrn
      if (!umrn) return
      const reply = await cancelMandate(ctx, umrn)
      if (reply.is === 'answered' || reply.is === 'unseen') return
      throw new RetryLater(Math.min(60 * 2 ** attempt, 3600), `the bank did not cancel the mandate: ${reply.why}`)
    },
  })
