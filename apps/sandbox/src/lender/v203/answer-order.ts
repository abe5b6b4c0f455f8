// Answers search, select, init, confirm, status and update in dialect 2.0.3.

import { required } from '@lendloom/foundation/required'
import type { Assessment } from '@lendloom/lending/terms'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { onSearch, readSearch } from '@lendloom/wire/network/v203/search'
import {
  onConfirm,
  onConfirmDisbursed,
  onConfirmPaidOut,
  onInit,
  onInitSanctioned,
  onSelect,
  onSelectConsent,
  onSelectDedupe,
  readBuyerOrder,
  readDedupe,
} from '@lendloom/wire/network/v203/select-to-confirm'
import { onStatus, onUpdate, readStatus, readUpdate } from '@lendloom/wire/network/v203/update-and-status'
import { headings } from '@lendloom/wire/network/v203/variant'
import type { OrderDraft } from '@lendloom/wire/network/v203/write-order'
import type { NewPage } from '@lendloom/wire/network/v203/xinput'
import { variantIn } from '@lendloom/wire/network/variants'
import { scenarioFor } from '@lendloom/wire/sandbox/fault-scenarios'
import { scheduleMonitoring } from '#sandbox/lender/consent/request-monitoring.ts'
import { type Conversation, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { stepAfter, stepOf, stepOfForm } from '#sandbox/lender/core/find-step.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import {
  bpsText,
  currentLoan,
  defaultFee,
  type LoanFile,
  lenderOf,
  pageOf,
  requireParts,
  settlementTerms,
} from '#sandbox/lender/core/message-parts.ts'
import { failedReply, type ProductRequest, policyUnder, type Reply } from '#sandbox/lender/core/product.ts'
import { failedStatus, lastResult } from '#sandbox/lender/core/status-request.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import {
  applicantOf,
  idsBySubmission,
  requireApplicant,
  submissionsOf,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'
import { openPaymentPage } from '#sandbox/lender/servicing/open-payment-page.ts'
import { decideRequest } from './decide-request.ts'
import {
  type DisbursedOrder,
  disbursedOrder,
  draftOf,
  initiatedKeys,
  itemOf,
  placedKeys,
  sanctionedOrder,
} from './message-parts.ts'
import type { Policy203 } from './product.ts'
import { listedProgress } from './stops.ts'

/**
 * Answers select, init and confirm: decides on the request, stores what it changes, and returns the order as it
 * stands.
 */
export async function answerOrder(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation: before, action, message, bank, at } = buyerRequest
  const request = readBuyerOrder(message)
  const { formId = null, submissionId = null } = request.response ?? {}
  const submissions = await submissionsOf(tx, before.conversationId)
  const matchingSubmission = submissions.find((each) => each.submissionId === submissionId)
  const isSubmissionUnique =
    matchingSubmission !== undefined &&
    (await idsBySubmission(tx, before, matchingSubmission.submissionId)).length === 1
  const answeredStep = stepOfForm(policy.product, before, formId ?? '', matchingSubmission?.heading)
  const applicant = await applicantOf(tx, ctx.seal, before.conversationId)
  const submission = submissions.find(({ heading }) => heading === answeredStep?.heading)
  const newId = uuidv7(at.getTime())
  const ids = { payment: `PAY-${newId}`, order: `ORDER-${newId}` }
  const input = { policy, conversation: before, applicant, submission, isSubmissionUnique, ids, bank, at }
  const effect = decideRequest(input, action, request)
  const conversation = effect.change ? await writeConversation(tx, before, effect.change, at) : before
  if ('error' in effect) return { conversation, content: { error: effect.error } }
  if ('consent' in effect) {
    const submission = {
      formId: required(formId, 'answered form'),
      submissionId: required(submissionId, 'submission of the answered form'),
    }
    const consent = { submission, consentHandle: effect.consent }
    return {
      conversation,
      content: {
        message: onSelectConsent({ lender: lenderOf(ctx, policy), item: itemOf(policy, before), ...consent }),
      },
    }
  }
  const file = { deps: ctx, policy, conversation }
  const draft = draftOf(file, required(applicant, 'applicant of an order'))
  if ('disbursed' in effect)
    return { conversation, content: { message: onConfirmDisbursed(requireParts(draft, ...placedKeys, 'branches')) } }
  if ('paidOut' in effect) return confirmedPaidOut(conversation, await disbursedOrder(tx, file, at))
  if (effect.change?.orderId)
    await (conversation.scenario === 'monitoring' ? scheduleMonitoring : scheduleDisbursal)(tx, ctx, conversation, at)
  if ('orderPlaced' in effect)
    return { conversation, content: { message: onConfirm(requireParts(draft, ...placedKeys)) } }
  return { conversation, content: { message: messageFor(file, effect.step, draft) } }
}

