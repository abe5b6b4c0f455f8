// Tables webhook_delivery and webhook_try.
import { bucketOf } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { bigints, byteas, instants, texts, uuids } from '#kit/db/insert.ts'
import { type Fragment, type Run, sql, type Tx } from '#kit/db/sql.ts'
import type { AttemptResult } from '#kit/messaging/delivery.ts'
import type { DeliveryTable, DestinationKey } from '#kit/messaging/delivery-claim.ts'
import {
  type DeliveryKey,
  type DeliveryRow,
  type DueDelivery,
  deliveries,
  type HeldDelivery,
  type LifecycleDelivery,
  type ListFilter,
  mostTries,
  sealedAnswer,
} from './delivery.ts'

/** Deliveries of a disabled endpoint are stored as stopped, and sent after it is enabled. */
const stateFor = sql`case when disabled_at is null then 'PENDING' else 'STOPPED' end`

/**
 * The deliveries of an update, once per row of `given` (a `from` item): one per endpoint of the application that
 * subscribes to the status, and one for the callbackUrl. A delivery's id is the event's with the end of the
 * destination's, so it has the event's order, and the primary key prevents duplicates.
 */
export const newDeliveries = (d: LifecycleDelivery, at: Date, given: Fragment | null = null): Fragment => sql`
  insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, callback_url_sealed, journey_id,
    sequence, status, event_id, body_sealed, state, due_at, created_at, correlation_id)
  select ${bucketOf(d.journeyId)}::smallint, ${d.tenantId}::uuid, ${d.applicationId}::uuid,
    (left(${d.eventId}::text, 24) || right(destination.id::text, 12))::uuid, destination.id, destination.url_sealed,
    ${d.journeyId}::uuid, ${d.sequence}::integer, ${d.status}::text, ${d.eventId}::uuid, ${d.bodySealed}::bytea,
    destination.state, case when destination.state = 'PENDING' then ${at}::timestamptz end, ${at}::timestamptz,
    ${d.correlationId}::text
  from ${given ?? sql`(select 1)`} as given cross join (
    select endpoint_id as id, null::bytea as url_sealed, ${stateFor} as state from webhook_endpoint
    where tenant_id = ${d.tenantId}::uuid and application_id = ${d.applicationId}::uuid
      and (statuses is null or ${d.status}::text = any(statuses))
    union all
    select ${d.callback?.destinationId ?? null}::uuid, ${d.callback?.urlSealed ?? null}::bytea, 'PENDING'
    where ${d.callback !== null}::boolean
  ) as destination`

/** Adds an update for every destination, in the transaction of its cause (D1 §6). */
export async function insertDeliveries(tx: Tx, delivery: LifecycleDelivery, at: Date): Promise<void> {
  await tx`${newDeliveries(delivery, at)}`
  tx.wake(deliveries)
}

/** As above for several updates of one tenant, each with its journey in `given`. */
export const newDeliveriesOf = (
  tenantId: string,
  rows: (LifecycleDelivery & { at: Date })[],
  given: Fragment,
): Fragment => sql`
  insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, callback_url_sealed, journey_id,
    sequence, status, event_id, body_sealed, state, due_at, created_at, correlation_id)
  select row.bucket, ${tenantId}::uuid, row.application_id, (left(row.event_id::text, 24) || right(destination.id::text, 12))::uuid,
    destination.id, destination.url_sealed, row.journey_id, row.sequence::integer, row.status, row.event_id, row.body_sealed,
    destination.state, case when destination.state = 'PENDING' then row.at end, row.at, row.correlation_id
  from ${given} as given
  join unnest(${bigints(rows.map((row) => bucketOf(row.journeyId)))}::bigint[],
    ${uuids(rows.map((row) => row.applicationId))}::uuid[], ${uuids(rows.map((row) => row.journeyId))}::uuid[],
    ${bigints(rows.map((row) => row.sequence))}::bigint[], ${texts(rows.map((row) => row.status))}::text[],
    ${uuids(rows.map((row) => row.eventId))}::uuid[], ${byteas(rows.map((row) => row.bodySealed))}::bytea[],
    ${instants(rows.map((row) => row.at))}::timestamptz[], ${texts(rows.map((row) => row.correlationId))}::text[],
    ${uuids(rows.map((row) => row.callback?.destinationId ?? null))}::uuid[],
    ${byteas(rows.map((row) => row.callback?.urlSealed ?? null))}::bytea[]
  ) as row (bucket, application_id, journey_id, sequence, status, event_id, body_sealed, at, correlation_id, callback_id, callback_url)
    on row.journey_id = given.journey_id
  cross join lateral (
    select endpoint_id as id, null::bytea as url_sealed, ${stateFor} as state from webhook_endpoint
    where tenant_id = ${tenantId}::uuid and application_id = row.application_id
      and (statuses is null or row.status = any(statuses))
    union all
    select row.callback_id, row.callback_url, 'PENDING' where row.callback_id is not null
  ) as destination`

