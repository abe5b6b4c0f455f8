// Schedules a lender's later steps on a complaint (FIS12 §20).

import { secondsAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#sandbox/core/context.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { ScenarioIssue } from './lender-action.ts'
import { afterStep, type GrievanceStep } from './next-action.ts'
import type { Issue } from './store.ts'

/** The kind of job that takes a step. */
export const stepKind = 'grievance step'

/** `answersIssue` marks the late answer to the latest issue message. */
type DueStep = GrievanceStep & { answersIssue?: boolean }

export interface StepWork {
  conversationId: string
  issueId: string
  /** Number of actions when the step was scheduled. The step is skipped if the complaint has more when it is due. */
  after: number
  step: DueStep
}

/** Queues a step. Its key allows one step for each number of actions. */
export const scheduleStep = (
  tx: Tx,
  ctx: Context,
  { conversationId, issueId, actions }: Issue,
  { step, dueAt }: { step: DueStep; dueAt: Date },
): Promise<void> =>
  enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind: stepKind,
    key: `${issueId}:${actions.length}`,
    payload: { conversationId, issueId, after: actions.length, step } satisfies StepWork,
    dueAt,
  })

/** Queues the step that follows by itself on the state of a complaint, if any. */
export async function scheduleAfter(tx: Tx, ctx: Context, { issue, scenario }: ScenarioIssue, at: Date): Promise<void> {
  const step = afterStep(issue, scenario)
  if (step) await scheduleStep(tx, ctx, issue, { step, dueAt: secondsAfter(at, ctx.grievanceSeconds) })
}
