// The worker that makes a refund that the bank took back before the first due date a due of the first row (D3 §2.5).

import { businessDate } from '@lendloom/lending/calendar'
import { type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { claimWaitingRefund, type RefundClaimJob, refundClaimQueue } from '#partner/servicing/loan/refund-claim.ts'
import { reportLoan } from './report-to-platform.ts'

export const refundClaimWorker = (ctx: Context): Worker =>
  work<RefundClaimJob>({
    kind: refundClaimQueue,
    ...ctx,
    handle: ({ payload: { caseRef } }) =>
      ctx.db.tx(async (tx) => {
        const at = ctx.clock()
        const loanCase = await lockCase(tx, caseRef)
        const loanStatus = await claimWaitingRefund(tx, { caseRef, on: businessDate(at) }, at)
        if (loanStatus) await reportLoan({ ...ctx, tx, at }, loanCase, { loanStatus, reasonCode: 'RECEIPT_REVERSED' })
      }),
  })
