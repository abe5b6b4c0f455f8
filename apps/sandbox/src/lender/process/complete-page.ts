// Completes a borrower's page: stores the outcome, moves the conversation, and notifies the buyer app (FIS12 §7.7).

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { Context } from '#sandbox/core/context.ts'
import { type Conversation, hasLapsed, nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import { type PageDecision, wireOutcome } from '#sandbox/lender/core/find-step.ts'
import type { FormInput } from '#sandbox/lender/core/form.ts'
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
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'

/** The state of a page for its borrower: open, open again after a failed attempt, or closed. */
export type PageStatus = 'open' | 'again' | 'done' | 'rejected' | 'expired'

type Retry = [scenario: FaultScenario, code: string, message: string]

const kycRetry: Retry = ['kyc-retry', '80205', 'identification failed and may be tried again']
const accountRetry: Retry = ['account-retry', '80206', 'the account could not be verified']
const lienRetries: Retry[] = [
  ['lien-retry', '80215', 'the lien could not be marked and may be tried again'],
  ['lien-partial', '80215', 'the lien was marked on the first scheme only; the others may be tried again'],
]
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
    retries: lienRetries,
  },
  EMANDATE: { rejects: ['mandate-rejected'], retries: [mandateRetry] },
  LOAN_AGREEMENT: { rejects: [], retries: [esignRetry] },
  SINGLE_REDIRECTION: {
    rejects: ['kyc-rejected', 'lien-rejected', 'mandate-rejected', 'refused-after-offer'],
    retries: [kycRetry, accountRetry, ...lienRetries, mandateRetry, esignRetry],
  },
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
  /** Stores what the borrower entered on the page, sealed. */
  store?: FormInput['store']
}

/**
 * Reports that the borrower has opened the page of a lender with stops; only the first time (FIS12 §26.2). A page that
 * starts pending is reported when the borrower continues on it.
 */
export function beginPage(
  ctx: Context,
  { conversationId, step }: Pick<DecidedPage, 'conversationId' | 'step'>,
  at: Date,
): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const conversation = await lockConversation(tx, conversationId)
    const policy = policyFor(conversation)
    const { product } = policy
    const isOpen = nextStatus(product, conversation, step.completionMove) !== undefined
    if (!isOpen || hasLapsed(product, conversation, at)) return
    if (await submissionOf(tx, conversationId, step.heading)) return
    const submission: Submission = {
      conversationId,
      heading: step.heading,
      submissionId: uuidv4(),
      digest: null,
      outcome: 'OFFLINE_PENDING',
      attempt: 0,
      submittedAt: at,
    }
    await storeSubmission(tx, submission)
    await reportPage(tx, ctx, { conversation, step, submission }, at)
  })
}

/** Sends the on_status after a change of a page. */
export async function reportPage(
  tx: Tx,
  ctx: Context,
  {
    conversation,
    step,
    submission: { outcome, submissionId },
  }: { conversation: Conversation; step: LenderStep; submission: Pick<Submission, 'outcome' | 'submissionId'> },
  at: Date,
): Promise<void> {
  const policy = policyFor(conversation)
  const result = { formId: step.formId, status: wireOutcome(outcome), submissionId }
  const message = await policy.product.onStatus(tx, { deps: ctx, policy, conversation }, result)
  await sendCallback(tx, ctx, policy, { conversation, action: 'on_status', content: { message }, at })
}

/**
 * Completes the page of `step` with the borrower's decision. A completed page does not change, so a second click does
 * nothing. Throws `wrong-state` when the step is not the current one.
 */
export function completePage(
  ctx: Context,
  { conversationId, step, decision, store }: DecidedPage,
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
    const isDone = completed.outcome === step.success
    if (isDone) await store?.(tx, conversationId)
    const reportedAt = isDone ? await reportMoves(tx, ctx, { before, step, submission }, at) : at
    const conversation = completed.status
      ? await writeConversation(tx, before, { status: completed.status }, at)
      : before
    const callback = { conversation, action: 'on_status', at: reportedAt } as const
    if (completed.error) await sendCallback(tx, ctx, policy, { ...callback, content: { error: completed.error } })
    else await reportPage(tx, ctx, { conversation, step, submission }, reportedAt)
    if (isDone && step.endsWithPayout) await scheduleDisbursal(tx, ctx, conversation, reportedAt)
    return pageStatusOf(submission)
  })
}

/**
 * Reports each move that the borrower made on the page before its completion. Returns the time for the next report, because
 * a message must be later than the one before (FIS12 §3.3).
 */
async function reportMoves(
  tx: Tx,
  ctx: Context,
  { before, step, submission }: { before: Conversation; step: LenderStep; submission: Submission },
  at: Date,
): Promise<Date> {
  const { product } = policyFor(before)
  const { reportedMoves = [] } = step
  for (const [i, move] of reportedMoves.entries()) {
    const conversation = { ...before, status: requireNextStatus(product, before, move) }
    const pending = { ...submission, outcome: 'OFFLINE_PENDING' } as const
    await reportPage(tx, ctx, { conversation, step, submission: pending }, new Date(at.getTime() + i))
  }
  return new Date(at.getTime() + reportedMoves.length)
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
