// Reads what the end of a month still needs, from the day-ends, receipts, debits, statements and downloads.

import { noTenant } from '@lendloom/identity/person'
import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { Period } from '#partner/books/ledger/store.ts'
import { isUnposted } from '#partner/servicing/collection/receipt/store.ts'
import { monthEndOf, monthPlus } from '#partner/servicing/loan/month/month-end.ts'

/** Returns the day-end that closed the month and how many loans still need it; undefined while its last day is open. */
export async function closingOf(db: Run, { to }: Period): Promise<{ endedAt: Date; failed: number } | undefined> {
  const [day] = await db<{ endedAt: Date; failed: number }>`
    select ended_at, (select count(*)::int from loan where next_work_on <= ${to}::date) as failed
    from business_day where ended_on >= ${to}::date order by ended_on limit 1`
  return day
}

/**
 * Returns the ends of the ended months that are not closed, oldest first. Without those that wait for confirmation, and
 * without later ones, because months are closed in their order.
 */
export async function monthsToClose(db: Run, lastMonthEnd: string, at: Date): Promise<string[]> {
  const [books] = await db<{ firstOn: string | null; closedUntil: string | null; isWaiting: boolean }>`
    select (select min(business_on) from ledger_entry) as first_on,
      (select max(month_end) from month_closing where state = 'CONFIRMED') as closed_until,
      exists (select from month_closing where state = 'WAITING' and expires_at > ${at}) as is_waiting`
  if (!books?.firstOn || books.isWaiting) return []
  const months: string[] = []
  let month = books.closedUntil ? nextMonthEnd(books.closedUntil) : monthEndOf(books.firstOn)
  while (month <= lastMonthEnd) {
    months.push(month)
    month = nextMonthEnd(month)
  }
  return months
}

const nextMonthEnd = (monthEnd: string): string => monthEndOf(monthPlus(monthEnd, 1))

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
