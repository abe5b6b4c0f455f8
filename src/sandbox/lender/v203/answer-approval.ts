// Answers update with APPROVED: the aggregator was asked whether that is so, and then the money is paid out (FIS12 §8.1 rows 19–20).
import { onUpdate } from '#contract/network/v203/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import { moved } from '#sandbox/lender/core/conversation.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { requireApplicant, writeConversation } from '#sandbox/lender/core/store.ts'
import { disbursedOrder } from './disbursed-order.ts'
import type { Policy203 } from './product.ts'
import { sanctionedOrder } from './sanctioned-order.ts'

export async function answerApproval(tx: Tx, buyerRequest: BuyerRequest<Policy203>): Promise<Reply> {
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
