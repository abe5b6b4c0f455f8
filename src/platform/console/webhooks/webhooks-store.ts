// The console's queries about webhooks: endpoints, recent answers, deliveries with attempts.

import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import { bucketOf, firstIdAt } from '#kit/crypto/id.ts'
import { readNewestRows } from '#kit/db/pieces.ts'
import { type Fragment, join, type Run, sql } from '#kit/db/sql.ts'
import { everyApplication } from '#platform/console/store.ts'
import { inState } from '#platform/webhook/bulk-replay/store.ts'
import type { DeliveryRow, DeliveryState } from '#platform/webhook/delivery.ts'
import type { EndpointRow } from '#platform/webhook/endpoint/store.ts'

export interface SeenEndpoint extends EndpointRow {
  applicationName: string
  oldSecretUntil: Date | null
}

/** Oldest first, of one tenant or of all by ranges of the key; only one endpoint if `endpointId` is set. */
export const seenEndpoints = (
  db: Run,
  tenantId: string | null,
  { endpointId, after, limit }: { endpointId: string | null; after: string | null; limit: number },
): Promise<SeenEndpoint[]> => db<SeenEndpoint>`
  select e.tenant_id, e.application_id, e.endpoint_id, e.url, e.statuses, e.created_at, e.disabled_at,
    e.disabled_because, e.paused_at, e.old_secret_until, a.name as application_name
  from tenant t cross join lateral (
    select tenant_id, application_id, endpoint_id, url, statuses, created_at, disabled_at, disabled_because, paused_at,
      old_secret_until
    from webhook_endpoint where tenant_id = t.tenant_id and (${endpointId}::uuid is null or endpoint_id = ${endpointId}::uuid)
      and (${after}::uuid is null or endpoint_id > ${after}::uuid)
    order by endpoint_id limit ${limit}) as e
  join application a on a.tenant_id = e.tenant_id and a.application_id = e.application_id
  where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid
  order by e.endpoint_id limit ${limit}`

export interface EndpointActivity {
  endpointId: string
  delivered: number
  repeated: number
  p50Ms: number | null
  p95Ms: number | null
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  answers: { at: string; state: DeliveryState; answer: string; tookMs: number | null }[]
}

/** Answers of endpoints since an instant, from at most `most` of each application's newest updates. */
export const latelySeen = (
  db: Run,
  tenantId: string,
  { applicationIds, since, most }: { applicationIds: string[]; since: Date; most: number },
): Promise<EndpointActivity[]> => db<EndpointActivity>`
  with lately as materialized (
    select destination_id, state, attempt, tries, last_answer, last_attempt_at, took_ms from (${join(
      applicationIds.map(
        (applicationId) => sql`
        (select destination_id, state, attempt, tries, last_answer, last_attempt_at, took_ms from webhook_delivery
         where tenant_id = ${tenantId} and application_id = ${applicationId} and delivery_id >= ${firstIdAt(since)}::uuid
         order by delivery_id desc limit ${most})`,
      ),
      ' union all ',
    )}) as newest
    where last_attempt_at is not null),
  ranked as (
    select destination_id, state, last_answer, last_attempt_at, took_ms,
      row_number() over (partition by destination_id order by last_attempt_at desc) as place from lately)
  select destination_id as endpoint_id,
    count(*) filter (where state = 'DELIVERED')::integer as delivered,
    count(*) filter (where state = 'DELIVERED' and tries > 1)::integer as repeated,
    round(percentile_cont(0.5) within group (order by took_ms) filter (where took_ms is not null))::integer as p50_ms,
    round(percentile_cont(0.95) within group (order by took_ms) filter (where took_ms is not null))::integer as p95_ms,
    max(last_attempt_at) filter (where state = 'DELIVERED') as last_success_at,
    max(last_attempt_at) filter (where state <> 'DELIVERED') as last_failure_at,
    (select coalesce(json_agg(json_build_object('at', r.last_attempt_at, 'state', r.state, 'answer', r.last_answer,
        'tookMs', r.took_ms) order by r.place), '[]')
      from ranked r where r.destination_id = lately.destination_id and r.place <= 20) as answers
  from lately group by destination_id`

export interface Backlog {
  endpointId: string
  waiting: number
  waitingSince: Date | null
  lastFailureAt: Date | null
  missed: number
}

/**
 * Waiting deliveries of endpoints, and missed ones since an instant, each counted up to `most`. Endpoints without
 * either are omitted.
 */
export const backlogs = (
  db: Run,
  tenantId: string,
  { endpointIds, since, most }: { endpointIds: string[]; since: Date; most: number },
): Promise<Backlog[]> => db<Backlog>`
  select destination_id as endpoint_id, count(*) filter (where is_waiting)::integer as waiting,
    min(created_at) filter (where is_waiting) as waiting_since,
    max(last_attempt_at) filter (where is_waiting and attempt > 0) as last_failure_at,
    count(*) filter (where not is_waiting)::integer as missed
  from (${join(
    endpointIds.map((endpointId) => {
      const columns = sql`destination_id, created_at, last_attempt_at, attempt`
      const isIts = sql`tenant_id = ${tenantId} and destination_id = ${endpointId}`
      return sql`
      (select true as is_waiting, ${columns} from webhook_delivery where ${isIts} and due_at is not null limit ${most})
      union all
      (select false as is_waiting, ${columns} from webhook_delivery
       where ${isIts} and state in ('EXHAUSTED', 'STOPPED') and delivery_id >= ${firstIdAt(since)}::uuid limit ${most})`
    }),
    ' union all ',
  )}) as counted group by destination_id`

export interface SeenFilter {
  endpointId: string | null
  journeyId: string | null
  eventId: string | null
  state: DeliveryState | null
  status: LifecycleStatus | null
  from: Date | null
  until: Date | null
}

