// A borrower pays a requested payment on the lender's page, and the buyer app learns of it.

import { fieldsOf } from '@lendloom/foundation/record'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { bankReference, type LoanFile } from '#sandbox/lender/core/message-parts.ts'
import type { ProductPolicy } from '#sandbox/lender/core/product.ts'
import { type CallbackToSend, sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lastAction, lockConversation } from '#sandbox/lender/core/store.ts'
import { repayLine } from '#sandbox/lender/mutual-fund-loan/line-account.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { afterPayment } from '#sandbox/lender/servicing/loan-account.ts'
import { hasLapsed, loanStateAt } from '#sandbox/lender/servicing/loan-state.ts'
import {
  dropPayments,
  requirePayment,
  type ServicePayment,
  storePlan,
  updatePayment,
} from '#sandbox/lender/servicing/store.ts'

/** The state of a payment for its borrower: `again` when it failed on the page and may be retried. */
export type PaymentStatus = 'open' | 'again' | 'paid' | 'dropped'

/** Returns the state of a payment at an instant; a payment that was open too long counts as dropped. */
export const paymentStatusOf = (payment: ServicePayment, at: Date): PaymentStatus =>
  payment.status === 'PAID'
    ? 'paid'
    : payment.status === 'DROPPED' || hasLapsed(payment, at)
      ? 'dropped'
      : payment.attempt > 0
        ? 'again'
        : 'open'

/** Pays a payment, or leaves it open on `decline`. A paid payment does not change, so a second click does nothing. */
export function pay(ctx: Context, paymentId: string, outcome: 'approve' | 'decline', at: Date): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const { conversationId } = await requirePayment(tx, paymentId)
    const conversation = await lockConversation(tx, conversationId)
    const payment = await requirePayment(tx, paymentId)
    const status = paymentStatusOf(payment, at)
    if (outcome === 'decline' || status === 'paid' || status === 'dropped') return
    const attempt = payment.attempt + 1
    if (conversation.scenario === 'payment-retry' && attempt === 1) {
      await updatePayment(tx, { ...payment, attempt })
      const error = { code: '80213', message: 'the payment could not be completed' }
      return sendUpdate(tx, ctx, { conversation, content: { error }, at })
    }
    const file = { deps: ctx, policy: policyFor(conversation), conversation }
    const changed = await applyPayment(tx, file, { ...payment, attempt }, at)
    const message = await file.policy.product.onUpdate(tx, { ...file, conversation: changed }, at)
    await sendUpdate(tx, ctx, { conversation, content: { message }, at })
  })
}

/**
 * Marks a payment as paid and drops the other open payments, because their amounts have changed. Returns the conversation,
 * which has the drawn part of a line.
 */
async function applyPayment(
  tx: Tx,
  { deps, policy, conversation }: LoanFile<ProductPolicy>,
  payment: ServicePayment,
  at: Date,
): Promise<Conversation> {
  await updatePayment(tx, {
    ...payment,
    status: 'PAID',
    paidAt: at,
    transactionId: bankReference(deps, payment.paymentId),
  })
  await dropPayments(
    tx,
    conversation.conversationId,
    (other) => other.status === 'OPEN' && other.paymentId !== payment.paymentId,
  )
  if (policy.product.isLine(policy)) return repayLine(tx, conversation, payment, at)
  const { rows, policy: accountPolicy } = await loanStateAt(tx, policy, conversation, at)
  await storePlan(tx, conversation.conversationId, afterPayment(rows, payment, accountPolicy, at))
  return conversation
}

/**
 * Sends on_update, unless the buyer app sent a status since the last update: then the network forbids unsolicited
 * messages, and the buyer app learns of the payment from its next status (FIS12 §4.1).
 */
async function sendUpdate(
  tx: Tx,
  ctx: Context,
  callback: Pick<CallbackToSend, 'conversation' | 'content' | 'at'>,
): Promise<void> {
  const last = await lastAction(tx, callback.conversation.conversationId)
  if (last !== 'on_update' && last !== 'update' && last !== 'on_cancel') return
  const isCancelled = last === 'on_cancel'
  await sendCallback(tx, ctx, policyFor(callback.conversation), {
    ...callback,
    content: isCancelled ? cancelledOrder(callback.content) : callback.content,
    action: isCancelled ? 'on_cancel' : 'on_update',
  })
}

/** A loan that the borrower cancelled is CANCELLED once it is paid (FIS12 §25). */
function cancelledOrder(content: CallbackToSend['content']): CallbackToSend['content'] {
  if ('error' in content) return content
  return { message: { order: { ...fieldsOf(fieldsOf(content.message).order), status: 'CANCELLED' } } }
}
