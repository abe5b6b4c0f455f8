// What a lender does about a complaint later, by itself: it is told unasked, unless the scenario keeps it quiet (FIS12 §20).
import { secondsAfter } from '#kit/clock.ts'
import { finish, type Job, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { Conversation } from '#sandbox/lender/conversation.ts'
import { enqueueFor } from '#sandbox/lender/enqueue-for.ts'
import { policyFor } from '#sandbox/lender/policy-for.ts'
import { say } from '#sandbox/lender/say.ts'
import { lockById } from '#sandbox/lender/store.ts'
import type { World } from '#sandbox/world.ts'
import { onIssueOf, onIssueStatusOf, takeStep } from './do-step.ts'
import { afterStep, type Issue, type Step } from './issue.ts'
import { issueOf } from './store.ts'

const kind = 'grievance step'

/** `asked` when it answers the newest issue message, late as that may be. */
type Due = Step & { asked?: boolean }

interface StepWork {
  conversationId: string
  issueId: string
  /** How many actions there were when it was planned: a step that was overtaken is not taken. */
  after: number
  step: Due
}

export const scheduleStep = (
  tx: Tx,
  world: World,
  { conversationId, issueId, actions }: Issue,
  step: Due,
  dueAt: Date,
): Promise<void> =>
  enqueueFor(tx, world, {
    tenantId: conversationId,
    kind,
    key: `${issueId}:${actions.length}`,
    payload: { conversationId, issueId, after: actions.length, step } satisfies StepWork,
    dueAt,
  })

/** Plans what follows the step that was just taken. */
export async function scheduleAfter(
  tx: Tx,
  world: World,
  { twist }: Conversation,
  issue: Issue,
  at: Date,
): Promise<void> {
  const step = afterStep(issue, twist)
  if (step) await scheduleStep(tx, world, issue, step, secondsAfter(at, world.grievanceSeconds))
}

export const resolving = (world: World): Worker =>
  work<StepWork>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => world.db.tx((tx) => resolve(tx, world, job)),
  })

async function resolve(tx: Tx, world: World, job: Job<StepWork>): Promise<void> {
  const { conversationId, issueId, after, step } = job.payload
  const conversation = await lockById(tx, conversationId)
  const before = await issueOf(tx, conversationId, issueId)
  await finish(tx, job)
  if (!before || before.closed || before.actions.length !== after) return
  const at = world.clock()
  const policy = policyFor(conversation)
  const issue = await takeStep(tx, conversation.twist, before, step, at)
  await scheduleAfter(tx, world, conversation, issue, at)
  if (step.untold) return
  if (step.asked) {
    const request = { messageId: issue.messageId, ttl: issue.ttl }
    await say(tx, world, policy, { conversation, action: 'on_issue', content: onIssueOf(policy, issue), request, at })
    return
  }
  const content = onIssueStatusOf(world, policy, issue)
  await say(tx, world, policy, { conversation, action: 'on_issue_status', content, at })
}
