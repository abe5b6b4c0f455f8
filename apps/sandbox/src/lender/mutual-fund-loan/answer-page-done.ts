// Answers select at a lender with stops: the units to pledge, and later that the page is done, upon which the lender places
// the order unasked (FIS12 §27.2).

import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { NetworkError } from '@lendloom/wire/network/context'
import { nackCodes } from '@lendloom/wire/network/errors'
import { type BuyerRequest, onConfirm, onSelect, readBuyerOrder } from '@lendloom/wire/network/v230/select-to-confirm'
import { nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { stepOfForm } from '#sandbox/lender/core/find-step.ts'
import { requireParts } from '#sandbox/lender/core/message-parts.ts'
import type { ProductRequest, Reply } from '#sandbox/lender/core/product.ts'
import { submissionOf, writeConversation } from '#sandbox/lender/core/store.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'
import { answerLamfOrder, placedParts } from './answer-order.ts'
import { isDrawn, isLine } from './lenders.ts'
import { requireLamfDraft } from './message-parts.ts'

export async function answerPageDone(tx: Tx, buyerRequest: ProductRequest): Promise<Reply> {
  const request = readBuyerOrder(buyerRequest.message)
  if (request.response === null) return answerLamfOrder(tx, buyerRequest, 'select')
  const { ctx, policy, conversation: before, at } = buyerRequest
  const fault = await faultOf(tx, buyerRequest, request)
  if (fault) return { conversation: before, content: { error: fault } }
  // A repeated request is answered again, and places no second order.
  const isRepeated = before.orderId !== null
  const ready = isRepeated
    ? before
    : await writeConversation(
        tx,
        before,
        { status: requireNextStatus(policy.product, before, 'makeReady'), agreedOn: businessDate(at) },
        at,
      )
  const { orderId: _, ...answer } = await requireLamfDraft(tx, { deps: ctx, policy, conversation: ready })
  const content = { message: onSelect({ ...answer, state: 'INITIATED' } as typeof answer) }
  if (isRepeated) return { conversation: ready, content }
  const placed = {
    status: requireNextStatus(policy.product, ready, 'sanction'),
    orderId: `ORDER-${uuidv7(at.getTime())}`,
    sanctionedAt: at,
  }
  const conversation = await writeConversation(tx, ready, placed, at)
  if (!isLine(policy) || isDrawn(conversation)) await scheduleDisbursal(tx, ctx, conversation, at)
  const order = requireParts(await requireLamfDraft(tx, { deps: ctx, policy, conversation }), ...placedParts)
  return { conversation, content, followedBy: { action: 'on_confirm', content: { message: onConfirm(order) } } }
}

/** The error of an answer to another page, to a page that is not done, or with another submission than the last report. */
async function faultOf(
  tx: Tx,
  { policy, conversation }: ProductRequest,
  { response }: BuyerRequest,
): Promise<NetworkError | null> {
  const step = stepOfForm(policy.product, conversation, response?.formId ?? '')
  if (step?.formId !== response?.formId)
    return { code: nackCodes.BPP.invalid, message: 'select must answer the page of the offer' }
  const submission = await submissionOf(tx, conversation.conversationId, 'SINGLE_REDIRECTION')
  if (!submission || submission.submissionId !== response?.submissionId)
    return { code: '80216', message: 'the submission id is not that of the last report' }
  if (conversation.orderId === null && nextStatus(policy.product, conversation, 'makeReady') === undefined)
    return { code: '40001', message: 'the page is not done' }
  return null
}
