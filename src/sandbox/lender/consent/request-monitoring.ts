// The consents that lenders ask for: how long one may be given, and one to watch the account of a loan.
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { aggregatorHandle } from '#sandbox/aggregator/parties.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LoanApplicant } from '#sandbox/lender/core/decide.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import { requestConsent } from './aggregator.ts'

const consentDays = 30
const shortSeconds = 20

/** How long a consent may be given and used, in seconds. */
export const consentSeconds = (scenario: FaultScenario | null): number =>
  scenario === 'short-consent' || scenario === 'short-offer' ? shortSeconds : consentDays * 86_400

/** A request of its own each time: one that was refused before cannot be asked for again. */
export async function requestMonitoring(ctx: Context, policy: LenderPolicy, applicant: LoanApplicant): Promise<string> {
  const customer = applicant.aaId ?? `${applicant.mobile}@${aggregatorHandle}`
  const seconds = 360 * 86_400
  return requestConsent(ctx, { policy, customer, purpose: 'monitoring', seconds, requestedId: uuidv4() })
}

/** Plans that a lender asks, before the money, for a consent to watch the account (FIS12 §8.1 row 18). */
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
