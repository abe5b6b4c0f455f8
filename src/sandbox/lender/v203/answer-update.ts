// Answers update: requests after a loan is placed, by their target (FIS12 §8.1, §11.1).
import { onUpdate, readUpdate } from '#contract/network/v203/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { openPaymentPage } from '#sandbox/lender/servicing/payment-page.ts'
import { answerApproval } from './answer-approval.ts'
import { disbursedOrder } from './disbursed-order.ts'
import type { Policy203 } from './product.ts'

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
