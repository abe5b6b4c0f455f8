// The console's queries about the events of lending partners, in both directions.

import { type Run, sql } from '@lendloom/postgres/sql'
import type { Direction, EventState } from '@lendloom/wire/console/lists'

export interface EventRow {
  direction: Direction
  sender: string | null
  eventId: string
  tenantId: string
  journeyId: string
  caseRef: string
  partnerId: string
  profileSealed: Buffer | null
  type: string
  entityType: string
  entityId: string
  entityVersion: number
  state: EventState
  at: Date
  settledAt: Date | null
  tries: number
  because: string | null
  nextTryAt: Date | null
  stuckSince: Date | null
}

export interface EventFilter {
  /** Null for all tenants. */
  tenantId: string | null
  direction: Direction | null
  state: EventState | null
  type: string | null
  caseRef: string | null
  partnerId: string | null
  eventId: string | null
  from: Date | null
  /** The last event of the previous page. */
  after: { at: Date; eventId: string } | null
  limit: number
}

const sentState = sql`case when o.state = 'DELIVERED' then 'DELIVERED' when o.state = 'PENDING' then 'WAITING'
  when o.last_answer = '409' then 'CONFLICT' else 'GIVEN_UP' end`
const receivedState = sql`coalesce(s.outcome, case when w.stuck_since is null then 'WAITING' when w.tries = 0 then 'GAP' else 'FAILING' end)`

const joinProfile = sql`left join profile p on p.bucket = k.bucket and p.tenant_id = k.tenant_id and p.journey_id = k.journey_id`

const columns = sql`direction, sender, event_id, tenant_id, journey_id, case_ref, partner_id, profile_sealed, type, entity_type, entity_id, entity_version, state, at,
  settled_at, tries, because, next_try_at, stuck_since`

export const noEventFilter = {
  direction: null,
  state: null,
  type: null,
  caseRef: null,
  partnerId: null,
  eventId: null,
  from: null,
  after: null,
}

/** Lists events newest first; reads up to `limit` events of each direction and merges them. */
export function listEvents(db: Run, filter: EventFilter) {
  const { tenantId, direction, state, type, caseRef, partnerId, eventId, from, after, limit } = filter
  const isWithin = (at: ReturnType<typeof sql>, id: ReturnType<typeof sql>) => sql`
    (${from}::timestamptz is null or ${at} >= ${from}::timestamptz)
    and (${after?.at ?? null}::timestamptz is null
      or (${at}, ${id}) < (${after?.at ?? null}::timestamptz, ${after?.eventId ?? null}::uuid))`
  return db<EventRow>`
    with sent as (
      select 'sent' as direction, null::text as sender, o.event_id, o.tenant_id, k.journey_id, o.case_ref, k.partner_id, p.profile_sealed,
        o.event_type as type, o.entity_type, o.entity_id, o.entity_version::float8 as entity_version, ${sentState} as state, o.created_at as at,
        coalesce(o.delivered_at, o.dead_at) as settled_at, o.attempt as tries, o.last_answer as because, o.due_at as next_try_at,
        null::timestamptz as stuck_since
      from outbox o join partner_case k on k.tenant_id = o.tenant_id and k.case_ref = o.case_ref::uuid ${joinProfile}
      where ${direction !== 'received'} and (${tenantId}::uuid is null or o.tenant_id = ${tenantId}::uuid)
        and (${caseRef}::text is null or o.case_ref = ${caseRef}::text) and (${eventId}::uuid is null or o.event_id = ${eventId}::uuid)
        and (${partnerId}::uuid is null or k.partner_id = ${partnerId}::uuid)
        and (${type}::text is null or o.event_type = ${type}::text) and (${state}::text is null or ${sentState} = ${state}::text)
        and ${isWithin(sql`o.created_at`, sql`o.event_id`)}
      order by o.created_at desc, o.event_id desc limit ${limit}),
    received as (
      select 'received' as direction, i.sender, i.event_id, k.tenant_id, k.journey_id, i.case_ref, k.partner_id, p.profile_sealed,
        i.event_type as type, i.entity_type, i.entity_id, i.entity_version::float8 as entity_version, ${receivedState} as state, i.received_at as at,
        s.settled_at, coalesce(w.tries, 0) as tries, coalesce(s.reason, w.stuck_because) as because,
        case when s.outcome is null then w.due_at end as next_try_at, case when s.outcome is null then w.stuck_since end as stuck_since
      from inbox i join partner_case k on k.case_ref = i.case_ref::uuid ${joinProfile}
      left join inbox_outcome s on s.tenant_id = k.tenant_id and s.case_ref = i.case_ref and s.sender = i.sender and s.event_id = i.event_id
      left join inbox_waiting w on w.sender = i.sender and w.case_ref = i.case_ref and w.entity_type = i.entity_type
        and w.entity_id = i.entity_id and w.entity_version = i.entity_version and w.event_id = i.event_id
      where ${direction !== 'sent'} and (${tenantId}::uuid is null or k.tenant_id = ${tenantId}::uuid)
        and (${caseRef}::text is null or i.case_ref = ${caseRef}::text) and (${eventId}::uuid is null or i.event_id = ${eventId}::uuid)
        and (${partnerId}::uuid is null or k.partner_id = ${partnerId}::uuid)
        and (${type}::text is null or i.event_type = ${type}::text) and (${state}::text is null or ${receivedState} = ${state}::text)
        and ${isWithin(sql`i.received_at`, sql`i.event_id`)}
      order by i.received_at desc, i.event_id desc limit ${limit})
    select ${columns} from sent union all select ${columns} from received
    order by at desc, event_id desc limit ${limit}`
}

