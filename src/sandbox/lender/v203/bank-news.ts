// What a lender learns from the account aggregator before it answers; asked while nothing is locked.

import { readBuyerOrder } from '#contract/network/v203/buyer-order.ts'
import { readUpdate } from '#contract/network/v203/update.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { parse, Type } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { required } from '#kit/runtime/record.ts'
import { aggregatorHandle } from '#sandbox/aggregator/parties.ts'
import type { Context } from '#sandbox/core/context.ts'
import { collectShared, fetchConsentStatus, requestConsent } from '#sandbox/lender/consent/aggregator.ts'
import { consentSeconds } from '#sandbox/lender/consent/request-monitoring.ts'
import type { BankDataStatus, LenderRequest } from '#sandbox/lender/core/buyer-request.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LoanApplicant } from '#sandbox/lender/core/decide.ts'
import { stepOf } from '#sandbox/lender/core/steps.ts'
import { applicantOf } from '#sandbox/lender/core/store.ts'
import type { Policy203 } from './product.ts'

/** Not the end: the same may be asked again with another handle. */
export const handleNeeded = '80230'

const denied = (code: string, message: string): BankDataStatus => ({ denial: { code, message } })

/** Null where the answer to the message does not depend on bank data. */
export async function bankNews(
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
    return underwriting(ctx, policy, conversation)
  if (action === 'update' && conversation.monitoringHandle !== null && tellsApproval(message))
    return { handle: conversation.monitoringHandle, isRead: await isActive(ctx, conversation.monitoringHandle) }
  return null
}

const answersProfile = ({ product }: Policy203, conversation: Conversation, message: unknown): boolean =>
  readable(
    () => readBuyerOrder(message).response?.formId === stepOf(product, conversation, 'PERSONAL_INFORMATION').formId,
  )

const tellsApproval = (message: unknown): boolean => readable(() => readUpdate(message).target === 'fulfillment')

/** A message that cannot be read is for its answerer to refuse. */
function readable(says: () => boolean): boolean {
  try {
    return says()
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

const isActive = async (ctx: Context, handle: string): Promise<boolean> =>
  (await fetchConsentStatus(ctx, handle)).is === 'active'

async function underwriting(
  ctx: Context,
  policy: Policy203,
  conversation: Conversation,
): Promise<BankDataStatus | null> {
  const { status, conversationId } = conversation
  if (status === 'CONSENTING') return shared(ctx, conversation)
  const applicant = status === 'PROFILED' ? await applicantOf(ctx.db, ctx.seal, conversationId) : null
  return applicant && asking(ctx, policy, conversation, applicant)
}

/** A borrower whom it would turn away in any case is not asked to share anything. */
async function asking(
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
  if (scenario === 'consent-failed') return denied('80201', 'the consent could not be created')
  const { aaId } = applicant
  // Simulated faults apply to the mobile number's own handle; another one is accepted.
  const isUnknown = scenario === 'handle-needed' && aaId === `${applicant.mobile}@${aggregatorHandle}`
  if (isUnknown || aaId === null) return denied(handleNeeded, 'an account aggregator handle is needed')
  const seconds = consentSeconds(scenario)
  const requested = { policy, customer: aaId, purpose: 'underwriting', seconds, requestedId: conversationId } as const
  return { handle: await requestConsent(ctx, requested), isRead: false }
}

const leastMonths = 3

/** A bank's statement of an account. */
const Statement = Type.Object({ Summary: Type.Object({ monthsWithCredits: Type.Integer() }) })

/** The buyer app reported an approval: asks the aggregator and reads the statements. */
async function shared(ctx: Context, { consentHandle, scenario }: Conversation): Promise<BankDataStatus> {
  const handle = required(consentHandle, 'consent handle of a conversation that asks for one')
  const report = await fetchConsentStatus(ctx, handle)
  if (report.is === 'pending') return { handle, isRead: false }
  if (report.is === 'refused') return denied('80224', 'the consent was not given')
  if (scenario === 'data-failed') return denied('80202', 'the data could not be read')
  if (scenario === 'consent-late') return denied('80224', 'the consent came too late')
  const statements = (await collectShared(ctx, report)).map((text) => parse(Statement, JSON.parse(text)))
  const months = Math.max(0, ...statements.map(({ Summary }) => Summary.monthsWithCredits))
  return months < leastMonths ? denied('80202', 'the account shows no regular income') : { handle, isRead: true }
}