/**
 * No earlier update of the journey to the same destination is pending, and the destination is not paused. Evaluated row
 * by row, in the order of the index.
 */
const isNext = sql`
  (select 1 from webhook_delivery ahead
   where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id and ahead.journey_id = d.journey_id and ahead.sequence < d.sequence
     and ahead.destination_id = d.destination_id and ahead.state = 'PENDING' limit 1) is null
  and (select 1 from webhook_endpoint p
   where p.tenant_id = d.tenant_id and p.endpoint_id = d.destination_id and p.paused_at is not null) is null`

/** The number of the journey's last delivered update here if later ones are exhausted; otherwise null. */
const lastBeforeGap = sql`(
  select case when coalesce(max(a.sequence) filter (where a.state <> 'DELIVERED'), 0) > coalesce(max(a.sequence) filter (where a.state = 'DELIVERED'), 0)
    then coalesce(max(a.sequence) filter (where a.state = 'DELIVERED'), 0) end
  from webhook_delivery a
  where a.bucket = d.bucket and a.tenant_id = d.tenant_id and a.journey_id = d.journey_id
    and a.destination_id = d.destination_id and a.sequence < d.sequence)`

export const deliveryTable: DeliveryTable = {
  table: sql`webhook_delivery`,
  key: sql`tenant_id, application_id, delivery_id`,
  isNext,
  isOf: ({ tenantId, destinationId }) => sql`tenant_id = ${tenantId} and destination_id = ${destinationId}`,
}

/**
 * Claims deliveries until the end of a lease by compare-and-set on `due_at`: the first worker to move it wins. Returns
 * the claimed ones, without any that a replay has put behind another one meanwhile.
 */
export const takeDeliveries = (
  db: Run,
  due: DueDelivery[],
  leaseUntil: Date,
): Promise<HeldDelivery[]> => db<HeldDelivery>`
  update webhook_delivery d set due_at = ${leaseUntil}
  from unnest(${due.map((one) => bucketOf(one.deliveryId))}::smallint[], ${due.map((one) => one.tenantId)}::uuid[], ${due.map((one) => one.applicationId)}::uuid[],
    ${due.map((one) => one.deliveryId)}::uuid[], ${due.map((one) => one.destinationId)}::uuid[],
    ${due.map((one) => one.dueAt)}::timestamptz[]
  ) as seen (bucket, tenant_id, application_id, delivery_id, destination_id, due_at)
  left join webhook_endpoint e on e.tenant_id = seen.tenant_id and e.endpoint_id = seen.destination_id
    and e.disabled_at is null
  where d.bucket = seen.bucket and d.tenant_id = seen.tenant_id and d.application_id = seen.application_id and d.delivery_id = seen.delivery_id
    and d.due_at = seen.due_at and ${isNext}
  returning d.tenant_id, d.application_id, d.delivery_id, d.destination_id, d.due_at as lease_until,
    d.attempt, d.tries, d.journey_id, d.sequence, d.status, d.event_id, d.created_at, d.correlation_id, d.body_sealed,
    d.callback_url_sealed, e.url, e.secret_sealed, e.old_secret_sealed, e.old_secret_until, ${lastBeforeGap} as last_before_gap`

