// What we send others: stored with its effect, numbered by object, delivered in order until taken, never discarded (D3 §6).

import type { Seal } from '#kit/crypto/seal.ts'
import { oneRow, type Tx } from '#kit/db/sql.ts'
import { trace } from '#kit/runtime/trace.ts'
import { deliverQueue, outboxContext } from './outbox-rows.ts'

export { type Answer, type DeliveringOptions, delivering, type OutboundEvent } from './outbox-deliver.ts'
export { listOutbox, type OutboxEntry, replay, type SentEvent, type SentFilter, sentEvents } from './outbox-list.ts'

/** A message to be sent. */
export interface NewOutboundEvent {
  tenantId: string
  partitionKey: string
  eventId: string
  type: string
  entityType: string
  entityId: string
  /** The body for the version that the message got. */
  build(entityVersion: number): object
}

/**
 * Puts a message on its way, in the transaction of its effect, and gives its version: the next one of its object. Its bytes
 * are fixed here; every delivery sends the same ones.
 */
export async function enqueueEvent(tx: Tx, seal: Seal, event: NewOutboundEvent, at: Date): Promise<number> {
  const { tenantId, partitionKey, eventId, type, entityType, entityId } = event
  const given = await tx<{ version: number }>`
    insert into outbox_entity (tenant_id, case_ref, entity_type, entity_id, last_version)
    values (${tenantId}, ${partitionKey}, ${entityType}, ${entityId}, 1)
    on conflict on constraint outbox_entity_pkey do update set last_version = outbox_entity.last_version + 1
    returning last_version::float8 as version`
  const { version: entityVersion } = oneRow(given)
  const bytes = Buffer.from(JSON.stringify(event.build(entityVersion)))
  await tx`
    insert into outbox ${tx({
      ...{ tenantId, caseRef: partitionKey, eventId, eventType: type, entityType, entityId, entityVersion },
      bodySealed: seal.bytes(bytes, outboxContext(partitionKey, eventId)),
      ...{ state: 'PENDING', dueAt: at, createdAt: at, correlationId: trace()?.correlationId ?? null },
    })}`
  tx.wake(deliverQueue)
  return entityVersion
}
