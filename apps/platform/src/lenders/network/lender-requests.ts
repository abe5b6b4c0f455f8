// The platform's requests to one lender: offer, next page, confirmation, status and payments (FIS12 §8.1).

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Terms } from '@lendloom/lending/terms'
import type { Tx } from '@lendloom/postgres/sql'
import {
  confirm as confirmMessage,
  confirmPaidOut,
  init as initMessage,
  selectDedupe,
  select as selectMessage,
} from '@lendloom/wire/network/v203/select-to-confirm'
import {
  type CancelCode,
  cancel as cancelMessage,
  type PaymentUpdate,
  status as statusMessage,
  update as updateMessage,
} from '@lendloom/wire/network/v203/update-and-status'
import { variantIn } from '@lendloom/wire/network/variants'
import type { Context, TxContext } from '#platform/context.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { ServicingRequest } from '#platform/lending/lender/channel.ts'
import type { FinalTerms } from '#platform/lending/offer/final-terms.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { type Cancellation, type Conversation, hasStops, isExitConfirmed, isServiced } from './conversation.ts'
import { dialectOfConversation, isSecured } from './dialect.ts'
import { hasWaitingMessage } from './inbound/store.ts'
import { buyerTerms, settlementFor } from './own-identity.ts'
import { askLender, stageAfter } from './queue-request.ts'
import {
  reportHoldingsConsent,
  reportPageDone,
  securedConfirmMessage,
  securedInitMessage,
} from './secured-loan-requests.ts'

/**
 * Requests the offer for the profile or the final terms for the chosen amount. For a loan against mutual funds,
 * requests the offer after the borrower's consent.
 */
export function sendSelect(
  ctx: TxContext,
  conversation: Conversation,
  move: 'select' | 'chooseBranch' = 'select',
): Promise<Conversation> {
  const stage = stageAfter(conversation, move)
  if (isSecured(conversation)) return reportHoldingsConsent(ctx, conversation, { stage })
  const { branchId } = conversation
  const { submission, ...item } = draftOf(conversation)
  const { consentAnswer } = variantIn(dialectOfConversation(conversation))
  const draft = {
    ...item,
    submission: { ...submission, ...(stage === 'CONSENT_GIVEN' && { status: consentAnswer }) },
    ...(branchId !== null && { branchId }),
  }
  const request = { action: 'select', message: selectMessage(draft) } as const
  return askLender(ctx, conversation, request, { stage })
}

/** Asks whether the lender takes the borrower, before the application (FIS12 §26.3). */
export function sendDedupe(
  ctx: TxContext,
  conversation: Conversation,
  { personal }: Pick<BorrowerDetails, 'personal'>,
): Promise<Conversation> {
  const stage = stageAfter(conversation, 'dedupe')
  const { itemId, fulfillmentId } = required(conversation.extras.dedupe, "the lender's check of a borrower")
  const borrower = {
    pan: required(personal.pan, 'the PAN of a submitted profile'),
    dob: required(personal.dob, 'the birth date of a submitted profile'),
    phone: `+91-${personal.mobile}`,
    email: personal.personalEmail,
  }
  const message = selectDedupe({ providerId: conversation.providerId, itemId, fulfillmentId, borrower })
  return askLender(ctx, conversation, { action: 'select', message }, { stage })
}

export function sendInit(ctx: TxContext, conversation: Conversation, finalTerms: FinalTerms): Promise<Conversation> {
  const stage = stageAfter(conversation, 'init')
  const message = isSecured(conversation)
    ? securedInitMessage(ctx, conversation, finalTerms)
    : initMessage(withSettlement(ctx, conversation, finalTerms.terms))
  const request = { action: 'init', message } as const
  return askLender(ctx, conversation, request, { stage })
}

/**
 * Confirms the signed loan. At a lender with stops, a loan against mutual funds has no `confirm`: telling that the page is
 * done leads to the order (FIS12 §27.2). The message has no form response after a branch visit, which `init` reported (FIS12 §9.1,
 * §21), or if the lender did not report the signature (§19.3).
 */
export function sendConfirm(ctx: TxContext, conversation: Conversation, finalTerms: FinalTerms): Promise<Conversation> {
  const stage = stageAfter(conversation, 'confirm')
  if (isSecured(conversation) && hasStops(conversation)) return reportPageDone(ctx, conversation, { stage })
  const message = isSecured(conversation)
    ? securedConfirmMessage(ctx, conversation, finalTerms)
    : hasStops(conversation)
      ? paidOutConfirm(ctx, conversation)
      : signedConfirm(ctx, conversation, finalTerms.terms)
  const request = { action: 'confirm', message } as const
  return askLender(ctx, conversation, request, { stage })
}

function signedConfirm(ctx: Context, conversation: Conversation, terms: Terms) {
  const { visitsBranch } = productOf({ type: conversation.journeyType })
  if (!visitsBranch && conversation.submissionId !== null)
    return confirmMessage(withSettlement(ctx, conversation, terms))
  const { providerId, itemId } = conversation
  return confirmMessage({ providerId, itemId, settlement: settlementOf(ctx, conversation, terms) })
}

