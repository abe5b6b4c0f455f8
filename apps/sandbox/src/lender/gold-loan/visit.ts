// The branch visit: the borrower books it, the branch ends it, and both are reported to the buyer app (FIS12 §9.1
// rows 5–6).

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import type { FormStatus } from '@lendloom/wire/network/form-status'
import type { Context } from '#sandbox/core/context.ts'
import {
  type Conversation,
  hasLapsed,
  type LoanMove,
  nextStatus,
  requireNextStatus,
} from '#sandbox/lender/core/conversation.ts'
import { type PageDecision, stepOf } from '#sandbox/lender/core/find-step.ts'
import {
  type ConversationFacts,
  lockConversation,
  storeSubmission,
  submissionOf,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { reportPage } from '#sandbox/lender/process/complete-page.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { scheduleDisbursal } from '#sandbox/lender/servicing/loan-state.ts'

const heading = 'JOURNEY_OFFLINE'

/** Books the visit, unless it is already booked. Throws `wrong-state` when no visit can be booked. */
export function bookVisit(ctx: Context, conversationId: string, visitAt: Date, at: Date): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const before = await lockConversation(tx, conversationId)
    if (before.status === 'BOOKED') return
    const { product } = policyFor(before)
    if (nextStatus(product, before, 'book') === undefined)
      throw new Refusal('wrong-state', 'no visit can be booked now')
    if (hasLapsed(product, before, at)) return recordResult(tx, ctx, { before, move: 'lapse', outcome: 'EXPIRED' }, at)
    await recordResult(tx, ctx, { before, move: 'book', outcome: 'OFFLINE_PENDING', facts: { visitAt } }, at)
  })
}

/** Ends the visit: the gold is appraised and the agreement signed, the branch rejects it, or the borrower cancels. */
export function endVisit(ctx: Context, conversationId: string, decision: PageDecision, at: Date): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const before = await lockConversation(tx, conversationId)
    const { product } = policyFor(before)
    const isOpen = nextStatus(product, before, decision === 'approve' ? 'visit' : 'reject') !== undefined
    if (!isOpen) return
    if (hasLapsed(product, before, at)) return recordResult(tx, ctx, { before, move: 'lapse', outcome: 'EXPIRED' }, at)
    const isRefused = decision === 'decline' || before.scenario === 'gold-refused'
    const isSilent = before.scenario === 'silent-visit' && before.status === 'BOOKED'
    const result: VisitResult = isRefused
      ? { before, move: 'reject', outcome: 'REJECTED', isSilent }
      : { before, move: 'visit', outcome: stepOf(product, before, heading).success, isSilent }
    await recordResult(tx, ctx, result, at)
  })
}

interface VisitResult {
  before: Conversation
  move: LoanMove
  outcome: FormStatus
  facts?: ConversationFacts
  isSilent?: boolean
}

async function recordResult(tx: Tx, ctx: Context, visitResult: VisitResult, at: Date): Promise<void> {
  const { before, move, outcome, facts = {}, isSilent = false } = visitResult
  const { conversationId } = before
  const previous = await submissionOf(tx, conversationId, heading)
  const submissionId = previous?.submissionId ?? uuidv4()
  const attempt = (previous?.attempt ?? 0) + 1
  await storeSubmission(tx, { conversationId, heading, submissionId, digest: null, outcome, attempt, submittedAt: at })
  const { product } = policyFor(before)
  const conversation = await writeConversation(
    tx,
    before,
    { ...facts, status: requireNextStatus(product, before, move) },
    at,
  )
  const step = stepOf(product, conversation, heading)
  if (outcome === step.success && step.endsWithPayout) await scheduleDisbursal(tx, ctx, conversation, at)
  if (!isSilent) await reportPage(tx, ctx, { conversation, step, submission: { outcome, submissionId } }, at)
}
