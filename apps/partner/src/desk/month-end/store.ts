// Reads what the end of a month still needs, from the day-ends, receipts, debits, statements and downloads.

import { noTenant } from '@lendloom/identity/person'
import type { Paise } from '@lendloom/lending/money'
import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { Period } from '#partner/books/ledger/store.ts'
import { decisionColumns, expiry, type ProposalDecision } from '#partner/desk/approval/proposal-columns.ts'
import type { ProposalLine } from '#partner/desk/staff/one-person.ts'
import { isUnposted } from '#partner/servicing/collection/store.ts'

/** Returns the day-end that closed the month and how many loans still need it; undefined while its last day is open. */
export async function closingOf(db: Run, { to }: Period): Promise<{ endedAt: Date; failed: number } | undefined> {
  const [day] = await db<{ endedAt: Date; failed: number }>`
    select ended_at, (select count(*)::int from loan where next_work_on <= ${to}::date) as failed
    from business_day where ended_on >= ${to}::date order by ended_on limit 1`
  return day
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

// Table month_closing

export interface MonthClose extends ProposalLine {
  closingId: string
  monthEnd: string
  /** The trial balance at the time of the proposal, as JSON. */
  balances: string
  openSteps: string[]
  state: 'WAITING' | 'CONFIRMED' | 'REFUSED' | 'WITHDRAWN' | 'EXPIRED'
}

export interface MonthCloseLine extends MonthClose {
  maker: string
  decider: string | null
}

/** Stores a proposal. Returns false if the month is closed, or has a waiting proposal. */
export const insertClosing = async (tx: Tx, row: MonthClose): Promise<boolean> =>
  (await tx`insert into month_closing ${tx({ ...row })} on conflict do nothing returning 1`).length > 0

const closingLines = sql`
  select c.closing_id, c.month_end, c.balances, c.open_steps, c.reason, c.state, c.made_by, c.maker_known_to, c.made_at,
    c.expires_at, c.decided_by, c.decided_at, c.decision_reason, m.name as maker, d.name as decider
  from month_closing c join staff m on m.staff_id = c.made_by left join staff d on d.staff_id = c.decided_by`

/** Reads a proposal, and locks it until the transaction ends. */
export async function lockClosing(tx: Tx, closingId: string): Promise<MonthCloseLine | undefined> {
  const [row] = await tx<MonthCloseLine>`${closingLines} where c.closing_id = ${closingId} for update of c`
  return row
}

/** Returns the proposals to close a month, newest first. */
export const closingsOf = (db: Run, monthEnd: string) =>
  db<MonthCloseLine>`${closingLines} where c.month_end = ${monthEnd} order by c.made_at desc limit 20`

/** Returns the month of a proposal as `2026-11`; undefined if there is no such proposal. */
export async function closingMonth(db: Run, closingId: string): Promise<string | undefined> {
  const [row] = await db<{ month: string }>`
    select to_char(month_end, 'YYYY-MM') as month from month_closing where closing_id = ${closingId}`
  return row?.month
}

/** Returns the waiting proposals, oldest month first. */
export const waitingClosings = (db: Run, at: Date) =>
  db<MonthCloseLine>`
    ${closingLines} where c.state = 'WAITING' and c.expires_at > ${at} order by c.month_end limit 12`

export async function isMonthClosed(db: Run, monthEnd: string): Promise<boolean> {
  const closed = await db`select 1 from month_closing where month_end = ${monthEnd} and state = 'CONFIRMED'`
  return closed.length > 0
}

export async function writeClosingDecision(
  tx: Tx,
  closingId: string,
  decision: ProposalDecision<MonthClose>,
): Promise<void> {
  await tx`update month_closing set ${decisionColumns(decision)} where closing_id = ${closingId}`
}

export async function expireClosings(tx: Tx, at: Date): Promise<void> {
  await tx`update month_closing set ${expiry(at)}`
}