/** A confirmation has the agreed plan; that an instalment counts as missed is reported after it (FIS12 §12.1 on_confirm). */
function confirmedPaidOut(conversation: Conversation, order: DisbursedOrder): Reply {
  const installments = order.installments.map((each) =>
    each.status === 'DELAYED' ? { ...each, status: 'NOT-PAID' as const } : each,
  )
  const isMissed = order.installments.some(({ status }) => status === 'DELAYED')
  return {
    conversation,
    content: { message: onConfirmPaidOut({ ...order, installments }) },
    ...(isMissed && { followedBy: { action: 'on_status', content: { message: onStatus(order) } } }),
  }
}

/** Returns the message after a step, with the page of the next step. */
function messageFor(file: LoanFile<Policy203>, step: LenderStep, draft: OrderDraft): object {
  const nextStep = stepAfter(file.policy.product, file.conversation, step)
  const isOpen = !nextStep?.needsBranch || file.conversation.branchId !== null
  const page = nextStep && isOpen && pageOf(file, nextStep, headings)
  const order = { ...draft, ...(page && { page }) }
  if (step.callback === 'on_select') return onSelect(isOpen ? requireParts(order, 'page') : order)
  if (step.heading === 'JOURNEY_OFFLINE') return onInitSanctioned(requireParts(order, ...initiatedKeys, 'installments'))
  if (step.callback === 'on_init') return onInit(requireParts(order, ...initiatedKeys, 'page'))
  return onConfirm(requireParts(order, ...placedKeys))
}

/** Answers status with the state of the loan, or with an error (FIS12 §11.2). */
export async function answerStatus(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation, message, at } = buyerRequest
  const { conversationId, status } = conversation
  const file = { deps: ctx, policy, conversation }
  const submissions = await submissionsOf(tx, conversationId)
  const failure = failedStatus(buyerRequest, submissions, readStatus(message), '80228')
  if (failure) return failure
  if (status === 'DISBURSED' && conversation.orderId !== null)
    return { conversation, content: { message: onStatus(await disbursedOrder(tx, file, at)) } }
  const applicant = await applicantOf(tx, ctx.seal, conversationId)
  const result = conversation.orderId === null ? lastResult(policy.product, conversation, submissions) : undefined
  return applicant && currentLoan(policy, conversation)
    ? { conversation, content: { message: onStatus(draftOf(file, applicant, result)) } }
    : failedReply(buyerRequest, '30018', 'there is no offer yet')
}

/** Answers update: a requested payment, or an approved consent (FIS12 §8.1, §11.1). */
export async function answerUpdate(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { conversation } = buyerRequest
  const request = readUpdate(buyerRequest.message)
  if (request.orderId !== conversation.orderId) return failedReply(buyerRequest, '30018', 'there is no such order')
  if (request.target !== 'payments') return answerApproval(tx, buyerRequest)
  const error = await openPaymentPage(tx, buyerRequest, request)
  if (error) return { conversation, content: { error } }
  const { ctx, policy, at } = buyerRequest
  return {
    conversation,
    content: { message: onUpdate(await disbursedOrder(tx, { deps: ctx, policy, conversation }, at)) },
  }
}

