// Has the bank send borrowers a notice of tomorrow's debit, on rails that require one (D3 §6.7).

import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { notifyBorrower } from '#partner/bank/client.ts'
import { returnPolicyOf } from '#partner/bank/rail/rail.ts'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Context } from '#partner/context.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { planNextDebit } from '#partner/servicing/collection/debit/plan-next-debit.ts'
import { putHold } from '#partner/servicing/collection/debit/store.ts'
import { enquirySchedule } from '#partner/servicing/collection/enquiry-schedule.ts'
import { putNotice } from './store.ts'

const kind = 'notify-debit'

interface NoticeJob {
  caseRef: string
  collectionOn: string
}

export const enqueueNotice = (tx: Tx, job: NoticeJob, at: Date): Promise<void> =>
  enqueue(tx, { tenantId: noTenantId, kind, key: `${job.caseRef} ${job.collectionOn}`, payload: job, dueAt: at })

export const debitNoticeWorker = (ctx: Context): Worker =>
  work<NoticeJob>({ kind, ...ctx, handle: ({ payload }) => sendNotice(ctx, payload), schedule: enquirySchedule(ctx) })

async function sendNotice(ctx: Context, { caseRef, collectionOn }: NoticeJob): Promise<void> {
  const plan = await planTomorrow(ctx, { caseRef, collectionOn })
  if (!plan) return
  const { umrn, amountPaise } = plan
  const notice = { umrn, amount: rupees(amountPaise), currency: 'INR' as const, collection_date: collectionOn }
  const reply = await notifyBorrower(ctx, notice)
  if (reply.is === 'unknown') throw new RetryLater(null, 'the bank has not confirmed the notice')
  const refused = { status: 'REFUSED' as const, reason_code: 'REFUSED_BY_BANK', at: ctx.clock().toISOString() }
  const { status: state, reason_code: reasonCode, at } = reply.is === 'answered' ? reply.value : refused
  await ctx.db.tx(async (tx) => {
    await lockCase(tx, caseRef)
    const noticedAt = new Date(at)
    await putNotice(tx, { caseRef, collectionOn, umrn, amountPaise, state, reasonCode, noticedAt })
    if (reasonCode !== null && returnPolicyOf(railOf(umrn), reasonCode) === 'new-mandate')
      await putHold(tx, { caseRef, policy: 'new-mandate', reasonCode, umrn, paymentId: null, sinceAt: noticedAt })
  })
}

/** Plans tomorrow's debit. Records why there is none, and returns null, also if the job is late. */
const planTomorrow = (ctx: Context, { caseRef, collectionOn }: NoticeJob) =>
  ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    if (collectionOn !== plusDays(businessDate(at), 1)) return null
    await lockCase(tx, caseRef)
    const plan = await planNextDebit({ ...ctx, tx, at }, { caseRef, isForTomorrow: true })
    if (!('blocked' in plan)) return plan
    const none = { umrn: null, amountPaise: null, state: 'NOT_NEEDED' as const, reasonCode: plan.blocked }
    await putNotice(tx, { caseRef, collectionOn, ...none, noticedAt: at })
    return null
  })
