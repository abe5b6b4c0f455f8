// Stores outgoing events in the transaction of their effect (D3 §6), lists them, and replays them.

import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { storedTrace } from '@lendloom/foundation/trace'
import { ascending, type KeyedRow, type PageWindow, pageClauses } from '@lendloom/postgres/keyset'
import { bigint, bytea, type Columns, namesOf, rowsAs, text, uuid } from '@lendloom/postgres/rows'
import { oneRow, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { noTenantId } from '@lendloom/queue/queue'
import type { Seal } from '@lendloom/seal/seal'
import { deliverQueue, type EventKey, outboxContext } from './deliver-outbox.ts'

export { type OutboundEvent, type OutboxWorkerOptions, outboxWorker, type ReceiverAnswer } from './deliver-outbox.ts'

export interface NewOutboundEvent {
  tenantId: string
  partitionKey: string
  eventId: string
  type: string
  entityType: string
  entityId: string
  /** By default all events have the same destination. */
  destinationId?: string
  /** Returns the event as JSON. Its version in the object is assigned only when the event is enqueued. */
  build(entityVersion: number): object
}

/** Enqueues an event in the transaction of its effect, and returns the version. Every attempt sends the same bytes. */
export async function enqueueEvent(tx: Tx, seal: Seal, event: NewOutboundEvent, at: Date): Promise<number> {
  const { tenantId, partitionKey, eventId, type, entityType, entityId, destinationId = noTenantId } = event
  const numbered = await tx<{ version: number }>`
    insert into outbox_entity ${tx({
      tenantId,
      caseRef: partitionKey,
      entityType,
      entityId,
      lastVersion: 1,
    })}
    on conflict on constraint outbox_entity_pkey do update set last_version = outbox_entity.last_version + 1
    returning last_version::float8 as version`
  const { version: entityVersion } = oneRow(numbered)
  const bytes = Buffer.from(JSON.stringify(event.build(entityVersion)))
  await tx`
    insert into outbox ${tx({
      tenantId,
      caseRef: partitionKey,
      eventId,
      destinationId,
      eventType: type,
      entityType,
      entityId,
      entityVersion,
      bodySealed: seal.bytes(bytes, outboxContext(partitionKey, eventId)),
      state: 'PENDING',
      dueAt: at,
      createdAt: at,
      ...storedTrace(),
    })}`
  tx.wake(deliverQueue)
  return entityVersion
}

/** Like `enqueueEvent`, for several events of different objects, in two statements. */
export async function enqueueEvents(tx: Tx, seal: Seal, events: NewOutboundEvent[], at: Date): Promise<void> {
  const keys: Columns<NewOutboundEvent> = {
    tenantId: uuid((event) => event.tenantId),
    caseRef: text((event) => event.partitionKey),
    entityType: text((event) => event.entityType),
    entityId: text((event) => event.entityId),
  }
  const numbered = await tx<{ caseRef: string; entityId: string; version: number }>`
    insert into outbox_entity (${namesOf(keys)}, last_version)
    select ${namesOf(keys)}, 1 from ${rowsAs(sql`input`, events, keys)}
    on conflict on constraint outbox_entity_pkey do update set last_version = outbox_entity.last_version + 1
    returning case_ref, entity_id, last_version::float8 as version`
  const versions = new Map(numbered.map(({ caseRef, entityId, version }) => [`${caseRef} ${entityId}`, version]))
  const versionOf = ({ partitionKey, entityId }: NewOutboundEvent): number =>
    required(versions.get(`${partitionKey} ${entityId}`), 'the version of an event')
  const numberedEvents = events.map((event) => {
    const version = versionOf(event)
    const bytes = Buffer.from(JSON.stringify(event.build(version)))
    return { ...event, version, bodySealed: seal.bytes(bytes, outboxContext(event.partitionKey, event.eventId)) }
  })
  const { correlationId, traceparent } = storedTrace()
  await tx`
    insert into outbox (tenant_id, case_ref, event_id, destination_id, event_type, entity_type, entity_id, entity_version,
      body_sealed, state, due_at, created_at, correlation_id, traceparent)
    select tenant_id, case_ref, event_id, destination_id, event_type, entity_type, entity_id, entity_version, body_sealed,
      'PENDING', ${at}, ${at}, ${correlationId}, ${traceparent}
    from ${rowsAs(sql`input`, numberedEvents, {
      tenantId: uuid((event) => event.tenantId),
      caseRef: text((event) => event.partitionKey),
      eventId: uuid((event) => event.eventId),
      destinationId: uuid((event) => event.destinationId ?? noTenantId),
      eventType: text((event) => event.type),
      entityType: text((event) => event.entityType),
      entityId: text((event) => event.entityId),
      entityVersion: bigint((event) => event.version),
      bodySealed: bytea((event) => event.bodySealed),
    })}`
  tx.wake(deliverQueue)
}

export interface OutboxEntry extends EventKey {
  type: string
  entityType: string
  entityId: string
  entityVersion: number
  state: 'PENDING' | 'DELIVERED' | 'DEAD'
  dueAt: Date | null
  attempt: number
  lastAnswer: string | null
  lastAttemptAt: Date | null
  deliveredAt: Date | null
  deadAt: Date | null
  createdAt: Date
  /** Whether the body has moved to the archive, so that the event cannot be sent again. */
  isArchived: boolean
}

export interface SentFilter {
  tenantId?: string
  partitionKey?: string
  eventId?: string
  state?: OutboxEntry['state']
  limit?: number
}

const entry = sql`tenant_id, case_ref as partition_key, event_id, event_type as type, entity_type, entity_id,
  entity_version::float8 as entity_version, state, due_at, attempt, last_answer, last_attempt_at, delivered_at, dead_at,
  created_at, body_sealed is null as is_archived`

/** Sorts given-up events by the time of giving up, and pending events by the time of the next attempt. */
export const unsentKeysets = {
  DEAD: ascending([sql`dead_at`, 'instant'], [sql`event_id`, 'uuid']),
  PENDING: ascending([sql`due_at`, 'instant'], [sql`event_id`, 'uuid']),
}

export const listUnsent = (db: Run, state: keyof typeof unsentKeysets, window: PageWindow) => {
  const { key, beyond, order } = pageClauses(unsentKeysets[state], window)
  const matchesState = state === 'DEAD' ? sql`dead_at is not null` : sql`due_at is not null`
  return db<OutboxEntry & KeyedRow>`select ${entry}, ${key} from outbox where ${matchesState} and ${beyond} ${order}`
}

/** Lists events, newest first. */
export const listOutbox = (db: Run, filter: SentFilter = {}) => db<OutboxEntry>`
  select ${entry} from outbox
  where (${filter.tenantId ?? null}::uuid is null or tenant_id = ${filter.tenantId ?? null}::uuid)
    and (${filter.partitionKey ?? null}::text is null or case_ref = ${filter.partitionKey ?? null}::text)
    and (${filter.eventId ?? null}::uuid is null or event_id = ${filter.eventId ?? null}::uuid)
    and (${filter.state ?? null}::text is null or state = ${filter.state ?? null}::text)
  order by created_at desc, event_id desc limit ${filter.limit ?? 100}`

/**
 * Sends an event in any state again, with the same id (D3 §6 rule 8). The retry schedule starts again, unless the
 * event is pending. Returns false when the event does not exist. Throws `wrong-state` for an archived one.
 */
export async function replay(tx: Tx, { tenantId, partitionKey, eventId }: EventKey, at: Date): Promise<boolean> {
  const rows = await tx`
    update outbox set state = 'PENDING', due_at = ${at}, dead_at = null,
      attempt = case when state = 'PENDING' then attempt else 0 end
    where tenant_id = ${tenantId} and case_ref = ${partitionKey} and event_id = ${eventId}
      and body_sealed is not null returning 1`
  if (rows.length > 0) tx.wake(deliverQueue)
  else if ((await listOutbox(tx, { tenantId, partitionKey, eventId })).some(({ isArchived }) => isArchived))
    throw new Refusal(
      'wrong-state',
      'the event is older than 90 days and in the archive: it can be read, not sent again',
    )
  return rows.length > 0
}

export interface SentEvent extends OutboxEntry {
  /** The exact bytes of every attempt; empty once archived. */
  raw: Buffer
}

/** Returns all events of a partition in the order of their creation. */
export async function sentEvents(
  db: Run,
  seal: Seal,
  { tenantId, partitionKey }: Omit<EventKey, 'eventId'>,
): Promise<SentEvent[]> {
  const rows = await db<OutboxEntry & { bodySealed: Buffer | null }>`
    select ${entry}, body_sealed from outbox where tenant_id = ${tenantId} and case_ref = ${partitionKey} order by created_at, entity_version`
  return rows.map(({ bodySealed, ...row }) => ({
    ...row,
    raw: bodySealed ? seal.open(bodySealed, outboxContext(row.partitionKey, row.eventId)) : Buffer.alloc(0),
  }))
}
