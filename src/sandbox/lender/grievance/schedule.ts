// Plans what a lender does about a complaint later, by itself (FIS12 §20).
import type { Tx } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/core/context.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { ScenarioIssue } from './do-step.ts'
import { afterStep, type GrievanceStep, type Issue } from './store.ts'

export const stepKind = 'grievance step'

/** `answersIssue` when it answers the newest issue message, late as that may be. */
type DueStep = GrievanceStep & { answersIssue?: boolean }

export interface StepWork {
  conversationId: string
  issueId: string
  /** How many actions there were when it was planned: a step that was overtaken is not taken. */
  after: number
  step: DueStep
}

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

/** Plans what follows the step that was just taken. */
export async function scheduleAfter(tx: Tx, ctx: Context, { issue, scenario }: ScenarioIssue, at: Date): Promise<void> {
  const step = afterStep(issue, scenario)
  if (step) await scheduleStep(tx, ctx, issue, { step, dueAt: secondsAfter(at, ctx.grievanceSeconds) })
}
