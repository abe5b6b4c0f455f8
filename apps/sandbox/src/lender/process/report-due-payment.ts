// The worker that reports what a borrower has repaid on a due day, as lenders with stops do unasked (FIS12 §26.2 row 13).

import { secondsAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lastAction, lockConversation } from '#sandbox/lender/core/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { loanStateAt } from '#sandbox/lender/servicing/loan-state.ts'

const kind = 'report due payment'

interface DuePaymentJob {
  conversationId: string
}

export const duePaymentWorker = (ctx: Context): Worker =>
  work<DuePaymentJob>({ kind, ...ctx, handle: (job) => ctx.db.tx((tx) => reportDuePayment(tx, ctx, job)) })

/** Queues the report for the day after the next due day; nothing is left to report of a loan that is repaid. */
export async function scheduleDuePayment(tx: Tx, conversation: Conversation, at: Date): Promise<void> {
  const { conversationId } = conversation
  const { rows } = await loanStateAt(tx, policyFor(conversation), conversation, at)
  const next = rows.find(({ status }) => status === 'NOT-PAID')
  if (!next) return
  const dueAt = secondsAfter(next.endsAt, 1)
  await enqueue(tx, { tenantId: conversationId, kind, payload: { conversationId }, dueAt })
}

async function reportDuePayment(tx: Tx, ctx: Context, job: Job<DuePaymentJob>): Promise<void> {
  const conversation = await lockConversation(tx, job.payload.conversationId)
  const policy = policyFor(conversation)
  const at = ctx.clock()
  const last = await lastAction(tx, conversation.conversationId)
  // After an update the network allows no report that is not asked for (FIS12 §4.1).
  if (conversation.orderId !== null && (last === 'on_confirm' || last === 'on_status')) {
    const message = await policy.product.disbursal.message(tx, { deps: ctx, policy, conversation }, at)
    await sendCallback(tx, ctx, policy, { conversation, action: 'on_status', content: { message }, at })
  }
  await scheduleDuePayment(tx, conversation, at)
  await finish(tx, job)
}
