// What a lender says about one loan in dialect 2.0.3: the item, the price, and how far the loan has come.
import type { LoanItem, OrderDraft, State } from '#contract/network/v203/order.ts'
import type { FormResult } from '#contract/network/v203/page.ts'
import type { Assessment } from '#contract/network/v203/product.ts'
import { finderFeeOwed } from '#contract/network/v203/settlement.ts'
import { type Terms, totalOf } from '#contract/network/v203/terms.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Applicant } from '#sandbox/lender/core/decide.ts'
import {
  cancellationOf,
  chosenOf,
  defaultFee,
  documentsOf,
  installmentsOf,
  isQuoted,
  lenderOf,
  type Place,
  presentLoan,
  settlementTerms,
  termsOf,
} from '#sandbox/lender/core/order.ts'
import type { Policy203, ProductIn203 } from './product.ts'

/** What is lent in 2.0.3; a lender that judges in two ways has an item for each. */
export const itemOf = (policy: Policy203, { assessment }: { assessment: Assessment | null }): LoanItem => {
  const { product } = policy
  const id = product.itemId(policy, assessment)
  const { id: category, itemName: name } = product
  return { id, name: assessment ? `${name} by bank data` : name, product: category }
}

/**
 * Everything that can be said about the loan now; parts appear as the conversation fixes them, so a message made of it
 * never runs ahead of its stage (FIS12 §8.1). Null before there is an offer.
 */
export function draftOf(
  place: Place,
  policy: Policy203,
  conversation: Conversation,
  applicant: Applicant,
  result?: FormResult,
): OrderDraft | null {
  const loan = presentLoan(policy, conversation)
  if (!loan) return null
  const isFinal = chosenOf(conversation) !== null && conversation.status !== 'CHOSEN'
  const { product } = policy
  const terms = {
    ...termsOf(place, policy, conversation, loan, isFinal ? 'final' : 'offer'),
    ltvRatio: product.ltvRatio(conversation, loan),
  }
  return {
    lender: lenderOf(place, policy),
    item: itemOf(policy, conversation),
    terms,
    ...product.branchesFor(conversation, isQuoted(conversation)),
    ...(result && { result }),
    ...initiatedParts(place, policy, conversation, applicant, terms),
    ...(result && offlineParts(product, conversation, applicant)),
    ...(conversation.agreedOn !== null && { installments: installmentsOf(loan, conversation.agreedOn) }),
    ...placedParts(place, policy, conversation),
  }
}

function initiatedParts(
  place: Place,
  policy: Policy203,
  { paymentId, finderFee, sanctionedAt, disbursedAt, status, monitoringHandle }: Conversation,
  applicant: Applicant,
  terms: Terms,
): Partial<OrderDraft> {
  if (paymentId === null) return {}
  const fee = finderFee ?? defaultFee
  return {
    customer: customerOf(applicant),
    state: stateOf({ sanctionedAt, disbursedAt, status, monitoringHandle }),
    settlement: {
      paymentId,
      paid: disbursedAt !== null,
      netDisbursed: terms.netDisbursed,
      fee,
      terms: settlementTerms(place, policy),
      settlementAmount: finderFeeOwed(fee, { ...terms, total: totalOf(terms) }),
    },
    cancellationTerms: cancellationOf(place, policy),
  }
}

const customerOf = ({ name, mobile, email }: Applicant) => ({ name, phone: `+91-${mobile}`, email })

/** What is seen to outside the app is told with the state of the loan before it was asked for (FIS12 §19.3). */
const offlineParts = (product: ProductIn203, conversation: Conversation, applicant: Applicant): Partial<OrderDraft> =>
  conversation.paymentId === null && product.isOffline(conversation)
    ? { customer: customerOf(applicant), state: stateOf(conversation) }
    : {}

type Progress = Pick<Conversation, 'sanctionedAt' | 'disbursedAt' | 'status' | 'monitoringHandle'>

function stateOf({ sanctionedAt, disbursedAt, status, monitoringHandle }: Progress): State {
  if (disbursedAt) return 'DISBURSED'
  if (sanctionedAt) return monitoringHandle === null ? 'SANCTIONED' : 'CONSENT_REQUIRED'
  return status === 'REJECTED' ? 'REJECTED' : 'INITIATED'
}

function placedParts(place: Place, policy: Policy203, conversation: Conversation): Partial<OrderDraft> {
  const { orderId, sanctionedAt, disbursedAt, conversationId, monitoringHandle } = conversation
  if (orderId === null || sanctionedAt === null) return {}
  return {
    orderId,
    ...(monitoringHandle !== null && disbursedAt === null && { consentHandle: monitoringHandle }),
    createdAt: sanctionedAt,
    updatedAt: disbursedAt ?? sanctionedAt,
    documents: documentsOf(place, policy, conversationId),
  }
}
