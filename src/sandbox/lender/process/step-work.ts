// What a lender does about a complaint later, by itself: it is told unasked, unless the scenario keeps it quiet (FIS12 §20).

import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#sandbox/core/context.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lockById } from '#sandbox/lender/core/store.ts'
import { onIssueOf, onIssueStatusOf, takeStep } from '#sandbox/lender/grievance/do-step.ts'
import { type StepWork, scheduleAfter, stepKind } from '#sandbox/lender/grievance/schedule.ts'
import { issueOf } from '#sandbox/lender/grievance/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

export const resolving = (ctx: Context): Worker =>
  work<StepWork>({
    kind: stepKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => ctx.db.tx((tx) => resolve(tx, ctx, job)),
  })

async function resolve(tx: Tx, ctx: Context, job: Job<StepWork>): Promise<void> {
  const { conversationId, issueId, after, step } = job.payload
  const conversation = await lockById(tx, conversationId)
  const before = await issueOf(tx, conversationId, issueId)
  await finish(tx, job)
  if (!before || before.closed || before.actions.length !== after) return
  const at = ctx.clock()
  const policy = policyFor(conversation)
  const issue = await takeStep(tx, { issue: before, scenario: conversation.scenario }, step, at)
  await scheduleAfter(tx, ctx, { issue, scenario: conversation.scenario }, at)
  if (step.isSilent) return
  if (step.answersIssue) {
    const request = { messageId: issue.messageId, ttl: issue.ttl }
    await sendCallback(tx, ctx, policy, {
      conversation,
      action: 'on_issue',
      content: onIssueOf(policy, issue),
      request,
      at,
    })
    return
  }
  const content = onIssueStatusOf(ctx, policy, issue)
  await sendCallback(tx, ctx, policy, { conversation, action: 'on_issue_status', content, at })
}
