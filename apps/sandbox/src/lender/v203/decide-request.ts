// Decides on select, init and confirm: a change and an answer, without side effects.

import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import type { NetworkError } from '@lendloom/wire/network/context'
import { nackCodes } from '@lendloom/wire/network/errors'
import type { AnyRequest } from '@lendloom/wire/network/igm/actions'
import type { BuyerRequest } from '@lendloom/wire/network/v203/select-to-confirm'
import type { BankDataStatus } from '#sandbox/lender/core/buyer-request.ts'
import {
  type Conversation,
  hasLapsed,
  type LoanMove,
  nextStatus,
  requireNextStatus,
} from '#sandbox/lender/core/conversation.ts'
import { stepOfForm } from '#sandbox/lender/core/find-step.ts'
import { type Denial, denialFor, type LoanApplicant, validityOf } from '#sandbox/lender/core/lending-decision.ts'
import { providerId } from '#sandbox/lender/core/message-parts.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import type { ConversationChange, ConversationFacts, Submission } from '#sandbox/lender/core/store.ts'
import { handleNeeded } from './fetch-bank-data.ts'
import { itemOf } from './message-parts.ts'
import type { Policy203, StopsShape } from './product.ts'

/** The input of a decision. `ids` are for a new payment and order. */
export interface ActInput {
  policy: Policy203
  conversation: Conversation
  applicant: LoanApplicant | null
  submission: Submission | undefined
  /** Whether only one offer in this transaction uses the submission, which then identifies item and form. */
  isSubmissionUnique: boolean
  ids: { payment: string; order: string }
  /** The bank data; null when the lender did not request it. */
  bank: BankDataStatus | null
  at: Date
}

/** The completed step, or the error for the callback. A null change means that nothing changes. */
export type ActEffect =
  | { step: LenderStep; change: ConversationChange | null }
  | { consent: string; change: ConversationChange | null }
  /** A gold loan is disbursed by a confirm that answers no form. */
  | { disbursed: true; change: ConversationChange | null }
  /** The order of a personal loan that was completed offline is placed by a confirm that answers no form. */
  | { orderPlaced: true; change: ConversationChange | null }
  /** The order of a loan with stops, which was paid out before. */
  | { paidOut: true; change: ConversationChange | null }
  | { error: NetworkError; change: ConversationChange | null }

/** The facts of a completed step, or a denial and its move. */
type ActOutcome = { facts: ConversationFacts } | { denial: Denial; move: LoanMove }
type ActHandler = (input: ActInput, request: BuyerRequest) => ActOutcome

/** Acts on one request. A request repeated with a new message id is answered again and changes nothing (FIS12 §3.3). */
export function decideRequest(input: ActInput, action: AnyRequest, request: BuyerRequest): ActEffect {
  const { policy, conversation, submission, isSubmissionUnique, at } = input
  const { product } = policy
  const { formId, submissionId } = request.response ?? {}
  const isIdentified = isSubmissionUnique && submission?.submissionId === submissionId
  const matched = stepOfForm(product, conversation, formId ?? '', submission?.heading)
  const step = isIdentified || matched?.formId === formId ? matched : undefined
  if (request.providerId !== providerId(policy)) return errorOf('30001', 'there is no such provider')
  if (request.itemId !== itemOf(policy, conversation).id && !isIdentified)
    return errorOf('30004', 'there is no such item')
  if (action === 'confirm' && product.stops) return confirmPaidOut(input, request, product.stops)
  if (action === 'confirm' && product.disbursesOnConfirm) return confirmAndDisburse(input)
  if (action === 'confirm' && product.isOffline(conversation)) return confirmOffline(input)
  if (!step || step.request !== action)
    return errorOf(nackCodes.BPP.invalid, `${action} must answer a form of its stage`)
  if (product.stops && request.branchId !== null) return chooseBranch(input, step, request)
  if (conversation.status === step.statusAfter) return { step, change: null }
  if (hasLapsed(product, conversation, at)) return errorOf('40003', 'the offer has lapsed', { status: 'EXPIRED' })
  if (conversation.status === 'EXPIRED') return errorOf('40003', 'the offer has lapsed')
  const status = nextStatus(product, conversation, step.move)
  if (status === undefined) return errorOf('40001', `${action} is not possible now`)
  if (submission?.submissionId !== submissionId) return errorOf('80216', 'the submission id is not known')

  const consentRequest = step.heading === 'PERSONAL_INFORMATION' ? consentDue(input) : null
  if (consentRequest) return consentRequest
  const branchError = branchFault(input, step, request)
  if (branchError) return branchError
  const handler = required(outcomes[step.heading], `outcome of the step ${step.heading}`)
  const outcome = handler(input, request)
  if ('facts' in outcome) return { step, change: { ...outcome.facts, status } }
  const refusedStatus = requireNextStatus(product, conversation, outcome.move)
  return errorOf(outcome.denial.code, outcome.denial.message, { status: refusedStatus })
}

