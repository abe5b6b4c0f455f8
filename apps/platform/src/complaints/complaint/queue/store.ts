// Lists and counts complaints for the officers' queue.

import type { ProductId } from '@lendloom/lending/product/products'
import { type Fragment, oneRow, type Run, sql } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { ComplaintCategory, ComplaintRoute, ComplaintStatus } from '@lendloom/wire/console/complaint-lists'
import { daysToReport } from '#platform/complaints/complaint/deadlines.ts'
import { type ComplaintRow, complaintColumns } from '#platform/complaints/complaint/store.ts'
import { platformTenant } from '#platform/people/person.ts'

export interface QueueFilter {
  /** One tenant; null for all tenants and for unmatched complaints. */
  tenantId: string | null
  statuses: readonly ComplaintStatus[] | null
  dueBefore: Date | null
  assigneeId: string | null
  isUnassigned: boolean
  isUnmatched: boolean
  isEscalated: boolean
  hasUnreadMessage: boolean
  category: ComplaintCategory | null
  route: ComplaintRoute | null
  /** A lender as `subscriber/provider`. */
  lender: string | null
  journeyId: string | null
  number: string | null
  from: Date | null
  until: Date | null
}

/** The place of a complaint in the list, after which the next page begins. */
export interface QueuePosition {
  isDone: boolean
  /** Unix seconds: the next deadline of a pending complaint, the negated latest change of an ended one. */
  rank: number
  complaintId: string
}

export type QueueRow = ComplaintRow & {
  lenderName: string | null
  tenantName: string | null
  unverified: number
  lenderAnswered: boolean
  isDone: boolean
  rank: number
}

const pendingStatuses = sql`('NEW', 'ACKNOWLEDGED', 'IN_PROGRESS', 'WAITING_FOR_BORROWER')`
/** The next deadline, as `dueAtOf` computes it. */
const dueAt = sql`least(case when c.first_answered_at is null then c.first_answer_due_at end, c.resolution_due_at,
  case when c.reopened = 0 then (c.exit_pay_by + ${1 + daysToReport}::integer)::timestamp at time zone 'Asia/Kolkata' end)`

/** One tenant, or all tenants and the platform, which owns unmatched complaints. */
const tenantsOf = (tenantId: string | null): Fragment =>
  tenantId === null
    ? sql`(select tenant_id from tenant union all select ${platformTenant}::uuid) as t`
    : sql`(select ${tenantId}::uuid as tenant_id) as t`

const matchesFilter = (filter: QueueFilter): Fragment => sql`
  (${filter.statuses}::text[] is null or c.status = any(${filter.statuses}::text[]))
  and (${filter.dueBefore}::timestamptz is null or (c.status in ${pendingStatuses} and ${dueAt} < ${filter.dueBefore}::timestamptz))
  and (${filter.assigneeId}::uuid is null or c.assignee_id = ${filter.assigneeId}::uuid)
  and (not ${filter.isUnassigned}::boolean or c.assignee_id is null)
  and (not ${filter.isUnmatched}::boolean or c.tenant_id = ${platformTenant}::uuid)
  and (not ${filter.isEscalated}::boolean or c.escalated_at is not null)
  and (not ${filter.hasUnreadMessage}::boolean or c.replied_at is not null)
  and (${filter.category}::text is null or c.category = ${filter.category}::text)
  and (${filter.route}::text is null or c.route = ${filter.route}::text)
  and (${filter.lender}::text is null or l.bpp_id || '/' || l.provider_id = ${filter.lender}::text)
  and (${filter.journeyId}::uuid is null or c.journey_id = ${filter.journeyId}::uuid)
  and (${filter.number}::text is null or c.number = ${filter.number}::text)
  and (${filter.from}::timestamptz is null or c.received_at >= ${filter.from}::timestamptz)
  and (${filter.until}::timestamptz is null or c.received_at < ${filter.until}::timestamptz)`

/** Lists pending complaints by deadline, then ended complaints by latest change. */
export const listQueue = (db: Run, filter: QueueFilter, after: QueuePosition | null, limit: number) => db<QueueRow>`
  select ${rowColumns}, q.is_done, q.rank, q.lender_name, q.tenant_name, q.unverified, q.lender_answered from (
    select ${complaintColumns}, l.identity->>'name' as lender_name, o.name as tenant_name,
      (select count(*)::integer from complaint_entry e where e.tenant_id = c.tenant_id and e.complaint_id = c.complaint_id
        and e.kind = 'UNVERIFIED') as unverified,
      c.status in ${pendingStatuses} and coalesce((
        select max(e.at) filter (where e.author = 'LENDER' and e.kind <> 'QUESTION') = max(e.at) from complaint_entry e
        where e.tenant_id = c.tenant_id and e.complaint_id = c.complaint_id and e.kind in ('WORDS', 'QUESTION', 'RESOLUTION')
      ), false) as lender_answered,
      c.status not in ${pendingStatuses} as is_done,
      (case when c.status in ${pendingStatuses} then extract(epoch from ${dueAt}) else -extract(epoch from c.updated_at) end)::float8 as rank
    from ${tenantsOf(filter.tenantId)} join complaint c on c.tenant_id = t.tenant_id
    left join lender l on l.tenant_id = c.tenant_id and l.lender_id = c.lender_id
    left join tenant o on o.tenant_id = c.tenant_id
    where ${matchesFilter(filter)}
  ) as q
  where ${after === null ? sql`true` : sql`(q.is_done, q.rank, q.complaint_id) > (${after.isDone}::boolean, ${after.rank}::float8, ${after.complaintId}::uuid)`}
  order by q.is_done, q.rank, q.complaint_id limit ${limit}`

