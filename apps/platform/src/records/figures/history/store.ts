// Counts the data of other modules. Each kind of data (journeys, offers, deliveries and so on) has one statement for all
// tenants. A row counts in the half hour in which it was created.

import { type Fragment, type Run, sql } from '@lendloom/postgres/sql'
import { firstIdAt } from '@lendloom/seal/id'
import type { FigureRow, History } from '#platform/records/figures/figure.ts'
import type { Window } from '#platform/records/figures/half-hours.ts'

const journeyColumns = sql`j.application_id, j.type as product`

/** Counts lifecycle updates. They never change, so the count of a past half hour is final. */
const journeys = ({ from, until }: Window): Fragment => sql`
  with source as materialized (
    select e.bucket, e.tenant_id, e.journey_id, e.at, e.status, ${halfHour(sql`e.at`)} as begins_at, ${journeyColumns},
      extract(epoch from (e.at - j.created_at)) as seconds
    from lifecycle_event e join journey j on j.bucket = e.bucket and j.tenant_id = e.tenant_id and j.journey_id = e.journey_id
    where e.at >= ${from} and e.at < ${until})
  select tenant_id, 'journey' as name, begins_at, application_id, product, '' as subject, '' as action, status as outcome,
    count(*)::float8 as count
  from source group by tenant_id, begins_at, application_id, product, status
  union all
  select tenant_id, 'time-to-money', begins_at, application_id, product, '', '', ${bucket(sql`seconds`)}, count(*)::float8
  from source where status = 'DISBURSED' group by 1, 3, 4, 5, 8
  union all
  select s.tenant_id, 'payout-time', s.begins_at, s.application_id, s.product, o.lender_id::text, '',
    ${bucket(sql`extract(epoch from (s.at - o.accepted_at))`)}, count(*)::float8
  from source s join offer o on o.bucket = s.bucket and o.tenant_id = s.tenant_id and o.journey_id = s.journey_id
  where s.status = 'DISBURSED' and o.accepted_at is not null and o.rejected_at is null group by 1, 3, 4, 5, 6, 8`

/** Reasons why there is no offer although the lender gave no answer. */
const silentReasons = ['LENDER_SILENT', 'LENDER_UNREACHABLE', 'OTHER_OFFER_CHOSEN']

/** Counts offer requests. An offer and a rejection count as answers. */
const offers = ({ from, until }: Window): Fragment => sql`
  select o.tenant_id, 'offer' as name, ${halfHour(sql`o.created_at`)} as begins_at, ${journeyColumns}, o.lender_id::text as subject,
    '' as action, step.outcome, count(*)::float8 as count
  from offer o join journey j on j.bucket = o.bucket and j.tenant_id = o.tenant_id and j.journey_id = o.journey_id
  cross join lateral (values
    ('REQUESTED', true),
    ('ANSWERED', o.first_terms is not null
      or (o.status = 'NO_OFFER_AVAILABLE' and coalesce(o.reason, '') <> all(${silentReasons}::text[]))),
    ('OFFERED', o.first_terms is not null),
    ('CHOSEN', o.selected_at is not null)) as step (outcome, is_reached)
  where o.created_at >= ${from} and o.created_at < ${until} and step.is_reached
  group by 1, 3, 4, 5, 6, 8`

/**
 * Counts deliveries by the time in their ids. A manual replay resets `attempt` but not `tries`, so `attempt < tries`
 * identifies a replayed delivery. Its duration is not counted.
 */
const deliveries = ({ from, until }: Window): Fragment => sql`
  with source as materialized (
    select d.tenant_id, ${halfHour(instantIn(sql`d.delivery_id`))} as begins_at, ${journeyColumns},
      case when d.state = 'PENDING' then 'WAITING' when d.state = 'EXHAUSTED' then 'GIVEN_UP' when d.state = 'STOPPED' then 'STOPPED'
        when d.tries > 1 then 'REPEATED' else 'FIRST_TRY' end as outcome,
      case when d.state = 'DELIVERED' and d.attempt >= d.tries
        then ${millisecondsFrom(sql`d.created_at`, sql`d.delivered_at`)} end as duration_ms
    from application a cross join lateral (
      select bucket, tenant_id, journey_id, delivery_id, state, attempt, tries, created_at, delivered_at from webhook_delivery x
      where x.tenant_id = a.tenant_id and x.application_id = a.application_id
        and x.delivery_id >= ${firstIdAt(from)}::uuid and x.delivery_id < ${firstIdAt(until)}::uuid) as d
    join journey j on j.bucket = d.bucket and j.tenant_id = d.tenant_id and j.journey_id = d.journey_id)
  select tenant_id, 'delivery' as name, begins_at, application_id, product, '' as subject, '' as action, outcome,
    count(*)::float8 as count
  from source group by tenant_id, begins_at, application_id, product, outcome
  union all
  select tenant_id, 'delivery-time', begins_at, application_id, product, '', '', ${bucket(sql`duration_ms`)}, count(*)::float8
  from source where duration_ms is not null group by 1, 3, 4, 5, 8`

