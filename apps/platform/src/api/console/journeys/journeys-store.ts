// Queries for the journey list and the head of a journey.

import type { ProductId } from '@lendloom/lending/product/products'
import { readNewestRows } from '@lendloom/postgres/index-ranges'
import { type Fragment, join, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import { applicationsOf, listAllApplications, listTenantNames } from '#platform/api/console/tenant-store.ts'
import { hasDestination, joinEndpoint } from '#platform/api/console/webhooks/webhooks-store.ts'
import { mainCaseOrder } from '#platform/lenders/partner/store.ts'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import type { StoredTerms } from '#platform/lending/journey/stored-terms.ts'
import type { JourneyStep } from '#platform/lending/step/step.ts'

export interface JourneyFilter {
  /** Null for all tenants. */
  tenantId: string | null
  applicationId: string | null
  types: readonly ProductId[] | null
  statuses: readonly LifecycleStatus[] | null
  /** Journey ids are in order of creation. `from` is inclusive, `before` exclusive. */
  from: string
  before: string
  /** Only these journeys; null for all. */
  found: readonly JourneyKey[] | null
  condition: RowCondition | null
}

/** What rows must fulfil before they are sifted by what no column has. */
export type RowCondition =
  | { is: 'ended-loan' | 'inactive' }
  /** Open journeys that may wait for a party, or for any, and whose borrower last acted before an instant. */
  | { is: 'open'; waitsOn: 'borrower' | 'lender' | null; actedBefore: Date }

/** A row of the journey list, which is also part of the head of a journey. */
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
  erasedAt: Date | null
  profileSealed: Buffer
  lenderId: string | null
  lenderName: string | null
  chosenTerms: StoredTerms | null
  chosenIsFinal: boolean | null
  offersUntil: Date | null
  awaitedUntil: Date | null
  consentIsDue: boolean
  movedAt: Date | null
  /** When the lender opened the credit line that was chosen; null for another loan. */
  lineOpenedAt: Date | null
  steps: Pick<JourneyStep, 'name' | 'status' | 'diagnostics'>[]
}

const statesAwaitingBorrower = sql`('REQUIRED', 'REDIRECT_READY', 'IN_PROGRESS')`

/**
 * Selects the list rows of `journeys`, a `from` item with the columns `columns`; `bucket` is their common bucket, if
 * known. The lateral subqueries join on the profile, because Citus cannot join them on a subquery with a limit.
 */
const listRowsOf = (journeys: Fragment, bucket: Fragment = sql`p.bucket`): Fragment => {
  const matchesProfile = (row: Fragment): Fragment => sql`
    ${row}.bucket = ${bucket} and ${row}.tenant_id = p.tenant_id and ${row}.journey_id = p.journey_id`
  return sql`
  select j.tenant_id, j.journey_id, j.application_id, j.type, j.status, j.active, j.search, j.lender_mode,
    j.last_borrower_act_at, j.closed_at, j.end_reason, j.created_at, j.updated_at, j.erased_at, b.external_id, p.profile_sealed,
    chosen.lender_id, l.identity->>'name' as lender_name, chosen.terms as chosen_terms, chosen.final_terms as chosen_is_final, chosen.line_opened_at,
    case when chosen.lender_id is null then received.valid_until else chosen.valid_until end as offers_until,
    awaited.until as awaited_until, consent.is_due as consent_is_due, own.steps,
    greatest(reached.at, own.moved_at) as moved_at
  from ${journeys} as j
  join borrower b on b.bucket = j.bucket and b.tenant_id = j.tenant_id and b.borrower_id = j.borrower_id
  join profile p on p.bucket = j.bucket and p.tenant_id = j.tenant_id and p.journey_id = j.journey_id
  left join offer chosen on ${matchesProfile(sql`chosen`)} and chosen.selected_at is not null and chosen.rejected_at is null
  left join lender l on l.tenant_id = chosen.tenant_id and l.lender_id = chosen.lender_id
  cross join lateral (select max(o.valid_until) as valid_until from offer o
    where ${matchesProfile(sql`o`)} and o.status = 'OFFER_RECEIVED') as received
  cross join lateral (select max(c.awaited_until) as until from conversation c
    where ${matchesProfile(sql`c`)} and c.awaited_action is not null
      and (chosen.conversation_id is null or c.conversation_id = chosen.conversation_id)) as awaited
  cross join lateral (select count(*) > 0 as is_due from aa_session s
    where ${matchesProfile(sql`s`)} and s.state in ${statesAwaitingBorrower}
      and (chosen.conversation_id is null or s.conversation_id = chosen.conversation_id)) as consent
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('name', s.name, 'status', s.status, 'diagnostics', s.diagnostics)), '[]') as steps,
      max(s.updated_at) as moved_at
    from step s where ${matchesProfile(sql`s`)}) as own
  cross join lateral (select max(e.at) as at from lifecycle_event e where ${matchesProfile(sql`e`)}) as reached
  order by j.journey_id desc`
}

