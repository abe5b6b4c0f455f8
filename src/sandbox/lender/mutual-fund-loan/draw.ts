// Plans that some of what was drawn of a credit line is paid back at its lender (FIS12 §17.5).

import type { Tx } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'

export const repaymentKind = 'repay line'

/** Half of what was drawn is paid back as much later. */
export async function scheduleRepayment(tx: Tx, ctx: Context, conversation: Conversation, at: Date): Promise<void> {
  if (conversation.scenario !== 'line-drawn') return
  const { conversationId } = conversation
  const dueAt = secondsAfter(at, ctx.disbursalSeconds)
  await enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind: repaymentKind,
    key: conversationId,
    payload: { conversationId },
    dueAt,
  })
}
