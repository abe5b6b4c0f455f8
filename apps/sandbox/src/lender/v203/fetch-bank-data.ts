// Fetches bank data from the account aggregator before the lender answers. Runs without a lock on the conversation.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { parse, Type } from '@lendloom/foundation/schema'
import { businessDate } from '@lendloom/lending/calendar'
import { readBuyerOrder } from '@lendloom/wire/network/v203/select-to-confirm'
import { readUpdate } from '@lendloom/wire/network/v203/update-and-status'
import { aggregatorHandle } from '#sandbox/aggregator/directory.ts'
import type { Context } from '#sandbox/core/context.ts'
import { collectShared, fetchConsentStatus, requestConsent } from '#sandbox/lender/consent/aggregator-client.ts'
import { consentSeconds } from '#sandbox/lender/consent/request-monitoring.ts'
import type { BankDataStatus, LenderRequest } from '#sandbox/lender/core/buyer-request.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { stepOf } from '#sandbox/lender/core/find-step.ts'
import type { LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import { applicantOf } from '#sandbox/lender/core/store.ts'
import type { Policy203 } from './product.ts'

/** Not a final error: the buyer app may repeat the request with another handle. */
export const handleNeeded = '80230'

const denialResult = (code: string, message: string): BankDataStatus => ({ denial: { code, message } })

/** The state of the bank data; null when the answer does not depend on it. */
export async function fetchBankData(
  ctx: Context,
  policy: Policy203,
  conversation: Conversation,
  { action, message }: LenderRequest,
): Promise<BankDataStatus | null> {
  if (
    action === 'select' &&
    policy.assessment === 'account-aggregator' &&
    answersProfile(policy, conversation, message)
  )
    return underwritingData(ctx, policy, conversation)
  if (action === 'update' && conversation.monitoringHandle !== null && reportsApproval(message))
    return { handle: conversation.monitoringHandle, isRead: await isActive(ctx, conversation.monitoringHandle) }
  return null
}

const answersProfile = ({ product }: Policy203, conversation: Conversation, message: unknown): boolean =>
  isReadableAnd(
    () => readBuyerOrder(message).response?.formId === stepOf(product, conversation, 'PERSONAL_INFORMATION').formId,
  )

const reportsApproval = (message: unknown): boolean => isReadableAnd(() => readUpdate(message).target === 'fulfillment')

/** False for an unreadable message, which the handler of the message refuses later. */
function isReadableAnd(check: () => boolean): boolean {
  try {
    return check()
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const isActive = async (ctx: Context, handle: string): Promise<boolean> =>
  (await fetchConsentStatus(ctx, handle)).state === 'active'

async function underwritingData(
  ctx: Context,
  policy: Policy203,
  conversation: Conversation,
): Promise<BankDataStatus | null> {
  const { status, conversationId } = conversation
  if (status === 'CONSENTING') return readSharedData(ctx, conversation)
  const applicant = status === 'PROFILED' ? await applicantOf(ctx.db, ctx.seal, conversationId) : null
  return applicant && requestUnderwritingConsent(ctx, policy, conversation, applicant)
}

/** Requests the consent. Null for an applicant whom the policy refuses anyway. */
async function requestUnderwritingConsent(
  ctx: Context,
  policy: Policy203,
  conversation: Conversation,
  applicant: LoanApplicant,
): Promise<BankDataStatus | null> {
  const { conversationId, scenario } = conversation
  if (
    scenario === 'no-offer' ||
    'refusal' in policy.product.decide(policy, conversation, applicant, businessDate(ctx.clock()))
  )
    return null
  if (scenario === 'consent-failed') return denialResult('80201', 'the consent could not be created')
  const { aaId } = applicant
  // The fault rule refuses only the handle of the mobile number, so that another handle succeeds.
  const isUnknown = scenario === 'handle-needed' && aaId === `${applicant.mobile}@${aggregatorHandle}`
  if (isUnknown || aaId === null) return denialResult(handleNeeded, 'an account aggregator handle is needed')
  const seconds = consentSeconds(scenario)
  const terms = { policy, customer: aaId, purpose: 'underwriting', seconds, requestedId: conversationId } as const
  return { handle: await requestConsent(ctx, terms), isRead: false }
}

const minMonths = 3

const Statement = Type.Object({ Summary: Type.Object({ monthsWithCredits: Type.Integer() }) })

/** Reads the statements after the buyer app reported an approval; verifies the approval with the aggregator. */
async function readSharedData(ctx: Context, { consentHandle, scenario }: Conversation): Promise<BankDataStatus> {
  const handle = required(consentHandle, 'consent handle of a conversation that requested one')
  const consent = await fetchConsentStatus(ctx, handle)
  if (consent.state === 'pending') return { handle, isRead: false }
  if (consent.state === 'refused') return denialResult('80224', 'the consent was not given')
  if (scenario === 'data-failed') return denialResult('80202', 'the data could not be read')
  if (scenario === 'consent-late') return denialResult('80224', 'the consent came too late')
  const statements = (await collectShared(ctx, consent)).map((text) => parse(Statement, JSON.parse(text)))
  const months = Math.max(0, ...statements.map(({ Summary }) => Summary.monthsWithCredits))
  return months < minMonths ? denialResult('80202', 'the account shows no regular income') : { handle, isRead: true }
}