/**
 * Counts network requests by the result of the callback with the same message id. A callback after the ttl of the
 * request is late; one that comes more than an hour after the request no longer counts, so that the count of a past
 * half hour becomes final. Withdrawn requests were never sent.
 */
const requests = ({ from, until }: Window, at: Date): Fragment => sql`
  with sent as materialized (
    select bucket, tenant_id, journey_id, message_id, action, party, outcome, at, expires_at from network_message
    where direction = 'sent' and expires_at is not null and at >= ${from} and at < ${until}
      and coalesce(outcome, '') <> 'WITHDRAWN'),
  answer as materialized (
    select bucket, tenant_id, journey_id, message_id, action, min(at) as at from network_message
    where direction = 'received' and outcome not like 'NACK%' and at >= ${from}
      and at < ${until}::timestamptz + interval '1 hour'
    group by bucket, tenant_id, journey_id, message_id, action)
  select s.tenant_id, 'network' as name, ${halfHour(sql`s.at`)} as begins_at, ${journeyColumns}, s.party as subject, s.action,
    case when a.at <= s.expires_at then 'ANSWERED' when a.at is not null then 'LATE' when s.outcome like 'NACK%' then 'REFUSED'
      when s.expires_at > ${at} then 'WAITING' when s.outcome = 'ACK' then 'SILENT' else 'UNREACHED' end as outcome,
    count(*)::float8 as count
  from sent s join journey j on j.bucket = s.bucket and j.tenant_id = s.tenant_id and j.journey_id = s.journey_id
  left join answer a on a.bucket = s.bucket and a.tenant_id = s.tenant_id and a.journey_id = s.journey_id and a.message_id = s.message_id
    and a.action = 'on_' || s.action and a.at < s.at + interval '1 hour'
  group by 1, 3, 4, 5, 6, 7, 8`

const caseOfEvent = (reference: Fragment): Fragment => sql`
  join partner_case k on k.case_ref = (${reference})::uuid
  join journey j on j.bucket = k.bucket and j.tenant_id = k.tenant_id and j.journey_id = k.journey_id`

/**
 * Counts events from partners. An event has a gap if the event of the previous version is missing or arrived later, within
 * a day.
 */
const eventsIn = ({ from, until }: Window): Fragment => sql`
  with arrived as materialized (
    select sender, event_id, event_type, case_ref, entity_type, entity_id, entity_version, received_at from inbox
    where received_at >= ${from} and received_at < ${until}),
  later as materialized (
    select sender, case_ref, entity_type, entity_id, entity_version, received_at from inbox
    where received_at >= ${from} and received_at < ${until}::timestamptz + interval '1 day'),
  gap as materialized (
    select distinct c.sender, c.event_id from arrived c
    join later l on l.sender = c.sender and l.case_ref = c.case_ref and l.entity_type = c.entity_type
      and l.entity_id = c.entity_id and l.entity_version = c.entity_version - 1
    where l.received_at > c.received_at and l.received_at < c.received_at + interval '1 day'),
  source as materialized (
    select k.tenant_id, ${halfHour(sql`c.received_at`)} as begins_at, ${journeyColumns}, c.event_type as subject,
      case coalesce(o.outcome, 'WAITING') when 'APPLIED' then 'DONE' else coalesce(o.outcome, 'WAITING') end as outcome,
      ${millisecondsFrom(sql`c.received_at`, sql`o.settled_at`)} as duration_ms,
      g.event_id is not null or w.stuck_since is not null as is_gap
    from arrived c ${caseOfEvent(sql`c.case_ref`)}
    left join inbox_outcome o on o.tenant_id = k.tenant_id and o.case_ref = c.case_ref and o.sender = c.sender
      and o.event_id = c.event_id
    left join gap g on g.sender = c.sender and g.event_id = c.event_id
    left join inbox_waiting w on w.sender = c.sender and w.case_ref = c.case_ref and w.entity_type = c.entity_type
      and w.entity_id = c.entity_id and w.entity_version = c.entity_version and w.event_id = c.event_id)
  select tenant_id, 'event-in' as name, begins_at, application_id, product, subject, '' as action, outcome, count(*)::float8 as count
  from source group by tenant_id, begins_at, application_id, product, subject, outcome
  union all
  select tenant_id, 'event-in-time', begins_at, application_id, product, '', '', ${bucket(sql`duration_ms`)}, count(*)::float8
  from source where duration_ms is not null group by 1, 3, 4, 5, 8
  union all
  select tenant_id, 'event-gap', begins_at, application_id, product, subject, '', 'GAP', count(*)::float8
  from source where is_gap group by 1, 3, 4, 5, 6`

