// The queries of reports: loans with their balances, counts of a period, and stored balances against which the books
// are derived again.

import type { Paise } from '@lendloom/lending/money'
import { type Fragment, oneRow, type Run, sql } from '@lendloom/postgres/sql'
import type { JournalLine, Period } from '#partner/books/ledger/store.ts'
import type { TermsJson } from '#partner/origination/terms/terms.ts'
import type { AssetClass } from '#partner/servicing/loan/class/asset-class.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'
import { receivables } from '#partner/servicing/loan/write-off-entries.ts'

/** A loan in its current state, with totals. */
export interface LoanLine {
  caseRef: string
  loanAccountId: string
  status: LoanStatus
  terms: TermsJson
  installmentPaise: Paise
  disbursedOn: string
  assetClass: AssetClass
  writtenOffOn: string | null
  settledOn: string | null
  /** Principal, and due but unpaid interest, penalties and charges. */
  balancePaise: Paise
  overduePaise: Paise
  /** The day from which the first row counts with which more than the tolerance is overdue; null if no more is. */
  oldestDueOn: string | null
  lastPaidOn: string | null
  /** The day on which the loan was closed; null until then. */
  closedOn: string | null
  leadSealed: Buffer
}

/** Selects the latest `day` of a loan's entries that changed its dues. Refunds of overpayments do not count. */
const lastDuesChange = (day: Fragment) => sql`(
  select max(${day}) from ledger_entry e where e.case_ref = l.case_ref and e.kind not in ('DUE', 'ACCRUAL') and exists (
    select from ledger_posting p where p.case_ref = e.case_ref and p.entry_id = e.entry_id
      and (p.debit = any(${receivables}::text[]) or p.credit = any(${receivables}::text[]))))`
const closedOn = lastDuesChange(sql`e.business_on`)

const closingPostedOn = lastDuesChange(sql`e.posted_on`)

interface ReportPage {
  /** Omits loans whose closing was posted before this day. The business day of a closing may be earlier. */
  closedSince: string
  /** The last case of the previous page; empty for the first page. */
  after: string
  limit: number
  /** The overdue amount up to which a loan is not past due. */
  tolerance: Paise
}

/** Returns loans that are open or were closed since a day, in the order of their cases. */
export const loansAfter = (
  db: Run,
  { closedSince, after, limit, tolerance }: ReportPage,
): Promise<LoanLine[]> => db<LoanLine>`
  with page as (
    select l.case_ref, l.loan_account_id, l.status, l.terms, l.installment_paise, l.disbursed_on, l.asset_class,
      l.written_off_on, l.settled_on, case when l.status = 'CLOSED' then ${closedOn} end as closed_on
    from loan l where l.case_ref > ${after} and (l.status <> 'CLOSED' or ${closingPostedOn} >= ${closedSince}::date)
    order by l.case_ref limit ${limit})
  select p.case_ref, p.loan_account_id, p.status, p.terms, p.installment_paise, p.disbursed_on, p.asset_class,
    p.written_off_on, p.settled_on, p.closed_on, i.balance_paise, i.overdue_paise, i.oldest_due_on, c.lead_sealed,
    (select max(e.business_on) from ledger_entry e where e.case_ref = c.case_ref and e.kind = 'RECEIPT' and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id)) as last_paid_on
  from page p join case_lead c using (case_ref) cross join lateral (
    select coalesce(sum(principal + case when fell_due then other else penalty end), 0)::bigint as balance_paise,
      coalesce(sum(principal + other) filter (where is_late), 0)::bigint as overdue_paise,
      min(overdue_from) filter (where is_late and overdue_so_far > ${tolerance}) as oldest_due_on
    from (
      select overdue_from, fell_due, is_late, principal, penalty, other,
        sum(case when is_late then principal + other else 0 end) over (order by overdue_from) as overdue_so_far
      from (
        select coalesce(i.counts_from, i.due_on) as overdue_from, i.fell_due, i.fell_due and not i.is_waiting as is_late,
          i.principal_paise - i.principal_paid_paise as principal,
          i.penalty_paise - i.penalty_paid_paise as penalty,
          i.penalty_paise - i.penalty_paid_paise + i.charges_paise - i.charges_paid_paise
            + i.interest_paise - i.interest_paid_paise as other
        from installment i where i.case_ref = c.case_ref) as rows_of_loan) as unpaid) as i
  order by p.case_ref`

