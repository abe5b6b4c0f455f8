// Tables of month-ends: loan_month, portfolio_roll, portfolio_vintage, portfolio_month.

import { type Run, sql, type Tx } from '@lendloom/postgres/sql'
import { principalSince } from '#partner/books/ledger/store.ts'
import { monthEndBefore } from './month-end.ts'

/**
 * Records up to `limit` loans after the case `after`, from the books of the month's last day and the loans' class
 * history. Returns the reference of the last case, or null if no case is left. Existing rows do not change.
 */
export async function recordLoanMonths(tx: Tx, monthEnd: string, after: string, limit: number): Promise<string | null> {
  const [row] = await tx<{ last: string | null }>`
    with part as (
      select case_ref from loan where case_ref > ${after}::text order by case_ref limit ${limit}),
    later as (${principalSince(monthEnd, sql`case_ref > ${after}::text and case_ref <= (select max(case_ref) from part)`)}),
    kept as (
      insert into loan_month (case_ref, month_end, state, principal_paise)
      select l.case_ref, ${monthEnd}::date,
        case when l.written_off_on <= ${monthEnd}::date then 'WRITTEN_OFF' else coalesce(k.asset_class, 'STANDARD') end,
        l.principal_paise - coalesce(later.paise, 0)
      from part join loan l using (case_ref) left join later using (case_ref)
        left join loan_class k on k.case_ref = l.case_ref and k.corrected_on is null and k.from_on <= ${monthEnd}::date
          and (k.until_on is null or k.until_on > ${monthEnd}::date)
      where l.disbursed_on <= ${monthEnd}::date and l.principal_paise - coalesce(later.paise, 0) > 0
      on conflict do nothing)
    select max(case_ref) as last from part`
  return row?.last ?? null
}

/** Records a month's roll rates (moves between classes since the month before) and vintages. */
export async function recordRollsAndVintages(tx: Tx, monthEnd: string): Promise<void> {
  await Promise.all([
    tx`
      insert into portfolio_roll (month_end, from_state, to_state, loans, principal_paise)
      select ${monthEnd}::date, coalesce(b.state, 'NEW'), coalesce(n.state, 'CLOSED'), count(*)::int,
        sum(coalesce(b.principal_paise, n.principal_paise))::bigint
      from (select case_ref, state, principal_paise from loan_month where month_end = ${monthEndBefore(monthEnd)}::date) as b
        full join (select case_ref, state, principal_paise from loan_month where month_end = ${monthEnd}::date) as n using (case_ref)
      group by 1, 2, 3 on conflict do nothing`,
    tx`
      insert into portfolio_vintage (month_end, lent_month, loans, lent_paise, late_loans, late_paise)
      select ${monthEnd}::date, date_trunc('month', l.disbursed_on::timestamp)::date, count(*)::int,
        sum((l.terms->>'amountPaise')::bigint)::bigint, count(m.case_ref)::int, coalesce(sum(m.principal_paise), 0)::bigint
      from loan l left join loan_month m on m.case_ref = l.case_ref and m.month_end = ${monthEnd}::date
        and m.state not in ('STANDARD', 'SMA_0')
      where l.disbursed_on <= ${monthEnd}::date group by 2 on conflict do nothing`,
  ])
}

export interface MonthDemand {
  duePaise: bigint
  collectedPaise: bigint
}

/**
 * Returns the amounts that fell due between two days, and the part of these amounts that was paid by the books of the
 * last day. Excludes penal charges; amounts that a settlement or a round-off gave up
 * count as unpaid.
 */
export async function demandBetween(db: Run, from: string, to: string): Promise<MonthDemand> {
  const [row] = await db<MonthDemand>`
    with due as materialized (
      select case_ref, number, principal_paise + interest_paise + charges_paise as due_paise,
        principal_paid_paise + interest_paid_paise + charges_paid_paise as paid_paise
      from installment where due_on between ${from}::date and ${to}::date),
    claimed_later as (
      select coalesce(sum(p.paise), 0) as paise
      from due d join ledger_posting p on p.case_ref = d.case_ref and p.installment = d.number
          and p.debit = 'PRINCIPAL' and p.credit = 'UNAPPLIED'
        join ledger_entry e on e.case_ref = p.case_ref and e.entry_id = p.entry_id
          and e.kind = 'AMENDMENT' and e.posted_on > ${to}::date),
    later as (
      select e.kind = 'WAIVER' as is_waived, case when p.credit in ('PRINCIPAL', 'INTEREST', 'CHARGES') then p.paise else -p.paise end as paise
      from due d join ledger_posting p on p.case_ref = d.case_ref and p.installment = d.number
          and (p.debit in ('PRINCIPAL', 'INTEREST', 'CHARGES') or p.credit in ('PRINCIPAL', 'INTEREST', 'CHARGES'))
        join ledger_entry e on e.case_ref = p.case_ref and e.entry_id = p.entry_id
          and (e.posted_on > ${to}::date or e.kind in ('SETTLEMENT', 'ROUND_OFF')
            or e.reverses like 'settlement-%' or e.reverses like 'round-off-%')
          and e.kind in ('RECEIPT', 'SET_OFF', 'REVERSAL', 'WAIVER', 'SETTLEMENT', 'ROUND_OFF') and 'INTEREST_INCOME' not in (p.debit, p.credit))
    select coalesce(sum(due_paise), 0)::bigint + (select coalesce(sum(paise), 0) from later where is_waived)::bigint
        - (select paise from claimed_later)::bigint as due_paise,
      coalesce(sum(paid_paise), 0)::bigint - (select coalesce(sum(paise), 0) from later where not is_waived)::bigint as collected_paise
    from due`
  return row ?? { duePaise: 0n, collectedPaise: 0n }
}

/** Records a month's demand. Must run last, because this row marks the month as complete. */
export async function recordDemand(tx: Tx, monthEnd: string, { duePaise, collectedPaise }: MonthDemand): Promise<void> {
  await tx`insert into portfolio_month ${tx({ monthEnd, duePaise, collectedPaise })} on conflict do nothing`
}

/** Returns the unrecorded month-ends from the first loan up to a day, in order. */
export async function missingMonthEnds(db: Run, through: string): Promise<string[]> {
  const months = await db<{ monthEnd: string }>`
    select e.month_end from (
      select (each + interval '1 month - 1 day')::date as month_end
      from generate_series((select date_trunc('month', min(disbursed_on)::timestamp) from loan), ${through}::timestamp, interval '1 month') as each) as e
    where e.month_end <= ${through}::date and not exists (select from portfolio_month m where m.month_end = e.month_end)
    order by e.month_end`
  return months.map(({ monthEnd }) => monthEnd)
}
