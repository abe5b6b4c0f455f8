// Plans the money: some time after the sanction the loan is disbursed.
import type { Tx } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'

export const disbursalKind = 'disburse'
const slowness = 10

export interface Disbursal {
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
    kind: disbursalKind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}
