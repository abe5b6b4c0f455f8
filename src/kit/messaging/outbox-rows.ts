// The rows behind delivering: what is due, in whose hands it is, and how its tries went.
import { instants, texts, uuids } from '#kit/db/binary-array.ts'
import { ofOneCase } from '#kit/db/one-case.ts'
import { type Fragment, type Run, sql } from '#kit/db/sql.ts'

/** The queue that a stored message wakes. */
export const deliverQueue = 'outbox'

/** Where the sealed bytes of a message belong. */
export const outboxContext = (partitionKey: string, eventId: string): string => `outbox/${partitionKey}/${eventId}`

export interface EventKey {
  tenantId: string
  partitionKey: string
  eventId: string
}

export interface DueEvent extends EventKey {
  dueAt: Date
  /** When the one before it of the same object may be tried; null when there is none on its way. */
  aheadDueAt: Date | null
}

/** When the next event is to be delivered. */
export const nextEvent: Fragment = sql`select due_at from outbox where due_at is not null order by due_at limit 1`

/** What is due, oldest first. */
export const dueEvents = (db: Run, at: Date, limit: number) => db<DueEvent>`
  select tenant_id, case_ref as partition_key, event_id, due_at,
    (select min(ahead.due_at) from outbox ahead
     where ahead.tenant_id = o.tenant_id and ahead.case_ref = o.case_ref and ahead.entity_type = o.entity_type
       and ahead.entity_id = o.entity_id and ahead.entity_version < o.entity_version and ahead.state = 'PENDING'
    ) as ahead_due_at
  from outbox o where due_at <= ${at} order by due_at limit ${limit}`

export interface HeldEvent extends EventKey {
  type: string
  entityType: string
  entityId: string
  entityVersion: number
  bodySealed: Buffer
  attempt: number
  leaseUntil: Date
  correlationId: string | null
  createdAt: Date
}

export interface Move {
  due: DueEvent
  until: Date
  take: boolean
}

/** Takes and sends away by compare-and-set on `due_at`: whoever moves it first has it. Gives what was taken. */
export async function moveEvents(db: Run, moves: Move[]): Promise<HeldEvent[]> {
  const rows = await db<HeldEvent & { take: boolean }>`
    update outbox o set due_at = move.until
    from ${keysOf(moves.map(({ due }) => due))} join unnest(
      ${uuids(moves.map(({ due }) => due.eventId))}::uuid[], ${instants(moves.map(({ due }) => due.dueAt))}::timestamptz[],
      ${instants(moves.map(({ until }) => until))}::timestamptz[], ${moves.map(({ take }) => take)}::boolean[]
    ) as move (event_id, seen_at, until, take) using (event_id)
    where ${sameKey} and o.due_at = move.seen_at and ${ofCase(
      sql`o`,
      moves.map(({ due }) => due),
    )}
    returning move.take, o.tenant_id, o.case_ref as partition_key, o.event_id, o.event_type as type, o.entity_type, o.entity_id,
      o.entity_version::float8 as entity_version, case when move.take then o.body_sealed end as body_sealed, o.attempt,
      o.due_at as lease_until, o.correlation_id, o.created_at`
  return rows.filter(({ take }) => take)
}

/** How a try ended. */
export interface AttemptResult {
  event: HeldEvent
  state: 'PENDING' | 'DELIVERED' | 'DEAD'
  /** When the next try is due. */
  dueAt: Date | null
  answer: string
  at: Date
}

/**
 * Writes down how tries ended, unless somebody else holds the event by now. What waited behind a finished one, and was not
 * tried yet, may go at once. Gives for each whether it was still ours.
 */
export async function recordAttempts(db: Run, results: AttemptResult[]): Promise<boolean[]> {
  const events = results.map(({ event }) => event)
  const ours = await db<EventKey>`
    with recorded as (
      update outbox o set state = input.state, due_at = input.due_at, attempt = o.attempt + 1, last_answer = input.answer,
        last_attempt_at = input.at, delivered_at = case when input.state = 'DELIVERED' then input.at else o.delivered_at end,
        dead_at = case when input.state = 'DEAD' then input.at end
      from ${keysOf(events)} join unnest(${uuids(events.map(({ eventId }) => eventId))}::uuid[],
        ${instants(events.map(({ leaseUntil }) => leaseUntil))}::timestamptz[], ${texts(results.map(({ state }) => state))}::text[],
        ${results.map(({ dueAt }) => dueAt)}::timestamptz[], ${texts(results.map(({ answer }) => answer))}::text[],
        ${instants(results.map(({ at }) => at))}::timestamptz[]
      ) as input (event_id, lease_until, state, due_at, answer, at) using (event_id)
      where ${sameKey} and o.due_at = input.lease_until and ${ofCase(sql`o`, events)}
      returning o.tenant_id, o.case_ref, o.event_id, o.entity_type, o.entity_id, o.entity_version, o.state, input.at),
    freed as (
      update outbox next set due_at = recorded.at from recorded
      where recorded.state <> 'PENDING' and next.tenant_id = recorded.tenant_id and next.case_ref = recorded.case_ref
        and next.entity_type = recorded.entity_type and next.entity_id = recorded.entity_id
        and next.entity_version > recorded.entity_version and next.state = 'PENDING' and next.attempt = 0
        and ${ofCase(sql`next`, events)})
    select tenant_id, case_ref as partition_key, event_id from recorded`
  const known = new Set(ours.map(({ eventId }) => eventId))
  return events.map(({ eventId }) => known.has(eventId))
}

const keysOf = (keys: EventKey[]): Fragment => sql`
  unnest(${uuids(keys.map((key) => key.tenantId))}::uuid[], ${texts(keys.map((key) => key.partitionKey))}::text[],
    ${uuids(keys.map((key) => key.eventId))}::uuid[]) as k (tenant_id, case_ref, event_id)`
const ofCase = (table: Fragment, keys: EventKey[]): Fragment =>
  ofOneCase(
    table,
    keys.map((key) => key.partitionKey),
  )
const sameKey = sql`o.tenant_id = k.tenant_id and o.case_ref = k.case_ref and o.event_id = k.event_id`