const rowColumns = sql`
  q.tenant_id, q.complaint_id, q.number, q.reply_tag, q.origin, q.category, q.status, q.route, q.language, q.journey_id,
  q.borrower_id, q.lender_id, q.grievance_id, q.mirrored_status, q.contact_sealed, q.assignee_id, q.version, q.received_at,
  q.since_at, q.first_answer_due_at, q.resolution_due_at, q.limit_at, q.first_answered_at, q.resolved_at, q.closed_at,
  q.escalated_at, q.escalated_because, q.ombudsman_at, q.outcome, q.satisfied, q.reopened, q.merged_into, q.created_at,
  q.updated_at, q.replied_at, q.exit_pay_by`

/** The product of each complaint's journey, by journey. A statement of its own, because Citus cannot join it. */
export async function productsOf(
  db: Run,
  complaints: Pick<ComplaintRow, 'tenantId' | 'journeyId'>[],
): Promise<Map<string, ProductId>> {
  const journeyIds = complaints.flatMap(({ journeyId }) => journeyId ?? [])
  const rows = await db<{ journeyId: string; type: ProductId }>`
    select journey_id, type from journey where bucket = any(${journeyIds.map(bucketOf)}::smallint[])
      and tenant_id = any(${complaints.map(({ tenantId }) => tenantId)}::uuid[]) and journey_id = any(${journeyIds}::uuid[])`
  return new Map(rows.map(({ journeyId, type }) => [journeyId, type]))
}

export interface QueueCounts {
  pending: number
  overdue: number
  mine: number
  unassigned: number
  unmatched: number
  escalated: number
  replied: number
}

/** Counts complaints that nobody has taken or answered and whose first answer is not late. */
export async function countNew(db: Run, { tenantId, at }: { tenantId: string | null; at: Date }): Promise<number> {
  const rows = await db<{ count: number }>`
    select count(*)::integer as count from ${tenantsOf(tenantId)}
    join complaint c on c.tenant_id = t.tenant_id and c.status in ('NEW', 'ACKNOWLEDGED') and c.assignee_id is null
      and c.first_answered_at is null and ${dueAt} >= ${at}`
  return oneRow(rows).count
}

/** Counts pending complaints by the filters of the queue; `mine` are those of the person. */
export async function countQueue(
  db: Run,
  { tenantId, personId, at }: { tenantId: string | null; personId: string; at: Date },
): Promise<QueueCounts> {
  const [counts] = await db<QueueCounts>`
    select count(*)::integer as pending, (count(*) filter (where ${dueAt} < ${at}))::integer as overdue,
      (count(*) filter (where c.assignee_id = ${personId}))::integer as mine,
      (count(*) filter (where c.assignee_id is null))::integer as unassigned,
      (count(*) filter (where c.tenant_id = ${platformTenant}))::integer as unmatched,
      (count(*) filter (where c.escalated_at is not null))::integer as escalated,
      (count(*) filter (where c.replied_at is not null))::integer as replied
    from ${tenantsOf(tenantId)} join complaint c on c.tenant_id = t.tenant_id and c.status in ${pendingStatuses}`
  return counts ?? { pending: 0, overdue: 0, mine: 0, unassigned: 0, unmatched: 0, escalated: 0, replied: 0 }
}

/** What the page of one complaint shows of its row in the queue. */
export async function findQueueRow(db: Run, { tenantId, complaintId }: { tenantId: string; complaintId: string }) {
  const [row] = await db<Pick<QueueRow, 'lenderName' | 'tenantName' | 'unverified'>>`
    select l.identity->>'name' as lender_name, o.name as tenant_name,
      (select count(*)::integer from complaint_entry e where e.tenant_id = c.tenant_id and e.complaint_id = c.complaint_id
        and e.kind = 'UNVERIFIED') as unverified
    from complaint c left join lender l on l.tenant_id = c.tenant_id and l.lender_id = c.lender_id
    left join tenant o on o.tenant_id = c.tenant_id
    where c.tenant_id = ${tenantId} and c.complaint_id = ${complaintId}`
  return row
}

export interface OtherComplaint {
  complaintId: string
  number: string
  category: ComplaintCategory
  status: ComplaintStatus
}

/** Other pending complaints of the same borrower, or of the same address when the borrower is unknown. */
export const listOtherPending = (
  db: Run,
  { tenantId, complaintId, borrowerId }: { tenantId: string; complaintId: string; borrowerId: string | null },
): Promise<OtherComplaint[]> => db<OtherComplaint>`
  select c.complaint_id, c.number, c.category, c.status
  from complaint this join complaint c on c.tenant_id = this.tenant_id and c.complaint_id <> this.complaint_id
    and (case when ${borrowerId}::uuid is null then c.contact_digest = this.contact_digest else c.borrower_id = ${borrowerId}::uuid end)
  where this.tenant_id = ${tenantId} and this.complaint_id = ${complaintId} and c.status in ${pendingStatuses}
  order by c.received_at limit 20`
