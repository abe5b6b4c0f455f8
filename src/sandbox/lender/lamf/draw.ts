// Some of what was drawn of a credit line is paid back at its lender; the buyer app is told unasked (FIS12 §17.5).
import { secondsAfter } from '#kit/clock.ts'
import { toWholeRupees } from '#kit/money.ts'
import { finish, type Job, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { Conversation } from '#sandbox/lender/conversation.ts'
import { enqueueFor } from '#sandbox/lender/enqueue-for.ts'
import { policyFor } from '#sandbox/lender/policy-for.ts'
import { say } from '#sandbox/lender/say.ts'
import { onUpdateOf } from '#sandbox/lender/servicing/on-update.ts'
import { lockById, writeConversation } from '#sandbox/lender/store.ts'
import type { World } from '#sandbox/world.ts'

const kind = 'repay line'

/** Half of what was drawn is paid back as much later. */
export async function scheduleRepayment(tx: Tx, world: World, conversation: Conversation, at: Date): Promise<void> {
  if (conversation.twist !== 'line-drawn') return
  const { conversationId } = conversation
  const dueAt = secondsAfter(at, world.disbursalSeconds)
  await enqueueFor(tx, world, {
    tenantId: conversationId,
    kind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}

export const repayingLines = (world: World): Worker =>
  work<{ conversationId: string }>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => world.db.tx((tx) => repay(tx, world, job)),
  })

async function repay(tx: Tx, world: World, job: Job<{ conversationId: string }>): Promise<void> {
  const before = await lockById(tx, job.payload.conversationId)
  const at = world.clock()
  const drawn = toWholeRupees((before.drawn ?? 0n) / 2n)
  const conversation = await writeConversation(tx, before, { status: before.status, drawn, drawnAt: at }, at)
  const policy = policyFor(conversation)
  const message = await onUpdateOf(tx, world, policy, conversation, at)
  await say(tx, world, policy, { conversation, action: 'on_update', content: { message }, at })
  await finish(tx, job)
}