const eventsOut = ({ from, until }: Window): Fragment => sql`
  with source as materialized (
    select o.tenant_id, ${halfHour(sql`o.created_at`)} as begins_at, ${journeyColumns}, o.event_type as subject,
      case o.state when 'DELIVERED' then 'DONE' when 'DEAD' then 'FAILED' else 'WAITING' end as outcome,
      ${millisecondsFrom(sql`o.created_at`, sql`o.delivered_at`)} as duration_ms
    from outbox o ${caseOfEvent(sql`o.case_ref`)}
    where o.created_at >= ${from} and o.created_at < ${until} and k.tenant_id = o.tenant_id)
  select tenant_id, 'event-out' as name, begins_at, application_id, product, subject, '' as action, outcome, count(*)::float8 as count
  from source group by tenant_id, begins_at, application_id, product, subject, outcome
  union all
  select tenant_id, 'event-out-time', begins_at, application_id, product, '', '', ${bucket(sql`duration_ms`)}, count(*)::float8
  from source where duration_ms is not null group by 1, 3, 4, 5, 8`

const countStatements: Record<History, (window: Window, at: Date) => Fragment> = {
  journey: journeys,
  offer: offers,
  delivery: deliveries,
  network: requests,
  'event-in': eventsIn,
  'event-out': eventsOut,
}

/** Counts the rows that were created in a window of whole half hours. `at` is the current time. */
export const countHistory = (db: Run, history: History, window: Window, at: Date): Promise<FigureRow[]> =>
  db<FigureRow>`${countStatements[history](window, at)}`

const noHalfHours = sql`select null::timestamptz as begins_at where false`

/** Select the half hours whose rows changed since an instant. Half hours with WAITING rows are always recounted. */
const changeStatements: Record<History, (since: Date) => Fragment> = {
  journey: () => noHalfHours,
  offer: (since) =>
    sql`select distinct ${halfHour(sql`created_at`)} as begins_at from offer where updated_at >= ${since}`,
  delivery: (since) => sql`
    select distinct ${halfHour(instantIn(sql`delivery_id`))} as begins_at from webhook_delivery where last_attempt_at >= ${since}`,
  network: () => noHalfHours,
  'event-in': () => noHalfHours,
  'event-out': (since) => sql`
    select distinct ${halfHour(sql`created_at`)} as begins_at from outbox where last_attempt_at >= ${since}`,
}

export async function changedHalfHours(db: Run, history: History, since: Date): Promise<Date[]> {
  const rows = await db<{ beginsAt: Date }>`${changeStatements[history](since)}`
  return rows.map(({ beginsAt }) => beginsAt)
}

/** Returns the creation time of the first journey; null if there are no journeys. Scans the whole table. */
export async function firstJourneyAt(db: Run): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }>`select min(created_at) as at from journey`
  return row?.at ?? null
}

/** Whether rows have moved to the archive, perhaps network messages as a whole. */
export const hasArchive = async (db: Run): Promise<boolean> => (await db`select 1 from archive_part limit 1`).length > 0

/** The start of the half hour that contains an instant. */
const halfHour = (at: Fragment): Fragment =>
  sql`date_bin('30 minutes'::interval, ${at}, '2000-01-01T00:00:00Z'::timestamptz)`

/** The number of the histogram bucket of a value, as text. There are four buckets per power of two. */
const bucket = (value: Fragment): Fragment =>
  sql`floor(4 * ln(greatest(1, ${value})::float8) / ln(2::float8))::integer::text`

const millisecondsFrom = (from: Fragment, until: Fragment): Fragment =>
  sql`extract(epoch from (${until} - ${from})) * 1000`

/** The instant that a UUID of version 7 contains. */
const instantIn = (id: Fragment): Fragment =>
  sql`to_timestamp((('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint) / 1000.0)`
