// The money: some time after the sanction the loan is disbursed, and the buyer app is told, unless the sandbox keeps silent.
import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#sandbox/core/context.ts'
import { moved } from '#sandbox/lender/core/conversation.ts'
import { sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lastAction, lockById, writeConversation } from '#sandbox/lender/core/store.ts'
import { policyFor } from '#sandbox/lender/products/products.ts'
import { type Disbursal, disbursalKind } from '#sandbox/lender/servicing/schedule-disbursal.ts'

export const disbursing = (ctx: Context): Worker =>
  work<Disbursal>({
    kind: disbursalKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => ctx.db.tx((tx) => disburse(tx, ctx, job)),
  })

async function disburse(tx: Tx, ctx: Context, job: Job<Disbursal>): Promise<void> {
  const before = await lockById(tx, job.payload.conversationId)
  const at = ctx.clock()
  const policy = policyFor(before)
  const { product } = policy
  const { facts, action, mayFollow, message, after } = product.disbursal
  const change = { ...facts(policy, before, at), status: moved(product, before, 'disburse'), disbursedAt: at }
  const conversation = await writeConversation(tx, before, change, at)
  const last = await lastAction(tx, conversation.conversationId)
  if (conversation.scenario !== 'silent-disbursal' && mayFollow(last)) {
    const content = { message: await message(tx, { place: ctx, policy, conversation }, at) }
    await sendCallback(tx, ctx, policy, { conversation, action, content, at })
    await after?.(tx, ctx, conversation, at)
  }
  await finish(tx, job)
}
