// Answers support, track and rating: the lender's contact, its page about the loan, and thanks (FIS12 §25).
import type { Tx } from '@lendloom/postgres/sql'
import { lenderUrl } from '#sandbox/lender/core/message-parts.ts'
import { failedReply, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'

const answerWith =
  (messageOf: (request: ProductRequest, orderId: string) => object) =>
  async (_: Tx, request: ProductRequest): Promise<Reply> => {
    const { conversation } = request
    const { orderId } = conversation
    if (orderId === null) return failedReply(request, '30018', 'there is no such order')
    return { conversation, content: { message: messageOf(request, orderId) } }
  }

export const answerSupport = answerWith(({ ctx, policy }, orderId) => ({
  support: { order_id: orderId, ...policy.support, url: `${lenderUrl(ctx, policy)}/help` },
}))

export const answerTrack = answerWith(({ ctx, policy, conversation }) => ({
  tracking: {
    id: conversation.conversationId,
    url: `${lenderUrl(ctx, policy)}/payout`,
    status: conversation.disbursedAt === null ? 'active' : 'inactive',
  },
}))

export const answerRating = answerWith(() => ({}))
