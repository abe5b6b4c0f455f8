// Answers select, init, confirm, status and update of loans against mutual funds (FIS12 §10.2 rows 4–14).

import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { onConfirm, onInit, onSelect, readBuyerOrder } from '@lendloom/wire/network/v230/select-to-confirm'
import { onStatus, onUpdate, readStatus, readUpdate } from '@lendloom/wire/network/v230/update-and-status'
import type { OrderDraft } from '@lendloom/wire/network/v230/write-order'
import { headings } from '@lendloom/wire/network/v230/xinput'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { statusOfOpenForm, stepOf, stepOfForm } from '#sandbox/lender/core/find-step.ts'
import { type LoanFile, pageOf, requireParts } from '#sandbox/lender/core/message-parts.ts'
import { failedReply, type ProductPolicy, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'
import { failedStatus, lastResult } from '#sandbox/lender/core/status-request.ts'
import { saveAccount, submissionOf, submissionsOf, writeConversation } from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'
import { openPage, openPaymentPage } from '#sandbox/lender/servicing/open-payment-page.ts'
import { decideRequest, type OrderRequest } from './decide-request.ts'
import { isDrawn, isLine } from './lenders.ts'
import { linePayments } from './line-account.ts'
import { disbursedLamf } from './loan-state.ts'
import { lamfDraft, requireLamfDraft } from './message-parts.ts'
import { hasStops } from './stops.ts'
import { pledgesOf, storeChosen } from './store.ts'

/**
 * Answers select, init and confirm. Stores what the request changes, and schedules the disbursal of a confirmed loan.
 */
export async function answerLamfOrder(tx: Tx, buyerRequest: ProductRequest, action: OrderRequest): Promise<Reply> {
  const { ctx, policy, conversation: before, message, at } = buyerRequest
  const { conversationId } = before
  const request = readBuyerOrder(message)
  const pledges = await pledgesOf(tx, ctx.seal, conversationId)
  if (!pledges)
    return { conversation: before, content: { error: { code: '40001', message: `${action} is not possible now` } } }
  const answeredStep = stepOfForm(policy.product, before, request.response?.formId ?? '')
  const submission = answeredStep && (await submissionOf(tx, conversationId, answeredStep.heading))
  const orderId = `ORDER-${uuidv7(at.getTime())}`
  const effect = decideRequest({ policy, conversation: before, pledges, submission, orderId, at }, action, request)
  const conversation = effect.change ? await writeConversation(tx, before, effect.change, at) : before
  if ('error' in effect) return { conversation, content: { error: effect.error } }
  if (effect.chosen) await storeChosen(tx, ctx.seal, conversationId, effect.chosen)
  if (effect.account) await saveAccount(tx, ctx.seal, conversationId, effect.account)
  // A credit line is not disbursed: borrowers draw on it at the lender, without network messages (FIS12 §17.5).
  if (effect.change?.orderId && (!isLine(policy) || isDrawn(conversation)))
    await scheduleDisbursal(tx, ctx, conversation, at)
  const file = { deps: ctx, policy, conversation }
  const draft = await requireLamfDraft(tx, file)
  // No page follows the last page, so the answer repeats the result of that page (FIS12 §21).
  const result = answeredStep &&
    submission && { formId: answeredStep.formId, status: 'SUCCESS' as const, submissionId: submission.submissionId }
  return {
    conversation,
    content: { message: messageFor(file, action, { ...draft, ...(result && { result }) }) },
  }
}

/** Returns the message of the answer: on_select, on_init with the next page to complete, or on_confirm. */
function messageFor(file: LoanFile<ProductPolicy>, action: OrderRequest, draft: OrderDraft): object {
  const { policy, conversation } = file
  if (action === 'select') return onSelect(hasStops(conversation) ? withPage(file, draft) : draft)
  if (action === 'confirm') return onConfirm(requireParts(draft, ...placedParts, 'disbursal'))
  const step = policy.product
    .steps(conversation)
    .find((each) => statusOfOpenForm(policy.product, conversation, each) === conversation.status)
  const page = step && pageOf(file, step, headings)
  return onInit(requireParts({ ...draft, ...(page && { page }) }, ...initiatedParts, 'disbursal'))
}

/** With stops, the page comes with the terms (FIS12 §27.2). */
function withPage(file: LoanFile<ProductPolicy>, draft: OrderDraft): OrderDraft {
  const step = stepOf(file.policy.product, file.conversation, 'SINGLE_REDIRECTION')
  return { ...draft, page: pageOf(file, step, headings) }
}

/** The parts of an order that on_init must have, and those that on_confirm must have. */
const initiatedParts = ['customer', 'cancellationTerms', 'contractTerms'] as const
export const placedParts = [...initiatedParts, 'orderId', 'documents', 'createdAt'] as const

/** Answers status with the state of the loan, or with an error (FIS12 §11.2). */
export async function answerLamfStatus(tx: Tx, buyerRequest: ProductRequest): Promise<Reply> {
  const { ctx, policy, conversation, message, at } = buyerRequest
  const { conversationId, status, orderId } = conversation
  const file = { deps: ctx, policy, conversation }
  const submissions = await submissionsOf(tx, conversationId)
  const failure = failedStatus(buyerRequest, submissions, readStatus(message), '80203')
  if (failure) return failure
  if (status === 'DISBURSED' || isOpenLine(policy, conversation))
    return { conversation, content: { message: onStatus(await disbursedLamf(tx, file, at)) } }
  const result = orderId === null ? lastResult(policy.product, conversation, submissions) : undefined
  const draft = await lamfDraft(tx, file, result)
  return draft
    ? { conversation, content: { message: onStatus(draft) } }
    : failedReply(buyerRequest, '30018', 'there is no offer yet')
}

/** Whether the borrower may pay and draw over the network (FIS12 §27.4, §27.5). */
const isOpenLine = (policy: ProductPolicy, conversation: Conversation): boolean =>
  isLine(policy) && hasStops(conversation) && conversation.orderId !== null

/**
 * Answers update. Only a lender with stops accepts part payments, and payments of a line: the quote of the others cannot
 * express the new schedule.
 */
export async function answerLamfUpdate(tx: Tx, buyerRequest: ProductRequest): Promise<Reply> {
  const { ctx, policy, conversation, message, at } = buyerRequest
  const { orderId, ...paymentUpdate } = readUpdate(message)
  if (orderId !== conversation.orderId) return failedReply(buyerRequest, '30018', 'there is no such order')
  if (isLine(policy) && !hasStops(conversation))
    return failedReply(buyerRequest, '40001', 'a credit line is repaid at the lender')
  if (paymentUpdate.label === 'PRE_PART_PAYMENT' && !hasStops(conversation))
    return failedReply(buyerRequest, '40001', 'this loan does not accept part payments')
  const error = isLine(policy)
    ? await openPage(tx, buyerRequest, paymentUpdate, linePayments)
    : await openPaymentPage(tx, buyerRequest, paymentUpdate)
  if (error) return { conversation, content: { error } }
  return {
    conversation,
    content: { message: onUpdate(await disbursedLamf(tx, { deps: ctx, policy, conversation }, at)) },
  }
}
