// Completes a borrower's page: stores the outcome, moves the conversation, and notifies the buyer app (FIS12 §7.7).

import { Refusal } from '@lendloom/foundation/refusal'
import { uuidv4 } from '@lendloom/seal/id'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { Context } from '#sandbox/core/context.ts'
import { type Conversation, hasLapsed, nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { type PageDecision, wireOutcome } from '#sandbox/lender/core/find-step.ts'
import type { LendingProduct } from '#sandbox/lender/core/product.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import type { LenderStep, StepHeading } from '#sandbox/lender/core/step.ts'
import {
  lockConversation,
  type Submission,
  storeSubmission,
  submissionOf,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

/** The state of a page for its borrower: open, open again after a failed attempt, or closed. */
export type PageStatus = 'open' | 'again' | 'done' | 'rejected' | 'expired'

type Retry = [scenario: FaultScenario, code: string, message: string]

const kycRetry: Retry = ['kyc-retry', '80205', 'identification failed and may be tried again']
const mandateRetry: Retry = ['mandate-retry', '80207', 'the mandate could not be set up']
const esignRetry: Retry = ['esign-retry', '80209', 'the signature failed and may be tried again']

/** Fault rules of a page: those that reject, and those that fail the first attempt with a code. */
interface Failures {
  rejects: FaultScenario[]
  retries: Retry[]
}

const noFailures: Failures = { rejects: [], retries: [] }
const failures: Partial<Record<StepHeading, Failures>> = {
  KYC: { rejects: ['kyc-rejected'], retries: [kycRetry] },
  LIEN_MARKING: {
    rejects: ['lien-rejected'],
    retries: [
      ['lien-retry', '80215', 'the lien could not be marked and may be tried again'],
      ['lien-partial', '80215', 'the lien was marked on the first scheme only; the others may be tried again'],
    ],
  },
  EMANDATE: { rejects: ['mandate-rejected'], retries: [mandateRetry] },
  LOAN_AGREEMENT: { rejects: [], retries: [esignRetry] },
  // The combined page has no rules for retrying the lien: they are internal to the lender.
  JOURNEY_OFFLINE: {
    rejects: ['kyc-rejected', 'lien-rejected', 'mandate-rejected'],
    retries: [kycRetry, mandateRetry, esignRetry],
  },
}

/** A step's page and the borrower's decision. */
export interface DecidedPage {
  conversationId: string
  step: LenderStep
  decision: PageDecision
}

/**
 * Completes the page of `step` with the borrower's decision. A completed page does not change, so a second click does
 * nothing. Throws `wrong-state` when the step is not the current one.
 */
export function completePage(
  ctx: Context,
  { conversationId, step, decision }: DecidedPage,
  at: Date,
): Promise<PageStatus> {
  return ctx.db.tx(async (tx) => {
    const before = await lockConversation(tx, conversationId)
    const last = await submissionOf(tx, conversationId, step.heading)
    if (last && pageStatusOf(last) !== 'again' && pageStatusOf(last) !== 'open') return pageStatusOf(last)
    const policy = policyFor(before)
    if (nextStatus(policy.product, before, step.completionMove) === undefined)
      throw new Refusal('wrong-state', 'this page is not open now')
    const attempt = (last?.attempt ?? 0) + 1
    const completed = resultOf(policy.product, before, { step, decision, attempt }, at)
    const submission: Submission = {
      conversationId,
      heading: step.heading,
      submissionId: last?.submissionId ?? uuidv4(),
      digest: null,
      outcome: completed.outcome,
      attempt,
      submittedAt: at,
    }
    await storeSubmission(tx, submission)
    const conversation = completed.status
      ? await writeConversation(tx, before, { status: completed.status }, at)
      : before
    const result = {
      formId: step.formId,
      status: wireOutcome(completed.outcome),
      submissionId: submission.submissionId,
    }
    const content = completed.error
      ? { error: completed.error }
      : { message: await policy.product.onStatus(tx, { deps: ctx, policy, conversation }, result) }
    await sendCallback(tx, ctx, policy, { conversation, action: 'on_status', content, at })
    return pageStatusOf(submission)
  })
}

interface PageResult {
  outcome: Submission['outcome']
  /** Null when the status does not change. */
  status: Conversation['status'] | null
  error: { code: string; message: string } | null
}

function resultOf(
  product: LendingProduct,
  conversation: Conversation,
  { step, decision, attempt }: { step: LenderStep; decision: PageDecision; attempt: number },
  at: Date,
): PageResult {
  const { rejects, retries } = failures[step.heading] ?? noFailures
  const { scenario } = conversation
  if (hasLapsed(product, conversation, at))
    return { outcome: 'EXPIRED', status: requireNextStatus(product, conversation, 'lapse'), error: null }
  if (decision === 'decline' || (scenario !== null && rejects.includes(scenario)))
    return { outcome: 'REJECTED', status: requireNextStatus(product, conversation, 'reject'), error: null }
  const failure = attempt === 1 && retries.find(([retryRule]) => retryRule === scenario)
  if (attempt === 1 && step.startsPending) return { outcome: 'OFFLINE_PENDING', status: null, error: null }
  if (failure) return { outcome: 'PENDING', status: null, error: { code: failure[1], message: failure[2] } }
  return { outcome: step.success, status: requireNextStatus(product, conversation, step.completionMove), error: null }
}

export function pageStatusOf(submission: Submission | undefined): PageStatus {
  if (!submission) return 'open'
  if (submission.outcome === 'PENDING') return 'again'
  if (submission.outcome === 'OFFLINE_PENDING') return 'open'
  if (submission.outcome === 'REJECTED') return 'rejected'
  return submission.outcome === 'EXPIRED' ? 'expired' : 'done'
}
