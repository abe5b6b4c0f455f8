// Reads what the end of a month still needs, from the day-ends, receipts, debits, statements and downloads.

import { noTenant } from '@lendloom/identity/person'
import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { Period } from '#partner/books/ledger/store.ts'
import { isUnposted } from '#partner/servicing/collection/receipt/store.ts'

/** Returns the day-end that closed the month and how many loans still need it; undefined while its last day is open. */
export async function closingOf(db: Run, { to }: Period): Promise<{ endedAt: Date; failed: number } | undefined> {
  const [day] = await db<{ endedAt: Date; failed: number }>`
    select ended_at, (select count(*)::int from loan where next_work_on <= ${to}::date) as failed
    from business_day where ended_on >= ${to}::date order by ended_on limit 1`
  return day
}

/** Whether the books have entries up to the end of a month which nobody has closed or proposed to close. */
export async function isToClose(db: Run, monthEnd: string, at: Date): Promise<boolean> {
  const rows = await db`
    select 1 from (select from ledger_entry where business_on <= ${monthEnd}::date limit 1) as e
    where not exists (select from month_closing where month_end = ${monthEnd}
      and (state = 'CONFIRMED' or state = 'WAITING' and expires_at > ${at}))`
  return rows.length > 0
}

export interface WaitingPayments {
  name: 'receipts' | 'claims' | 'debits'
  count: number
  paise: Paise
}

/** Counts the payments up to the end of the month that are neither posted nor failed. */
export const waitingPayments = (db: Run, { to }: Period) => db<WaitingPayments>`
  select w.name, count(*)::int as count, coalesce(sum(w.paise), 0)::bigint as paise from (
    select 'receipts' as name, amount_paise as paise from bank_receipt
    where ${isUnposted} and value_on <= ${to}::date
    union all
    select case when receipt_id is null then 'claims' else 'receipts' end, amount_paise from payment
    where status = 'PENDING_VERIFICATION' and coalesce(value_on, claimed_on, (created_at at time zone 'Asia/Kolkata')::date) <= ${to}::date
    union all
    select 'debits', amount_paise from payment
    where status in ('PREPARED', 'UNKNOWN', 'SUBMITTED') and collection_on <= ${to}::date) as w group by w.name`

export const statementsOf = (db: Run, { from, to }: Period) => db<{ fromOn: string; toOn: string; isClosed: boolean }>`
  select from_on, to_on, closed_at is not null as is_closed from bank_statement
  where from_on <= ${to}::date and to_on >= ${from}::date`

export interface MonthFile {
  what: string
  at: Date
  name: string
  /** The day whose amounts a report to bureaus has; null for other files. */
  reportedOn: string | null
}

/** Returns the last download of each file that covers the month, and was made after the month was closed. */
export const filesOf = (db: Run, { from, to }: Period, closedAt: Date) => db<MonthFile>`
  select distinct on (e.what) e.what, e.at, coalesce(s.name, '') as name, e.detail->>'reportedOn' as reported_on
  from (select detail::jsonb->>'what' as what, detail::jsonb as detail, at, person_id, sequence from audit_entry
    where tenant_id = ${noTenant} and act in ('BOOKS_EXPORTED', 'REPORT_MADE') and at >= ${closedAt}) as e
    left join staff s on s.staff_id = e.person_id
  where case when e.what = 'bureau' then e.detail->>'closedSince' <= ${from} and e.detail->>'reportedOn' >= ${to}
    else e.detail->>'from' <= ${from} and e.detail->>'to' >= ${to} end
  order by e.what, e.sequence desc`
