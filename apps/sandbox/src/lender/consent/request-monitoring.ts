// How long the consents are valid that lenders request, and the consent to monitor the account of a running loan.

import { secondsAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import { aggregatorHandle } from '#sandbox/aggregator/directory.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import { requestConsent } from './aggregator-client.ts'

/** The validity of a consent for an offer; the aggregator allows a month. */
const consentDays = 30
/** The validity under a fault rule, so that a consent expires while one watches. */
const shortSeconds = 20

/** The validity of a consent for an offer, in seconds. */
export const consentSeconds = (scenario: FaultScenario | null): number =>
  scenario === 'short-consent' || scenario === 'short-offer' ? shortSeconds : consentDays * 86_400

/** Requests the consent to monitor the borrower's account for a year. A new one each time, because a refused one is final. */
export async function requestMonitoring(ctx: Context, policy: LenderPolicy, applicant: LoanApplicant): Promise<string> {
  const customer = applicant.aaId ?? `${applicant.mobile}@${aggregatorHandle}`
  const seconds = 360 * 86_400
  return requestConsent(ctx, { policy, customer, purpose: 'monitoring', seconds, requestedId: uuidv4() })
}

/** The job that requests a monitoring consent before disbursal (FIS12 §8.1 row 18). */
export const monitoringKind = 'monitor'

export interface MonitoringJob {
  conversationId: string
}

export const scheduleMonitoring = (tx: Tx, ctx: Context, { conversationId }: Conversation, at: Date): Promise<void> =>
  enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind: monitoringKind,
    key: conversationId,
    payload: { conversationId } satisfies MonitoringJob,
    dueAt: secondsAfter(at, ctx.disbursalSeconds),
  })
