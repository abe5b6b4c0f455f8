// Reads the pending work of each program, and when it is due, from the queues in its database.

import type { Db } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'

export interface DueWork {
  what: string
  dueAt: Date
  /**
   * The lease of the worker that claimed it, after which it is due again if the worker dies. 0 for unclaimed work; a
   * message shows its lease only in its due time.
   */
  leaseSeconds: number
  /** A poll: it queries another party every few seconds and always becomes due again. */
  isRound: boolean
}

/**
 * A job with this many tries is a poll: it waits for a borrower or a lender, not for time. Polls do not limit the jumps
 * of the clock; otherwise one undecided consent would make a month pass ten seconds at a time.
 */
const triesBeforePolling = 3

/** All work that waits for its due time. Work that waits for something else, such as an event behind a gap, is left out. */
export async function dueIn(db: Db): Promise<DueWork[]> {
  const [row] = await db<{ inbox: boolean; delivery: boolean; loan: boolean }>`
    select to_regclass('inbox_waiting') is not null as inbox, to_regclass('webhook_delivery') is not null as delivery,
      to_regclass('installment') is not null as loan`
  const has = required(row, 'tables of the program')
  const found = await Promise.all([
    db<DueWork>`
      select 'job ' || kind || ' ' || job_id as what, due_at, case when unanswered_claims > 0 then 15 else 0 end as lease_seconds,
        coalesce(starts_with(key, kind), false) or attempt > ${triesBeforePolling} as is_round
      from job order by due_at limit 200`,
    has.inbox
      ? db<DueWork>`
          select 'in ' || event_id as what, due_at, 30 as lease_seconds, false as is_round
          from inbox_waiting where stuck_since is null
          union all select 'out ' || event_id, due_at, 30, false from outbox d where due_at is not null and not exists (
            select from outbox ahead where ahead.tenant_id = d.tenant_id and ahead.case_ref = d.case_ref
              and ahead.entity_type = d.entity_type and ahead.entity_id = d.entity_id
              and ahead.entity_version < d.entity_version and ahead.state = 'PENDING')`
      : [],
    has.delivery
      ? db<DueWork>`
          select 'webhook ' || delivery_id as what, due_at, 20 as lease_seconds, false as is_round
          from webhook_delivery d where due_at is not null and not exists (select from webhook_delivery ahead
            where ahead.bucket = d.bucket and ahead.tenant_id = d.tenant_id and ahead.journey_id = d.journey_id and ahead.sequence < d.sequence
              and ahead.destination_id = d.destination_id and ahead.state = 'PENDING')`
      : [],
    // A business day closes when the next one begins in India.
    has.loan
      ? db<DueWork>`
          select 'day of ' || case_ref as what, (next_work_on + 1)::timestamp at time zone 'Asia/Kolkata' as due_at,
            0 as lease_seconds, false as is_round
          from loan where next_work_on is not null order by next_work_on limit 200`
      : [],
  ])
  return found.flat()
}

/** Tolerance for lease renewals and for the difference between two clocks. */
const leaseSlackMs = 5500

/**
 * Whether a worker should be running it now: it is due, or was just claimed. A poll counts as done once it ran after
 * the jump.
 */
export function isInProgress({ dueAt, leaseSeconds, isRound }: DueWork, now: number, jumpedTo: number): boolean {
  const aheadMs = dueAt.getTime() - now
  if (aheadMs <= 0) return !isRound || dueAt.getTime() <= jumpedTo
  const beyondLeaseMs = aheadMs - leaseSeconds * 1000
  return leaseSeconds > 0 && beyondLeaseMs > -leaseSlackMs && beyondLeaseMs <= 500
}
