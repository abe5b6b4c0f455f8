// The console's queries about webhooks: endpoints, recent answers, deliveries with attempts.

import { readNewestRows } from '@lendloom/postgres/index-ranges'
import { type Fragment, join, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf, firstIdAt } from '@lendloom/seal/id'
import type { DeliveryState } from '@lendloom/wire/webhook/delivery-state'
import { listAllApplications } from '#platform/api/console/tenant-store.ts'
import { inState } from '#platform/integrators/webhook/bulk-replay/store.ts'
import type { DeliveryRow, UpdateStatus } from '#platform/integrators/webhook/delivery.ts'
import { type EndpointRow, endpointColumns } from '#platform/integrators/webhook/endpoint/store.ts'

export interface NamedEndpoint extends EndpointRow {
  applicationName: string
  oldSecretUntil: Date | null
  outageBeganAt: Date | null
  restartedAt: Date | null
}

/** Lists endpoints of one tenant or all, oldest first; only one endpoint if `endpointId` is set. */
export const listNamedEndpoints = (
  db: Run,
  tenantId: string | null,
  { endpointId, after, limit }: { endpointId: string | null; after: string | null; limit: number },
): Promise<NamedEndpoint[]> => db<NamedEndpoint>`
  select e.tenant_id, e.application_id, e.endpoint_id, e.url, e.statuses, e.created_at, e.disabled_at,
    e.disabled_because, e.paused_at, e.listens_until, e.listener_person_id, e.listener_updates, e.feed_at, e.access_sealed, e.loan_events, e.old_secret_until, e.restarted_at, a.name as application_name,
    (select o.began_at from webhook_outage o
      where o.tenant_id = e.tenant_id and o.endpoint_id = e.endpoint_id and o.ended_at is null) as outage_began_at
  from tenant t cross join lateral (
    select ${endpointColumns}, old_secret_until, restarted_at
    from webhook_endpoint where tenant_id = t.tenant_id and (${endpointId}::uuid is null or endpoint_id = ${endpointId}::uuid)
      and (${after}::uuid is null or endpoint_id > ${after}::uuid)
    order by endpoint_id limit ${limit}) as e
  join application a on a.tenant_id = e.tenant_id and a.application_id = e.application_id
  where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid
  order by e.endpoint_id limit ${limit}`

export interface EndpointActivity {
  endpointId: string
  delivered: number
  retried: number
  p50Ms: number | null
  p95Ms: number | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  /** Creation of the oldest update that failed after the last success. */
  failedFrom: Date | null
  answers: { deliveryId: string; at: string; state: DeliveryState; answer: string; tookMs: number | null }[]
}

const isAnswered = sql`last_answer ~ '^[0-9]{3}$'`

/** Reads endpoints' answers since an instant, to at most `limit` of each application's newest updates. */
export const readRecentActivity = (
  db: Run,
  tenantId: string,
  { applicationIds, since, limit }: { applicationIds: string[]; since: Date; limit: number },
): Promise<EndpointActivity[]> => db<EndpointActivity>`
  with lately as materialized (
    select delivery_id, destination_id, created_at, state, attempt, tries, last_answer, last_attempt_at, took_ms,
      max(last_attempt_at) filter (where state = 'DELIVERED') over (partition by destination_id) as success_at from (${join(
        applicationIds.map(
          (applicationId) => sql`
        (select delivery_id, destination_id, created_at, state, attempt, tries, last_answer, last_attempt_at, took_ms from webhook_delivery
         where tenant_id = ${tenantId} and application_id = ${applicationId} and delivery_id >= ${firstIdAt(since)}::uuid
         order by delivery_id desc limit ${limit})`,
        ),
        ' union all ',
      )}) as newest
    where last_attempt_at is not null),
  ranked as (
    select delivery_id, destination_id, state, last_answer, last_attempt_at, took_ms,
      row_number() over (partition by destination_id order by last_attempt_at desc) as rank from lately)
  select destination_id as endpoint_id,
    count(*) filter (where state = 'DELIVERED')::integer as delivered,
    count(*) filter (where state = 'DELIVERED' and tries > 1)::integer as retried,
    round(percentile_cont(0.5) within group (order by took_ms) filter (where ${isAnswered}))::integer as p50_ms,
    round(percentile_cont(0.95) within group (order by took_ms) filter (where ${isAnswered}))::integer as p95_ms,
    max(success_at) as last_success_at,
    min(created_at) filter (where state <> 'DELIVERED' and last_attempt_at > coalesce(success_at, '-infinity')) as failed_from,
    max(last_attempt_at) filter (where state <> 'DELIVERED') as last_failure_at,
    (select coalesce(json_agg(json_build_object('deliveryId', r.delivery_id, 'at', r.last_attempt_at, 'state', r.state, 'answer', r.last_answer,
        'tookMs', r.took_ms) order by r.rank), '[]')
      from ranked r where r.destination_id = lately.destination_id and r.rank <= 20) as answers
  from lately group by destination_id`