/**
 * Records the results of attempts in one statement, except for deliveries that another worker holds by now. Returns the
 * destinations whose next update may go at once, which is not written to.
 */
export function recordAttempts(tx: Run, seal: Seal, results: AttemptResult<HeldDelivery>[]): Promise<DestinationKey[]> {
  const held = results.map(({ message }) => message)
  const full = results.filter(({ tried, message }) => tried && message.tries >= mostTries).map(({ message }) => message)
  return tx<DestinationKey>`
    with recorded as (
      update webhook_delivery d set state = said.state, due_at = said.due_at, attempt = d.attempt + said.tries,
        tries = d.tries + said.tries, took_ms = case when said.tries > 0 then said.took_ms else d.took_ms end,
        last_answer = said.answer, last_attempt_at = case when said.tries > 0 then said.started_at else d.last_attempt_at end,
        delivered_at = case when said.state = 'DELIVERED' then said.at else d.delivered_at end
      from unnest(${held.map((one) => bucketOf(one.deliveryId))}::smallint[], ${held.map((one) => one.tenantId)}::uuid[], ${held.map((one) => one.applicationId)}::uuid[],
        ${held.map((one) => one.deliveryId)}::uuid[], ${held.map((one) => one.leaseUntil)}::timestamptz[],
        ${results.map((one) => one.state)}::text[], ${results.map((one) => one.dueAt)}::timestamptz[],
        ${results.map((one) => one.answer)}::text[], ${results.map((one) => one.startedAt)}::timestamptz[], ${results.map((one) => one.at)}::timestamptz[],
        ${results.map((one) => (one.tried ? 1 : 0))}::integer[], ${results.map((one) => one.tookMs)}::integer[],
        ${byteas(results.map(({ message, body }) => sealedAnswer(seal, message, body)))}::bytea[]
      ) as said (bucket, tenant_id, application_id, delivery_id, lease_until, state, due_at, answer, started_at, at, tries, took_ms, answer_sealed)
      where d.bucket = said.bucket and d.tenant_id = said.tenant_id and d.application_id = said.application_id
        and d.delivery_id = said.delivery_id and d.due_at = said.lease_until
      returning d.bucket, d.tenant_id, d.application_id, d.delivery_id, d.journey_id, d.destination_id, d.sequence, d.state,
        d.tries as number, said.answer, said.answer_sealed, said.took_ms, said.started_at as at, said.tries > 0 as is_tried),
    kept as (
      insert into webhook_try (bucket, tenant_id, application_id, delivery_id, number, state, answer, answer_sealed, took_ms, at)
      select bucket, tenant_id, application_id, delivery_id, number, state, answer, answer_sealed, took_ms, at from recorded
      where is_tried and (number > 1 or state <> 'DELIVERED')),
    forgotten as (
      delete from webhook_try t using unnest(${full.map((one) => bucketOf(one.deliveryId))}::smallint[], ${uuids(full.map((one) => one.tenantId))}::uuid[],
        ${uuids(full.map((one) => one.applicationId))}::uuid[], ${uuids(full.map((one) => one.deliveryId))}::uuid[],
        ${full.map((one) => one.tries + 1 - mostTries)}::integer[]) as old (bucket, tenant_id, application_id, delivery_id, number)
      where t.bucket = old.bucket and t.tenant_id = old.tenant_id and t.application_id = old.application_id and t.delivery_id = old.delivery_id
        and t.number = old.number)
    select distinct recorded.tenant_id, recorded.destination_id from recorded
    join webhook_delivery next on next.bucket = recorded.bucket and next.tenant_id = recorded.tenant_id and next.journey_id = recorded.journey_id
      and next.sequence > recorded.sequence and next.destination_id = recorded.destination_id and next.state = 'PENDING'
    where recorded.state <> 'PENDING'`
}

interface StoppedDestination extends DestinationKey {
  journeyId: string | null
  why: string
}

/** Stops the deliveries of a removed destination, or only those of one journey. */
export async function stopDeliveries(
  tx: Run,
  { tenantId, destinationId, journeyId, why }: StoppedDestination,
): Promise<void> {
  await tx`
    update webhook_delivery set state = 'STOPPED', due_at = null, last_answer = coalesce(last_answer, ${why})
    where tenant_id = ${tenantId} and destination_id = ${destinationId} and due_at is not null${
      journeyId === null ? sql`` : sql` and bucket = ${bucketOf(journeyId)} and journey_id = ${journeyId}`
    }`
}

