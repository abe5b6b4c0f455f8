// Decides on select, init and confirm of a loan against mutual funds: a change or an error, without side effects.

import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { drawingPower, type UnitShare } from '@lendloom/wire/hosted/portfolio'
import type { NetworkError } from '@lendloom/wire/network/context'
import { nackCodes } from '@lendloom/wire/network/errors'
import type { BuyerRequest } from '@lendloom/wire/network/v230/select-to-confirm'
import {
  type BorrowerAccount,
  type Conversation,
  hasLapsed,
  nextStatus,
  requireNextStatus,
} from '#sandbox/lender/core/conversation.ts'
import { stepOfForm } from '#sandbox/lender/core/find-step.ts'
import type { ProductPolicy } from '#sandbox/lender/core/product.ts'
import type { ConversationChange, Submission } from '#sandbox/lender/core/store.ts'
import { accountFrom } from './bank-account.ts'
import { loanToValueAt } from './lenders.ts'
import { lamfItem, offerId, providerId } from './message-parts.ts'
import { chosenFrom, isSameChoice } from './pledged-units.ts'
import type { Pledges } from './store.ts'

/** The input of a decision. `submission` belongs to the step that the request answers. */
export interface LamfActInput {
  policy: ProductPolicy
  conversation: Conversation
  pledges: Pledges
  submission: Submission | undefined
  orderId: string
  at: Date
}

/** A null change leaves the conversation as it is, for an error or a repeated request. */
export type LamfActEffect =
  | { change: ConversationChange | null; chosen?: UnitShare[]; account?: BorrowerAccount }
  | { error: NetworkError; change: ConversationChange | null }

type LamfActHandler = (input: LamfActInput, request: BuyerRequest) => LamfActEffect

const errorOf = (code: string, message: string, change: ConversationChange | null = null): LamfActEffect => ({
  error: { code, message },
  change,
})

/** The error of a wrong provider, a wrong item or a lapsed offer; null for a valid request. */
function faultOf({ policy, conversation, at }: LamfActInput, request: BuyerRequest): LamfActEffect | null {
  if (request.providerId !== providerId(policy)) return errorOf('30001', 'there is no such provider')
  const isKnownItem = request.itemId === offerId(policy) && request.parentItemId === lamfItem(policy).id
  if (!isKnownItem) return errorOf('30004', 'there is no such item')
  if (hasLapsed(policy.product, conversation, at))
    return errorOf('40003', 'the offer has lapsed', { status: 'EXPIRED' })
  return conversation.status === 'EXPIRED' ? errorOf('40003', 'the offer has lapsed') : null
}

/** Chooses the units to pledge, which limit the principal. The choice may change until the first init. */
const select: LamfActHandler = ({ policy, conversation, pledges }, request) => {
  const status = nextStatus(policy.product, conversation, 'quote')
  if (status === undefined) return errorOf('40001', 'select is not possible now')
  const { scenario, offeredPrincipal, offeredMonths } = conversation
  if (scenario === 'refused-after-offer')
    return errorOf('80226', 'the application is declined', {
      status: requireNextStatus(policy.product, conversation, 'refuse'),
    })
  const chosen = chosenFrom(pledges.offered, request.pledges)
  if ('denial' in chosen) return errorOf(chosen.denial.code, chosen.denial.message)
  const power = drawingPower(chosen.units, loanToValueAt(policy))
  const maximum = required(offeredPrincipal, 'principal of an offer')
  const principal = power < maximum ? power : maximum
  if (principal < policy.amounts.from) return errorOf('80227', 'these units are not worth enough for the smallest loan')
  return { change: { status, principal, months: offeredMonths }, chosen: chosen.units }
}

const init: LamfActHandler = (input, request) => {
  const { policy, conversation, pledges, submission, at } = input
  if (pledges.chosen === null) return errorOf('40001', 'init is not possible now')
  if (!isSameChoice(pledges.chosen, request.pledges)) return errorOf('80216', 'other units were chosen before')
  if (request.response === null) return initiate(input, request)
  const { formId, submissionId } = request.response
  const step = stepOfForm(policy.product, conversation, formId ?? '')
  if (!step) return errorOf(nackCodes.BPP.invalid, 'init must answer a page of its stage')
  if (conversation.status === step.statusAfter) return { change: null }
  const status = nextStatus(policy.product, conversation, step.move)
  if (status === undefined) return errorOf('40001', 'init is not possible now')
  if (submissionId && submission?.submissionId !== submissionId)
    return errorOf('80216', 'the submission id is not known')
  const isAgreementDay = step.heading === 'EMANDATE' || step.heading === 'JOURNEY_OFFLINE'
  return { change: { status, ...(isAgreementDay && { agreedOn: businessDate(at) }) } }
}

/** The first init, which has the borrower's bank account. */
const initiate: LamfActHandler = ({ policy, conversation }, { disbursal }) => {
  if (conversation.status === 'INITIATED') return { change: null }
  const status = nextStatus(policy.product, conversation, 'initiate')
  if (status === undefined) return errorOf('40001', 'init is not possible now')
  const parsedAccount = accountFrom(disbursal?.account ?? null)
  if ('denial' in parsedAccount) return errorOf(parsedAccount.denial.code, parsedAccount.denial.message)
  // Cleared, because the fault occurs only once.
  if (conversation.scenario === 'account-retry')
    return errorOf('80206', 'the account could not be verified', { status: conversation.status, scenario: null })
  return { change: { status }, account: parsedAccount.account }
}

const confirm: LamfActHandler = ({ policy, conversation, pledges, orderId, at }, request) => {
  if (conversation.orderId !== null) return { change: null }
  const status = nextStatus(policy.product, conversation, 'sanction')
  if (status === undefined) return errorOf('40001', 'confirm is not possible now')
  if (!isSameChoice(required(pledges.chosen, 'choice of units'), request.pledges))
    return errorOf('80216', 'other units were chosen before')
  return { change: { status, orderId, sanctionedAt: at } }
}

const acts = { select, init, confirm }
export type OrderRequest = keyof typeof acts

/** Acts on one request. A request repeated with a new message id is answered again and changes nothing (FIS12 §3.3). */
export const decideRequest = (input: LamfActInput, action: OrderRequest, request: BuyerRequest): LamfActEffect =>
  faultOf(input, request) ?? acts[action](input, request)