export interface Backlog {
  endpointId: string
  waiting: number
  waitingSince: Date | null
  lastFailureAt: Date | null
  failedFrom: Date | null
  /** The newest failed try of a waiting update, or of the newest missed one, however old. */
  lastFailure: EndpointActivity['answers'][number] | null
  nextTryAt: Date | null
  missed: number
}

/** Counts waiting deliveries, and missed ones since an instant, each up to `limit`. Omits endpoints without any. */
export const readBacklogs = (
  db: Run,
  tenantId: string,
  { endpointIds, since, limit }: { endpointIds: string[]; since: Date; limit: number },
): Promise<Backlog[]> => db<Backlog>`
  select destination_id as endpoint_id, count(*) filter (where is_waiting)::integer as waiting,
    min(created_at) filter (where is_waiting) as waiting_since,
    max(last_attempt_at) filter (where is_waiting and attempt > 0) as last_failure_at,
    min(created_at) filter (where is_waiting and attempt > 0) as failed_from,
    (array_agg(json_build_object('deliveryId', delivery_id, 'at', last_attempt_at, 'state', state, 'answer', last_answer, 'tookMs', took_ms)
      order by last_attempt_at desc) filter (where attempt > 0))[1] as last_failure,
    min(due_at) filter (where attempt > 0) as next_try_at,
    count(*) filter (where not is_waiting)::integer as missed
  from (${join(
    endpointIds.map((endpointId) => {
      const columns = sql`delivery_id, destination_id, created_at, state, last_answer, took_ms, last_attempt_at, attempt, due_at`
      const isOfEndpoint = sql`tenant_id = ${tenantId} and destination_id = ${endpointId}`
      const isMissed = sql`${isOfEndpoint} and state in ('EXHAUSTED', 'STOPPED')`
      return sql`
      (select true as is_waiting, ${columns} from webhook_delivery where ${isOfEndpoint} and due_at is not null limit ${limit})
      union all
      (select false as is_waiting, ${columns} from webhook_delivery
       where ${isMissed} and delivery_id >= ${firstIdAt(since)}::uuid limit ${limit})
      union all
      (select null as is_waiting, ${columns} from webhook_delivery where ${isMissed} order by delivery_id desc limit 1)`
    }),
    ' union all ',
  )}) as counted group by destination_id`

