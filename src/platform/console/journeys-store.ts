// What the console reads of journeys for its list and for the head of one; nothing is written here.

import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { ProductId } from '#contract/product/product.ts'
import { bucketOf } from '#kit/crypto/id.ts'
import { type Fragment, type Run, sql } from '#kit/db/sql.ts'
import { firstOfCases } from '#platform/exchange/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Step } from '#platform/step/step.ts'

export interface ListFilter {
  tenantId: string
  applicationId: string | null
  types: readonly ProductId[] | null
  statuses: readonly LifecycleStatus[] | null
  /** Ids of journeys are in the order of their beginning: from the first of these on, and before the second. */
  from: string
  before: string
}

/** What a row of the list, and the head of a journey, rests on. */
export interface JourneyRow
  extends Pick<
    Journey,
    | 'tenantId'
    | 'journeyId'
    | 'applicationId'
    | 'type'
    | 'status'
    | 'active'
    | 'search'
    | 'lenderMode'
    | 'lastBorrowerActAt'
    | 'closedAt'
    | 'endReason'
    | 'createdAt'
    | 'updatedAt'
  > {
  externalId: string
  profileSealed: Buffer
  lenderId: string | null
  lenderName: string | null
  chosenIsFinal: boolean | null
  offersUntil: Date | null
  awaitedUntil: Date | null
  consentIsDue: boolean
  steps: Pick<Step, 'name' | 'status' | 'diagnostics'>[]
}

const needsBorrower = sql`('REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS')`

/** What is known of each of the journeys that `given` (a `from` item with all columns of journey that are named here) yields. */
const rowsOf = (given: Fragment): Fragment => sql`
  select j.tenant_id, j.journey_id, j.application_id, j.type, j.status, j.active, j.search, j.lender_mode,
    j.last_borrower_act_at, j.closed_at, j.end_reason, j.created_at, j.updated_at, b.external_id, p.profile_sealed,
    chosen.lender_id, chosen.lender_name, chosen.final_terms as chosen_is_final,
    case when chosen.lender_id is null then (select max(o.valid_until) from offer o
      where o.bucket = j.bucket and o.tenant_id = j.tenant_id and o.journey_id = j.journey_id and o.status = 'OFFER_RECEIVED')
      else chosen.valid_until end as offers_until,
    (select max(c.awaited_until) from conversation c where c.bucket = j.bucket and c.tenant_id = j.tenant_id and c.journey_id = j.journey_id
      and c.awaited_action is not null and (chosen.conversation_id is null or c.conversation_id = chosen.conversation_id)) as awaited_until,
    coalesce((select true from aa_session s where s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id
      and s.state in ${needsBorrower} limit 1), false) as consent_is_due,
    coalesce((select jsonb_agg(jsonb_build_object('name', s.name, 'status', s.status, 'diagnostics', s.diagnostics))
      from step s where s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id), '[]') as steps
  from ${given} as j
  join borrower b on b.bucket = j.bucket and b.tenant_id = j.tenant_id and b.borrower_id = j.borrower_id
  join profile p on p.bucket = j.bucket and p.tenant_id = j.tenant_id and p.journey_id = j.journey_id
  left join lateral (
    select o.lender_id, o.conversation_id, o.final_terms, o.valid_until, l.identity->>'name' as lender_name
    from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
    where o.bucket = j.bucket and o.tenant_id = j.tenant_id and o.journey_id = j.journey_id and o.selected_at is not null and o.rejected_at is null
    limit 1) as chosen on true
  order by j.journey_id desc`

const columns = sql`j.bucket, j.tenant_id, j.journey_id, j.application_id, j.borrower_id, j.type, j.status, j.active, j.search, j.lender_mode,
  j.last_borrower_act_at, j.closed_at, j.end_reason, j.created_at, j.updated_at`

/** The newest of all, by the primary key. */
const newestOfAll = ({ tenantId, from, before }: ListFilter, limit: number): Fragment => sql`
  (select ${columns} from journey j
   where j.tenant_id = ${tenantId} and j.journey_id >= ${from} and j.journey_id < ${before}
   order by j.journey_id desc limit ${limit})`

