// Answers status: the loan as it stands, or why there is nothing to tell (FIS12 §11.2).
import { onStatus, readStatus } from '#contract/network/v203/status.ts'
import type { Tx } from '#kit/db/sql.ts'
import { presentLoan } from '#sandbox/lender/core/order.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { isMeant, lastResult } from '#sandbox/lender/core/status.ts'
import { applicantOf, submissionsOf } from '#sandbox/lender/core/store.ts'
import { disbursedOrder } from './disbursed-order.ts'
import { draftOf } from './draft.ts'
import type { Policy203 } from './product.ts'

export async function answerStatus(
  tx: Tx,
  { ctx, policy, conversation, message, at }: BuyerRequest<Policy203>,
): Promise<Reply> {
  const { conversationId, status } = conversation
  const failed = (code: string, text: string): Reply => ({
    conversation,
    content: { error: { code, message: text } },
  })
  const file = { place: ctx, policy, conversation }
  const submissions = await submissionsOf(tx, conversationId)
  if (!isMeant(conversation, submissions, readStatus(message))) return failed('30018', 'there is no such order')
  if (status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  if (status === 'REFUSED') return failed('80228', 'the application was declined')
  if (status === 'DISBURSED')
    return { conversation, content: { message: onStatus(await disbursedOrder(tx, file, at)) } }
  const applicant = await applicantOf(tx, ctx.seal, conversationId)
  const result = conversation.orderId === null ? lastResult(policy.product, conversation, submissions) : undefined
  return applicant && presentLoan(policy, conversation)
    ? { conversation, content: { message: onStatus(draftOf(file, applicant, result)) } }
    : failed('30018', 'there is no offer yet')
}
