// Answers cancel: what leaving in the cooling-off period costs, and the page to pay it (FIS12 §25).

import { daysAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { readCancel } from '@lendloom/wire/network/extra/extra-messages'
import { onCancel } from '@lendloom/wire/network/v203/update-and-status'
import { failedReply, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'
import { amountOf, duesFor, repaymentOf } from '#sandbox/lender/servicing/loan-account.ts'
import { loanStateAt } from '#sandbox/lender/servicing/loan-state.ts'
import { openPaymentPage } from '#sandbox/lender/servicing/open-payment-page.ts'
import { disbursedOrder } from './message-parts.ts'
import type { Policy203 } from './product.ts'

export async function answerCancel(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation, at } = buyerRequest
  const { orderId, code } = readCancel(buyerRequest.message)
  const { disbursedAt } = conversation
  if (orderId !== conversation.orderId) return failedReply(buyerRequest, '30018', 'there is no such order')
  if (disbursedAt === null || at >= daysAfter(disbursedAt, policy.coolOffDays))
    return failedReply(buyerRequest, '40001', 'the cooling-off period is over')
  const file = { deps: ctx, policy, conversation }
  if (code === 'CONFIRM_CANCEL') {
    const error = await openPaymentPage(tx, buyerRequest, { label: 'FORECLOSURE' })
    if (error) return { conversation, content: { error } }
    return { conversation, content: { message: onCancel(await disbursedOrder(tx, file, at), 'CANCELLED') } }
  }
  const { rows, payments, policy: accountPolicy } = await loanStateAt(tx, policy, conversation, at)
  const dues = duesFor({ label: 'FORECLOSURE', prepayAmount: null }, rows, accountPolicy, at)
  if (!dues) return failedReply(buyerRequest, '40001', 'the loan is repaid')
  const price = { id: `PRICE-${conversation.conversationId}`, label: dues.label, amount: amountOf(dues) }
  const order = {
    ...(await disbursedOrder(tx, file, at)),
    servicing: [{ ...price, status: 'NOT-PAID' as const, url: null, transactionId: null, month: null }],
    repayment: repaymentOf(rows, [...payments, { ...dues, status: 'OPEN' }]),
  }
  return { conversation, content: { message: onCancel(order, 'SOFT_CANCEL') } }
}
