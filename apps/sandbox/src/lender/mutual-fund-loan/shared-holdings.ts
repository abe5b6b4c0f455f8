// Holdings from the account aggregator: requests the consent and reads the shared data (FIS12 §7.8, §10.2 row 3).

import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import { readPortfolio } from '@lendloom/wire/hosted/read-portfolio'
import { scenarioFor } from '@lendloom/wire/sandbox/fault-scenarios'
import type { Context } from '#sandbox/core/context.ts'
import { collectShared, fetchConsentStatus, requestConsent } from '#sandbox/lender/consent/aggregator-client.ts'
import { consentSeconds } from '#sandbox/lender/consent/request-monitoring.ts'
import type { PortfolioStatus } from '#sandbox/lender/core/buyer-request.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { denialFor, eligibility, type LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'

const finalDenial = (code: string, message: string): PortfolioStatus => ({ denial: { code, message }, isFinal: true })

/** Requests the consent. Null for an applicant whom the policy refuses anyway. */
export async function requestHoldingsConsent(
  ctx: Context,
  policy: LenderPolicy,
  conversation: Conversation,
  applicant: LoanApplicant,
): Promise<PortfolioStatus | null> {
  const scenario = scenarioFor(applicant.pan, policy.slug)
  if (denialFor(scenario) || 'refusal' in eligibility(policy, applicant, businessDate(ctx.clock()))) return null
  if (scenario === 'consent-failed') return finalDenial('80201', 'the consent could not be created')
  const { aaId } = applicant
  if (aaId === null) return { denial: { code: '80217', message: 'missing: aa_id' } }
  if (scenario === 'handle-needed') return { denial: { code: '80216', message: 'this aa_id is not accepted' } }
  const terms = {
    policy,
    customer: aaId,
    purpose: 'holdings',
    seconds: consentSeconds(scenario),
    requestedId: conversation.conversationId,
  } as const
  return { handle: await requestConsent(ctx, terms) }
}

/** Reads the holdings after the buyer app reported an approval; verifies the approval with the aggregator. */
export async function sharedHoldings(
  ctx: Context,
  { consentHandle, scenario }: Conversation,
): Promise<PortfolioStatus> {
  const handle = required(consentHandle, 'consent handle of a conversation that requested one')
  const consent = await fetchConsentStatus(ctx, handle)
  if (consent.state === 'pending') return { handle }
  if (consent.state === 'refused') return finalDenial('80224', 'the consent was not given')
  if (scenario === 'data-failed') return finalDenial('80202', 'the data could not be read')
  if (scenario === 'consent-late') return finalDenial('80224', 'the consent came too late')
  const folios = (await collectShared(ctx, consent)).map(readPortfolio)
  return { pan: null, holdings: folios.flatMap(({ holdings }) => holdings) }
}
