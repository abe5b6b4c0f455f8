// Takes a webhook endpoint away; what was still to be delivered to it stops.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { deleteEndpoint, type Owner, stopDeliveries } from './store.ts'

export async function remove(tx: Tx, owner: Owner, endpointId: string): Promise<void> {
  const known = await deleteEndpoint(tx, owner, endpointId)
  if (!known) throw new Refusal('absent', 'there is no such webhook endpoint')
  await stopDeliveries(tx, {
    tenantId: owner.tenantId,
    destinationId: endpointId,
    journeyId: null,
    why: 'the endpoint was removed',
  })
}
