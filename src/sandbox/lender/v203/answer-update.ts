// Answers update: requests after a loan is placed, by their target (FIS12 §8.1, §11.1).
import { onUpdate, readUpdate } from '#contract/network/v203/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import { moved } from '#sandbox/lender/core/conversation.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { requireApplicant, writeConversation } from '#sandbox/lender/core/store.ts'
import { openPaymentPage } from '#sandbox/lender/servicing/payment-page.ts'
import { disbursedOrder } from './disbursed-order.ts'
import type { Policy203 } from './product.ts'
import { sanctionedOrder } from './sanctioned-order.ts'

export async function answerUpdate(tx: Tx, buyerRequest: BuyerRequest<Policy203>): Promise<Reply> {
  const { conversation } = buyerRequest
  const request = readUpdate(buyerRequest.message)
  const failed = (code: string, message: string): Reply => ({ conversation, content: { error: { code, message } } })
  if (request.orderId !== conversation.orderId) return failed('30018', 'there is no such order')
  if (request.target !== 'payments') return answerApproval(tx, buyerRequest)
  const error = await openPaymentPage(tx, buyerRequest, request)
  if (error) return { conversation, content: { error } }
  const { ctx, policy, at } = buyerRequest
  return {
    conversation,
    content: { message: onUpdate(await disbursedOrder(tx, { place: ctx, policy, conversation }, at)) },
  }
}

/** Answers update with APPROVED: the aggregator was asked whether that is so, and then the money is paid out (FIS12 §8.1 rows 19–20). */
async function answerApproval(tx: Tx, buyerRequest: BuyerRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation, bank, at } = buyerRequest
  if (bank === null || 'denial' in bank)
    return { conversation, content: { error: { code: '40001', message: 'no consent was asked for' } } }
  if (conversation.status === 'SANCTIONED' && !bank.isRead) {
    const applicant = await requireApplicant(tx, ctx.seal, conversation.conversationId)
    return {
      conversation,
      content: { message: onUpdate(sanctionedOrder({ place: ctx, policy, conversation }, applicant)) },
    }
  }
  const paid =
    conversation.status === 'SANCTIONED'
      ? await writeConversation(
          tx,
          conversation,
          { status: moved(policy.product, conversation, 'disburse'), disbursedAt: at },
          at,
        )
      : conversation
  return {
    conversation: paid,
    content: { message: onUpdate(await disbursedOrder(tx, { place: ctx, policy, conversation: paid }, at)) },
  }
}
