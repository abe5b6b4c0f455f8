// Puts a lifecycle update on its way: one delivery per destination, in the transaction of what happened (D1 §6).
import type { Tx } from '#kit/db/sql.ts'
import { trace } from '#kit/runtime/trace.ts'
import type { Context } from '#platform/context.ts'
import { bodyContext, type LifecycleDelivery, sealedCallback, type Update } from './delivery.ts'
import { newDeliveries } from './store.ts'

/** The queue that a committed delivery wakes. */
export const deliveries = 'webhook'

/** The update with its exact bytes, sealed once for all destinations; `callbackUrl` is the journey's own, or null. */
export function deliveryOf(
  { seal }: Pick<Context, 'seal'>,
  update: Update,
  body: Buffer,
  callbackUrl: string | null,
): LifecycleDelivery {
  const { tenantId, applicationId, journeyId, sequence, status, eventId } = update
  return {
    ...{ tenantId, applicationId, journeyId, sequence, status, eventId },
    bodySealed: seal.bytes(body, bodyContext(update)),
    callback: callbackUrl === null ? null : sealedCallback(seal, update, callbackUrl),
    correlationId: trace()?.correlationId ?? null,
  }
}

/**
 * One delivery per endpoint of the application that wants this status, and one for the callbackUrl. The statement that
 * opens a journey uses `newDeliveries` as a piece instead, and wakes the queue itself.
 */
export async function send(tx: Tx, delivery: LifecycleDelivery, at: Date): Promise<void> {
  await tx`${newDeliveries(delivery, at)}`
  tx.wake(deliveries)
}
