// A form of ours was filled in: checked by its caller, kept once, and the same filling gets the same submission id.
import { uuidv4 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#sandbox/core/context.ts'
import { hasLapsed, whereTo } from '#sandbox/lender/core/conversation.ts'
import type { Filling } from '#sandbox/lender/core/form.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import type { Step } from '#sandbox/lender/core/step.ts'
import { opensAt } from '#sandbox/lender/core/steps.ts'
import { keepSubmission, lockById, submissionOf, writeConversation } from '#sandbox/lender/core/store.ts'

/** The step whose form was filled in, and with what. */
export interface FilledStep {
  conversationId: string
  step: Step
  filling: Filling
}

/**
 * Keeps a filling and gives its submission id. The same content again is the same submission, unless the form was opened
 * anew because its data could not be verified. Throws a `Refusal` when the form's turn is over or has not come.
 */
export function fill(
  ctx: Context,
  product: LendingProduct,
  { conversationId, step, filling: { content, facts, keep } }: FilledStep,
  at: Date,
): Promise<string> {
  const digest = ctx.seal.digest(JSON.stringify(content), `submission ${step.heading}`)
  return ctx.db.tx(async (tx) => {
    const conversation = await lockById(tx, conversationId)
    const last = await submissionOf(tx, conversationId, step.heading)
    if (last?.digest?.equals(digest) && conversation.status !== opensAt(product, conversation, step))
      return last.submissionId
    const status = whereTo(product, conversation, step.filled)
    if (status === undefined) throw new Refusal('wrong-state', 'this form is not open now')
    if (hasLapsed(product, conversation, at)) throw new Refusal('wrong-state', 'the offer has lapsed')
    const fixed = facts(conversation)
    const submissionId = uuidv4()
    const attempt = (last?.attempt ?? 0) + 1
    const { heading } = step
    await keepSubmission(tx, {
      conversationId,
      heading,
      submissionId,
      digest,
      outcome: 'SUCCESS',
      attempt,
      submittedAt: at,
    })
    await keep?.(tx, conversationId)
    await writeConversation(tx, conversation, { ...fixed, status }, at)
    return submissionId
  })
}
