// Some of what was drawn of a credit line is paid back at its lender; the buyer app is told unasked (FIS12 §17.5).
import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { toWholeRupees } from '#kit/money/money.ts'
import type { Context } from '#sandbox/core/context.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lockById, writeConversation } from '#sandbox/lender/core/store.ts'
import { repaymentKind } from '#sandbox/lender/mutual-fund-loan/draw.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'

export const repayingLines = (ctx: Context): Worker =>
  work<{ conversationId: string }>({
    kind: repaymentKind,
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
  const message = await policy.product.onUpdate(tx, { place: ctx, policy, conversation }, at)
  await sendCallback(tx, ctx, policy, { conversation, action: 'on_update', content: { message }, at })
  await finish(tx, job)
}
