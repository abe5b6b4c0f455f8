// Queries and updates of the day-end for many loans.

import type { Paise } from '@lendloom/lending/money'
import { bigint, boolean, date, rowsAs, smallint, text } from '@lendloom/postgres/rows'
import { type Fragment, sql, type Tx } from '@lendloom/postgres/sql'
import {
  arrearsFrom,
  type InstallmentRow,
  nextDueOn,
  nextWorkOn,
  rowStatus,
} from '#partner/servicing/loan/installment-row.ts'
import type { LoanStatus } from '#partner/servicing/loan/loan.ts'
import type { DayTerms } from '#partner/servicing/loan/row-day-end.ts'
import { ofCase, rowColumns, rowFrom, type StoredInstallment } from '#partner/servicing/loan/store.ts'

export interface DayEndLoan {
  caseRef: string
  status: LoanStatus
  npaOn: string | null
  writtenOffOn: string | null
  terms: DayTerms
  /** The unpaid rows that are due by the day, and the later rows up to the first unpaid row. */
  rows: InstallmentRow[]
  /** The principal of all later rows, less prepayments; null if it was not summed. */
  laterPrincipal: Paise | null
}

interface RowRange {
  through: string
  /** Whether interest may accrue by that day; then `laterPrincipal` is summed. */
  isAccruing: boolean
}

const isUnpaid = (row: Fragment) => sql`not (${row}.penalty_paid_paise = ${row}.penalty_paise
  and ${row}.charges_paid_paise = ${row}.charges_paise and ${row}.interest_paid_paise = ${row}.interest_paise
  and ${row}.principal_paid_paise = ${row}.principal_paise)`
const rowToRead = sql`i`
const laterRow = sql`n`

/** Returns the loans of locked cases, in case order. */
export async function readForDayEnd(
  tx: Tx,
  caseRefs: string[],
  { through, isAccruing }: RowRange,
): Promise<DayEndLoan[]> {
  type StoredLoan = Omit<DayEndLoan, 'rows' | 'terms'> & DayTerms
  const last = sql`select min(n.number) from installment n
    where n.case_ref = l.case_ref and n.due_on > ${through}::date and ${isUnpaid(laterRow)}`
  const [loans, rows] = await Promise.all([
    tx<StoredLoan>`
      select l.case_ref, l.status, l.npa_on, l.written_off_on, l.terms->'penalty' as penalty, l.terms->>'rounding' as rounding,
        l.terms->>'annualRatePercent' as annual_rate_percent, ${
          isAccruing
            ? sql`(
          select coalesce(sum(i.principal_paise - i.principal_paid_paise - i.interest_paid_paise), 0)::bigint
          from installment i where i.case_ref = l.case_ref and i.number > (${last}))`
            : sql`null::bigint`
        } as later_principal
      from loan l where l.case_ref = any(${caseRefs}::text[]) order by l.case_ref`,
    tx<StoredInstallment & { caseRef: string }>`
      select l.case_ref, ${rowColumns} from loan l cross join lateral (${last}) as last (number)
        join installment i on i.case_ref = l.case_ref and i.number <= coalesce(last.number, 32767)
      where l.case_ref = any(${caseRefs}::text[]) and (not i.fell_due or i.is_waiting or ${isUnpaid(rowToRead)})
      order by l.case_ref, i.number`,
  ])
  const loansByCase = new Map<string, DayEndLoan>()
  for (const { penalty, rounding, annualRatePercent, ...loan } of loans)
    loansByCase.set(loan.caseRef, { ...loan, terms: { penalty, rounding, annualRatePercent }, rows: [] })
  for (const row of rows) loansByCase.get(row.caseRef)?.rows.push(rowFrom(row))
  return [...loansByCase.values()]
}

export interface RowAfterDayEnd {
  caseRef: string
  row: InstallmentRow
}

/** Updates the columns that a day-end can change; the paid amounts never change. */
export async function updateRowsAtDayEnd(tx: Tx, rows: RowAfterDayEnd[], at: Date): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update installment i set status = input.status, fell_due = input.fell_due, penalty_paise = input.penalty_paise,
      penalties = input.penalties, next_penalty_on = input.next_penalty_on, counts_from = input.counts_from,
      is_waiting = input.is_waiting, accrued_paise = input.accrued_paise, accrued_on = input.accrued_on, principal_days = input.principal_days, updated_at = ${at}
    from ${rowsAs(sql`input`, rows, {
      caseRef: text(({ caseRef }) => caseRef),
      number: smallint(({ row }) => row.number),
      status: text(({ row }) => rowStatus(row)),
      fellDue: boolean(({ row }) => row.fellDue),
      penaltyPaise: bigint(({ row }) => row.due.penalty),
      penalties: smallint(({ row }) => row.penalties),
      nextPenaltyOn: date(({ row }) => row.nextPenaltyOn),
      countsFrom: date(({ row }) => row.countsFrom),
      isWaiting: boolean(({ row }) => row.isWaiting),
      accruedPaise: bigint(({ row }) => row.accrued),
      accruedOn: date(({ row }) => row.accruedOn),
      principalDays: bigint(({ row }) => row.principalDays),
    })}
    where i.case_ref = input.case_ref and i.number = input.number and ${ofCase(sql`i`, rows)}`
}

export interface LoanAfterDayEnd {
  caseRef: string
  status: LoanStatus
  rows: InstallmentRow[]
}

export async function updateLoansAtDayEnd(tx: Tx, loans: LoanAfterDayEnd[], at: Date): Promise<void> {
  await tx`
    update loan l set status = input.status, next_work_on = input.next_work_on, next_due_on = input.next_due_on,
      arrears_from = input.arrears_from, updated_at = ${at}
    from ${rowsAs(sql`input`, loans, {
      caseRef: text(({ caseRef }) => caseRef),
      status: text(({ status }) => status),
      nextWorkOn: date(({ rows }) => nextWorkOn(rows)),
      nextDueOn: date(({ rows }) => nextDueOn(rows)),
      arrearsFrom: date(({ rows }) => arrearsFrom(rows)),
    })}
    where l.case_ref = input.case_ref and ${ofCase(sql`l`, loans)}`
}
