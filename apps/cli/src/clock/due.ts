// Reads the pending work of a program, and when it is due, from the queues in its database.

import { required } from '@lendloom/foundation/required'
import type { Db } from '@lendloom/postgres/sql'

export interface DueWork {
  what: string
  dueAt: Date
  /** A claim moves `dueAt` to the end of this lease. 0 for work that is not claimed; messages do not show a claim. */
  leaseSeconds: number
  /** Whether the work asks another party every few seconds, and so always becomes due again. */
  isPoll: boolean
}

/**
 * A job with more attempts counts as a poll: it waits for a borrower or a lender, not for time. Steps of the clock do
 * not stop at polls; otherwise one undecided consent would make a month pass ten seconds at a time.
 */
const attemptsBeforePolling = 3

/** Lists the work that waits for its due time, without work that waits for an earlier event, or for a person. */
export async function dueIn(db: Db): Promise<DueWork[]> {
  const [row] = await db<{ inbox: boolean; delivery: boolean; loan: boolean }>`
    select to_regclass('inbox_waiting') is not null as inbox, to_regclass('webhook_delivery') is not null as delivery,
      to_regclass('installment') is not null as loan`
  const tables = required(row, 'tables of the program')
  const queues = await Promise.all([
    db<DueWork>`
      select 'job ' || kind || ' ' || job_id as what, due_at, case when unanswered_claims > 0 then 15 else 0 end as lease_seconds,
        coalesce(starts_with(key, kind), false) or attempt > ${attemptsBeforePolling} as is_poll
      from job order by due_at limit 200`,
    tables.inbox
      ? db<DueWork>`
          select 'in ' || event_id as what, due_at, 30 as lease_seconds, false as is_poll
          from inbox_waiting where stuck_since is null
          union all select 'out ' || event_id, due_at, 30, false from outbox d where due_at is not null and not exists (
            select from outbox ahead where ahead.tenant_id = d.tenant_id and ahead.case_ref = d.case_ref
              and ahead.entity_type = d.entity_type and ahead.entity_id = d.entity_id
              and ahead.entity_version < d.entity_version and ahead.state = 'PENDING')`
      : [],
    tables.delivery ? listDueDeliveries(db) : [],
    // The day-end of a business day is due at the next midnight in India.
    tables.loan
      ? db<DueWork>`
          select 'day of ' || case_ref as what, (next_work_on + 1)::timestamp at time zone 'Asia/Kolkata' as due_at,
            0 as lease_seconds, false as is_poll
          from loan where next_work_on is not null order by next_work_on limit 200`
      : [],
  ])
  return queues.flat()
}

/**
 * Updates to a destination whose newest attempt failed are left out: the worker retries them while the clock moves on.
 * Otherwise a few endpoints that do not answer within the time limit would hold the clock for minutes. A delivery that
 * waits for its retry is not claimed: a claim begins after the last attempt.
 */
const listDueDeliveries = (db: Db): Promise<DueWork[]> => db<DueWork>`
  with failing as (
    select destination_id from webhook_delivery
    where destination_id in (select destination_id from webhook_delivery where due_at is not null)
    group by tenant_id, destination_id
    having max(last_attempt_at) filter (where (due_at is not null and attempt > 0) or state = 'EXHAUSTED')
      > coalesce(max(delivered_at), '-infinity'))
  select 'webhook ' || d.delivery_id as what, d.due_at,
    case when d.last_attempt_at > d.due_at - interval '20 s' then 0 else 20 end as lease_seconds, false as is_poll
  from webhook_delivery d
  where d.due_at is not null and not exists (select from webhook_delivery ahead
      where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id and ahead.journey_id = d.journey_id and ahead.sequence < d.sequence
        and ahead.destination_id = d.destination_id and ahead.state = 'PENDING')
    and d.destination_id not in (
      select endpoint_id from webhook_endpoint where paused_at is not null or listens_until is not null)
    and d.destination_id not in (select destination_id from failing)`

/** Tolerance for lease renewals and for the difference between two clocks. */
const leaseSlackMs = 5500

/** Whether the work is due, or claimed by a worker. A poll counts as done once it has run after the last step. */
export function isInProgress({ dueAt, leaseSeconds, isPoll }: DueWork, now: number, steppedTo: number): boolean {
  const aheadMs = dueAt.getTime() - now
  if (aheadMs <= 0) return !isPoll || dueAt.getTime() <= steppedTo
  const beyondLeaseMs = aheadMs - leaseSeconds * 1000
  return leaseSeconds > 0 && beyondLeaseMs > -leaseSlackMs && beyondLeaseMs <= 500
}
