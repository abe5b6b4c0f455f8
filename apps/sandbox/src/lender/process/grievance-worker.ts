// The worker that takes a lender's scheduled steps on a complaint (FIS12 §20).

import type { Tx } from '@lendloom/postgres/sql'
import { finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import { igmCodecs } from '@lendloom/wire/network/igm/codec'
import type { Context } from '#sandbox/core/context.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lockConversation } from '#sandbox/lender/core/store.ts'
import { answerOf, takeStep } from '#sandbox/lender/grievance/lender-action.ts'
import { type StepWork, scheduleAfter, stepKind } from '#sandbox/lender/grievance/schedule-steps.ts'
import { issueOf } from '#sandbox/lender/grievance/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

/** Starts the worker that takes the steps on complaints. */
export const grievanceWorker = (ctx: Context): Worker =>
  work<StepWork>({ kind: stepKind, ...ctx, handle: (job) => ctx.db.tx((tx) => runStep(tx, ctx, job)) })

/** Takes a step, unless the complaint has changed since the step was scheduled. Some steps send no callback. */
async function runStep(tx: Tx, ctx: Context, job: Job<StepWork>): Promise<void> {
  const { conversationId, issueId, after, step } = job.payload
  const conversation = await lockConversation(tx, conversationId)
  const before = await issueOf(tx, conversationId, issueId)
  await finish(tx, job)
  if (!before || before.closed || before.actions.length !== after) return
  const at = ctx.clock()
  const policy = policyFor(conversation)
  const issue = await takeStep(tx, { issue: before, scenario: conversation.scenario }, step, at)
  await scheduleAfter(tx, ctx, { issue, scenario: conversation.scenario }, at)
  if (step.isSilent) return
  const action = step.answersIssue ? 'on_issue' : igmCodecs[policy.igmVersion].progressCallback
  const content = await answerOf(tx, ctx, policy, { issue, callback: action })
  const request = step.answersIssue && { request: { messageId: issue.messageId, ttl: issue.ttl } }
  await sendCallback(tx, ctx, policy, { conversation, action, content, at, ...request })
}