/** A number of events of a period; `paise` is null if these events have no amount. */
export interface Count {
  name: string
  count: number
  paise: Paise | null
}

/** Counts new applications and moves of applications. A case counts once for each move (`CaseMove`). */
export const applicationCounts = (db: Run, { from, to }: Period): Promise<Count[]> => db<Count>`
  with period as (
    select ${from}::date::timestamp at time zone 'Asia/Kolkata' as since,
      (${to}::date + 1)::timestamp at time zone 'Asia/Kolkata' as until)
  select 'received' as name, count(*)::int as count, null::bigint as paise from case_file c, period
    where c.created_at >= since and c.created_at < until
  union all
  select m.move, count(distinct m.case_ref)::int, null from case_move m, period
    where m.at >= since and m.at < until group by m.move`

/**
 * Counts loans by the kinds of their ledger entries. Omits entries that were reversed by the end of the period. Amounts
 * of receipts and fee refunds exclude refunded interest.
 */
export const entryCounts = (db: Run, { from, to }: Period): Promise<Count[]> => db<Count>`
  select e.kind as name, count(distinct e.case_ref)::int as count, sum(p.paise) filter (
    where e.kind not in ('RECEIPT', 'FEE_RETURN') or p.debit in ('BANK', 'FEE_INCOME', 'TAX_PAYABLE'))::bigint as paise
  from ledger_entry e join ledger_posting p using (case_ref, entry_id)
  where e.posted_on between ${from}::date and ${to}::date and e.kind = any(${countedKinds}::text[]) and not exists (
    select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id and r.posted_on <= ${to}::date)
  group by e.kind`
const countedKinds = ['DISBURSEMENT', 'RECEIPT', 'PENALTY', 'FEE_RETURN', 'WAIVER', 'WRITE_OFF', 'SETTLEMENT', 'REFUND']

/** Counts closed loans, loans closed before the end of their term, and loans with recoveries after a write-off. */
export const endingCounts = (db: Run, { from, to }: Period): Promise<Count[]> => db<Count>`
  with closed as (
    select l.disbursed_on + 7 * (l.terms->>'tenureWeeks')::int as term_on, ${closedOn} as closed_on, ${closingPostedOn} as posted_on
    from loan l where l.status = 'CLOSED'),
  recovered as (
    select p.case_ref, case when p.credit = 'RECOVERY_INCOME' then p.paise else -p.paise end as paise
    from ledger_posting p join ledger_entry e using (case_ref, entry_id)
    where 'RECOVERY_INCOME' in (p.debit, p.credit) and e.posted_on between ${from}::date and ${to}::date)
  select 'CLOSED' as name, count(*)::int as count, null::bigint as paise from closed
    where posted_on between ${from}::date and ${to}::date
  union all
  select 'CLOSED_EARLY', count(*)::int, null from closed
    where posted_on between ${from}::date and ${to}::date and closed_on < term_on
  union all
  select 'RECOVERED', count(distinct case_ref)::int, coalesce(sum(paise), 0)::bigint from recovered`

/** Counts borrowers (by PAN) who owe principal now, and how many of them have a non-performing loan. */
export const borrowerCounts = (db: Run): Promise<{ borrowers: number; nonPerforming: number }[]> => db<{
  borrowers: number
  nonPerforming: number
}>`
  select count(distinct c.pan_digest)::int as borrowers,
    count(distinct c.pan_digest) filter (where l.npa_on is not null)::int as non_performing
  from loan l join case_file c using (case_ref) where l.status in ('ACTIVE', 'OVERDUE')`

/** Returns the first month end that is closed or recorded; null without one. */
export async function firstRecordedMonth(db: Run): Promise<string | null> {
  const [row] = await db<{ monthEnd: string | null }>`
    select least((select min(month_end) from portfolio_month),
      (select min(month_end) from month_closing where state = 'CONFIRMED')) as month_end`
  return row?.monthEnd ?? null
}