/** Answers update with APPROVED: disburses if the aggregator confirmed the consent (FIS12 §8.1 rows 19–20). */
async function answerApproval(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const { ctx, policy, conversation, bank, at } = buyerRequest
  if (bank === null || 'denial' in bank)
    return { conversation, content: { error: { code: '40001', message: 'no consent was requested' } } }
  if (conversation.status === 'SANCTIONED' && !bank.isRead) {
    const applicant = await requireApplicant(tx, ctx.seal, conversation.conversationId)
    return {
      conversation,
      content: { message: onUpdate(sanctionedOrder({ deps: ctx, policy, conversation }, applicant)) },
    }
  }
  const disbursedConversation =
    conversation.status === 'SANCTIONED'
      ? await writeConversation(
          tx,
          conversation,
          { status: requireNextStatus(policy.product, conversation, 'disburse'), disbursedAt: at },
          at,
        )
      : conversation
  return {
    conversation: disbursedConversation,
    content: {
      message: onUpdate(await disbursedOrder(tx, { deps: ctx, policy, conversation: disbursedConversation }, at)),
    },
  }
}

/** Answers search with the lender, its items and the application form (FIS12 §8.1 row 2). */
export async function answerSearch(
  tx: Tx,
  { ctx, policy, conversation, message, at }: ProductRequest<Policy203>,
): Promise<Reply> {
  const { assessment, secondAssessment } = policy
  const variant = variantIn(policy.dialect)
  // A version without categories per assessment has one item.
  const second = variant.categories[policy.product.id]?.byAssessment[assessment] && secondAssessment
  const finderFee = readSearch(message).fee ?? defaultFee
  const applicationStep = stepOf(policy.product, conversation, 'PERSONAL_INFORMATION')
  const page = pageOf({ deps: ctx, policy, conversation }, applicationStep, headings)
  const { stops } = policy.product
  const content = {
    message: onSearch({
      lender: lenderOf(ctx, policy),
      product: policy.product.id,
      items: [
        { ...itemOf(policy, { assessment: null }), assessment, recommended: true, ranges: rangesOf(policy), page },
        ...(second ? [secondItem(policy, second, page)] : []),
      ],
      fee: finderFee,
      terms: settlementTerms(ctx, policy),
      ...(stops && {
        stops: { ways: stops.ways.map(listedProgress), dedupe: stops.checksBorrower ? dedupeOf(policy) : null },
      }),
      variant,
    }),
  }
  const { status } = conversation
  return { content, conversation: await writeConversation(tx, conversation, { status, finderFee }, at) }
}

/** The item with which a lender with stops checks a borrower first (FIS12 §26.3). */
const dedupeOf = ({ slug }: Policy203) => ({
  itemId: `ITEM-${slug.toUpperCase()}-CHECK`,
  name: 'Check before an application',
  fulfillmentId: 'FULFILLMENT-CHECK',
})

/** Answers a check by the PAN: a borrower who gets no offer is not taken. It changes nothing. */
function answerDedupe(
  { ctx, policy, conversation }: ProductRequest<Policy203>,
  check: NonNullable<ReturnType<typeof readDedupe>>,
): Reply {
  const { itemId: id, name } = dedupeOf(policy)
  const isAccepted = scenarioFor(check.pan, policy.slug) !== 'no-offer'
  const { fulfillmentId } = check
  const message = onSelectDedupe({ lender: lenderOf(ctx, policy), item: { id, name }, fulfillmentId, isAccepted })
  return { conversation, content: { message } }
}

/** Answers the select of a lender with stops, which may be a check of the borrower. */
export async function answerSelectWithStops(tx: Tx, buyerRequest: ProductRequest<Policy203>): Promise<Reply> {
  const check = readDedupe(buyerRequest.message)
  return check ? answerDedupe(buyerRequest, check) : answerOrder(tx, buyerRequest)
}

/** The item of the second assessment, with the same form (FIS12 §19.1). */
function secondItem(policy: Policy203, assessment: Assessment, page: NewPage) {
  const ranges = rangesOf(policyUnder(policy.product, { lender: policy.slug, assessment }))
  return { ...itemOf(policy, { assessment }), assessment, recommended: false, ranges, page }
}

/** The limits that a catalogue item announces. */
const rangesOf = ({ rates, tenuresMonths, amounts }: LenderPolicy) => {
  const annualRates = rates.map(({ annualBps }) => annualBps)
  return {
    minInterestRate: bpsText(annualRates.reduce((min, each) => (each < min ? each : min))),
    maxInterestRate: bpsText(annualRates.reduce((max, each) => (each > max ? each : max))),
    minTenureMonths: Math.min(...tenuresMonths),
    maxTenureMonths: Math.max(...tenuresMonths),
    minAmount: amounts.from,
    maxAmount: amounts.to,
  }
}
