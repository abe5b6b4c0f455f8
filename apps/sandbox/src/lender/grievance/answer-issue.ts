// Answers issue and issue_status by the fault rule of the PAN: at once, late, with a question, or not at all (FIS12 §20).

import { durationMs } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { igmCodecs, readRequestedIssueId } from '@lendloom/wire/network/igm/codec'
import type { ParsedIssue } from '@lendloom/wire/network/igm/complaint'
import { failedReply, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'
import { answerOf, takeStep } from './lender-action.ts'
import { afterIssue, type IssueChange } from './next-action.ts'
import { scheduleAfter, scheduleStep } from './schedule-steps.ts'
import { type Issue, issueOf, storeIssue } from './store.ts'

/** Returns null when the lender does not answer. */
export async function answerIssue(tx: Tx, buyerRequest: ProductRequest): Promise<Reply | null> {
  const { ctx, policy, conversation, request, at } = buyerRequest
  const received = igmCodecs[policy.igmVersion].readIssue(buyerRequest.message)
  const { conversationId, orderId, scenario } = conversation
  if (orderId === null) return failedReply(buyerRequest, '40001', 'there is no loan yet to complain about')
  if (received.orderId !== null && received.orderId !== orderId)
    return failedReply(buyerRequest, '30018', 'there is no such order')
  const before = await issueOf(tx, conversationId, received.issueId)
  if (!before && received.isClosed) return failedReply(buyerRequest, '30018', 'there is no such complaint')
  const escalated = received.actions.some(({ action }) => action === 'ESCALATE')
  const issue: Issue = {
    ...(before ?? {
      conversationId,
      issueId: received.issueId,
      raisedAt: received.createdAt,
      actions: [],
      resolution: null,
    }),
    ...request,
    escalated,
    closed: received.isClosed,
    updatedAt: before?.updatedAt ?? at,
  }
  await storeIssue(tx, issue)
  const answerWith = (current: Issue) => answerOf(tx, ctx, policy, { issue: current, callback: 'on_issue' })
  if (received.isClosed) return null
  const next = afterIssue(issue, scenario, changeIn(received, issue, before))
  if (!next) return issue.actions.length === 0 ? null : { conversation, content: await answerWith(issue) }
  if (next.delay === 'late') {
    const dueAt = new Date(
      Date.parse(received.createdAt) + (durationMs(received.responseTime ?? '') ?? 0) + delayAfterDeadlineMs,
    )
    await scheduleStep(tx, ctx, issue, { step: { ...next.step, answersIssue: true }, dueAt })
    return null
  }
  const answeredIssue = await takeStep(tx, { issue, scenario }, next.step, at)
  await scheduleAfter(tx, ctx, { issue: answeredIssue, scenario }, at)
  return { conversation, content: await answerWith(answeredIssue) }
}

function changeIn(received: ParsedIssue, { escalated }: Issue, before: Issue | undefined): IssueChange {
  if (escalated && !before?.escalated) return 'escalated'
  if (received.isAccepted) return 'accepted'
  return before && received.hasAddition ? 'added' : 'opened'
}

const delayAfterDeadlineMs = 2000

/** Answers with all actions so far; null before the first action. */
export async function answerIssueStatus(tx: Tx, buyerRequest: ProductRequest): Promise<Reply | null> {
  const { ctx, policy, conversation } = buyerRequest
  const issue = await issueOf(tx, conversation.conversationId, readRequestedIssueId(buyerRequest.message))
  if (!issue) return failedReply(buyerRequest, '30018', 'there is no such complaint')
  if (issue.actions.length === 0) return null
  return { conversation, content: await answerOf(tx, ctx, policy, { issue, callback: 'on_issue_status' }) }
}
