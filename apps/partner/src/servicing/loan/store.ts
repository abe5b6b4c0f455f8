// Queries of the tables loan, installment and schedule_history.
import { partitionCondition } from '@lendloom/postgres/partition-condition'
import {
  bigint,
  boolean,
  type Columns,
  date,
  namesOf,
  rowsAs,
  smallint,
  text,
  timestamptz,
} from '@lendloom/postgres/rows'
import { type Fragment, type Run, sql, type Tx } from '@lendloom/postgres/sql'
import type { ChartAccount as LedgerAccount } from '#partner/books/ledger/chart.ts'
import { type TermsJson, termsFromJson, termsToJson } from '#partner/origination/terms/terms.ts'
import {
  type AmountPart,
  type Amounts,
  arrearsFrom,
  type InstallmentRow,
  nextDueOn,
  nextWorkOn,
  principalOf,
  type RowStatus,
  rowStatus,
} from './installment-row.ts'
import type { Loan, LoanStatus, PartPaymentKeeps } from './loan.ts'

/** A loan with rows of its schedule, in order. */
export interface LoanAccount {
  loan: Loan
  rows: InstallmentRow[]
}

type PaiseFields<Name extends string> = Record<Name, bigint>
export type StoredInstallment = PaiseFields<`${AmountPart}Paise`> &
  PaiseFields<`${AmountPart}PaidPaise`> &
  Pick<
    InstallmentRow,
    | 'number'
    | 'dueOn'
    | 'fellDue'
    | 'penalties'
    | 'nextPenaltyOn'
    | 'countsFrom'
    | 'isWaiting'
    | 'accruedOn'
    | 'principalDays'
  > & {
    status: RowStatus
    accruedPaise: bigint
    interestGivenBackPaise: bigint
    claimedPaise: bigint
    rowUpdatedAt: Date
  }
type StoredLoan = Omit<Loan, 'terms' | 'status'> & { loanStatus: LoanStatus; terms: TermsJson }

const loanColumns = sql`l.case_ref, l.loan_id, l.loan_account_id, l.status as loan_status, l.disbursed_paise, l.disbursed_on,
  l.bank_reference, l.installment_paise, l.part_payment_keeps, l.exit_until, l.exit_requested_on,
  l.exit_reference, l.written_off_on, l.settlement_paise, l.settlement_agreed_on,
  l.settlement_until, l.settlement_earlier_ids, l.settled_on, l.asset_class, l.npa_on, l.schedule_version, l.schedule_updated_at, l.opened_at, l.updated_at`
export const rowColumns = sql`i.number, i.due_on, i.penalty_paise, i.charges_paise, i.interest_paise, i.principal_paise, i.penalty_paid_paise,
  i.charges_paid_paise, i.interest_paid_paise, i.principal_paid_paise, i.fell_due, i.penalties, i.next_penalty_on, i.counts_from, i.is_waiting, i.accrued_paise, i.accrued_on, i.principal_days,
  i.interest_given_back_paise, i.claimed_paise, i.updated_at as row_updated_at`

/** Returns the loans of locked cases with their unpaid rows, which an act or a day-end may still change. */
export async function readUnpaidRows(db: Run, caseRefs: string[]): Promise<LoanAccount[]> {
  const [loans, rows] = await Promise.all([
    db<StoredLoan>`select ${loanColumns}, l.terms from loan l where case_ref = any(${caseRefs}::text[]) order by case_ref`,
    db<StoredInstallment & { caseRef: string }>`
      select i.case_ref, ${rowColumns} from installment i
      where i.case_ref = any(${caseRefs}::text[]) and not (i.fell_due and not i.is_waiting and i.penalty_paid_paise = i.penalty_paise
        and i.charges_paid_paise = i.charges_paise and i.interest_paid_paise = i.interest_paise
        and i.principal_paid_paise = i.principal_paise)
      order by i.case_ref, i.number`,
  ])
  const accounts = new Map<string, LoanAccount>(loans.map((loan) => [loan.caseRef, { loan: loanFrom(loan), rows: [] }]))
  for (const row of rows) accounts.get(row.caseRef)?.rows.push(rowFrom(row))
  return [...accounts.values()]
}

