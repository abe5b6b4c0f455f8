// The money: some time after the sanction the loan is disbursed, and the buyer app is told, unless the sandbox keeps silent.
import { onStatus } from '#contract/network/v203/status.ts'
import type { Tx } from '#kit/db/sql.ts'
import { finish, type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/context.ts'
import { type Conversation, moved } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { type CallbackToSend, sendCallback } from '#sandbox/lender/core/send-callback.ts'
import { lastAction, lockById, writeConversation } from '#sandbox/lender/core/store.ts'
import { scheduleRepayment } from '#sandbox/lender/mutual-fund-loan/draw.ts'
import { firstDraw, isLine } from '#sandbox/lender/mutual-fund-loan/lending.ts'
import { onUpdateOf } from '#sandbox/lender/products/on-update.ts'
import { policyFor } from '#sandbox/lender/products/policy-for.ts'
import { disbursedOrder } from '#sandbox/lender/servicing/loan-state.ts'

const kind = 'disburse'
const slowness = 10

interface Disbursal {
  conversationId: string
}

export async function scheduleDisbursal(
  tx: Tx,
  ctx: Context,
  { conversationId, scenario }: Conversation,
  at: Date,
): Promise<void> {
  const { disbursalSeconds } = ctx
  const seconds = scenario === 'slow-disbursal' ? disbursalSeconds * slowness : disbursalSeconds
  const dueAt = secondsAfter(at, seconds)
  await enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}

export const disbursing = (ctx: Context): Worker =>
  work<Disbursal>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => ctx.db.tx((tx) => disburse(tx, ctx, job)),
  })

async function disburse(tx: Tx, ctx: Context, job: Job<Disbursal>): Promise<void> {
  const before = await lockById(tx, job.payload.conversationId)
  const at = ctx.clock()
  const isDraw = before.product === 'LAMF' && isLine(policyFor(before))
  const draw = isDraw && { drawn: firstDraw(before.principal!), drawnAt: at }
  const change = { status: moved(before, 'disburse'), disbursedAt: at, ...draw }
  const conversation = await writeConversation(tx, before, change, at)
  if (conversation.scenario !== 'silent-disbursal' && !(await isRequested(tx, conversation))) {
    const policy = policyFor(conversation)
    await sendCallback(tx, ctx, policy, await newsOf(tx, ctx, policy, conversation, at))
    if (isDraw) await scheduleRepayment(tx, ctx, conversation, at)
  }
  await finish(tx, job)
}

/** In 2.0.3 no on_status follows another: a buyer app that has begun to ask finds the money when it asks next (FIS12 §4.1). */
async function isRequested(tx: Tx, { conversationId, product }: Conversation): Promise<boolean> {
  const last = await lastAction(tx, conversationId)
  return product !== 'LAMF' && (last === 'status' || last === 'on_status')
}

/**
 * Without account monitoring the news is an unsolicited on_status (FIS12 §8.1, variants); in 2.3.0 it is an on_update
 * (FIS12 §10.2 row 14, §17.5).
 */
async function newsOf(
  tx: Tx,
  ctx: Context,
  policy: Policy,
  conversation: Conversation,
  at: Date,
): Promise<CallbackToSend> {
  const news = (action: 'on_status' | 'on_update', message: object): CallbackToSend => ({
    ...{ conversation, action, at },
    content: { message },
  })
  return conversation.product === 'LAMF'
    ? news('on_update', await onUpdateOf(tx, ctx, policy, conversation, at))
    : news('on_status', onStatus(await disbursedOrder(tx, ctx, policy, conversation, at)))
}
