// Parts of a lender's messages about a loan in dialect 2.0.3.

import type { Assessment } from '@lendloom/lending/terms'
import { type Terms, totalOf } from '@lendloom/lending/terms'
import type { Tx } from '@lendloom/postgres/sql'
import type { ConfirmedOrder } from '@lendloom/wire/network/v203/select-to-confirm'
import { finderFeeOwed } from '@lendloom/wire/network/v203/settlement'
import type { DraftWith, FulfillmentState, LoanItem, OrderDraft } from '@lendloom/wire/network/v203/write-order'
import type { FormResult } from '@lendloom/wire/network/v203/xinput'
import { variantIn } from '@lendloom/wire/network/variants'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import {
  cancellationOf,
  chosenOf,
  defaultFee,
  documentsOf,
  installmentsOf,
  isQuoted,
  type LoanFile,
  lenderOf,
  requireLoan,
  requireParts,
  sanctionPaper,
  settlementTerms,
  termsOf,
} from '#sandbox/lender/core/message-parts.ts'
import { requireApplicant } from '#sandbox/lender/core/store.ts'
import { isLive, type PlanRow, repaymentOf } from '#sandbox/lender/servicing/loan-account.ts'
import { changedAt, installmentOf, loanStateAt, paymentOf } from '#sandbox/lender/servicing/loan-state.ts'
import type { Policy203, ProductIn203 } from './product.ts'
import { stopsParts } from './stops.ts'

/** The catalogue item for an assessment. The network's judge requires that its name says whether it needs bank data. */
export const itemOf = (policy: Policy203, { assessment }: { assessment: Assessment | null }): LoanItem => {
  const { product } = policy
  const id = product.itemId(policy, assessment)
  const { id: category, itemName } = product
  const needsBankData = (assessment ?? policy.assessment) === 'account-aggregator'
  return { id, name: needsBankData ? `${itemName} with Account Aggregator` : itemName, product: category }
}

/** The parts of the order that are agreed so far (FIS12 §8.1). Requires an offer. */
export function draftOf(file: LoanFile<Policy203>, applicant: LoanApplicant, result?: FormResult): OrderDraft {
  const { deps, policy, conversation } = file
  const loan = requireLoan(file)
  const isFinal = chosenOf(conversation) !== null && conversation.status !== 'CHOSEN'
  const { product } = policy
  const terms = {
    ...termsOf(file, loan, isFinal ? 'final' : 'offer'),
    ltvRatio: product.ltvRatio(conversation, loan),
  }
  return {
    variant: variantIn(policy.dialect),
    lender: lenderOf(deps, policy),
    item: itemOf(policy, conversation),
    terms,
    ...product.branchesFor(conversation, isQuoted(conversation)),
    ...(result && { result }),
    ...(product.stops
      ? { customer: customerOf(applicant), ...stopsParts(file, { stops: product.stops, loan, result }) }
      : initiatedParts(file, applicant, terms)),
    ...(result && offlineParts(product, conversation, applicant)),
    ...(conversation.agreedOn !== null &&
      !product.stops && { installments: installmentsOf(loan, conversation.agreedOn) }),
    ...placedParts(file),
  }
}

function initiatedParts(
  { deps, policy, conversation }: LoanFile<Policy203>,
  applicant: LoanApplicant,
  terms: Terms,
): Partial<OrderDraft> {
  const { paymentId, finderFee, disbursedAt } = conversation
  if (paymentId === null) return {}
  const fee = finderFee ?? defaultFee
  return {
    customer: customerOf(applicant),
    state: stateOf(conversation),
    settlement: {
      paymentId,
      paid: disbursedAt !== null,
      netDisbursed: terms.netDisbursed,
      fee,
      terms: settlementTerms(deps, policy),
      settlementAmount: finderFeeOwed(fee, { ...terms, total: totalOf(terms) }),
    },
    cancellationTerms: cancellationOf(deps, policy),
  }
}

const customerOf = ({ name, mobile, email }: LoanApplicant) => ({ name, phone: `+91-${mobile}`, email })