/** Of each application, product and status that is wanted the newest ones, each by the index; of these the newest. */
const newestOfSome = (
  { tenantId, applicationId, types, statuses, from, before }: ListFilter,
  all: { types: readonly string[]; statuses: readonly string[] },
  limit: number,
): Fragment => sql`
  (select newest.bucket, newest.tenant_id, newest.journey_id, newest.application_id, newest.borrower_id, newest.type, newest.status,
     newest.active, newest.search, newest.lender_mode, newest.last_borrower_act_at, newest.closed_at, newest.end_reason, newest.created_at,
     newest.updated_at
   from application a cross join unnest(${types ?? all.types}::text[]) as wanted_type
   cross join unnest(${statuses ?? all.statuses}::text[]) as wanted_status
   cross join lateral (
     select ${columns} from journey j
     where j.tenant_id = a.tenant_id and j.application_id = a.application_id and j.type = wanted_type
       and j.status = wanted_status and j.journey_id >= ${from} and j.journey_id < ${before}
     order by j.journey_id desc limit ${limit}) as newest
   where a.tenant_id = ${tenantId} and (${applicationId}::uuid is null or a.application_id = ${applicationId}::uuid)
   order by newest.journey_id desc limit ${limit})`

/** The statement of the list, newest first. */
export const listStatement = (
  filter: ListFilter,
  all: { types: readonly string[]; statuses: readonly string[] },
  limit: number,
): Fragment => {
  const isWhole = filter.applicationId === null && filter.types === null && filter.statuses === null
  return rowsOf(isWhole ? newestOfAll(filter, limit) : newestOfSome(filter, all, limit))
}

export const listJourneys = (
  db: Run,
  filter: ListFilter,
  all: { types: readonly string[]; statuses: readonly string[] },
  limit: number,
): Promise<JourneyRow[]> => db<JourneyRow>`${listStatement(filter, all, limit)}`

type Of = { tenantId: string; journeyId: string }

export async function readRow(db: Run, { tenantId, journeyId }: Of): Promise<JourneyRow | undefined> {
  const [row] = await db<JourneyRow>`${rowsOf(sql`
    (select ${columns} from journey j where j.bucket = ${bucketOf(journeyId)} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId})`)}`
  return row
}

/** Whose a journey is: of one tenant, or of any when that is null. */
export async function findPlace(db: Run, journeyId: string, tenantId: string | null): Promise<Of | undefined> {
  const [place] = await db<Of>`
    select j.tenant_id, j.journey_id from tenant t join journey j on j.bucket = ${bucketOf(journeyId)} and j.tenant_id = t.tenant_id and j.journey_id = ${journeyId}
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid limit 1`
  return place
}

/** The rest of the head of a journey, and of how many things something may be done about. */
export interface HeadRow {
  application: string
  networkTransactionId: string
  caseRef: string | null
  bankSealed: Buffer | null
  /** Deliveries that are on their way, and those that nobody tries any more. */
  waitingDeliveries: number
  lostDeliveries: number
  /** Events for the partner that nobody tries any more, and events from it that wait for another one or fail. */
  deadEvents: number
  heldEvents: number
}

const ofCase = sql`k.bucket = j.bucket and k.tenant_id = j.tenant_id and k.journey_id = j.journey_id`

export async function readHead(db: Run, { tenantId, journeyId }: Of): Promise<HeadRow | undefined> {
  const [row] = await db<HeadRow>`
    select a.name as application, j.network_transaction_id,
      (select case_ref from partner_case k where ${ofCase} ${firstOfCases}) as case_ref,
      (select s.bank_sealed from step s where s.bucket = j.bucket and s.tenant_id = j.tenant_id and s.journey_id = j.journey_id and s.name = 'bankMandate') as bank_sealed,
      (select count(*)::integer from webhook_delivery d where d.bucket = j.bucket and d.tenant_id = j.tenant_id and d.journey_id = j.journey_id
        and d.state in ('EXHAUSTED', 'STOPPED')) as lost_deliveries,
      (select count(*)::integer from webhook_delivery d where d.bucket = j.bucket and d.tenant_id = j.tenant_id and d.journey_id = j.journey_id
        and d.state = 'PENDING') as waiting_deliveries,
      (select count(*)::integer from partner_case k join outbox o on o.tenant_id = k.tenant_id and o.case_ref = k.case_ref::text
        and o.state = 'DEAD' where ${ofCase}) as dead_events,
      (select count(*)::integer from partner_case k join inbox_waiting w on w.case_ref = k.case_ref::text
        and w.stuck_since is not null where ${ofCase}) as held_events
    from journey j
    join application a on a.tenant_id = j.tenant_id and a.application_id = j.application_id
    where j.bucket = ${bucketOf(journeyId)} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId}`
  return row
}
