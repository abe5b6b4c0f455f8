// Some of what was drawn of a credit line is paid back at its lender; the buyer app is told unasked (FIS12 §17.5).

import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { toWholeRupees } from '#kit/money/money.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lockById, writeConversation } from '#sandbox/lender/core/store.ts'
import { onUpdateOf } from '#sandbox/lender/products/on-update.ts'
import { policyFor } from '#sandbox/lender/products/policy-for.ts'

const kind = 'repay line'

/** Half of what was drawn is paid back as much later. */
export async function scheduleRepayment(tx: Tx, ctx: Context, conversation: Conversation, at: Date): Promise<void> {
  if (conversation.scenario !== 'line-drawn') return
  const { conversationId } = conversation
  const dueAt = secondsAfter(at, ctx.disbursalSeconds)
  await enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}

export const repayingLines = (ctx: Context): Worker =>
  work<{ conversationId: string }>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => ctx.db.tx((tx) => repay(tx, ctx, job)),
  })

async function repay(tx: Tx, ctx: Context, job: Job<{ conversationId: string }>): Promise<void> {
  const before = await lockById(tx, job.payload.conversationId)
  const at = ctx.clock()
  const drawn = toWholeRupees((before.drawn ?? 0n) / 2n)
  const conversation = await writeConversation(tx, before, { status: before.status, drawn, drawnAt: at }, at)
  const policy = policyFor(conversation)
  const message = await onUpdateOf(tx, ctx, policy, conversation, at)
  await sendCallback(tx, ctx, policy, { conversation, action: 'on_update', content: { message }, at })
  await finish(tx, job)
}
