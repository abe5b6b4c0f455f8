// The rows behind delivering: what is due, in whose hands it is, and how its tries went.
import { instants, texts, uuids } from '#kit/db/binary-array.ts'
import { ofOneCase } from '#kit/db/one-case.ts'
import { type Fragment, type Run, sql } from '#kit/db/sql.ts'
import type { AttemptResult } from './delivery.ts'
import type { DeliveryTable, DestinationKey, DueMessage, HeldMessage } from './delivery-claim.ts'

/** The queue that a stored message wakes. */
export const deliverQueue = 'outbox'

/** Where the sealed bytes of a message belong. */
export const outboxContext = (partitionKey: string, eventId: string): string => `outbox/${partitionKey}/${eventId}`

export interface EventKey {
  tenantId: string
  partitionKey: string
  eventId: string
}

/** An event that is due, and has no unfinished one of its object before it. */
export interface DueEvent extends EventKey, DueMessage {}

export interface HeldEvent extends EventKey, HeldMessage {
  type: string
  entityType: string
  entityId: string
  entityVersion: number
  bodySealed: Buffer
  correlationId: string | null
}

const isNext = sql`
  (select 1 from outbox ahead
   where ahead.tenant_id = d.tenant_id and ahead.case_ref = d.case_ref and ahead.entity_type = d.entity_type
     and ahead.entity_id = d.entity_id and ahead.entity_version < d.entity_version and ahead.state = 'PENDING' limit 1) is null`

export const outboxTable: DeliveryTable = {
  table: sql`outbox`,
  key: sql`tenant_id, case_ref as partition_key, event_id`,
  isNext,
  isOf: ({ destinationId }) => sql`destination_id = ${destinationId}`,
}

/** Takes events until the end of a lease by compare-and-set on `due_at`: whoever moves it first has it. Gives what was taken. */
export const takeEvents = (db: Run, due: DueEvent[], leaseUntil: Date): Promise<HeldEvent[]> => db<HeldEvent>`
  update outbox d set due_at = ${leaseUntil}
  from ${keysOf(due)} join unnest(${uuids(due.map(({ eventId }) => eventId))}::uuid[],
    ${instants(due.map(({ dueAt }) => dueAt))}::timestamptz[]) as seen (event_id, due_at) using (event_id)
  where ${sameKey} and d.due_at = seen.due_at and ${isNext} and ${ofCase(sql`d`, due)}
  returning d.tenant_id, d.case_ref as partition_key, d.event_id, d.destination_id, d.event_type as type, d.entity_type,
    d.entity_id, d.entity_version::float8 as entity_version, d.body_sealed, d.attempt, d.due_at as lease_until,
    d.correlation_id, d.created_at`

/** An event whose try was recorded. */
interface RecordedEvent extends DestinationKey {
  eventId: string
  /** Whether another event of its object waited for it. */
  frees: boolean
}

/** Records what tries led to, unless another worker holds the event by now. Gives those that were recorded. */
export function recordAttempts(db: Run, results: AttemptResult<HeldEvent>[]): Promise<RecordedEvent[]> {
  const events = results.map(({ message }) => message)
  return db<RecordedEvent>`
    with recorded as (
      update outbox d set state = input.state, due_at = input.due_at, attempt = d.attempt + input.tries, last_answer = input.answer,
        last_attempt_at = case when input.tries > 0 then input.at else d.last_attempt_at end,
        delivered_at = case when input.state = 'DELIVERED' then input.at else d.delivered_at end,
        dead_at = case when input.state = 'DEAD' then input.at end
      from ${keysOf(events)} join unnest(${uuids(events.map(({ eventId }) => eventId))}::uuid[],
        ${instants(events.map(({ leaseUntil }) => leaseUntil))}::timestamptz[], ${texts(results.map(({ state }) => state))}::text[],
        ${results.map(({ dueAt }) => dueAt)}::timestamptz[], ${texts(results.map(({ answer }) => answer))}::text[],
        ${instants(results.map(({ at }) => at))}::timestamptz[], ${results.map(({ tried }) => (tried ? 1 : 0))}::integer[]
      ) as input (event_id, lease_until, state, due_at, answer, at, tries) using (event_id)
      where ${sameKey} and d.due_at = input.lease_until and ${ofCase(sql`d`, events)}
      returning d.tenant_id, d.case_ref, d.event_id, d.destination_id, d.entity_type, d.entity_id, d.entity_version, d.state)
    select r.tenant_id, r.destination_id, r.event_id, r.state <> 'PENDING' and exists (
      select from outbox next where next.tenant_id = r.tenant_id and next.case_ref = r.case_ref
        and next.entity_type = r.entity_type and next.entity_id = r.entity_id and next.entity_version > r.entity_version
        and next.state = 'PENDING' and ${ofCase(sql`next`, events)}) as frees
    from recorded r`
}

const keysOf = (keys: EventKey[]): Fragment => sql`
  unnest(${uuids(keys.map((key) => key.tenantId))}::uuid[], ${texts(keys.map((key) => key.partitionKey))}::text[],
    ${uuids(keys.map((key) => key.eventId))}::uuid[]) as k (tenant_id, case_ref, event_id)`
const ofCase = (table: Fragment, keys: EventKey[]): Fragment =>
  ofOneCase(
    table,
    keys.map((key) => key.partitionKey),
  )
const sameKey = sql`d.tenant_id = k.tenant_id and d.case_ref = k.case_ref and d.event_id = k.event_id`