export type PartnerEventKey = Pick<EventRow, 'direction' | 'sender' | 'eventId' | 'tenantId' | 'caseRef'>

export const readEventBodies = (db: Run, keys: PartnerEventKey[]) => {
  const ids = keys.map(({ eventId }) => eventId)
  const caseRefs = keys.map(({ caseRef }) => caseRef)
  return db<Omit<PartnerEventKey, 'tenantId'> & { bodySealed: Buffer | null }>`
    select 'sent' as direction, null::text as sender, case_ref, event_id, body_sealed from outbox
    where tenant_id = any(${keys.map(({ tenantId }) => tenantId)}::uuid[]) and case_ref = any(${caseRefs}::text[]) and event_id = any(${ids}::uuid[])
    union all select 'received', sender, case_ref, event_id, body_sealed from inbox
    where sender = any(${keys.flatMap(({ sender }) => sender ?? [])}::text[]) and event_id = any(${ids}::uuid[])`
}

/** Reads the next expected version of the event's entity. */
export async function readNextVersion(
  db: Run,
  { tenantId, caseRef, sender, entityType, entityId }: EventRow,
): Promise<number | null> {
  const [row] = await db<{ nextVersion: number }>`
    select next_version::float8 as next_version from inbox_entity
    where tenant_id = ${tenantId} and case_ref = ${caseRef} and sender = ${sender} and entity_type = ${entityType}
      and entity_id = ${entityId}`
  return row?.nextVersion ?? 1
}

/** Lists the time of each partner's newest event, sent or received, since an instant. */
export const listLastEvents = (db: Run, tenantId: string | null, since: Date) =>
  db<{ partnerId: string; at: Date }>`
    with sent as (
      select k.partner_id, max(o.created_at) as at
      from outbox o join partner_case k on k.tenant_id = o.tenant_id and k.case_ref = o.case_ref::uuid
      where o.created_at >= ${since} and (${tenantId}::uuid is null or o.tenant_id = ${tenantId}::uuid) group by 1),
    received as (
      select k.partner_id, max(i.received_at) as at from inbox i join partner_case k on k.case_ref = i.case_ref::uuid
      where i.received_at >= ${since} and (${tenantId}::uuid is null or k.tenant_id = ${tenantId}::uuid) group by 1)
    select partner_id, max(at) as at from (select partner_id, at from sent union all select partner_id, at from received) as either
    group by 1`

export interface DatedCount {
  count: number
  oldestSince: Date | null
}

export async function countStuckEvents(db: Run, tenantId: string | null, before: Date): Promise<DatedCount> {
  const [row] = await db<DatedCount>`
    select count(*)::float8 as count, min(w.stuck_since) as oldest_since
    from inbox_waiting w join partner_case k on k.case_ref = w.case_ref::uuid
    where w.stuck_since <= ${before} and (${tenantId}::uuid is null or k.tenant_id = ${tenantId}::uuid)`
  return row ?? { count: 0, oldestSince: null }
}
