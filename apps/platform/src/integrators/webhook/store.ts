// Tables webhook_delivery and webhook_try.

import { byteas } from '@lendloom/postgres/binary-array'
import { bytea, integer, rowsAs, smallint, text, timestamptz, uuid } from '@lendloom/postgres/rows'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { DeliveryTable, DestinationKey } from '@lendloom/queue/delivery-claim'
import type { AttemptResult } from '@lendloom/queue/delivery-engine'
import { bucketOf } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { numberBefore } from '@lendloom/wire/hosted/loan-event-types'
import {
  type DeliveryKey,
  type DeliveryRow,
  type DueDelivery,
  deliveryQueue,
  type LeasedDelivery,
  type LifecycleDelivery,
  type ListFilter,
  maxStoredTries,
  sealAnswer,
} from './delivery.ts'

/** Deliveries to a disabled endpoint are stored as STOPPED; after the endpoint is enabled, a replay can send them. */
const stateFor = sql`case when disabled_at is null then 'PENDING' else 'STOPPED' end`

/** Whether an endpoint wants an update of this status: the filter of D1 §6.1, and of events of loans its own. */
const subscribesTo = (status: Fragment): Fragment => sql`
  case when ${status} like 'loan.%' then ${status} = any(coalesce(loan_events, '{}'::text[]))
    else statuses is null or ${status} = any(statuses) end`

/**
 * Inserts the deliveries of an update for each row of `given`, a `from` item: one per subscribed endpoint of the
 * application, and one for the callback URL. A delivery id is the start of the event id plus the end of the destination
 * id; so deliveries sort like events, and the primary key prevents duplicates.
 */
export const newDeliveries = (d: LifecycleDelivery, at: Date, given: Fragment | null = null): Fragment => sql`
  insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, callback_url_sealed, journey_id,
    sequence, status, event_id, body_sealed, state, due_at, created_at, correlation_id, traceparent)
  select
    ${bucketOf(d.journeyId)}::smallint as bucket,
    ${d.tenantId}::uuid as tenant_id,
    ${d.applicationId}::uuid as application_id,
    (left(${d.eventId}::text, 24) || right(destination.id::text, 12))::uuid as delivery_id,
    destination.id as destination_id,
    destination.url_sealed as callback_url_sealed,
    ${d.journeyId}::uuid as journey_id,
    ${d.sequence}::integer as sequence,
    ${d.status}::text as status,
    ${d.eventId}::uuid as event_id,
    ${d.bodySealed}::bytea as body_sealed,
    destination.state as state,
    case when destination.state = 'PENDING' then ${at}::timestamptz end as due_at,
    ${at}::timestamptz as created_at,
    ${d.correlationId}::text as correlation_id,
    ${d.traceparent}::text as traceparent
  from ${given ?? sql`(select 1)`} as given cross join (
    select endpoint_id as id, null::bytea as url_sealed, ${stateFor} as state from webhook_endpoint
    where tenant_id = ${d.tenantId}::uuid and application_id = ${d.applicationId}::uuid
      and ${subscribesTo(sql`${d.status}::text`)}
    union all
    select ${d.callback?.destinationId ?? null}::uuid, ${d.callback?.urlSealed ?? null}::bytea, 'PENDING'
    where ${d.callback !== null}::boolean
  ) as destination`

/** Adds an update for every destination, in the transaction of its cause (D1 §6). */
export async function insertDeliveries(tx: Tx, delivery: LifecycleDelivery, at: Date): Promise<void> {
  await tx`${newDeliveries(delivery, at)}`
  tx.wake(deliveryQueue)
}

/** Like `newDeliveries`, for several updates of one tenant whose journeys are in `given`. */
export const newDeliveriesOf = (
  tenantId: string,
  rows: (LifecycleDelivery & { at: Date })[],
  given: Fragment,
): Fragment => sql`
  insert into webhook_delivery (bucket, tenant_id, application_id, delivery_id, destination_id, callback_url_sealed, journey_id,
    sequence, status, event_id, body_sealed, state, due_at, created_at, correlation_id, traceparent)
  select
    row.bucket,
    ${tenantId}::uuid as tenant_id,
    row.application_id,
    (left(row.event_id::text, 24) || right(destination.id::text, 12))::uuid as delivery_id,
    destination.id as destination_id,
    destination.url_sealed as callback_url_sealed,
    row.journey_id,
    row.sequence,
    row.status,
    row.event_id,
    row.body_sealed,
    destination.state as state,
    case when destination.state = 'PENDING' then row.at end as due_at,
    row.at as created_at,
    row.correlation_id,
    row.traceparent
  from ${given} as given
  join ${rowsAs(sql`row`, rows, {
    bucket: smallint((row) => bucketOf(row.journeyId)),
    applicationId: uuid((row) => row.applicationId),
    journeyId: uuid((row) => row.journeyId),
    sequence: integer((row) => row.sequence),
    status: text((row) => row.status),
    eventId: uuid((row) => row.eventId),
    bodySealed: bytea((row) => row.bodySealed),
    at: timestamptz((row) => row.at),
    correlationId: text((row) => row.correlationId),
    traceparent: text((row) => row.traceparent),
    callbackId: uuid((row) => row.callback?.destinationId ?? null),
    callbackUrl: bytea((row) => row.callback?.urlSealed ?? null),
  })} on row.journey_id = given.journey_id
  cross join lateral (
    select endpoint_id as id, null::bytea as url_sealed, ${stateFor} as state from webhook_endpoint
    where tenant_id = ${tenantId}::uuid and application_id = row.application_id
      and ${subscribesTo(sql`row.status`)}
    union all
    select row.callback_id, row.callback_url, 'PENDING' where row.callback_id is not null
  ) as destination`