/** Newest first. */
export const listDeliveries = (db: Run, { tenantId, applicationId }: Owner, filter: ListFilter, limit: number) => {
  const known = filter.deliveryId ?? filter.eventId ?? filter.journeyId
  return db<DeliveryRow>`
    select delivery_id, destination_id, callback_url_sealed is not null as is_callback, journey_id, sequence, status,
      event_id, state, due_at, attempt, last_answer, last_attempt_at, delivered_at, created_at
    from webhook_delivery
    where ${known === null ? sql`` : sql`bucket = ${bucketOf(known)} and `}tenant_id = ${tenantId} and application_id = ${applicationId}
      and (${filter.before}::uuid is null or delivery_id < ${filter.before}::uuid)
      and (${filter.deliveryId}::uuid is null or delivery_id = ${filter.deliveryId}::uuid)
      and (${filter.eventId}::uuid is null or event_id = ${filter.eventId}::uuid)
      and (${filter.journeyId}::uuid is null or journey_id = ${filter.journeyId}::uuid)
      and (${filter.endpointId}::uuid is null or destination_id = ${filter.endpointId}::uuid)
      and (${filter.status}::text is null or status = ${filter.status}::text)
      and (${filter.state}::text is null or state = ${filter.state}::text)
    order by delivery_id desc limit ${limit}`
}

/** The first attempt of replayed deliveries, because a first success has no row yet. */
export const keptFirstTry = (which: Fragment): Fragment => sql`first_try as (
  insert into webhook_try (bucket, tenant_id, application_id, delivery_id, number, state, answer, took_ms, at)
  select d.bucket, d.tenant_id, d.application_id, d.delivery_id, 1, 'DELIVERED', coalesce(d.last_answer, ''), coalesce(d.took_ms, 0),
    d.last_attempt_at
  from webhook_delivery d where ${which} and d.tries = 1 and d.state = 'DELIVERED' and d.last_attempt_at is not null
  on conflict do nothing)`

/**
 * Makes a delivery due again with its schedule restarted, and returns the instant; undefined when its destination is
 * removed or disabled. One that waits and is due before the end of a lease may be in flight, and stays unchanged.
 */
export async function replayDelivery(
  tx: Run,
  key: DeliveryKey,
  at: Date,
  leaseUntil: Date,
): Promise<Date | null | undefined> {
  const [row] = await tx<{ dueAt: Date | null }>`
    with ${keptFirstTry(sql`d.bucket = ${bucketOf(key.deliveryId)} and d.application_id = ${key.applicationId} and d.tenant_id = ${key.tenantId} and d.delivery_id = ${key.deliveryId}`)}
    update webhook_delivery d set
      due_at = case when state = 'PENDING' and (attempt = 0 or due_at <= ${leaseUntil}::timestamptz) then due_at else ${at}::timestamptz end,
      attempt = case when state = 'PENDING' then attempt else 0 end, state = 'PENDING'
    where bucket = ${bucketOf(key.deliveryId)} and tenant_id = ${key.tenantId} and application_id = ${key.applicationId} and delivery_id = ${key.deliveryId}
      and (callback_url_sealed is not null or exists (select from webhook_endpoint e
        where e.tenant_id = d.tenant_id and e.endpoint_id = d.destination_id and e.disabled_at is null))
    returning due_at`
  return row?.dueAt
}

/** The owner of a delivery by its id, for the CLI. */
export async function ownerOfDelivery(db: Run, deliveryId: string): Promise<Owner | undefined> {
  const [row] = await db<Owner>`select tenant_id, application_id from webhook_delivery
      where bucket = ${bucketOf(deliveryId)} and delivery_id = ${deliveryId} limit 1`
  return row
}

/** The application that owns an endpoint or a delivery; other applications cannot see it. */
export interface Owner {
  tenantId: string
  applicationId: string
}
