// The work queues of the desk: which items are in each, how many, and since when.

import { type Fragment, oneRow, type Run, sql } from '@lendloom/postgres/sql'
import { newsSince } from '#partner/desk/change/setting-change.ts'
import type { CaseQueue } from '#partner/desk/queue/case-queues.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import type { Role, Staff } from '#partner/people/person.ts'
import { isUnposted } from '#partner/servicing/collection/receipt/store.ts'

/** The SQL condition of `isHeldPayment`, on payments `p`. */
export const isHeldRow = sql`p.status = 'PENDING_VERIFICATION' and p.receipt_id is not null`

/** The SQL condition of each queue, on cases `c` and their loans `l`. */
export const queueConditions: Record<CaseQueue, Fragment> = {
  review: sql`c.status = 'UNDER_REVIEW'`,
  kyc: sql`c.status = 'KYC_PENDING' and exists (select from case_check k where k.case_ref = c.case_ref and k.name = 'kyc'
      and k.status in ('REVIEW_READY', 'APPROVED'))
    and not exists (select from case_check k where k.case_ref = c.case_ref and k.name = 'lender_kyc_review'
      and k.status <> 'NOT_STARTED')`,
  transfer: sql`c.status = 'READY_TO_DISBURSE' and exists (select from disbursement d where d.case_ref = c.case_ref)`,
  name: sql`c.status in ('DISBURSEMENT_PENDING', 'DISBURSED') and c.case_ref in (select n.case_ref from name_review n where n.decision is null)`,
  disburse: sql`c.status = 'READY_TO_DISBURSE' and not exists (select from disbursement d where d.case_ref = c.case_ref)`,
  hold: sql`exists (select from collection_hold h where h.case_ref = c.case_ref)`,
  overdue: sql`l.status = 'OVERDUE'`,
  exit: sql`c.case_ref in (select p.case_ref from payment p where ${isHeldRow})`,
  cancelling: sql`l.status in ('ACTIVE', 'OVERDUE') and l.exit_until > coalesce((select max(ended_on) from business_day), '-infinity')`,
  claim: sql`c.case_ref in (select p.case_ref from payment p where p.status = 'PENDING_VERIFICATION' and p.receipt_id is null)`,
}

/** The SQL expression for the time at which a case entered each queue. */
export const waitStarts: Record<CaseQueue, Fragment> = {
  review: sql`c.updated_at`,
  kyc: sql`(select max(k.recorded_at) from case_check k where k.case_ref = c.case_ref and k.name = 'kyc')`,
  transfer: sql`(select max(d.updated_at) from disbursement d where d.case_ref = c.case_ref)`,
  name: sql`(select min(n.created_at) from name_review n where n.case_ref = c.case_ref and n.decision is null)`,
  disburse: sql`c.updated_at`,
  hold: sql`(select h.since_at from collection_hold h where h.case_ref = c.case_ref)`,
  overdue: sql`(l.next_due_on::timestamp at time zone 'Asia/Kolkata')`,
  exit: sql`(select min(p.updated_at) from payment p where p.case_ref = c.case_ref and ${isHeldRow})`,
  cancelling: sql`(l.exit_requested_on::timestamp at time zone 'Asia/Kolkata')`,
  claim: sql`(select min(p.created_at) from payment p where p.case_ref = c.case_ref and p.status = 'PENDING_VERIFICATION' and p.receipt_id is null)`,
}

export interface QueueLength {
  count: number
  since: Date | null
}

export async function countQueuedCases(db: Run, queue: CaseQueue): Promise<QueueLength> {
  const rows = await db<QueueLength>`
    select count(*)::int as count, min(${waitStarts[queue]}) as since
    from case_file c left join loan l on l.case_ref = c.case_ref where ${queueConditions[queue]}`
  return oneRow(rows)
}