const columns = sql`j.bucket, j.tenant_id, j.journey_id, j.application_id, j.borrower_id, j.type, j.status, j.active, j.search, j.lender_mode,
  j.last_borrower_act_at, j.closed_at, j.end_reason, j.created_at, j.updated_at, j.erased_at`

/** All possible values of each filter. */
export interface Choices {
  applications: readonly { tenantId: string; applicationId: string }[]
  types: readonly string[]
  statuses: readonly string[]
}

/** SQL: whether journey `j` fulfils the condition. The open ones are those of the index `journey_idle`. */
function fulfils(condition: RowCondition | null): Fragment {
  switch (condition?.is) {
    case undefined:
      return sql``
    case 'ended-loan':
      return sql`and j.closed_at is not null`
    case 'inactive':
      return sql`and not j.active and j.status <> 'DISBURSED'`
    case 'open':
      return sql`and j.active and j.status <> 'DISBURSED' and j.last_borrower_act_at <= ${condition.actedBefore}
        and (${condition.waitsOn !== 'lender'} or j.status <> 'OFFERED' and (j.status <> 'STARTED' or j.search in ('OPEN', 'CLOSED')))`
  }
}

/** A range of the primary key (tenant only), one journey, or a range of the index by application, product and status. */
type IndexRange =
  | { tenantId: string }
  | JourneyKey
  | { tenantId: string; applicationId: string; type: string; status: string }

/** Returns one index range for each selected application, product and status. */
export const indexRangesOf = ({ applicationId, types, statuses }: JourneyFilter, all: Choices): IndexRange[] =>
  all.applications
    .filter((each) => applicationId === null || each.applicationId === applicationId)
    .flatMap((application) =>
      (types ?? all.types).flatMap((type) =>
        (statuses ?? all.statuses).map((status) => ({ ...application, type, status })),
      ),
    )

function conditionOf(range: IndexRange, { applicationId, types, statuses }: JourneyFilter): Fragment {
  if ('type' in range)
    return sql`and j.application_id = ${range.applicationId} and j.type = ${range.type} and j.status = ${range.status}`
  if (!('journeyId' in range)) return sql``
  return sql`and j.bucket = ${bucketOf(range.journeyId)} and j.journey_id = ${range.journeyId}
    and (${applicationId}::uuid is null or j.application_id = ${applicationId}::uuid)
    and (${types}::text[] is null or j.type = any(${types}::text[]))
    and (${statuses}::text[] is null or j.status = any(${statuses}::text[]))`
}

export function listStatement(filter: JourneyFilter, ranges: readonly IndexRange[], limit: number): Fragment {
  const { from, before } = filter
  const queries = ranges.map((range) => {
    return sql`
      (select ${columns} from journey j
       where j.tenant_id = ${range.tenantId} ${conditionOf(range, filter)} ${fulfils(filter.condition)} and j.journey_id >= ${from} and j.journey_id < ${before}
       order by j.journey_id desc limit ${limit})`
  })
  return listRowsOf(
    sql`(select ${columns} from (${join(queries, ' union all ')}) as j order by j.journey_id desc limit ${limit})`,
  )
}

const isUnfiltered = ({ applicationId, types, statuses }: JourneyFilter): boolean =>
  applicationId === null && types === null && statuses === null

/** First reads the tenants or applications that the filter does not name, because each has an index range. */
export async function listJourneys(
  db: Run,
  filter: JourneyFilter,
  all: Omit<Choices, 'applications'>,
  limit: number,
): Promise<JourneyRow[]> {
  const ranges = await rangesOf(db, filter, all)
  const read = (batch: readonly IndexRange[]) => db<JourneyRow>`${listStatement(filter, batch, limit)}`
  return readNewestRows(ranges, { limit, idOf: ({ journeyId }) => journeyId, read })
}

async function rangesOf(
  db: Run,
  filter: JourneyFilter,
  all: Omit<Choices, 'applications'>,
): Promise<readonly IndexRange[]> {
  if (filter.found) return filter.found
  if (isUnfiltered(filter)) return tenantsOf(db, filter)
  return indexRangesOf(filter, { ...all, applications: await applicationsFor(db, filter) })
}

const tenantsOf = async (db: Run, { tenantId }: JourneyFilter): Promise<{ tenantId: string }[]> =>
  tenantId === null ? listTenantNames(db, null) : [{ tenantId }]

async function applicationsFor(db: Run, { tenantId, applicationId }: JourneyFilter): Promise<Choices['applications']> {
  if (tenantId === null) return listAllApplications(db)
  if (applicationId !== null) return [{ tenantId, applicationId }]
  return (await applicationsOf(db, tenantId)).map((each) => ({ tenantId, applicationId: each.applicationId }))
}

