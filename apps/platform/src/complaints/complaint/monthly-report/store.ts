// Monthly figures of complaints: pending, received and resolved, by category and age.

import { type Run, sql } from '@lendloom/postgres/sql'
import type { ComplaintCategory } from '@lendloom/wire/console/complaint-lists'
import { platformTenant } from '#platform/people/person.ts'

export interface ReportRow {
  category: ComplaintCategory
  /** Pending at the start of the period. */
  brought: number
  received: number
  resolved: number
  upheld: number
  /** Resolved within the thirty days of the regulator. */
  inTime: number
  reopened: number
  escalated: number
  pending: number
  /** Pending complaints by age, in the order of `ageBands`. */
  ages: number[]
  /** The sum of the days from receipt to resolution. */
  days: number
}

export interface ReportScope {
  /** Null for all tenants. */
  tenantId: string | null
  from: Date
  until: Date
}

/** Counts complaints by category. Excludes merged complaints; withdrawn complaints count as resolved. */
export const readReport = (db: Run, { tenantId, from, until }: ReportScope): Promise<ReportRow[]> => db<ReportRow>`
  select c.category,
    (count(*) filter (where c.received_at < ${from} and ${isPendingAt(from)}))::integer as brought,
    (count(*) filter (where ${isReceived(from, until)}))::integer as received,
    (count(*) filter (where ${isResolved(from, until)}))::integer as resolved,
    (count(*) filter (where ${isResolved(from, until)} and c.outcome in ('UPHELD', 'PARTLY_UPHELD')))::integer as upheld,
    (count(*) filter (where ${isResolved(from, until)} and c.resolved_at <= c.received_at + interval '30 days'))::integer as in_time,
    (count(*) filter (where c.reopened > 0 and c.since_at >= ${from} and c.since_at < ${until}))::integer as reopened,
    (count(*) filter (where c.escalated_at >= ${from} and c.escalated_at < ${until}))::integer as escalated,
    (count(*) filter (where ${isPendingAt(until)}))::integer as pending,
    array[
      ${countPendingOfAge(until, 0, 7)}, ${countPendingOfAge(until, 8, 15)}, ${countPendingOfAge(until, 16, 30)},
      (count(*) filter (where ${isPendingAt(until)} and ${ageInDays(until)} > 30))::integer
    ] as ages,
    coalesce(sum(extract(epoch from c.resolved_at - c.received_at) / 86400) filter (where ${isResolved(from, until)}), 0)::float8 as days
  from ${tenantId === null ? sql`(select tenant_id from tenant union all select ${platformTenant}::uuid) as t` : sql`(select ${tenantId}::uuid as tenant_id) as t`}
  join complaint c on c.tenant_id = t.tenant_id
  where c.status <> 'MERGED' and c.received_at < ${until} and (c.resolved_at is null or c.resolved_at >= ${from})
  group by c.category order by c.category`

const isReceived = (from: Date, until: Date) => sql`c.received_at >= ${from} and c.received_at < ${until}`
const isResolved = (from: Date, until: Date) => sql`c.resolved_at >= ${from} and c.resolved_at < ${until}`
const isPendingAt = (at: Date) => sql`c.received_at < ${at} and (c.resolved_at is null or c.resolved_at >= ${at})`
const ageInDays = (at: Date) => sql`floor(extract(epoch from ${at}::timestamptz - c.received_at) / 86400)`
const countPendingOfAge = (at: Date, min: number, max: number) =>
  sql`(count(*) filter (where ${isPendingAt(at)} and ${ageInDays(at)} between ${min} and ${max}))::integer`