/** Whether no earlier update of the journey to the same destination is pending. */
const isFirst = sql`
  (select 1 from webhook_delivery ahead
   where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id and ahead.journey_id = d.journey_id and ahead.sequence < d.sequence
     and ahead.destination_id = d.destination_id and ahead.state = 'PENDING' limit 1) is null`

const hasNoEndpoint = (condition: Fragment): Fragment => sql`
  (select 1 from webhook_endpoint p
   where p.tenant_id = d.tenant_id and p.endpoint_id = d.destination_id and ${condition}) is null`

/** Whether the update is the first of its journey, and its destination neither paused nor a listener, which pulls. */
const isNext = sql`${isFirst} and ${hasNoEndpoint(sql`(p.paused_at is not null or p.listens_until is not null)`)}`
const isNextOfListener = sql`${isFirst} and ${hasNoEndpoint(sql`p.paused_at is not null`)}`

const earlier = sql`from webhook_delivery a
  where a.bucket = d.bucket and a.tenant_id = d.tenant_id and a.journey_id = d.journey_id
    and a.destination_id = d.destination_id and a.sequence < d.sequence and a.sequence >= d.sequence - 50`

/**
 * The columns of the `DeliveryGap` before `d`. All earlier updates have been delivered or given up, because `d` is next.
 * Citus permits only immutable functions here, so none of JSON.
 */
const gapColumns = sql`
  (select array_agg(a.event_id order by a.sequence) filter (where a.state <> 'DELIVERED') ${earlier}) as missing,
  (select case when coalesce(max(a.sequence) filter (where a.state = 'DELIVERED'), 0) < max(a.sequence) filter (where a.state <> 'DELIVERED')
    then coalesce(max(a.sequence) filter (where a.state = 'DELIVERED'), 0) end ${earlier}) as last_delivered`

type ClaimedRow = Omit<LeasedDelivery, 'gap'> & { missing: string[] | null; lastDelivered: number | null }

export const deliveryTable: DeliveryTable = {
  table: sql`webhook_delivery`,
  key: sql`tenant_id, application_id, delivery_id`,
  isNext,
  matchesDestination: ({ tenantId, destinationId }) =>
    sql`tenant_id = ${tenantId} and destination_id = ${destinationId}`,
}

/**
 * Claims deliveries until the end of a lease by compare-and-set on `due_at`: the first worker to change it wins. Skips
 * those that must now wait because of a replay. The `select` hides the length of an array from PostgreSQL, which would
 * otherwise plan the statement again for each call.
 */
export async function claimDeliveries(
  db: Run,
  due: DueDelivery[],
  leaseUntil: Date,
  condition: Fragment = isNext,
): Promise<LeasedDelivery[]> {
  const rows = await db<ClaimedRow>`
  update webhook_delivery d set due_at = ${leaseUntil}
  from unnest((select ${due.map((one) => bucketOf(one.deliveryId))}::smallint[]), ${due.map((one) => one.tenantId)}::uuid[], ${due.map((one) => one.applicationId)}::uuid[],
    ${due.map((one) => one.deliveryId)}::uuid[], ${due.map((one) => one.destinationId)}::uuid[],
    ${due.map((one) => one.dueAt)}::timestamptz[]
  ) as claim (bucket, tenant_id, application_id, delivery_id, destination_id, due_at)
  left join webhook_endpoint e on e.tenant_id = claim.tenant_id and e.endpoint_id = claim.destination_id
    and e.disabled_at is null
  where d.bucket = claim.bucket and d.tenant_id = claim.tenant_id and d.application_id = claim.application_id and d.delivery_id = claim.delivery_id
    and d.due_at = claim.due_at and ${condition}
  returning d.tenant_id, d.application_id, d.delivery_id, d.destination_id, d.due_at as lease_until,
    d.attempt, d.tries, d.journey_id, d.sequence, d.status, d.event_id, d.created_at, d.correlation_id, d.traceparent, d.body_sealed,
    d.callback_url_sealed, e.url, e.secret_sealed, e.access_sealed, e.old_secret_sealed, e.old_secret_until, ${gapColumns}`
  return rows.map(({ missing, lastDelivered: last, ...row }) => {
    const lastDelivered = last === null ? null : numberBefore(row.sequence, last)
    return { ...row, gap: missing && { missing, lastDelivered } }
  })
}