/** Counts up to `limit` deliveries that were given up, except those to listeners, which come and go, and to removed endpoints. */
export async function countGivenUp(
  db: Run,
  tenantId: string | null,
  { since, limit }: { since: Date; limit: number },
): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*)::integer as count from (
      select 1 from webhook_delivery d ${joinEndpoint}
      where (${tenantId}::uuid is null or d.tenant_id = ${tenantId}::uuid) and d.delivery_id >= ${firstIdAt(since)}::uuid
        and d.state = 'EXHAUSTED' and e.listens_until is null and ${hasDestination}
      limit ${limit}) as given_up`
  return row?.count ?? 0
}

export interface ConsoleDeliveryFilter {
  endpointId: string | null
  journeyId: string | null
  eventId: string | null
  state: DeliveryState | null
  status: UpdateStatus | null
  from: Date | null
  until: Date | null
}

export interface ConsoleDelivery extends DeliveryRow {
  tenantId: string
  url: string | null
  tookMs: number | null
  tries: number
  isPaused: boolean
  /** The sequence of the earlier update that must be delivered first; null if this update is the next. */
  behindSequence: number | null
}

/** The sequence of the earliest pending update before delivery `d`, to the same destination. */
export const behindSequence = sql`(select min(ahead.sequence) from webhook_delivery ahead where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id
  and ahead.journey_id = d.journey_id and ahead.destination_id = d.destination_id and ahead.sequence < d.sequence
  and ahead.state = 'PENDING')`
const deliveryColumns = sql`d.tenant_id, d.delivery_id, d.destination_id, d.callback_url_sealed is not null as is_callback, e.url,
  d.journey_id, d.sequence, d.status, d.event_id, d.state, d.due_at, d.attempt, d.last_answer, d.last_attempt_at,
  d.took_ms, d.tries, d.delivered_at, d.created_at, e.paused_at is not null as is_paused,
  case when d.state = 'PENDING' then ${behindSequence} end as behind_sequence`
/** Joins delivery `d` with its endpoint `e`; a callback has none. */
export const joinEndpoint = sql`left join webhook_endpoint e on e.tenant_id = d.tenant_id and e.endpoint_id = d.destination_id`

/** Whether the destination of delivery `d` still exists: its endpoint `e`, or a callback. Nothing can be replayed to a removed one. */
export const hasDestination = sql`(d.callback_url_sealed is not null or e.endpoint_id is not null)`

/** The applications of one tenant; null for all tenants. */
export type DeliveryScope = { tenantId: string; applicationIds: string[] } | null

/**
 * Lists deliveries newest first. One query reads the tenant if the filter matches few rows. Otherwise a query per
 * application reads up to `limit` rows in key order.
 */
export async function listConsoleDeliveries(
  db: Run,
  scope: DeliveryScope,
  filter: ConsoleDeliveryFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<ConsoleDelivery[]> {
  const conditions = [
    ...(filter.endpointId === null ? [] : [sql`d.destination_id = ${filter.endpointId}`]),
    ...(filter.journeyId === null
      ? []
      : [sql`d.bucket = ${bucketOf(filter.journeyId)} and d.journey_id = ${filter.journeyId}`]),
    ...(filter.eventId === null
      ? []
      : [sql`d.bucket = ${bucketOf(filter.eventId)} and d.event_id = ${filter.eventId}`]),
    ...(filter.state === null ? [] : [inState[filter.state]]),
    ...(filter.status === null ? [] : [sql`d.status = ${filter.status}`]),
    ...(filter.from === null ? [] : [sql`d.delivery_id >= ${firstIdAt(filter.from)}::uuid`]),
    ...(filter.until === null ? [] : [sql`d.delivery_id < ${firstIdAt(filter.until)}::uuid`]),
    ...(after === null ? [] : [sql`d.delivery_id < ${after}::uuid`]),
    ...eventRange(filter.eventId),
  ]
  const newest = (keyConditions: Fragment[]): Fragment => sql`
    select ${deliveryColumns} from webhook_delivery d ${joinEndpoint}
    where ${join([...keyConditions, ...conditions], ' and ')} order by d.delivery_id desc limit ${limit}`
  if (scope && matchesFewRows(filter)) return db<ConsoleDelivery>`${newest([sql`d.tenant_id = ${scope.tenantId}`])}`
  const applications = scope?.applicationIds.map((applicationId) => ({ tenantId: scope.tenantId, applicationId }))
  const queries = (applications ?? (await listAllApplications(db))).map(
    ({ tenantId, applicationId }) =>
      sql`(${newest([sql`d.tenant_id = ${tenantId}`, sql`d.application_id = ${applicationId}`])})`,
  )
  const read = (batch: Fragment[]) => db<ConsoleDelivery>`
    select tenant_id, delivery_id, destination_id, is_callback, url, journey_id, sequence, status, event_id, state, due_at, attempt,
      last_answer, last_attempt_at, took_ms, tries, delivered_at, created_at, is_paused, behind_sequence
    from (${join(batch, ' union all ')}) as d order by delivery_id desc limit ${limit}`
  return readNewestRows(queries, { limit, idOf: ({ deliveryId }) => deliveryId, read })
}

/** Whether the filter matches few rows: those of a journey, or the undelivered ones of an endpoint. */
const matchesFewRows = ({ journeyId, endpointId, state }: ConsoleDeliveryFilter): boolean =>
  journeyId !== null || (endpointId !== null && isRareState(state))

const isRareState = (state: DeliveryState | null): boolean => state !== null && state !== 'DELIVERED'

/** A delivery id is the first 24 characters of the event id plus the end of the destination id. */
const eventRange = (eventId: string | null): Fragment[] =>
  eventId === null
    ? []
    : [
        sql`d.delivery_id >= ${`${eventId.slice(0, 24)}000000000000`}::uuid`,
        sql`d.delivery_id <= ${`${eventId.slice(0, 24)}ffffffffffff`}::uuid`,
      ]

export interface WholeDelivery extends ConsoleDelivery {
  applicationId: string
  correlationId: string | null
  /** Null once archived. */
  bodySealed: Buffer | null
  pausedAt: Date | null
  /** The delivery of the earlier update that must be delivered first; null if this update is the next. */
  behindDeliveryId: string | null
}

/** Finds a delivery with its body, of the tenant's applications. */
export async function findWholeDelivery(
  db: Run,
  { tenantId, applicationIds }: { tenantId: string; applicationIds: string[] },
  deliveryId: string,
): Promise<WholeDelivery | undefined> {
  const [row] = await db<WholeDelivery>`
    select ${deliveryColumns}, d.application_id, d.correlation_id, d.body_sealed, e.paused_at,
      (select ahead.delivery_id from webhook_delivery ahead where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id
        and ahead.journey_id = d.journey_id and ahead.destination_id = d.destination_id
        and ahead.sequence < d.sequence and ahead.state = 'PENDING' order by ahead.sequence limit 1) as behind_delivery_id
    from webhook_delivery d ${joinEndpoint}
    where d.bucket = ${bucketOf(deliveryId)} and d.tenant_id = ${tenantId} and d.application_id = any(${applicationIds}::uuid[]) and d.delivery_id = ${deliveryId}`
  return row
}

export interface StoredTry {
  number: number
  state: DeliveryState
  answer: string
  answerSealed: Buffer | null
  tookMs: number
  at: Date
}

/** Lists stored attempts, newest first; a first attempt that succeeds is not stored. */
export const listStoredTries = (
  db: Run,
  { tenantId, applicationId, deliveryId }: { tenantId: string; applicationId: string; deliveryId: string },
): Promise<StoredTry[]> => db<StoredTry>`
  select number, state, answer, answer_sealed, took_ms, at from webhook_try
  where bucket = ${bucketOf(deliveryId)} and tenant_id = ${tenantId} and application_id = ${applicationId} and delivery_id = ${deliveryId}
  order by number desc`

export interface SentBody {
  deliveryId: string
  journeyId: string
  sequence: number
  /** Null once archived. */
  bodySealed: Buffer | null
}

/** Finds the body that was sent to an endpoint with a `webhook-id`. */
export async function findSentBody(
  db: Run,
  { tenantId, applicationId, endpointId }: Pick<EndpointRow, 'tenantId' | 'applicationId' | 'endpointId'>,
  eventId: string,
): Promise<SentBody | undefined> {
  const [row] = await db<SentBody>`
    select delivery_id, journey_id, sequence, body_sealed from webhook_delivery
    where bucket = ${bucketOf(eventId)} and tenant_id = ${tenantId} and application_id = ${applicationId} and event_id = ${eventId}
      and delivery_id = ${eventId.slice(0, 24) + endpointId.slice(24)}::uuid`
  return row
}
