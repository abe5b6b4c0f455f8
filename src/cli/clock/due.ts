// What each program still has to do, and when: read from the queues that it keeps in its database.
import type { Db } from '#kit/sql.ts'

export interface Due {
  what: string
  dueAt: Date
}

/** Everything that waits for its time. What waits for something else, as an event behind a gap, is not counted. */
export async function dueIn(db: Db): Promise<Due[]> {
  const [has] = await db<{ inbox: boolean; delivery: boolean; loan: boolean }>`
    select to_regclass('inbox_waiting') is not null as inbox, to_regclass('webhook_delivery') is not null as delivery,
      to_regclass('installment') is not null as loan`
  const jobs = await db<Due>`select 'job ' || kind || ' ' || job_id as what, due_at from job order by due_at limit 200`
  const exchange = has!.inbox
    ? await db<Due>`
        select 'in ' || event_id as what, due_at from inbox_waiting where stuck_since is null
        union all select 'out ' || event_id, due_at from outbox where due_at is not null`
    : []
  const deliveries = has!.delivery
    ? await db<Due>`select 'webhook ' || delivery_id as what, due_at from webhook_delivery where due_at is not null`
    : []
  // A business day is ended when the next one has begun in India.
  const days = has!.loan
    ? await db<Due>`
        select 'day of ' || case_ref as what, (next_work_on + 1)::timestamp at time zone 'Asia/Kolkata' as due_at
        from loan where next_work_on is not null order by next_work_on limit 200`
    : []
  return [...jobs, ...exchange, ...deliveries, ...days]
}
