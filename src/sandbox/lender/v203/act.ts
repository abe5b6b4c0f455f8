// A lender's decision on select, init and confirm: pure, returned as a change and an answer.

import type { NetworkError } from '#contract/network/context.ts'
import { nackCodes } from '#contract/network/errors.ts'
import type { AnyRequest } from '#contract/network/igm/actions.ts'
import type { BuyerRequest } from '#contract/network/v203/buyer-order.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { required } from '#kit/runtime/record.ts'
import type { BankDataStatus } from '#sandbox/lender/core/buyer-request.ts'
import {
  type Conversation,
  hasLapsed,
  type LoanMove,
  nextStatus,
  requireNextStatus,
} from '#sandbox/lender/core/conversation.ts'
import { type Denial, denialFor, type LoanApplicant, validityOf } from '#sandbox/lender/core/decide.ts'
import { providerId } from '#sandbox/lender/core/order.ts'
import type { LenderStep } from '#sandbox/lender/core/step.ts'
import { stepOfForm } from '#sandbox/lender/core/steps.ts'
import type { ConversationChange, ConversationFacts, Submission } from '#sandbox/lender/core/store.ts'
import { handleNeeded } from './bank-news.ts'
import { itemOf } from './draft.ts'
import type { Policy203 } from './product.ts'

/** All input of the act. `ids` are new, for what it creates. */
export interface Scene {
  policy: Policy203
  conversation: Conversation
  applicant: LoanApplicant | null
  submission: Submission | undefined
  /** Whether no other offer in this transaction rests on that submission: then it tells which item and form are meant. */
  isOnly: boolean
  ids: { payment: string; order: string }
  /** The account aggregator's report to the lender; null when it was not asked. */
  bank: BankDataStatus | null
  at: Date
}

/** Either the step went on, or it did not and the callback carries the error. No change means that nothing was done. */
export type ActEffect =
  | { step: LenderStep; change: ConversationChange | null }
  | { consent: string; change: ConversationChange | null }
  /** A gold loan is paid out: its confirmation answers no form. */
  | { paidOut: true; change: ConversationChange | null }
  /** A personal loan that was concluded offline is placed: neither does its confirmation. */
  | { placed: true; change: ConversationChange | null }
  | { error: NetworkError; change: ConversationChange | null }

/** A refusal within a step, and where it leaves the conversation. */
type ActOutcome = { facts: ConversationFacts } | { denial: Denial; move: LoanMove }
type ActHandler = (scene: Scene, request: BuyerRequest) => ActOutcome

/** Acts on one request. A request repeated with a new message id is answered again and changes nothing (FIS12 §3.3). */
export function act(scene: Scene, action: AnyRequest, request: BuyerRequest): ActEffect {
  const { policy, conversation, submission, isOnly, at } = scene
  const { product } = policy
  const { formId, submissionId } = request.response ?? {}
  const isNamed = isOnly && submission?.submissionId === submissionId
  const found = stepOfForm(product, conversation, formId ?? '', submission?.heading)
  const step = isNamed || found?.formId === formId ? found : undefined
  if (request.providerId !== providerId(policy)) return failed('30001', 'there is no such provider')
  if (request.itemId !== itemOf(policy, conversation).id && !isNamed) return failed('30004', 'there is no such item')
  if (action === 'confirm' && product.paysOutOnConfirm) return payOut(scene)
  if (action === 'confirm' && product.isOffline(conversation)) return place(scene)
  if (!step || step.request !== action)
    return failed(nackCodes.BPP.invalid, `${action} must answer a form of its stage`)
  if (conversation.status === step.statusAfter) return { step, change: null }
  if (hasLapsed(product, conversation, at)) return failed('40003', 'the offer has lapsed', { status: 'EXPIRED' })
  if (conversation.status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  const status = nextStatus(product, conversation, step.move)
  if (status === undefined) return failed('40001', `${action} is not possible now`)
  if (submission?.submissionId !== submissionId) return failed('80216', 'the submission id is not known')

  const waits = step.heading === 'PERSONAL_INFORMATION' ? consentDue(scene) : null
  if (waits) return waits
  const unknown = branchFault(scene, step, request)
  if (unknown) return unknown
  const stage = required(outcomes[step.heading], `outcome of the step ${step.heading}`)
  const outcome = stage(scene, request)
  if ('facts' in outcome) return { step, change: { ...outcome.facts, status } }
  const refused = requireNextStatus(product, conversation, outcome.move)
  return failed(outcome.denial.code, outcome.denial.message, { status: refused })
}

const failed = (code: string, message: string, change: ConversationChange | null = null): ActEffect => ({
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

/** A lender that judges by bank data asks for it first, and as long as it is not there (FIS12 §7.8). */
function consentDue({ policy, conversation, bank }: Scene): ActEffect | null {
  if (policy.assessment === 'bureau' || bank === null) return null
  if ('denial' in bank)
    return failed(
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

/** Gold is brought to one of the lender's branches, so the choice of the amount names one (FIS12 §9.1 row 4). */
function branchFault({ policy }: Scene, step: LenderStep, { branchId }: BuyerRequest): ActEffect | null {
  const branches = policy.product.branches(policy.slug)
  if (!branches || step.heading !== 'SET_LOAN_AMOUNT') return null
  if (branchId === null) return failed('80217', 'the branch is missing: location_ids must name one')
  return branches.some(({ id }) => id === branchId) ? null : failed('80216', 'there is no such branch')
}

/** The gold was appraised and the agreement signed at the branch, so the confirmation pays out (FIS12 §9.1 row 8). */
function payOut({ policy, conversation, ids, at }: Scene): ActEffect {
  if (conversation.status === 'DISBURSED') return { paidOut: true, change: null }
  if (conversation.status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  const status = nextStatus(policy.product, conversation, 'disburse')
  if (status === undefined) return failed('40001', 'confirm is not possible now')
  return { paidOut: true, change: { status, orderId: ids.order, disbursedAt: at } }
}

/** Everything was completed on the lender's page, and `init` reported the sanction (FIS12 §19.3). */
function place({ policy, conversation, ids }: Scene): ActEffect {
  const { status } = conversation
  if (status === 'SANCTIONED' || status === 'DISBURSED') return { placed: true, change: null }
  if (status === 'EXPIRED') return failed('40003', 'the offer has lapsed')
  const next = nextStatus(policy.product, conversation, 'sanction')
  if (next === undefined) return failed('40001', 'confirm is not possible now')
  return { placed: true, change: { status: next, orderId: ids.order } }
}

function firstOffer({ policy, conversation, applicant, at }: Scene): ActOutcome {
  const { scenario } = conversation
  const denial = denialFor(scenario)
  if (denial) return { denial, move: 'refuse' }
  const who = required(applicant, 'applicant of an application')
  const decision = policy.product.decide(policy, conversation, who, businessDate(at))
  if ('refusal' in decision) return { denial: decision.refusal, move: 'refuse' }
  const { principal, months, annualBps } = decision.offer
  return {
    facts: { offeredPrincipal: principal, offeredMonths: months, annualBps, ...validityOf(policy, scenario, at) },
  }
}