/**
 * Queues whose items are not cases: unmatched receipts, stuck inbound events, undelivered events, possible duplicates;
 * requests for approval, closings of statements with differences and returns of receipts, changes of settings, closings of
 * months, each by others than the person; what the person has asked others to decide; and the changes of the person that
 * another one has just refused.
 */
export type OtherQueue =
  | 'receipts'
  | 'held'
  | 'dead'
  | 'duplicates'
  | 'approvals'
  | 'changes'
  | 'closings'
  | 'asked'
  | 'refused'

/**
 * Proposals that can still be decided, of acts on cases and receipts; with roles, of acts on cases only those within
 * the limits of the roles.
 */
const openRequests = (at: Date, roles: readonly Role[] | null = null) => sql`
  select made_at, made_by from approval_request r where state = 'WAITING' and expires_at > ${at}
    and (${roles}::text[] is null or exists (select from approval_limit l
      where l.act = r.act and l.role = any(${roles}::text[]) and l.approve_paise >= r.amount_paise))
  union all select made_at, made_by from bank_statement_closing where state = 'WAITING' and expires_at > ${at}
  union all select made_at, made_by from receipt_return_proposal where state = 'WAITING' and expires_at > ${at}`
const openChanges = (at: Date) =>
  sql`select made_at, made_by from setting_change where state = 'WAITING' and expires_at > ${at}`
const openClosings = (at: Date) =>
  sql`select made_at, made_by from month_closing where state = 'WAITING' and expires_at > ${at}`

/** Changes that another person refused, and of whose setting the proposer has proposed no other since. */
const refusedChanges = (staffId: string, at: Date) => sql`
  select c.decided_at from setting_change c
  where c.state = 'REFUSED' and c.made_by = ${staffId} and c.decided_by <> ${staffId}
    and c.decided_at > ${newsSince(at)} and not exists (select from setting_change n
      where n.setting = c.setting and n.subject = c.subject and n.made_at > c.made_at)`

/** The queues besides those of cases. An approver's requests are those that the approver may approve. */
export async function countOtherQueues(
  db: Run,
  who: Pick<Staff, 'staffId' | 'roles'>,
  at: Date,
): Promise<Record<OtherQueue, QueueLength>> {
  const { staffId, roles } = who
  const limitedTo = can(who, 'REQUEST_APPROVED') ? roles : null
  const rows = await db<QueueLength & { queue: OtherQueue }>`
    select 'receipts' as queue, count(*)::int as count, min(received_at) as since from bank_receipt where ${isUnposted}
    union all select 'held', count(*)::int, min(stuck_since) from inbox_waiting where stuck_since is not null
    union all select 'dead', count(*)::int, min(dead_at) from outbox where state = 'DEAD'
    union all select 'duplicates', count(*)::int, min(created_at) from dedupe_review where decision is null
    union all select 'approvals', count(*)::int, min(made_at) from (${openRequests(at, limitedTo)}) as w where made_by <> ${staffId}
    union all select 'changes', count(*)::int, min(made_at) from (${openChanges(at)}) as w where made_by <> ${staffId}
    union all select 'closings', count(*)::int, min(made_at) from (${openClosings(at)}) as w where made_by <> ${staffId}
    union all select 'asked', count(*)::int, min(made_at) from (
      ${openRequests(at)} union all ${openChanges(at)} union all ${openClosings(at)}) as w where made_by = ${staffId}
    union all select 'refused', count(*)::int, min(decided_at) from (${refusedChanges(staffId, at)}) as r`
  const lengthOf = (queue: OtherQueue): QueueLength =>
    rows.find((row) => row.queue === queue) ?? { count: 0, since: null }
  return {
    receipts: lengthOf('receipts'),
    held: lengthOf('held'),
    dead: lengthOf('dead'),
    duplicates: lengthOf('duplicates'),
    approvals: lengthOf('approvals'),
    changes: lengthOf('changes'),
    closings: lengthOf('closings'),
    asked: lengthOf('asked'),
    refused: lengthOf('refused'),
  }
}
