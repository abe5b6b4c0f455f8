// Resends a delivery at once with the same webhook-id, and restarts its retry schedule (D1 §6.4).

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { type DeliveryRow, deliveryQueue, leaseSeconds, noFilter } from './delivery.ts'
import { listDeliveries, type Owner, replayDelivery } from './store.ts'

/**
 * Makes the delivery due; later updates of the journey wait for it. Throws `absent` for an unknown delivery and
 * `wrong-state` when the endpoint is disabled or removed, or the update is archived.
 */
export async function resendDelivery(
  tx: Tx,
  owner: Owner,
  { deliveryId, isOfLoan = null }: { deliveryId: string; isOfLoan?: boolean | null },
  at: Date,
): Promise<DeliveryRow> {
  const [found] = await listDeliveries(tx, owner, { ...noFilter, deliveryId, isOfLoan }, 1)
  if (!found) throw new Refusal('absent', 'there is no such delivery')
  const { isArchived, ...delivery } = found
  if (isArchived)
    throw new Refusal(
      'wrong-state',
      'the update is older than 90 days and in the archive: it can be read, not sent again',
    )
  const dueAt = await replayDelivery(tx, { ...owner, deliveryId }, at, secondsAfter(at, leaseSeconds))
  if (dueAt === undefined)
    throw new Refusal('wrong-state', 'the webhook endpoint is disabled or was removed', {
      endpointID: delivery.destinationId,
    })
  tx.wake(deliveryQueue)
  return { ...delivery, state: 'PENDING', dueAt, attempt: delivery.state === 'PENDING' ? delivery.attempt : 0 }
}
