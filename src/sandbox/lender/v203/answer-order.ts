// Answers select, init and confirm: the step that was asked for is done, and the next form goes with the callback.

import {
  onConfirm,
  onConfirmDisbursed,
  onInit,
  onInitSanctioned,
  onSelect,
  onSelectConsent,
  readBuyerOrder,
} from '#contract/network/v203/buyer-order.ts'
import type { OrderDraft } from '#contract/network/v203/order.ts'
import { headings } from '#contract/network/v203/page.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/required.ts'
import { scheduleMonitoring } from '#sandbox/lender/consent/schedule-monitoring.ts'
import { having, type LoanFile, lenderOf, pageOf } from '#sandbox/lender/core/order.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import type { Step } from '#sandbox/lender/core/step.ts'
import { stepAfter, stepOfForm } from '#sandbox/lender/core/steps.ts'
import { applicantOf, submissionsOf, withSubmission, writeConversation } from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/schedule-disbursal.ts'
import { act } from './act.ts'
import { draftOf, itemOf } from './draft.ts'
import type { Policy203 } from './product.ts'
import { initiated, placed } from './sanctioned-order.ts'

export async function answerOrder(tx: Tx, buyerRequest: BuyerRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation: before, action, message, bank, at } = buyerRequest
  const request = readBuyerOrder(message)
  const { formId = null, submissionId = null } = request.response ?? {}
  const answered = await submissionsOf(tx, before.conversationId)
  const repeated = answered.find((each) => each.submissionId === submissionId)
  const isOnly = repeated !== undefined && (await withSubmission(tx, before, repeated.submissionId)).length === 1
  const named = stepOfForm(policy.product, before, formId ?? '', repeated?.heading)
  const applicant = await applicantOf(tx, ctx.seal, before.conversationId)
  const submission = answered.find(({ heading }) => heading === named?.heading)
  const fresh = uuidv7(at.getTime())
  const ids = { payment: `PAY-${fresh}`, order: `ORDER-${fresh}` }
  const scene = { policy, conversation: before, applicant, submission, isOnly, ids, bank, at }
  const effect = act(scene, action, request)
  const conversation = effect.change ? await writeConversation(tx, before, effect.change, at) : before
  if ('error' in effect) return { conversation, content: { error: effect.error } }
  if ('consent' in effect) {
    const submission = {
      formId: required(formId, 'form that was answered'),
      submissionId: required(submissionId, 'submission of that form'),
    }
    const asks = { submission, consentHandle: effect.consent }
    return {
      conversation,
      content: { message: onSelectConsent({ lender: lenderOf(ctx, policy), item: itemOf(policy, before), ...asks }) },
    }
  }
  const file = { place: ctx, policy, conversation }
  const draft = draftOf(file, required(applicant, 'applicant of an order'))
  if ('paidOut' in effect)
    return { conversation, content: { message: onConfirmDisbursed(having(draft, ...placed, 'branches')) } }
  if (effect.change?.orderId)
    await (conversation.scenario === 'monitoring' ? scheduleMonitoring : scheduleDisbursal)(tx, ctx, conversation, at)
  if ('placed' in effect) return { conversation, content: { message: onConfirm(having(draft, ...placed)) } }
  return { conversation, content: { message: wordsOf(file, effect.step, draft) } }
}

function wordsOf(file: LoanFile<Policy203>, step: Step, draft: OrderDraft): object {
  const following = stepAfter(file.policy.product, file.conversation, step)
  const page = following && pageOf(file, following, headings)
  const order = { ...draft, ...(page && { page }) }
  if (step.callback === 'on_select') return onSelect(having(order, 'page'))
  if (step.heading === 'JOURNEY_OFFLINE') return onInitSanctioned(having(order, ...initiated, 'installments'))
  if (step.callback === 'on_init') return onInit(having(order, ...initiated, 'page'))
  return onConfirm(having(order, ...placed))
}