/** Locks and returns the loan of a case with every row; the rows are read after the lock is held. */
export async function lockAccount(tx: Tx, caseRef: string): Promise<LoanAccount | undefined> {
  const [[loan], rows] = await Promise.all([
    tx<StoredLoan>`select ${loanColumns}, l.terms from loan l where case_ref = ${caseRef} for update`,
    tx<StoredInstallment>`select ${rowColumns} from installment i where case_ref = ${caseRef} order by number`,
  ])
  return loan && { loan: loanFrom(loan), rows: rows.map(rowFrom) }
}

const loanFrom = (stored: StoredLoan): Loan => ({
  caseRef: stored.caseRef,
  loanId: stored.loanId,
  loanAccountId: stored.loanAccountId,
  status: stored.loanStatus,
  terms: termsFromJson(stored.terms),
  disbursedPaise: stored.disbursedPaise,
  disbursedOn: stored.disbursedOn,
  bankReference: stored.bankReference,
  installmentPaise: stored.installmentPaise,
  partPaymentKeeps: stored.partPaymentKeeps,
  exitUntil: stored.exitUntil,
  exitRequestedOn: stored.exitRequestedOn,
  exitReference: stored.exitReference,
  writtenOffOn: stored.writtenOffOn,
  settlementPaise: stored.settlementPaise,
  settlementAgreedOn: stored.settlementAgreedOn,
  settlementUntil: stored.settlementUntil,
  settlementEarlierIds: stored.settlementEarlierIds,
  settledOn: stored.settledOn,
  assetClass: stored.assetClass,
  npaOn: stored.npaOn,
  scheduleVersion: stored.scheduleVersion,
  scheduleUpdatedAt: stored.scheduleUpdatedAt,
  openedAt: stored.openedAt,
  updatedAt: stored.updatedAt,
})

export const rowFrom = (stored: StoredInstallment): InstallmentRow => ({
  number: stored.number,
  dueOn: stored.dueOn,
  due: amountsFrom((part) => stored[`${part}Paise`]),
  paid: amountsFrom((part) => stored[`${part}PaidPaise`]),
  fellDue: stored.fellDue,
  penalties: stored.penalties,
  nextPenaltyOn: stored.nextPenaltyOn,
  countsFrom: stored.countsFrom,
  isWaiting: stored.isWaiting,
  accrued: stored.accruedPaise,
  accruedOn: stored.accruedOn,
  principalDays: stored.principalDays,
  interestGivenBack: stored.interestGivenBackPaise,
  claimed: stored.claimedPaise,
  updatedAt: stored.rowUpdatedAt,
})

const amountsFrom = (paiseOf: (part: AmountPart) => bigint): Amounts => ({
  penalty: paiseOf('penalty'),
  charges: paiseOf('charges'),
  interest: paiseOf('interest'),
  principal: paiseOf('principal'),
})

export async function loanStatusIn(db: Run, caseRef: string): Promise<LoanStatus | undefined> {
  const [row] = await db<{ status: LoanStatus }>`select status from loan where case_ref = ${caseRef}`
  return row?.status
}

/** Inserts the loan without its rows, which `insertRows` adds. */
export async function insertLoan(tx: Tx, loan: Loan, rows: InstallmentRow[]): Promise<void> {
  const row = {
    ...loan,
    terms: termsToJson(loan.terms),
    nextWorkOn: nextWorkOn(rows),
    nextDueOn: nextDueOn(rows),
    arrearsFrom: arrearsFrom(rows),
    principalPaise: principalOf(rows),
  }
  await tx`insert into loan ${tx(row)}`
}

/** Restricts a statement to one case if all rows belong to it, so that it stays on that case's server. */
export const ofCase = (table: Fragment, rows: { caseRef: string }[]): Fragment =>
  partitionCondition(
    table,
    rows.map(({ caseRef }) => caseRef),
  )

interface CaseRow {
  caseRef: string
  row: InstallmentRow
}