export async function readJourneyRow(db: Run, { tenantId, journeyId }: JourneyKey): Promise<JourneyRow | undefined> {
  const bucket = sql`${bucketOf(journeyId)}`
  const journeys = sql`(select ${columns} from journey j where j.bucket = ${bucket} and j.tenant_id = ${tenantId} and j.journey_id = ${journeyId})`
  const [row] = await db<JourneyRow>`${listRowsOf(journeys, bucket)}`
  return row
}

/** Finds a journey's key in one tenant, or in all tenants when null. */
export async function findJourneyKey(
  db: Run,
  journeyId: string,
  tenantId: string | null,
): Promise<JourneyKey | undefined> {
  const [key] = await db<JourneyKey>`
    select j.tenant_id, j.journey_id from tenant t join journey j on j.bucket = ${bucketOf(journeyId)} and j.tenant_id = t.tenant_id and j.journey_id = ${journeyId}
    where ${tenantId}::uuid is null or t.tenant_id = ${tenantId}::uuid limit 1`
  return key
}

/** The data of the head that a list row lacks, with the numbers of deliveries and events that acts can retry. */
export interface HeadRow {
  application: string
  networkTransactionId: string
  caseRef: string | null
  previous: { journeyId: string; status: LifecycleStatus; createdAt: string } | null
  next: HeadRow['previous']
  bankSealed: Buffer | null
  /** Numbers of pending deliveries, and of exhausted or stopped ones whose destination still exists. */
  waitingDeliveries: number
  lostDeliveries: number
  failing: { endpointId: string | null; url: string | null; answer: string | null; at: string }[]
  /** Numbers of dead events to the partner, and of stuck events from the partner. */
  deadEvents: number
  heldEvents: number
}

/** Selects the borrower's journey before or after `j`; null unless the earlier of both ended without a loan. */
const neighbourOf = (isAfter: boolean): Fragment => sql`
  (select jsonb_build_object('journeyId', n.journey_id, 'status', n.status, 'createdAt', n.created_at) from (
    select n.journey_id, n.status, n.active, n.erased_at, n.created_at from journey n
    where n.bucket = j.bucket and n.tenant_id = j.tenant_id and n.borrower_id = j.borrower_id
      and n.application_id = j.application_id and n.type = j.type
      and ${isAfter ? sql`n.journey_id > j.journey_id order by n.journey_id` : sql`n.journey_id < j.journey_id order by n.journey_id desc`}
    limit 1) as n
  where ${isAfter ? sql`j` : sql`n`}.status <> 'DISBURSED' and n.erased_at is null and j.erased_at is null)`

/** The inner query reads the tables that have a bucket, the outer query the events of the cases. */
export async function readHead(db: Run, { tenantId, journeyId }: JourneyKey): Promise<HeadRow | undefined> {
  const ofJourney = (row: Fragment): Fragment => sql`
    ${row}.bucket = ${bucketOf(journeyId)} and ${row}.tenant_id = ${tenantId} and ${row}.journey_id = ${journeyId}`
  const [row] = await db<HeadRow>`
    with own as materialized (
      select a.name as application, j.tenant_id, j.network_transaction_id,
        ${neighbourOf(false)} as previous, ${neighbourOf(true)} as next,
        (select case_ref from partner_case k where ${ofJourney(sql`k`)} ${mainCaseOrder}) as case_ref,
        (select coalesce(array_agg(k.case_ref::text), '{}') from partner_case k where ${ofJourney(sql`k`)}) as refs,
        (select s.bank_sealed from step s where ${ofJourney(sql`s`)} and s.name = 'bankMandate') as bank_sealed,
        (select count(*)::integer from webhook_delivery d ${joinEndpoint} where ${ofJourney(sql`d`)}
          and d.state in ('EXHAUSTED', 'STOPPED') and ${hasDestination}) as lost_deliveries,
        (select coalesce(jsonb_agg(f order by f.at desc), '[]') from (
          select distinct on (d.destination_id) e.endpoint_id as "endpointId", e.url, d.last_answer as answer, d.last_attempt_at as at
          from webhook_delivery d ${joinEndpoint}
          where ${ofJourney(sql`d`)} and d.state <> 'DELIVERED' and d.last_attempt_at is not null and ${hasDestination}
          order by d.destination_id, d.last_attempt_at desc) as f) as failing,
        (select count(*)::integer from webhook_delivery d where ${ofJourney(sql`d`)} and d.state = 'PENDING') as waiting_deliveries
      from journey j
      join application a on a.tenant_id = j.tenant_id and a.application_id = j.application_id
      where ${ofJourney(sql`j`)})
    select application, network_transaction_id, previous, next, case_ref, bank_sealed, lost_deliveries, waiting_deliveries, failing,
      (select count(*)::integer from outbox o where o.tenant_id = own.tenant_id and o.case_ref = any(own.refs)
        and o.state = 'DEAD') as dead_events,
      (select count(*)::integer from inbox_waiting w where w.case_ref = any(own.refs) and w.stuck_since is not null) as held_events
    from own`
  return row
}