/** The balance of an account in a case, debits less credits, that another table gives. */
export interface StoredSum {
  account: string
  caseRef: string
  paise: Paise
}

/** Returns the principal of each loan at a month end; null unless the month is recorded. */
export async function monthPrincipals(db: Run, monthEnd: string): Promise<StoredSum[] | null> {
  const complete = await db`select 1 from portfolio_month where month_end = ${monthEnd}`
  if (complete.length === 0) return null
  return db<StoredSum>`
    select 'PRINCIPAL' as account, case_ref, principal_paise as paise from loan_month where month_end = ${monthEnd}`
}

/** Returns the present principal of each loan that owes some. */
export const loanPrincipals = (db: Run) =>
  db<StoredSum>`select 'PRINCIPAL' as account, case_ref, principal_paise as paise from loan where principal_paise <> 0`

/** Returns what the schedules, payments, refunds and bank receipts say about the balances of each case. */
export const storedBalances = (db: Run) => db<StoredSum>`
  with unpaid as (
    select i.case_ref, l.npa_on is not null and l.written_off_on is null as is_suspended,
      l.written_off_on is not null as is_written_off, i.interest_given_back_paise as refunded, i.accrued_paise as accrued,
      i.principal_paise - i.principal_paid_paise as principal, i.penalty_paise - i.penalty_paid_paise as penalty,
      case when i.fell_due then i.interest_paise else 0 end - i.interest_paid_paise as interest,
      case when i.fell_due then i.charges_paise else 0 end - i.charges_paid_paise as charges
    from installment i join loan l using (case_ref)),
  unposted as (
    select coalesce(sum(r.amount_paise), 0) as paise
    from bank_receipt r left join payment p on p.case_ref = r.case_ref and p.payment_id = r.payment_id
    where p.status is distinct from 'POSTED' and r.returned_transfer is null),
  part as (
    select side.account, u.case_ref, side.paise from unpaid u, lateral (values
      ('PRINCIPAL', principal), ('INTEREST', interest), ('PENALTY', penalty), ('CHARGES', charges),
      ('ACCRUED_INTEREST', accrued),
      ('WRITTEN_OFF', case when is_written_off then -(principal + interest + penalty + charges + accrued) else 0 end),
      ('INCOME_SUSPENSE', case when is_suspended then -(greatest(interest + accrued - refunded, 0)
        + greatest(penalty, 0) + greatest(charges, 0)) else 0 end)) as side (account, paise)
    union all
    select 'BANK', case_ref, -disbursed_paise from loan where status <> 'CANCELLED'
    union all
    select 'BANK', case_ref, amount_paise from payment where status = 'POSTED'
    union all
    select case when status = 'PAID' then 'BANK' else 'REFUND_PAYABLE' end, case_ref, -amount_paise from refund
      where status not in ('FAILED', 'RETURNED')
    union all
    select side.account, 'receipts', side.paise from receipt_return r, lateral (values ('UNPOSTED', r.amount_paise),
      (case when r.status in ('PAID', 'TAKEN_BACK') then 'BANK' else 'REFUND_PAYABLE' end, -r.amount_paise)) as side (account, paise)
      where r.status <> 'FAILED'
    union all
    select side.account, 'receipts', side.paise from unposted u, lateral (values
      ('BANK', u.paise), ('UNPOSTED', -u.paise)) as side (account, paise))
  select account, case_ref, sum(paise)::bigint as paise from part group by account, case_ref having sum(paise) <> 0`

/** Counts ledger entries without postings, and postings without an entry. */
export async function countIncomplete(db: Run): Promise<number> {
  const rows = await db<{ count: number }>`
    select count(*)::int as count from ledger_entry e full join (
      select distinct case_ref, entry_id from ledger_posting) as p using (case_ref, entry_id)
    where e.kind is null or p.entry_id is null`
  return oneRow(rows).count
}

/** Returns the recorded provision of each business day, and the sum of its classes. */
export const dayProvisions = (db: Run) => db<{ endedOn: string; paise: Paise; paiseByClass: Paise }>`
  select d.ended_on, d.provision_paise as paise, coalesce(sum(c.provision_paise), 0)::bigint as paise_by_class
  from business_day d left join business_day_class c using (ended_on) group by d.ended_on order by d.ended_on`