/** Customer and state, which the report of an offline step has even before `init` (FIS12 §19.3). */
const offlineParts = (
  product: ProductIn203,
  conversation: Conversation,
  applicant: LoanApplicant,
): Partial<OrderDraft> =>
  conversation.paymentId === null && product.isOffline(conversation)
    ? { customer: customerOf(applicant), state: stateOf(conversation) }
    : {}

type DraftProgress = Pick<Conversation, 'sanctionedAt' | 'disbursedAt' | 'status' | 'monitoringHandle'>

function stateOf({ sanctionedAt, disbursedAt, status, monitoringHandle }: DraftProgress): FulfillmentState {
  if (disbursedAt) return 'DISBURSED'
  if (sanctionedAt) return monitoringHandle === null ? 'SANCTIONED' : 'CONSENT_REQUIRED'
  return status === 'REJECTED' ? 'REJECTED' : 'INITIATED'
}

function placedParts({ deps, policy, conversation }: LoanFile<Policy203>): Partial<OrderDraft> {
  const { orderId, sanctionedAt, disbursedAt, conversationId, monitoringHandle } = conversation
  if (orderId === null || sanctionedAt === null) return {}
  return {
    orderId,
    ...(monitoringHandle !== null && disbursedAt === null && { consentHandle: monitoringHandle }),
    createdAt: sanctionedAt,
    updatedAt: disbursedAt ?? sanctionedAt,
    documents: [...documentsOf(deps, policy, conversationId), sanctionPaper(deps, policy, conversationId)],
    cancellationTerms: cancellationOf(deps, policy),
  }
}

const disbursedParts = [
  'orderId',
  'customer',
  'cancellationTerms',
  'documents',
  'state',
  'createdAt',
  'updatedAt',
] as const
export type DisbursedOrder = OrderDraft & ConfirmedOrder & DraftWith<'state'>

/**
 * The order of a disbursed loan: the plan and, from the first requested payment on, the payments and the repayment
 * quote (FIS12 §7.4, §11.1).
 */
export async function disbursedOrder(tx: Tx, file: LoanFile<Policy203>, at: Date): Promise<DisbursedOrder> {
  const { deps, policy, conversation } = file
  const { rows, payments } = await loanStateAt(tx, policy, conversation, at)
  const applicant = await requireApplicant(tx, deps.seal, conversation.conversationId)
  const draft = requirePaidParts(requireParts(draftOf(file, applicant), ...disbursedParts))
  const visiblePayments = payments.filter(({ status }) => status !== 'DROPPED')
  return {
    ...draft,
    ...repaymentParts(policy, conversation, rows),
    ...(payments.length > 0 && {
      servicing: visiblePayments.map((payment) => paymentOf(deps, policy, rows, payment)),
      repayment: repaymentOf(rows, payments),
    }),
    ...(rows.every((row) => !isLive(row)) && { state: 'COMPLETED' }),
    updatedAt: changedAt(payments, draft.updatedAt),
  }
}

/** The instalments, or the one repayment at the end (FIS12 §26.4). */
function repaymentParts({ repaysAtEnd }: Policy203, { conversationId }: Conversation, rows: PlanRow[]) {
  const [last] = rows
  if (!repaysAtEnd || !last) return { installments: rows.map(installmentOf) }
  return {
    installments: [],
    singleRepayment: {
      id: `REPAYMENT-${conversationId}`,
      amount: last.principal + last.interest,
      status: isLive(last) ? ('NOT-PAID' as const) : ('PAID' as const),
    },
  }
}

/** The lender settles with the buyer app, or with stops states its payout. */
const requirePaidParts = <Draft extends OrderDraft>(draft: Draft) =>
  draft.progress ? requireParts(draft, 'payout', 'progress', 'contract') : requireParts(draft, 'settlement')

/** The order of a sanctioned loan; its state shows that the monitoring consent is pending. */
export const sanctionedOrder = (
  file: LoanFile<Policy203>,
  applicant: LoanApplicant,
): ConfirmedOrder & DraftWith<'state'> => requireParts(draftOf(file, applicant), ...placedKeys, 'state')

/** Parts of the order after `init`, and after `confirm`. */
export const initiatedKeys = ['customer', 'settlement', 'cancellationTerms'] as const
export const placedKeys = [...initiatedKeys, 'installments', 'orderId', 'documents', 'createdAt', 'updatedAt'] as const