/** Repeats the lender's newest report, except that a gold loan says SUCCESS, as published (FIS12 §26.2, §26.4). */
function paidOutConfirm({ config }: Context, conversation: Conversation) {
  const { providerId, itemId, lenderTerms, extras, journeyType } = conversation
  const { answer } = extras.progress ?? {}
  const submission =
    answer && productOf({ type: journeyType }).visitsBranch ? { ...answer, status: 'SUCCESS' as const } : answer
  const buyer = buyerTerms(config)
  // A lender whose catalogue states no terms gets ours, because the message must have both.
  const terms = { buyer, lender: lenderTerms ?? buyer }
  return confirmPaidOut({ providerId, itemId, terms, ...(submission && { submission }) })
}

/** Reports that the borrower approved the monitoring consent (FIS12 §7.8, §8.1 row 19). */
export function sendApproval(ctx: TxContext, conversation: Conversation): Promise<Conversation> {
  const stage = stageAfter(conversation, 'approve')
  const { orderId } = conversation
  if (orderId === null) throw new Refusal('wrong-state', 'the loan has no order yet')
  const request = {
    action: 'update',
    message: updateMessage({ orderId, target: 'fulfillment', state: 'APPROVED' }),
  } as const
  return askLender(ctx, conversation, request, { stage })
}

/** Whether the lender owes no answer, and no received answer waits to be applied (FIS12 §3.3). */
export const isNoAnswerPending = async (tx: Tx, conversation: Conversation): Promise<boolean> =>
  conversation.awaitedMessageId === null && !(await hasWaitingMessage(tx, conversation))

/** Requests the loan's status (FIS12 §11.2), unless another answer is pending. */
export async function requestLoanStatus(ctx: TxContext, conversation: Conversation): Promise<Conversation> {
  if (conversation.awaitedMessageId !== null || conversation.stage === 'ENDED') return conversation
  return askLender(ctx, conversation, { action: 'status', message: statusRequest(conversation) })
}

/** Builds the `status` message. It refers to the transaction as long as the loan has no order. */
export const statusRequest = ({ orderId, transactionId }: Conversation) =>
  statusMessage(orderId === null ? { refId: transactionId } : { orderId })

function draftOf({ providerId, itemId, formId, submissionId }: Conversation) {
  if (formId === null || submissionId === null)
    throw new Refusal('wrong-state', 'no form of this lender has been answered yet')
  return { providerId, itemId, submission: { formId, submissionId } }
}

const withSettlement = (ctx: Context, conversation: Conversation, terms: Terms) => ({
  ...draftOf(conversation),
  settlement: settlementOf(ctx, conversation, terms),
})

const settlementOf = ({ config }: Context, { paymentId }: Conversation, terms: Terms) =>
  settlementFor(config, paymentId, terms)

/** Whether no other request is pending and the conversation has not ended (FIS12 §4.1). */
export const canSendRequest = ({ awaitedMessageId, stage }: Conversation): boolean =>
  awaitedMessageId === null && stage !== 'ENDED'

/** Sends the borrower's servicing request. Throws `wrong-state` if a payment cannot be requested now. */
export function askServicing(
  ctx: TxContext,
  conversation: Conversation,
  { kind, requestedPaise }: Pick<ServicingRequest, 'kind' | 'requestedPaise'>,
): Promise<Conversation> {
  if (kind === 'STATUS_REFRESH') return requestLoanStatus(ctx, conversation)
  if (kind === 'FORECLOSURE' && isExitConfirmed(conversation.extras))
    return askToCancel(ctx, conversation, 'CONFIRM_CANCEL')
  const requested =
    kind === 'PRE_PART_PAYMENT'
      ? { label: kind, amount: required(requestedPaise, 'the amount of a part payment') }
      : { label: kind }
  return askPayment(ctx, conversation, requested)
}

function askPayment(ctx: TxContext, conversation: Conversation, requested: PaymentUpdate): Promise<Conversation> {
  const message = updateMessage({ orderId: repayableOrder(conversation), target: 'payments', ...requested })
  return askLender(ctx, conversation, { action: 'update', message })
}

/** Asks what leaving costs, or leaves. Throws `wrong-state` like a payment request (FIS12 §25). */
export function askToCancel(ctx: TxContext, conversation: Conversation, code: CancelCode): Promise<Conversation> {
  const message = cancelMessage(repayableOrder(conversation), code)
  const { cancellation, ...extras } = conversation.extras
  const next: Cancellation = {
    ...cancellation,
    status: code === 'SOFT_CANCEL' ? 'ASKED' : 'CONFIRMED',
    at: ctx.at.toISOString(),
  }
  return askLender(ctx, conversation, { action: 'cancel', message }, { extras: { ...extras, cancellation: next } })
}

/** Throws `wrong-state` unless the loan is disbursed, or a line is open, and no other answer is pending. */
function repayableOrder(conversation: Conversation): string {
  const { stage, orderId, awaitedMessageId } = conversation
  if (!isServiced(conversation) || orderId === null || awaitedMessageId !== null)
    throw new Refusal('wrong-state', `no payment can be requested at ${stage}`)
  return orderId
}
