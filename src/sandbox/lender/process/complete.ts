// A borrower finished a page: the outcome is kept, the conversation moves, and the buyer app is told unasked (FIS12 §7.7).
import type { FormStatus } from '#contract/network/forms.ts'
import type { FormResult } from '#contract/network/v203/page.ts'
import { onStatus } from '#contract/network/v203/status.ts'
import { onStatus as onStatusIn230 } from '#contract/network/v230/status.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#sandbox/context.ts'
import { type Conversation, hasLapsed, moved, whereTo } from '#sandbox/lender/core/conversation.ts'
import type { FaultScenario } from '#sandbox/lender/core/fault-scenarios.ts'
import { draftOf } from '#sandbox/lender/core/order.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { isOffline, type Step } from '#sandbox/lender/core/steps.ts'
import {
  applicantOf,
  keepSubmission,
  lockById,
  type Submission,
  submissionOf,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { lamfDraft } from '#sandbox/lender/mutual-fund-loan/order.ts'
import { policyFor } from '#sandbox/lender/products/policy-for.ts'

export type Decision = 'approve' | 'decline'

/** How a page stands for its borrower: still open, open again after a failed attempt, or over. */
export type PageStatus = 'open' | 'again' | 'done' | 'rejected' | 'expired'

type PageHeading = 'KYC' | 'KYC_OFFLINE' | 'LIEN_MARKING' | 'EMANDATE' | 'LOAN_AGREEMENT' | 'JOURNEY_OFFLINE'
type Retry = [scenario: FaultScenario, code: string, message: string]

const kycRetry: Retry = ['kyc-retry', '80205', 'identification failed and may be tried again']
const mandateRetry: Retry = ['mandate-retry', '80207', 'the mandate could not be set up']
const esignRetry: Retry = ['esign-retry', '80209', 'the signature failed and may be tried again']

/** What the sandbox makes fail: for good, or the first time with this code. */
const scenarios: Record<PageHeading, { rejects: FaultScenario[]; retries: Retry[] }> = {
  KYC: { rejects: ['kyc-rejected'], retries: [kycRetry] },
  KYC_OFFLINE: { rejects: [], retries: [] },
  LIEN_MARKING: {
    rejects: ['lien-rejected'],
    retries: [
      ['lien-retry', '80215', 'the lien could not be marked and may be tried again'],
      ['lien-partial', '80215', 'the lien was marked on the first scheme only; the others may be tried again'],
    ],
  },
  EMANDATE: { rejects: ['mandate-rejected'], retries: [mandateRetry] },
  LOAN_AGREEMENT: { rejects: [], retries: [esignRetry] },
  // One page for all of it: how often the registrar is asked there is the lender's own affair.
  JOURNEY_OFFLINE: {
    rejects: ['kyc-rejected', 'lien-rejected', 'mandate-rejected'],
    retries: [kycRetry, mandateRetry, esignRetry],
  },
}

/**
 * Completes the page of `step` with what the borrower decided. A page that is over stays as it is, so a second click does
 * nothing. Throws a `Refusal` when its turn has not come.
 */
export function completePage(
  ctx: Context,
  conversationId: string,
  step: Step,
  decision: Decision,
  at: Date,
): Promise<PageStatus> {
  return ctx.db.tx(async (tx) => {
    const before = await lockById(tx, conversationId)
    const last = await submissionOf(tx, conversationId, step.heading)
    if (last && pageStatusOf(last) !== 'again' && pageStatusOf(last) !== 'open') return pageStatusOf(last)
    if (whereTo(before, step.filled) === undefined) throw new Refusal('wrong-state', 'this page is not open now')
    const policy = policyFor(before)
    const attempt = (last?.attempt ?? 0) + 1
    const ending = endingOf(before, step, decision, attempt, at)
    const submission: Submission = {
      conversationId,
      heading: step.heading,
      submissionId: last?.submissionId ?? uuidv4(),
      digest: null,
      outcome: ending.outcome,
      attempt,
      submittedAt: at,
    }
    await keepSubmission(tx, submission)
    const conversation = ending.status ? await writeConversation(tx, before, { status: ending.status }, at) : before
    const result = { formId: step.formId, status: toldAs(ending.outcome), submissionId: submission.submissionId }
    const content = ending.error
      ? { error: ending.error }
      : { message: await wordsOf(tx, ctx, policy, conversation, result) }
    await sendCallback(tx, ctx, policy, { conversation, action: 'on_status', content, at })
    return pageStatusOf(submission)
  })
}

/** The loan with the result of its page, in its dialect. */
async function wordsOf(tx: Tx, ctx: Context, policy: Policy, conversation: Conversation, result: FormResult) {
  if (conversation.product === 'LAMF') return onStatusIn230((await lamfDraft(tx, ctx, policy, conversation, result))!)
  const applicant = (await applicantOf(tx, ctx.seal, conversation.conversationId))!
  return onStatus(draftOf(ctx, policy, conversation, applicant, result)!)
}

interface Ending {
  outcome: Submission['outcome']
  /** Null when the conversation stays where it is. */
  status: Conversation['status'] | null
  error: { code: string; message: string } | null
}

function endingOf(conversation: Conversation, step: Step, decision: Decision, attempt: number, at: Date): Ending {
  const { rejects, retries } = scenarios[step.heading as PageHeading]
  const { scenario } = conversation
  if (hasLapsed(conversation, at)) return { outcome: 'EXPIRED', status: moved(conversation, 'lapse'), error: null }
  if (decision === 'decline' || (scenario !== null && rejects.includes(scenario)))
    return { outcome: 'REJECTED', status: moved(conversation, 'reject'), error: null }
  const failure = attempt === 1 && retries.find(([once]) => once === scenario)
  // The lender takes it over first; how it ended is told later (FIS12 §19.3).
  if (attempt === 1 && isOffline(conversation)) return { outcome: 'OFFLINE_PENDING', status: null, error: null }
  if (failure) return { outcome: 'PENDING', status: null, error: { code: failure[1], message: failure[2] } }
  return { outcome: step.success, status: moved(conversation, step.filled), error: null }
}

/** What the buyer app is told: on_status has no word of its own for an offer that lapsed on the page (FIS12 §12.1, §12.3). */
export const toldAs = (outcome: FormStatus): FormStatus => (outcome === 'EXPIRED' ? 'REJECTED' : outcome)

export function pageStatusOf(submission: Submission | undefined): PageStatus {
  if (!submission) return 'open'
  if (submission.outcome === 'PENDING') return 'again'
  if (submission.outcome === 'OFFLINE_PENDING') return 'open'
  if (submission.outcome === 'REJECTED') return 'rejected'
  return submission.outcome === 'EXPIRED' ? 'expired' : 'done'
}
