// Answers status: the loan as it stands, or why there is nothing to tell (FIS12 §11.2).
import type { FormResult } from '#contract/network/v203/page.ts'
import { onStatus, readStatus } from '#contract/network/v203/status.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { draftOf } from '#sandbox/lender/core/order.ts'
import { stepOf } from '#sandbox/lender/core/steps.ts'
import { applicantOf, type Submission, submissionsOf } from '#sandbox/lender/core/store.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/process/answer.ts'
import { toldAs } from '#sandbox/lender/process/complete.ts'
import { disbursedOrder } from '#sandbox/lender/servicing/loan-state.ts'

export async function answerStatus(tx: Tx, { ctx, policy, conversation, message, at }: BuyerRequest): Promise<Reply> {
  const { conversationId, status } = conversation
  const failed = (code: string, text: string): Reply => ({
    conversation,
    content: { error: { code, message: text } },
  })
  const submissions = await submissionsOf(tx, conversationId)
  if (!isMeant(conversation, submissions, readStatus(message))) return failed('30018', 'there is no such order')
  if (status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  if (status === 'REFUSED') return failed('80228', 'the application was declined')
  if (status === 'DISBURSED')
    return { conversation, content: { message: onStatus(await disbursedOrder(tx, ctx, policy, conversation, at)) } }
  const applicant = await applicantOf(tx, ctx.seal, conversationId)
  const result = conversation.orderId === null ? lastResult(conversation, submissions) : undefined
  const draft = applicant && draftOf(ctx, policy, conversation, applicant, result)
  return draft ? { conversation, content: { message: onStatus(draft) } } : failed('30018', 'there is no offer yet')
}

/** `ref_id` is the transaction's id; that of the order or of a submission is understood too (FIS12 §18.4). */
export const isMeant = (
  { transactionId, orderId }: Conversation,
  submissions: Submission[],
  asked: { orderId: string | null; refId: string | null },
): boolean =>
  asked.refId === null
    ? asked.orderId === orderId
    : asked.refId === transactionId ||
      asked.refId === orderId ||
      submissions.some(({ submissionId }) => submissionId === asked.refId)

/** How the step that the borrower did last ended, where it was done on a page of ours. */
export function lastResult(conversation: Conversation, submissions: Submission[]): FormResult | undefined {
  const last = submissions.at(-1)
  if (!last || last.outcome === 'PENDING') return undefined
  const { mimeType, formId } = stepOf(conversation, last.heading)
  return mimeType === 'application/html'
    ? { formId, status: toldAs(last.outcome), submissionId: last.submissionId }
    : undefined
}