export interface SeenDelivery extends DeliveryRow {
  tenantId: string
  url: string | null
  tookMs: number | null
  tries: number
  isPaused: boolean
  /** The earliest pending update of the journey to the same destination; null when it is this one. */
  behindSequence: number | null
}

/** The update ahead of a waiting delivery `d`, by the index of the journey's order. */
export const behindSequence = sql`(select min(ahead.sequence) from webhook_delivery ahead where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id
  and ahead.journey_id = d.journey_id and ahead.destination_id = d.destination_id and ahead.sequence < d.sequence
  and ahead.state = 'PENDING')`
const seenColumns = sql`d.tenant_id, d.delivery_id, d.destination_id, d.callback_url_sealed is not null as is_callback, e.url,
  d.journey_id, d.sequence, d.status, d.event_id, d.state, d.due_at, d.attempt, d.last_answer, d.last_attempt_at,
  d.took_ms, d.tries, d.delivered_at, d.created_at, e.paused_at is not null as is_paused,
  case when d.state = 'PENDING' then ${behindSequence} end as behind_sequence`
const itsEndpoint = sql`left join webhook_endpoint e on e.tenant_id = d.tenant_id and e.endpoint_id = d.destination_id`

/** The owners of listed deliveries: one tenant's applications, or all. */
export type DeliveryScope = { tenantId: string; applicationIds: string[] } | null

/**
 * Newest first. Each application is read in the order of its key up to the limit; across applications the keys are read
 * first, unless few rows match.
 */
export async function seenDeliveries(
  db: Run,
  scope: DeliveryScope,
  filter: SeenFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<SeenDelivery[]> {
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
  const newest = (which: Fragment[]): Fragment => sql`
    select ${seenColumns} from webhook_delivery d ${itsEndpoint}
    where ${join([...which, ...conditions], ' and ')} order by d.delivery_id desc limit ${limit}`
  if (scope && isOfFew(filter)) return db<SeenDelivery>`${newest([sql`d.tenant_id = ${scope.tenantId}`])}`
  const applications = scope?.applicationIds.map((applicationId) => ({ tenantId: scope.tenantId, applicationId }))
  const pieces = (applications ?? (await everyApplication(db))).map(
    ({ tenantId, applicationId }) =>
      sql`(${newest([sql`d.tenant_id = ${tenantId}`, sql`d.application_id = ${applicationId}`])})`,
  )
  const read = (some: Fragment[]) => db<SeenDelivery>`
    select tenant_id, delivery_id, destination_id, is_callback, url, journey_id, sequence, status, event_id, state, due_at, attempt,
      last_answer, last_attempt_at, took_ms, tries, delivered_at, created_at, is_paused, behind_sequence
    from (${join(some, ' union all ')}) as d order by delivery_id desc limit ${limit}`
  return readNewestRows(pieces, { limit, idOf: ({ deliveryId }) => deliveryId, read })
}

/** Whether a filter matches few rows: a journey, or an endpoint in an indexed state. */
const isOfFew = ({ journeyId, endpointId, state }: SeenFilter): boolean =>
  journeyId !== null || (endpointId !== null && isRare(state))

const isRare = (state: DeliveryState | null): boolean => state !== null && state !== 'DELIVERED'

/** A delivery id is the event id with the end of the destination id. */
const eventRange = (eventId: string | null): Fragment[] =>
  eventId === null
    ? []
    : [
        sql`d.delivery_id >= ${`${eventId.slice(0, 24)}000000000000`}::uuid`,
        sql`d.delivery_id <= ${`${eventId.slice(0, 24)}ffffffffffff`}::uuid`,
      ]

export interface WholeDelivery extends SeenDelivery {
  applicationId: string
  correlationId: string | null
  bodySealed: Buffer
  pausedAt: Date | null
  /** The earliest pending update of the journey to the same destination; null when it is this one. */
  behindDeliveryId: string | null
}

export async function wholeDelivery(
  db: Run,
  { tenantId, applicationIds }: { tenantId: string; applicationIds: string[] },
  deliveryId: string,
): Promise<WholeDelivery | undefined> {
  const [row] = await db<WholeDelivery>`
    select ${seenColumns}, d.application_id, d.correlation_id, d.body_sealed, e.paused_at,
      (select ahead.delivery_id from webhook_delivery ahead where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id
        and ahead.journey_id = d.journey_id and ahead.destination_id = d.destination_id
        and ahead.sequence < d.sequence and ahead.state = 'PENDING' order by ahead.sequence limit 1) as behind_delivery_id
    from webhook_delivery d ${itsEndpoint}
    where d.bucket = ${bucketOf(deliveryId)} and d.tenant_id = ${tenantId} and d.application_id = any(${applicationIds}::uuid[]) and d.delivery_id = ${deliveryId}`
  return row
}

export interface SeenTry {
  number: number
  state: DeliveryState
  answer: string
  answerSealed: Buffer | null
  tookMs: number
  at: Date
}

/** Newest first; a successful first attempt is not among them. */
export const seenTries = (
  db: Run,
  { tenantId, applicationId, deliveryId }: { tenantId: string; applicationId: string; deliveryId: string },
): Promise<SeenTry[]> => db<SeenTry>`
  select number, state, answer, answer_sealed, took_ms, at from webhook_try
  where bucket = ${bucketOf(deliveryId)} and tenant_id = ${tenantId} and application_id = ${applicationId} and delivery_id = ${deliveryId}
  order by number desc`

export interface SentBody {
  deliveryId: string
  journeyId: string
  sequence: number
  bodySealed: Buffer
}

/** The body sent to an endpoint under a `webhook-id`. */
export async function sentBody(
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
