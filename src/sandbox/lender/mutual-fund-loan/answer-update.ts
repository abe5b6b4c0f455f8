// Answers update of a loan against mutual funds: what closing it costs, or an instalment that was missed (FIS12 §11.1).
import { onUpdate, readUpdate } from '#contract/network/v230/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { openPaymentPage } from '#sandbox/lender/servicing/payment-page.ts'
import { isLine } from './lending.ts'
import { disbursedLamf } from './loan-state.ts'

/** A part repaid early would change the schedule, for which a quote of 2.3.0 has no words. */
export async function answerLamfUpdate(tx: Tx, buyerRequest: BuyerRequest): Promise<Reply> {
  const { ctx, policy, conversation, message, at } = buyerRequest
  const { orderId, ...requested } = readUpdate(message)
  const failed = (code: string, text: string): Reply => ({ conversation, content: { error: { code, message: text } } })
  if (orderId !== conversation.orderId) return failed('30018', 'there is no such order')
  if (isLine(policy)) return failed('40001', 'a credit line is paid back at the lender')
  if (requested.label === 'PRE_PART_PAYMENT') return failed('40001', 'a part of this loan cannot be repaid early')
  const error = await openPaymentPage(tx, buyerRequest, requested)
  if (error) return { conversation, content: { error } }
  return {
    conversation,
    content: { message: onUpdate(await disbursedLamf(tx, { place: ctx, policy, conversation }, at)) },
  }
}
