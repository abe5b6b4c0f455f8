// Answers select, init and confirm of a loan against mutual funds; the next page goes with the callback (FIS12 §10.2 rows 4–13).
import { onConfirm, onInit, onSelect, readBuyerOrder } from '#contract/network/v230/buyer-order.ts'
import type { OrderDraft } from '#contract/network/v230/order.ts'
import { headings } from '#contract/network/v230/page.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { having, type LoanFile, pageOf } from '#sandbox/lender/core/order.ts'
import type { BuyerRequest, ProductPolicy, Reply } from '#sandbox/lender/core/product.ts'
import { opensAt, stepOfForm } from '#sandbox/lender/core/steps.ts'
import { keepAccount, submissionOf, writeConversation } from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/schedule-disbursal.ts'
import { act, type OrderRequest } from './act.ts'
import { isDrawn, isLine } from './lending.ts'
import { requireLamfDraft } from './order.ts'
import { keepChosen, pledgesOf } from './store.ts'

export async function answerLamfOrder(tx: Tx, buyerRequest: BuyerRequest, action: OrderRequest): Promise<Reply> {
  const { ctx, policy, conversation: before, message, at } = buyerRequest
  const { conversationId } = before
  const request = readBuyerOrder(message)
  const pledges = await pledgesOf(tx, ctx.seal, conversationId)
  if (!pledges)
    return { conversation: before, content: { error: { code: '40001', message: `${action} is not possible now` } } }
  const named = stepOfForm(policy.product, before, request.response?.formId ?? '')
  const submission = named && (await submissionOf(tx, conversationId, named.heading))
  const orderId = `ORDER-${uuidv7(at.getTime())}`
  const effect = act({ policy, conversation: before, pledges, submission, orderId, at }, action, request)
  const conversation = effect.change ? await writeConversation(tx, before, effect.change, at) : before
  if ('error' in effect) return { conversation, content: { error: effect.error } }
  if (effect.chosen) await keepChosen(tx, ctx.seal, conversationId, effect.chosen)
  if (effect.account) await keepAccount(tx, ctx.seal, conversationId, effect.account)
  // A line is open now; whoever draws on it does so at the lender, without a word of the network (FIS12 §17.5).
  if (effect.change?.orderId && (!isLine(policy) || isDrawn(conversation)))
    await scheduleDisbursal(tx, ctx, conversation, at)
  const file = { place: ctx, policy, conversation }
  const draft = await requireLamfDraft(tx, file)
  // The answer to the last page says once more which it was: no page follows it (FIS12 §21).
  const result = named &&
    submission && { formId: named.formId, status: 'SUCCESS' as const, submissionId: submission.submissionId }
  return {
    conversation,
    content: { message: wordsOf(file, action, { ...draft, ...(result && { result }) }) },
  }
}

function wordsOf(file: LoanFile<ProductPolicy>, action: OrderRequest, draft: OrderDraft): object {
  const { policy, conversation } = file
  if (action === 'select') return onSelect(draft)
  if (action === 'confirm') return onConfirm(having(draft, ...placed))
  const step = policy.product
    .steps(conversation)
    .find((each) => opensAt(policy.product, conversation, each) === conversation.status)
  const page = step && pageOf(file, step, headings)
  return onInit(having({ ...draft, ...(page && { page }) }, ...initiated))
}

const initiated = ['customer', 'disbursal', 'cancellationTerms', 'contractTerms'] as const
const placed = [...initiated, 'orderId', 'documents', 'createdAt'] as const