/** Returns the loans whose class is not the last of their class history, which is standard without one. */
export const classesOfLoans = (db: Run) => db<{ caseRef: string; derived: string; stored: string }>`
  select l.case_ref, coalesce(k.asset_class, 'STANDARD') as derived, l.asset_class as stored
  from loan l left join loan_class k on k.case_ref = l.case_ref and k.until_on is null
  where l.asset_class <> coalesce(k.asset_class, 'STANDARD') order by l.case_ref`

interface PlannedRow {
  number: number
  dueOn: string
  /** The day from which the row can be overdue. */
  countsFrom: string
  principalPaise: Paise
}

export interface RecordedClass {
  assetClass: AssetClass
  recordedOn: string
  correctedOn: string | null
}

/** A loan's schedule, classes and journal lines, from which its figures are derived. */
export interface LoanHistory {
  caseRef: string
  borrower: string
  scheduleVersion: number
  rows: PlannedRow[]
  classes: RecordedClass[]
  lines: JournalLine[]
}

/** The rows of cancelled loans before their cancellation, which cleared them. */
const cancelled = sql`
  select h.case_ref, h.rows from loan l join schedule_history h on h.case_ref = l.case_ref
    and h.reason = 'PAYOUT_RETURNED' and l.status = 'CANCELLED'`

/** Returns the histories of the loans of these cases. */
export async function readHistories(db: Run, caseRefs: string[]): Promise<Map<string, LoanHistory>> {
  type OfCase = { caseRef: string }
  const [loans, rows, classes, lines] = await Promise.all([
    db<Omit<LoanHistory, 'rows' | 'classes' | 'lines'>>`
      select l.case_ref, encode(c.pan_digest, 'hex') as borrower, l.schedule_version
      from loan l join case_file c using (case_ref) where l.case_ref = any(${caseRefs}::text[])`,
    db<PlannedRow & OfCase>`
      select case_ref, number, due_on, coalesce(counts_from, due_on) as counts_from, principal_paise from installment
      where case_ref = any(${caseRefs}::text[]) and not exists (${cancelled} where l.case_ref = installment.case_ref)
      union all
      select case_ref, (each->>'number')::smallint, (each->>'dueOn')::date, (each->>'dueOn')::date, (each->'due'->>'principal')::bigint
      from (${cancelled} where l.case_ref = any(${caseRefs}::text[])) as replaced, jsonb_array_elements(rows) as each
      order by case_ref, number`,
    db<RecordedClass & OfCase>`
      select case_ref, asset_class, coalesce(recorded_on, from_on) as recorded_on, corrected_on from loan_class
      where case_ref = any(${caseRefs}::text[]) order by case_ref, number`,
    db<JournalLine>`
      select e.case_ref, e.entry_id, e.kind, e.business_on, e.reverses, e.posted_on, e.posted_at,
        p.line, p.debit, p.credit, p.installment, p.paise
      from ledger_entry e join ledger_posting p using (case_ref, entry_id)
      where e.case_ref = any(${caseRefs}::text[]) order by e.case_ref, e.posted_on, e.entry_id, p.line`,
  ])
  const rowsOf = Map.groupBy(rows, ({ caseRef }) => caseRef)
  const classesOf = Map.groupBy(classes, ({ caseRef }) => caseRef)
  const linesOf = Map.groupBy(lines, ({ caseRef }) => caseRef)
  const listOf = <Item>(items: Map<string, Item[]>, caseRef: string): Item[] => items.get(caseRef) ?? []
  return new Map(
    loans.map((loan) => [
      loan.caseRef,
      {
        ...loan,
        rows: listOf(rowsOf, loan.caseRef),
        classes: listOf(classesOf, loan.caseRef),
        lines: listOf(linesOf, loan.caseRef),
      },
    ]),
  )
}

/** Returns the business days that have ended. */
export async function closedDays(db: Run): Promise<string[]> {
  const days = await db<{ endedOn: string }>`select ended_on from business_day order by ended_on`
  return days.map(({ endedOn }) => endedOn)
}