/** Claims the due updates of a listener, at most `limit` and at most one of each journey. */
export async function claimOfListener(
  db: Run,
  { tenantId, endpointId }: { tenantId: string; endpointId: string },
  { at, leaseUntil, limit }: { at: Date; leaseUntil: Date; limit: number },
): Promise<LeasedDelivery[]> {
  const due = await db<DueDelivery>`
    select tenant_id, application_id, delivery_id, destination_id, due_at from webhook_delivery d
    where tenant_id = ${tenantId} and destination_id = ${endpointId} and due_at <= ${at} and ${isNextOfListener}
    order by due_at limit ${limit}`
  return due.length === 0 ? [] : claimDeliveries(db, due, leaseUntil, isNextOfListener)
}

/** The part of a claimed delivery by which its result is recorded. */
export type ClaimKey = DeliveryKey & Pick<LeasedDelivery, 'leaseUntil' | 'tries'>

/**
 * Records the results of attempts in one statement, except for deliveries that another worker has claimed since. Returns
 * the destinations whose next update is now due.
 */
export function recordAttempts(tx: Run, seal: Seal, results: AttemptResult<ClaimKey>[]): Promise<DestinationKey[]> {
  const messages = results.map(({ message }) => message)
  const full = results
    .filter(({ wasSent, message }) => wasSent && message.tries >= maxStoredTries)
    .map(({ message }) => message)
  return tx<DestinationKey>`
    with recorded as (
      update webhook_delivery d set state = result.state, due_at = result.due_at, attempt = d.attempt + result.tries,
        tries = d.tries + result.tries, took_ms = case when result.tries > 0 then result.took_ms else d.took_ms end,
        last_answer = result.answer, last_attempt_at = case when result.tries > 0 then result.started_at else d.last_attempt_at end,
        delivered_at = case when result.state = 'DELIVERED' then result.at else d.delivered_at end
      from unnest((select ${messages.map((message) => bucketOf(message.deliveryId))}::smallint[]), ${messages.map((message) => message.tenantId)}::uuid[], ${messages.map((message) => message.applicationId)}::uuid[],
        ${messages.map((message) => message.deliveryId)}::uuid[], ${messages.map((message) => message.leaseUntil)}::timestamptz[],
        ${results.map((message) => message.state)}::text[], ${results.map((message) => message.dueAt)}::timestamptz[],
        ${results.map((message) => message.answer)}::text[], ${results.map((message) => message.startedAt)}::timestamptz[], ${results.map((message) => message.at)}::timestamptz[],
        ${results.map((message) => (message.wasSent ? 1 : 0))}::integer[], ${results.map((message) => message.tookMs)}::integer[],
        ${byteas(results.map(({ message, body }) => sealAnswer(seal, message, body)))}::bytea[]
      ) as result (bucket, tenant_id, application_id, delivery_id, lease_until, state, due_at, answer, started_at, at, tries, took_ms, answer_sealed)
      where d.bucket = result.bucket and d.tenant_id = result.tenant_id and d.application_id = result.application_id
        and d.delivery_id = result.delivery_id and d.due_at = result.lease_until
      returning d.bucket, d.tenant_id, d.application_id, d.delivery_id, d.journey_id, d.destination_id, d.sequence, d.state,
        d.tries as number, result.answer, result.answer_sealed, result.took_ms, result.started_at as at, result.tries > 0 as is_tried),
    kept as (
      insert into webhook_try (bucket, tenant_id, application_id, delivery_id, number, state, answer, answer_sealed, took_ms, at)
      select bucket, tenant_id, application_id, delivery_id, number, state, answer, answer_sealed, took_ms, at from recorded
      where is_tried and (number > 1 or state <> 'DELIVERED')),
    forgotten as (
      delete from webhook_try t using ${rowsAs(sql`old`, full, {
        bucket: smallint((message) => bucketOf(message.deliveryId)),
        tenantId: uuid((message) => message.tenantId),
        applicationId: uuid((message) => message.applicationId),
        deliveryId: uuid((message) => message.deliveryId),
        number: integer((message) => message.tries + 1 - maxStoredTries),
      })}
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

/** Deletes the deliveries of a destination that were not delivered, with their attempts. */
export async function deleteUndelivered(tx: Tx, { tenantId, destinationId }: DestinationKey): Promise<void> {
  const undelivered = sql`d.tenant_id = ${tenantId} and d.destination_id = ${destinationId}
    and (d.due_at is not null or d.state in ('EXHAUSTED', 'STOPPED'))`
  await tx`
    delete from webhook_try t using webhook_delivery d
    where t.bucket = d.bucket and t.tenant_id = d.tenant_id and t.application_id = d.application_id
      and t.delivery_id = d.delivery_id and ${undelivered}`
  await tx`delete from webhook_delivery d where ${undelivered}`
}

/** Lists deliveries, newest first. A filter that is null does not restrict the list. */
export const listDeliveries = (db: Run, { tenantId, applicationId }: Owner, filter: ListFilter, limit: number) => {
  const bucketId = filter.deliveryId ?? filter.eventId ?? filter.journeyId
  const listeners = sql`array(select endpoint_id from webhook_endpoint
    where tenant_id = ${tenantId} and application_id = ${applicationId} and listens_until is not null)`
  return db<DeliveryRow & { isArchived: boolean }>`
    select delivery_id, destination_id, callback_url_sealed is not null as is_callback, journey_id, sequence, status,
      event_id, body_sealed is null as is_archived, state, due_at, attempt, last_answer, last_attempt_at, delivered_at, created_at
    from webhook_delivery
    where ${bucketId === null ? sql`` : sql`bucket = ${bucketOf(bucketId)} and `}tenant_id = ${tenantId} and application_id = ${applicationId}
      and (${filter.before}::uuid is null or delivery_id < ${filter.before}::uuid)
      and (${filter.deliveryId}::uuid is null or delivery_id = ${filter.deliveryId}::uuid)
      and (${filter.eventId}::uuid is null or event_id = ${filter.eventId}::uuid)
      and (${filter.journeyId}::uuid is null or journey_id = ${filter.journeyId}::uuid)
      and (${filter.endpointId}::uuid is null or destination_id = ${filter.endpointId}::uuid)
      and (${filter.status}::text is null or status = ${filter.status}::text)
      and (${filter.state}::text is null or state = ${filter.state}::text)
      and (${filter.isOfLoan}::boolean is null or (status like 'loan.%') = ${filter.isOfLoan}::boolean)
      and ${filter.isMissing ? sql`state in ('EXHAUSTED', 'STOPPED') and destination_id <> all(${listeners})` : sql`true`}
    order by delivery_id desc limit ${limit}`
}

/** Inserts the first attempt of replayed deliveries, because a first attempt that succeeds has no row of its own. */
export const insertFirstTry = (condition: Fragment): Fragment => sql`first_try as (
  insert into webhook_try (bucket, tenant_id, application_id, delivery_id, number, state, answer, took_ms, at)
  select d.bucket, d.tenant_id, d.application_id, d.delivery_id, 1, 'DELIVERED', coalesce(d.last_answer, ''), coalesce(d.took_ms, 0),
    d.last_attempt_at
  from webhook_delivery d where ${condition} and d.tries = 1 and d.state = 'DELIVERED' and d.last_attempt_at is not null
  on conflict do nothing)`

/**
 * Makes a delivery due with a restarted schedule, and returns when; undefined if its endpoint is removed or disabled, or its
 * body archived. A pending delivery that is new or due by `leaseUntil` may be in flight and stays unchanged.
 */
export async function replayDelivery(
  tx: Run,
  key: DeliveryKey,
  at: Date,
  leaseUntil: Date,
): Promise<Date | null | undefined> {
  const [row] = await tx<{ dueAt: Date | null }>`
    with ${insertFirstTry(sql`d.bucket = ${bucketOf(key.deliveryId)} and d.application_id = ${key.applicationId} and d.tenant_id = ${key.tenantId} and d.delivery_id = ${key.deliveryId}`)}
    update webhook_delivery d set
      due_at = case when state = 'PENDING' and (attempt = 0 or due_at <= ${leaseUntil}::timestamptz) then due_at else ${at}::timestamptz end,
      attempt = case when state = 'PENDING' then attempt else 0 end, state = 'PENDING'
    where bucket = ${bucketOf(key.deliveryId)} and tenant_id = ${key.tenantId} and application_id = ${key.applicationId} and delivery_id = ${key.deliveryId}
      and body_sealed is not null and (callback_url_sealed is not null or exists (select from webhook_endpoint e
        where e.tenant_id = d.tenant_id and e.endpoint_id = d.destination_id and e.disabled_at is null))
    returning due_at`
  return row?.dueAt
}

/** Finds the owner of a delivery by its id, across tenants. */
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