const errorOf = (code: string, message: string, change: ConversationChange | null = null): ActEffect => ({
  error: { code, message },
  change,
})

const outcomes: Partial<Record<LenderStep['heading'], ActHandler>> = {
  PERSONAL_INFORMATION: firstOffer,
  SET_LOAN_AMOUNT: ({ policy, conversation }, { branchId }) =>
    conversation.scenario === 'refused-after-offer'
      ? { denial: { code: '80226', message: 'the application is declined' }, move: 'refuse' }
      : { facts: policy.product.branches(policy.slug) ? { branchId } : {} },
  KYC: ({ ids, conversation }, { settlement }) => ({
    facts: { paymentId: ids.payment, finderFee: settlement?.fee ?? conversation.finderFee },
  }),
  ACCOUNT_INFORMATION: ({ conversation, submission }) =>
    conversation.scenario === 'account-retry' && submission?.attempt === 1
      ? { denial: { code: '80206', message: 'the account could not be verified' }, move: 'disprove' }
      : { facts: {} },
  KYC_OFFLINE: ({ ids, conversation, at }, { settlement }) => ({
    facts: {
      paymentId: ids.payment,
      finderFee: settlement?.fee ?? conversation.finderFee,
      agreedOn: businessDate(at),
    },
  }),
  JOURNEY_OFFLINE: ({ ids, conversation, at }, { settlement }) => ({
    facts: {
      paymentId: ids.payment,
      finderFee: settlement?.fee ?? conversation.finderFee,
      agreedOn: businessDate(at),
      sanctionedAt: at,
    },
  }),
  EMANDATE: ({ at }) => ({ facts: { agreedOn: businessDate(at) } }),
  LOAN_AGREEMENT: ({ ids, at }) => ({ facts: { orderId: ids.order, sanctionedAt: at } }),
}

/** The consent request of a lender that assesses by bank data, until the data was read (FIS12 §7.8). */
function consentDue({ policy, conversation, bank }: ActInput): ActEffect | null {
  if (policy.assessment === 'bureau' || bank === null) return null
  if ('denial' in bank)
    return errorOf(
      bank.denial.code,
      bank.denial.message,
      bank.denial.code === handleNeeded ? null : { status: 'REFUSED' },
    )
  if (bank.isRead) return null
  const consentHandle = conversation.consentHandle ?? bank.handle
  return {
    consent: consentHandle,
    change: { status: requireNextStatus(policy.product, conversation, 'ask'), consentHandle },
  }
}

/** The error of a missing or unknown branch in the choice of a gold loan (FIS12 §9.1 row 4). */
function branchFault({ policy }: ActInput, step: LenderStep, { branchId }: BuyerRequest): ActEffect | null {
  const branches = policy.product.branches(policy.slug)
  if (!branches || step.heading !== 'SET_LOAN_AMOUNT') return null
  return unknownBranch(branches, branchId)
}

function unknownBranch(branches: readonly { id: string }[], branchId: string | null): ActEffect | null {
  if (branchId === null) return errorOf('80217', 'the branch is missing: location_ids must name one')
  return branches.some(({ id }) => id === branchId) ? null : errorOf('80216', 'there is no such branch')
}

