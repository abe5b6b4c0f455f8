// Queries for reports.

import { type Fragment, oneRow, type Run, sql } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Period } from '#partner/ledger/store.ts'
import type { AssetClass } from '#partner/loan/class/asset-class.ts'
import type { LoanStatus } from '#partner/loan/loan.ts'
import type { TermsJson } from '#partner/loan/terms.ts'
import { receivables } from '#partner/loan/write-off.ts'

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
  /** Principal, and due but unpaid interest, penalties and charges. */
  balancePaise: Paise
  overduePaise: Paise
  /** Due date of the oldest overdue row; null if nothing is overdue. */
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
}

/** Returns loans that are open or were closed since a day, in the order of their cases. */
export const loansAfter = (db: Run, { closedSince, after, limit }: ReportPage): Promise<LoanLine[]> => db<LoanLine>`
  with page as (
    select l.case_ref, l.loan_account_id, l.status, l.terms, l.installment_paise, l.disbursed_on, l.asset_class,
      l.written_off_on, case when l.status = 'CLOSED' then ${closedOn} end as closed_on
    from loan l where l.case_ref > ${after} and (l.status <> 'CLOSED' or ${closingPostedOn} >= ${closedSince}::date)
    order by l.case_ref limit ${limit})
  select p.case_ref, p.loan_account_id, p.status, p.terms, p.installment_paise, p.disbursed_on, p.asset_class,
    p.written_off_on, p.closed_on, i.balance_paise, i.overdue_paise, i.oldest_due_on, c.lead_sealed,
    (select max(e.business_on) from ledger_entry e where e.case_ref = c.case_ref and e.kind = 'RECEIPT' and not exists (
      select from ledger_entry r where r.case_ref = e.case_ref and r.reverses = e.entry_id)) as last_paid_on
  from page p join case_lead c using (case_ref) cross join lateral (
    select coalesce(sum(principal + case when fell_due then other else penalty end), 0)::bigint as balance_paise,
      coalesce(sum(principal + other) filter (where fell_due), 0)::bigint as overdue_paise,
      min(due_on) filter (where fell_due and principal + other > 0) as oldest_due_on
    from (select i.due_on, i.fell_due, i.principal_paise - i.principal_paid_paise as principal,
        i.penalty_paise - i.penalty_paid_paise as penalty,
        i.penalty_paise - i.penalty_paid_paise + i.charges_paise - i.charges_paid_paise
          + i.interest_paise - i.interest_paid_paise as other
      from installment i where i.case_ref = c.case_ref) as unpaid) as i
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
const countedKinds = ['DISBURSEMENT', 'RECEIPT', 'PENALTY', 'FEE_RETURN', 'WAIVER', 'WRITE_OFF', 'REFUND']

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

// What an auditor compares with the postings

/** Returns the trial balance of a closed month as JSON; null unless two people closed the month. */
export async function closedBalances(db: Run, monthEnd: string): Promise<string | null> {
  const [row] = await db<{ balances: string }>`
    select balances from month_closing where month_end = ${monthEnd} and state = 'CONFIRMED'`
  return row?.balances ?? null
}

/** Returns the principal of the portfolio at a stored month end; null if the month is not stored. */
export async function monthPrincipal(db: Run, monthEnd: string): Promise<Paise | null> {
  const [row] = await db<{ paise: Paise | null }>`
    select sum(principal_paise)::bigint as paise from loan_month where month_end = ${monthEnd}`
  return row?.paise ?? null
}

export const loanPrincipals = (db: Run) =>
  db<{ caseRef: string; paise: Paise }>`select case_ref, principal_paise as paise from loan order by case_ref`

/** Returns the sum of bank receipts that belong to no posted payment. */
export async function unpostedReceipts(db: Run): Promise<Paise> {
  const rows = await db<{ paise: Paise }>`
    select coalesce(sum(r.amount_paise), 0)::bigint as paise
    from bank_receipt r left join payment p on p.case_ref = r.case_ref and p.payment_id = r.payment_id
    where p.status is distinct from 'POSTED'`
  return oneRow(rows).paise
}
