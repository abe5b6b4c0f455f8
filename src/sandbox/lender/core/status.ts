// Matches a status request to its loan, and reports the last completed step (FIS12 §11.2, §18.4).
import type { FormResult } from '#contract/network/v203/page.ts'
import type { Conversation } from './conversation.ts'
import type { LendingProduct } from './product.ts'
import { stepOf, wireOutcome } from './steps.ts'
import type { Submission } from './store.ts'

/** Whether the request is for this loan. `ref_id` is the id of a transaction, order or submission (FIS12 §18.4). */
export const matchesConversation = (
  { transactionId, orderId }: Conversation,
  submissions: Submission[],
  request: { orderId: string | null; refId: string | null },
): boolean =>
  request.refId === null
    ? request.orderId === orderId
    : request.refId === transactionId ||
      request.refId === orderId ||
      submissions.some(({ submissionId }) => submissionId === request.refId)

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
