// Answers search, select, init, confirm, status and update in dialect 2.0.3: the step that was asked for is done, and the next form goes along.
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
import { headings, type NewPage } from '#contract/network/v203/page.ts'
import { type Assessment, onSearch, readSearch } from '#contract/network/v203/search.ts'
import { onStatus, onUpdate, readStatus, readUpdate } from '#contract/network/v203/update.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import { scheduleMonitoring } from '#sandbox/lender/consent/request-monitoring.ts'
import { requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import {
  bpsText,
  currentLoan,
  defaultFee,
  type LoanFile,
  lenderOf,
  pageOf,
  requireParts,
  settlementTerms,
} from '#sandbox/lender/core/order.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import { type ProductRequest, policyUnder, type Reply } from '#sandbox/lender/core/product.ts'
import { lastResult, matchesConversation } from '#sandbox/lender/core/status.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { stepAfter, stepOf, stepOfForm } from '#sandbox/lender/core/steps.ts'
import {
  applicantOf,
  conversationsWithSubmission,
  requireApplicant,
  submissionsOf,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'
import { openPaymentPage } from '#sandbox/lender/servicing/payment-page.ts'
import { act } from './act.ts'
import { disbursedOrder, draftOf, initiated, itemOf, placed, sanctionedOrder } from './draft.ts'
import type { Policy203 } from './product.ts'

export async function answerOrder(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation: before, action, message, bank, at } = buyerRequest
  const request = readBuyerOrder(message)
  const { formId = null, submissionId = null } = request.response ?? {}
  const answered = await submissionsOf(tx, before.conversationId)
  const repeated = answered.find((each) => each.submissionId === submissionId)
  const isOnly =
    repeated !== undefined && (await conversationsWithSubmission(tx, before, repeated.submissionId)).length === 1
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
  const file = { deps: ctx, policy, conversation }
  const draft = draftOf(file, required(applicant, 'applicant of an order'))
  if ('paidOut' in effect)
    return { conversation, content: { message: onConfirmDisbursed(requireParts(draft, ...placed, 'branches')) } }
  if (effect.change?.orderId)
    await (conversation.scenario === 'monitoring' ? scheduleMonitoring : scheduleDisbursal)(tx, ctx, conversation, at)
  if ('placed' in effect) return { conversation, content: { message: onConfirm(requireParts(draft, ...placed)) } }
  return { conversation, content: { message: wordsOf(file, effect.step, draft) } }
}

function wordsOf(file: LoanFile<Policy203>, step: LenderStep, draft: OrderDraft): object {
  const following = stepAfter(file.policy.product, file.conversation, step)
  const page = following && pageOf(file, following, headings)
  const order = { ...draft, ...(page && { page }) }
  if (step.callback === 'on_select') return onSelect(requireParts(order, 'page'))
  if (step.heading === 'JOURNEY_OFFLINE') return onInitSanctioned(requireParts(order, ...initiated, 'installments'))
  if (step.callback === 'on_init') return onInit(requireParts(order, ...initiated, 'page'))
  return onConfirm(requireParts(order, ...placed))
}

/** Answers status: the loan's state, or why there is none (FIS12 §11.2). */
export async function answerStatus(
  tx: Tx,
  { ctx, policy, conversation, message, at }: ProductRequest<Policy203>,
): Promise<Reply> {
  const { conversationId, status } = conversation
  const failed = (code: string, text: string): Reply => ({
    conversation,
    content: { error: { code, message: text } },
  })
  const file = { deps: ctx, policy, conversation }
  const submissions = await submissionsOf(tx, conversationId)
  if (!matchesConversation(conversation, submissions, readStatus(message)))
    return failed('30018', 'there is no such order')
  if (status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  if (status === 'REFUSED') return failed('80228', 'the application was declined')
  if (status === 'DISBURSED')
    return { conversation, content: { message: onStatus(await disbursedOrder(tx, file, at)) } }
  const applicant = await applicantOf(tx, ctx.seal, conversationId)
  const result = conversation.orderId === null ? lastResult(policy.product, conversation, submissions) : undefined
  return applicant && currentLoan(policy, conversation)
    ? { conversation, content: { message: onStatus(draftOf(file, applicant, result)) } }
    : failed('30018', 'there is no offer yet')
}

/** Answers update: requests after a loan is placed, by their target (FIS12 §8.1, §11.1). */
export async function answerUpdate(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { conversation } = buyerRequest
  const request = readUpdate(buyerRequest.message)
  const failed = (code: string, message: string): Reply => ({ conversation, content: { error: { code, message } } })
  if (request.orderId !== conversation.orderId) return failed('30018', 'there is no such order')
  if (request.target !== 'payments') return answerApproval(tx, buyerRequest)
  const error = await openPaymentPage(tx, buyerRequest, request)
  if (error) return { conversation, content: { error } }
  const { ctx, policy, at } = buyerRequest
  return {
    conversation,
    content: { message: onUpdate(await disbursedOrder(tx, { deps: ctx, policy, conversation }, at)) },
  }
}

/** Answers update with APPROVED: the aggregator was asked whether that is so, and then the money is paid out (FIS12 §8.1 rows 19–20). */
async function answerApproval(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation, bank, at } = buyerRequest
  if (bank === null || 'denial' in bank)
    return { conversation, content: { error: { code: '40001', message: 'no consent was asked for' } } }
  if (conversation.status === 'SANCTIONED' && !bank.isRead) {
    const applicant = await requireApplicant(tx, ctx.seal, conversation.conversationId)
    return {
      conversation,
      content: { message: onUpdate(sanctionedOrder({ deps: ctx, policy, conversation }, applicant)) },
    }
  }
  const paid =
    conversation.status === 'SANCTIONED'
      ? await writeConversation(
          tx,
          conversation,
          { status: requireNextStatus(policy.product, conversation, 'disburse'), disbursedAt: at },
          at,
        )
      : conversation
  return {
    conversation: paid,
    content: { message: onUpdate(await disbursedOrder(tx, { deps: ctx, policy, conversation: paid }, at)) },
  }
}

/** Answers search: who this lender is, what it lends, and the form with which a borrower applies (FIS12 §8.1 row 2). */
export async function answerSearch(
  tx: Tx,
  { ctx, policy, conversation, message, at }: ProductRequest<Policy203>,
): Promise<Reply> {
  const { assessment, secondAssessment } = policy
  const finderFee = readSearch(message).fee ?? defaultFee
  const applying = stepOf(policy.product, conversation, 'PERSONAL_INFORMATION')
  const page = pageOf({ deps: ctx, policy, conversation }, applying, headings)
  const content = {
    message: onSearch({
      lender: lenderOf(ctx, policy),
      product: policy.product.id,
      items: [
        { ...itemOf(policy, { assessment: null }), assessment, recommended: true, ranges: rangesOf(policy), page },
        ...(secondAssessment ? [secondItem(policy, secondAssessment, page)] : []),
      ],
      fee: finderFee,
      terms: settlementTerms(ctx, policy),
    }),
  }
  const { status } = conversation
  return { content, conversation: await writeConversation(tx, conversation, { status, finderFee }, at) }
}

/** The same form asks for either: what differs is what the lender looks at (FIS12 §19.1). */
function secondItem(policy: Policy203, assessment: Assessment, page: NewPage) {
  const ranges = rangesOf(policyUnder(policy.product, { lender: policy.slug, assessment }))
  return { ...itemOf(policy, { assessment }), assessment, recommended: false, ranges, page }
}

const rangesOf = ({ rates, tenuresMonths, amounts }: LenderPolicy) => {
  const prices = rates.map(({ annualBps }) => annualBps)
  return {
    minInterestRate: bpsText(prices.reduce((least, each) => (each < least ? each : least))),
    maxInterestRate: bpsText(prices.reduce((most, each) => (each > most ? each : most))),
    minTenureMonths: Math.min(...tenuresMonths),
    maxTenureMonths: Math.max(...tenuresMonths),
    minAmount: amounts.from,
    maxAmount: amounts.to,
  }
}
