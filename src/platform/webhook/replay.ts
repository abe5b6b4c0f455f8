// Resends a delivery at once, with its schedule restarted: the same event, the same webhook-id (D1 §6.4).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { type DeliveryRow, deliveries, everything, leaseSeconds } from './delivery.ts'
import { listDeliveries, type Owner, replayDelivery } from './store.ts'

/**
 * Throws `absent` for an unknown delivery, `wrong-state` when the endpoint is removed. Later updates of the journey
 * wait behind it.
 */
export async function replay(tx: Tx, owner: Owner, deliveryId: string, at: Date): Promise<DeliveryRow> {
  const [known] = await listDeliveries(tx, owner, { ...everything, deliveryId }, 1)
  if (!known) throw new Refusal('absent', 'there is no such delivery')
  const dueAt = await replayDelivery(tx, { ...owner, deliveryId }, at, secondsAfter(at, leaseSeconds))
  if (dueAt === undefined)
    throw new Refusal('wrong-state', 'the webhook endpoint is disabled or was removed', {
      endpointID: known.destinationId,
    })
  tx.wake(deliveries)
  return { ...known, state: 'PENDING', dueAt, attempt: known.state === 'PENDING' ? known.attempt : 0 }
}
