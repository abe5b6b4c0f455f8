// What a lender does later: about a complaint, unasked unless the scenario keeps it quiet (FIS12 §20), and about a payment that was made.

import { base62 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { LoanFile } from '#sandbox/lender/core/order.ts'
import { type CallbackToSend, sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lastAction, lockConversation } from '#sandbox/lender/core/store.ts'
import { onIssueOf, onIssueStatusOf, takeStep } from '#sandbox/lender/grievance/do-step.ts'
import { type StepWork, scheduleAfter, stepKind } from '#sandbox/lender/grievance/schedule.ts'
import { issueOf } from '#sandbox/lender/grievance/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { afterPayment } from '#sandbox/lender/servicing/account.ts'
import { hasLapsed, statusOf } from '#sandbox/lender/servicing/loan-state.ts'
import { keepPayment, keepRows, requirePayment, type ServicePayment } from '#sandbox/lender/servicing/store.ts'

export const resolving = (ctx: Context): Worker =>
  work<StepWork>({
    kind: stepKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => ctx.db.tx((tx) => resolve(tx, ctx, job)),
  })

async function resolve(tx: Tx, ctx: Context, job: Job<StepWork>): Promise<void> {
  const { conversationId, issueId, after, step } = job.payload
  const conversation = await lockConversation(tx, conversationId)
  const before = await issueOf(tx, conversationId, issueId)
  await finish(tx, job)
  if (!before || before.closed || before.actions.length !== after) return
  const at = ctx.clock()
  const policy = policyFor(conversation)
  const issue = await takeStep(tx, { issue: before, scenario: conversation.scenario }, step, at)
  await scheduleAfter(tx, ctx, { issue, scenario: conversation.scenario }, at)
  if (step.isSilent) return
  if (step.answersIssue) {
    const request = { messageId: issue.messageId, ttl: issue.ttl }
    await sendCallback(tx, ctx, policy, {
      conversation,
      action: 'on_issue',
      content: onIssueOf(policy, issue),
      request,
      at,
    })
    return
  }
  const content = onIssueStatusOf(ctx, policy, issue)
  await sendCallback(tx, ctx, policy, { conversation, action: 'on_issue_status', content, at })
}

/** The state of a payment for its borrower: `again` when it failed on the page and may be retried. */
export type PaymentStatus = 'open' | 'again' | 'paid' | 'dropped'

export const paymentStatusOf = (payment: ServicePayment, at: Date): PaymentStatus =>
  payment.status === 'PAID'
    ? 'paid'
    : payment.status === 'DROPPED' || hasLapsed(payment, at)
      ? 'dropped'
      : payment.attempt > 0
        ? 'again'
        : 'open'

/** Pays, or leaves it unpaid. A payment that is settled stays as it is, so a second click does nothing. */
export function pay(ctx: Context, paymentId: string, outcome: 'approve' | 'decline', at: Date): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const { conversationId } = await requirePayment(tx, paymentId)
    const conversation = await lockConversation(tx, conversationId)
    const payment = await requirePayment(tx, paymentId)
    const report = paymentStatusOf(payment, at)
    if (outcome === 'decline' || report === 'paid' || report === 'dropped') return
    const attempt = payment.attempt + 1
    if (conversation.scenario === 'payment-retry' && attempt === 1) {
      await keepPayment(tx, { ...payment, attempt })
      const error = { code: '80213', message: 'the payment could not be completed' }
      return sendUpdate(tx, ctx, { conversation, content: { error }, at })
    }
    const file = { deps: ctx, policy: policyFor(conversation), conversation }
    await settle(tx, file, { ...payment, attempt }, at)
    const message = await file.policy.product.onUpdate(tx, file, at)
    await sendUpdate(tx, ctx, { conversation, content: { message }, at })
  })
}

/** Any payment changes what the others would cost, so pages that are still open are dropped with it. */
async function settle(tx: Tx, file: LoanFile, paid: ServicePayment, at: Date): Promise<void> {
  const { deps, policy, conversation } = file
  const { rows, payments, policy: settings } = await statusOf(tx, policy, conversation, at)
  const reference = deps.seal.digest(paid.paymentId, 'bank reference').subarray(0, 8)
  await keepPayment(tx, { ...paid, status: 'PAID', paidAt: at, transactionId: `UTR${base62(reference)}` })
  for (const other of payments)
    if (other.status !== 'PAID' && other.paymentId !== paid.paymentId)
      await keepPayment(tx, { ...other, status: 'DROPPED' })
  await keepRows(tx, conversation.conversationId, afterPayment(rows, paid, settings, at))
}

/**
 * After a status the network allows no word that was not asked for: the buyer app, which is watching, finds the payment
 * when it asks next (FIS12 §4.1).
 */
async function sendUpdate(
  tx: Tx,
  ctx: Context,
  callback: Pick<CallbackToSend, 'conversation' | 'content' | 'at'>,
): Promise<void> {
  const last = await lastAction(tx, callback.conversation.conversationId)
  if (last !== 'on_update' && last !== 'update') return
  await sendCallback(tx, ctx, policyFor(callback.conversation), { ...callback, action: 'on_update' })
}