/** With stops, a second `select` repeats the profile with the branch, and opens the page (FIS12 §26.4). */
function chooseBranch(
  { policy, conversation, submission, at }: ActInput,
  step: LenderStep,
  { branchId, response }: BuyerRequest,
): ActEffect {
  const { product } = policy
  if (hasLapsed(product, conversation, at)) return errorOf('40003', 'the offer has lapsed', { status: 'EXPIRED' })
  const status = nextStatus(product, conversation, 'quote')
  if (status === undefined || conversation.principal === null) return errorOf('40001', 'no branch can be chosen now')
  if (submission?.submissionId !== response?.submissionId) return errorOf('80216', 'the submission id is not known')
  return unknownBranch(product.branches(policy.slug) ?? [], branchId) ?? { step, change: { status, branchId } }
}

/** Confirm records a loan that is paid out. It repeats the lender's last report and both terms (FIS12 §26.2). */
function confirmPaidOut(input: ActInput, request: BuyerRequest, { confirmedBy }: StopsShape): ActEffect {
  const { conversation, submission, ids } = input
  const { response, contract } = request
  if (conversation.status === 'EXPIRED') return errorOf('40003', 'the offer has lapsed')
  if (conversation.status !== 'DISBURSED' || !submission) return errorOf('40001', 'confirm is not possible now')
  if (response?.submissionId !== submission.submissionId) return errorOf('80216', 'the submission id is not known')
  if (response.status !== (confirmedBy ?? submission.outcome))
    return errorOf(nackCodes.BPP.invalid, 'confirm must repeat the status of the last report')
  if (!contract) return errorOf(nackCodes.BPP.invalid, 'confirm must have BAP_TERMS and BPP_TERMS')
  if (conversation.orderId !== null) return { paidOut: true, change: null }
  return {
    paidOut: true,
    change: { status: conversation.status, orderId: ids.order, buyerTerms: contract.buyer },
  }
}

/** Confirm of a gold loan disburses: appraisal and signature took place at the branch (FIS12 §9.1 row 8). */
function confirmAndDisburse({ policy, conversation, ids, at }: ActInput): ActEffect {
  if (conversation.status === 'DISBURSED') return { disbursed: true, change: null }
  if (conversation.status === 'EXPIRED') return errorOf('40003', 'the offer has lapsed')
  const status = nextStatus(policy.product, conversation, 'disburse')
  if (status === undefined) return errorOf('40001', 'confirm is not possible now')
  return { disbursed: true, change: { status, orderId: ids.order, disbursedAt: at } }
}

/** Confirm of a loan completed offline; `init` has reported the sanction (FIS12 §19.3). */
function confirmOffline({ policy, conversation, ids }: ActInput): ActEffect {
  const { status } = conversation
  if (status === 'SANCTIONED' || status === 'DISBURSED') return { orderPlaced: true, change: null }
  if (status === 'EXPIRED') return errorOf('40003', 'the offer has lapsed')
  const sanctioned = nextStatus(policy.product, conversation, 'sanction')
  if (sanctioned === undefined) return errorOf('40001', 'confirm is not possible now')
  return { orderPlaced: true, change: { status: sanctioned, orderId: ids.order } }
}

function firstOffer({ policy, conversation, applicant, at }: ActInput): ActOutcome {
  const { scenario } = conversation
  const denial = denialFor(scenario)
  if (denial) return { denial, move: 'refuse' }
  const requiredApplicant = required(applicant, 'applicant of an application')
  const decision = policy.product.decide(policy, conversation, requiredApplicant, businessDate(at))
  if ('refusal' in decision) return { denial: decision.refusal, move: 'refuse' }
  const { principal, months, annualBps } = decision.offer
  return {
    facts: {
      offeredPrincipal: principal,
      offeredMonths: months,
      annualBps,
      // With stops, amount and term are fixed: nothing is left to choose (FIS12 §26.2).
      ...(policy.product.stops && { principal, months }),
      ...validityOf(policy, scenario, at),
    },
  }
}
