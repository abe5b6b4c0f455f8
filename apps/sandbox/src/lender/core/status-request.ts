// Matches a status request to its loan, and reports the last completed step (FIS12 §11.2, §18.4).
import type { FormResult } from '@lendloom/wire/network/v203/xinput'
import type { Conversation } from './conversation.ts'
import { stepOf, wireOutcome } from './find-step.ts'
import { failedReply, type LendingProduct, type ProductRequest, type Reply } from './product.ts'
import type { Submission } from './store.ts'

/** Whether the request is for this loan. `ref_id` is the id of a transaction, order or submission (FIS12 §18.4). */
const matchesConversation = (
  { transactionId, orderId }: Conversation,
  submissions: Submission[],
  request: { orderId: string | null; refId: string | null },
): boolean =>
  request.refId === null
    ? request.orderId === orderId
    : request.refId === transactionId ||
      request.refId === orderId ||
      submissions.some(({ submissionId }) => submissionId === request.refId)

/** Returns the error that answers a status request instead of the loan; null for a live application or a loan. */
export function failedStatus(
  buyerRequest: Pick<ProductRequest, 'conversation'>,
  submissions: Submission[],
  request: Parameters<typeof matchesConversation>[2],
  declinedCode: string,
): Reply | null {
  const { conversation } = buyerRequest
  if (!matchesConversation(conversation, submissions, request))
    return failedReply(buyerRequest, '30018', 'there is no such order')
  if (conversation.status === 'EXPIRED') return failedReply(buyerRequest, '40003', 'the offer has lapsed')
  if (conversation.status === 'REFUSED') return failedReply(buyerRequest, declinedCode, 'the application was declined')
  return null
}

/** The result of the borrower's last step, if it was on a page of the lender. */
export function lastResult(
  product: LendingProduct,
  conversation: Conversation,
  submissions: Submission[],
): FormResult | undefined {
  const last = submissions.at(-1)
  if (!last || last.outcome === 'PENDING') return undefined
  const { mimeType, formId } = stepOf(product, conversation, last.heading)
  return mimeType === 'application/html'
    ? { formId, status: wireOutcome(last.outcome), submissionId: last.submissionId }
    : undefined
}
