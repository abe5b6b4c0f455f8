// Plans that a lender asks, before the money, for a consent to watch the account (FIS12 §8.1 row 18).
import type { Tx } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#sandbox/core/context.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { enqueueFor } from '#sandbox/lender/core/enqueue-for.ts'

export const monitoringKind = 'monitor'

export interface Monitoring {
  conversationId: string
}

export const scheduleMonitoring = (tx: Tx, ctx: Context, { conversationId }: Conversation, at: Date): Promise<void> =>
  enqueueFor(tx, ctx, {
    tenantId: conversationId,
    kind: monitoringKind,
    key: conversationId,
    payload: { conversationId } satisfies Monitoring,
    dueAt: secondsAfter(at, ctx.disbursalSeconds),
  })