export async function insertRows(tx: Tx, rows: CaseRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`insert into installment (${namesOf(installmentColumns)}) select ${namesOf(installmentColumns)} from ${rowInput(rows)}`
}

/** Saves whether later part payments keep the instalment or the term. */
export async function savePartPaymentChoice(tx: Tx, caseRef: string, keeps: PartPaymentKeeps): Promise<void> {
  await tx`update loan set part_payment_keeps = ${keeps} where case_ref = ${caseRef}`
}

interface ExitTerms {
  /** Last value date for the payment of the exit. */
  until: string
  requestedOn: string
  reference: string | null
}

export async function saveExit(tx: Tx, caseRef: string, { until, requestedOn, reference }: ExitTerms): Promise<void> {
  await tx`
    update loan set exit_until = ${until}, exit_requested_on = ${requestedOn}, exit_reference = ${reference}
    where case_ref = ${caseRef}`
}

/** Saves the day of the write-off; null if the loan never was, because its payout came back. */
export async function saveWriteOff(tx: Tx, caseRef: string, on: string | null): Promise<void> {
  await tx`update loan set written_off_on = ${on} where case_ref = ${caseRef}`
}

/** Deletes rows that a schedule no longer needs; schedule_history still has them. */
export async function deleteRows(tx: Tx, rows: { caseRef: string; number: number }[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    delete from installment i
    using ${rowsAs(sql`gone`, rows, {
      caseRef: text(({ caseRef }) => caseRef),
      number: smallint(({ number }) => number),
    })}
    where i.case_ref = gone.case_ref and i.number = gone.number and ${ofCase(sql`i`, rows)}`
}

export async function updateRows(tx: Tx, rows: CaseRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx`
    update installment i set due_on = input.due_on, penalty_paise = input.penalty_paise, charges_paise = input.charges_paise,
      interest_paise = input.interest_paise, principal_paise = input.principal_paise,
      penalty_paid_paise = input.penalty_paid_paise, charges_paid_paise = input.charges_paid_paise,
      interest_paid_paise = input.interest_paid_paise, principal_paid_paise = input.principal_paid_paise,
      status = input.status, fell_due = input.fell_due, penalties = input.penalties,
      next_penalty_on = input.next_penalty_on, counts_from = input.counts_from, is_waiting = input.is_waiting,
      accrued_paise = input.accrued_paise, accrued_on = input.accrued_on,
      principal_days = input.principal_days, interest_given_back_paise = input.interest_given_back_paise,
      claimed_paise = input.claimed_paise, updated_at = input.updated_at
    from ${rowInput(rows)}
    where i.case_ref = input.case_ref and i.number = input.number and ${ofCase(sql`i`, rows)}`
}

const installmentColumns: Columns<CaseRow> = {
  caseRef: text(({ caseRef }) => caseRef),
  number: smallint(({ row }) => row.number),
  dueOn: date(({ row }) => row.dueOn),
  penaltyPaise: bigint(({ row }) => row.due.penalty),
  chargesPaise: bigint(({ row }) => row.due.charges),
  interestPaise: bigint(({ row }) => row.due.interest),
  principalPaise: bigint(({ row }) => row.due.principal),
  penaltyPaidPaise: bigint(({ row }) => row.paid.penalty),
  chargesPaidPaise: bigint(({ row }) => row.paid.charges),
  interestPaidPaise: bigint(({ row }) => row.paid.interest),
  principalPaidPaise: bigint(({ row }) => row.paid.principal),
  status: text(({ row }) => rowStatus(row)),
  fellDue: boolean(({ row }) => row.fellDue),
  penalties: smallint(({ row }) => row.penalties),
  nextPenaltyOn: date(({ row }) => row.nextPenaltyOn),
  countsFrom: date(({ row }) => row.countsFrom),
  isWaiting: boolean(({ row }) => row.isWaiting),
  accruedPaise: bigint(({ row }) => row.accrued),
  accruedOn: date(({ row }) => row.accruedOn),
  principalDays: bigint(({ row }) => row.principalDays),
  interestGivenBackPaise: bigint(({ row }) => row.interestGivenBack),
  claimedPaise: bigint(({ row }) => row.claimed),
  updatedAt: timestamptz(({ row }) => row.updatedAt),
}

const rowInput = (rows: CaseRow[]): Fragment => rowsAs(sql`input`, rows, installmentColumns)

/** A loan's state after an act, with all its unpaid rows. */
export interface NewLoanState {
  caseRef: string
  status: LoanStatus
  rows: InstallmentRow[]
}

export async function saveStates(tx: Tx, states: NewLoanState[], at: Date): Promise<void> {
  await tx`
    update loan l set status = input.status, next_work_on = input.next_work_on, next_due_on = input.next_due_on,
      arrears_from = input.arrears_from, principal_paise = input.principal_paise, updated_at = ${at}
    from ${rowsAs(sql`input`, states, {
      caseRef: text(({ caseRef }) => caseRef),
      status: text(({ status }) => status),
      nextWorkOn: date(({ rows }) => nextWorkOn(rows)),
      nextDueOn: date(({ rows }) => nextDueOn(rows)),
      arrearsFrom: date(({ rows }) => arrearsFrom(rows)),
      principalPaise: bigint(({ rows }) => principalOf(rows)),
    })}
    where l.case_ref = input.case_ref and ${ofCase(sql`l`, states)}`
}

/** Stores the rows that a new version replaces, and increments the version. */
export async function storeVersion(
  tx: Tx,
  { loan, rows }: LoanAccount,
  { reason, installmentPaise }: { reason: string; installmentPaise: bigint },
  at: Date,
): Promise<void> {
  const replacedVersion = {
    caseRef: loan.caseRef,
    scheduleVersion: loan.scheduleVersion,
    rows: JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
    reason,
    amendedAt: at,
  }
  await Promise.all([
    tx`insert into schedule_history ${tx(replacedVersion)}`,
    tx`update loan set schedule_version = schedule_version + 1, schedule_updated_at = ${at},
      installment_paise = ${installmentPaise} where case_ref = ${loan.caseRef}`,
  ])
}

/** A position in the day-end's list of loans. */
export interface DayEndPosition {
  nextWorkOn: string
  caseRef: string
}

/** Returns the next loans with day-end work up to `through`, after a position. */
export const listLoansDueForDayEnd = (
  db: Run,
  through: string,
  after: DayEndPosition,
  limit: number,
) => db<DayEndPosition>`
  select next_work_on, case_ref from loan
  where next_work_on <= ${through}::date and (next_work_on, case_ref) > (${after.nextWorkOn}::date, ${after.caseRef}::text)
  order by next_work_on, case_ref limit ${limit}`

/** A row's balance in one account, debits less credits; `installment` is 0 for amounts without a row. */
export interface RowBalance {
  account: LedgerAccount
  installment: number
  paise: bigint
}

/** Returns an account with every row and its ledger balances, in one statement, so that both are of the same moment. */
export async function readWithLedger(
  db: Run,
  caseRef: string,
): Promise<(LoanAccount & { balances: RowBalance[] }) | undefined> {
  const stored = await db<
    StoredLoan & StoredInstallment & { balances: (Omit<RowBalance, 'paise'> & { paise: string })[] }
  >`
    with balance as materialized (
      select coalesce(jsonb_agg(each), '[]') as balances from (
        select side.account, p.installment, sum(side.paise)::text as paise from ledger_posting p,
          lateral (values (p.debit, p.paise), (p.credit, -p.paise)) as side (account, paise)
        where p.case_ref = ${caseRef} group by side.account, p.installment) as each)
    select ${loanColumns}, ${rowColumns}, case when i.number = 1 then l.terms end as terms,
      case when i.number = 1 then balance.balances end as balances
    from loan l join installment i using (case_ref) cross join balance
    where l.case_ref = ${caseRef} order by i.number`
  const [first] = stored
  if (!first) return undefined
  const balances = first.balances.map((each) => ({ ...each, paise: BigInt(each.paise) }))
  return { loan: loanFrom(first), rows: stored.map(rowFrom), balances }
}
