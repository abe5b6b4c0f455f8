// Stores what a buyer app submits in a form, and moves the conversation on (FIS12 §7.7).

import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv4 } from '@lendloom/seal/id'
import type { Context } from '#sandbox/core/context.ts'
import { hasLapsed, nextStatus } from '#sandbox/lender/core/conversation.ts'
import { statusOfOpenForm } from '#sandbox/lender/core/find-step.ts'
import type { FormInput } from '#sandbox/lender/core/form.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { lockConversation, storeSubmission, submissionOf, writeConversation } from '#sandbox/lender/core/store.ts'

interface StepInput {
  conversationId: string
  step: LenderStep
  input: FormInput
}

/**
 * Stores a submission and returns its id. The same content returns the same id, unless the form was reopened because
 * its data could not be verified. Throws a `Refusal` if this step is not the current one.
 */
export function storeSubmissionOf(
  ctx: Context,
  product: LendingProduct,
  { conversationId, step, input: { content, facts: changesOf, store } }: StepInput,
  at: Date,
): Promise<string> {
  const digest = ctx.seal.digest(JSON.stringify(content), `submission ${step.heading}`)
  return ctx.db.tx(async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    const previous = await submissionOf(tx, conversationId, step.heading)
    if (previous?.digest?.equals(digest) && conversation.status !== statusOfOpenForm(product, conversation, step))
      return previous.submissionId
    const status = nextStatus(product, conversation, step.completionMove)
    if (status === undefined) throw new Refusal('wrong-state', 'this form is not open now')
    if (hasLapsed(product, conversation, at)) throw new Refusal('wrong-state', 'the offer has lapsed')
    const changes = changesOf(conversation)
    const submissionId = uuidv4()
    const attempt = (previous?.attempt ?? 0) + 1
    const { heading } = step
    await storeSubmission(tx, {
      conversationId,
      heading,
      submissionId,
      digest,
      outcome: 'SUCCESS',
      attempt,
      submittedAt: at,
    })
    await store?.(tx, conversationId)
    await writeConversation(tx, conversation, { ...changes, status }, at)
    return submissionId
  })
}
