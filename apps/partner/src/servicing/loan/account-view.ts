// The view of a loan account that clients see (D3 §2.5). The statement comes from the ledger, the schedule from the rows. Both
// must agree.

import { plusDays } from '@lendloom/lending/calendar'
import { maxPaise, type Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { entriesOfFeeRefunds } from '#partner/books/ledger/store.ts'
import { readDebitDays } from '#partner/servicing/loan/day/debit-days.ts'
import { accountOfPart } from './allocate.ts'
import type { AssetClass } from './class/asset-class.ts'
import { hasIncomeSuspense, suspenseOf } from './class/income-suspense.ts'
import { coolingOffUntil, exitAmountOn, feeRefundsFrom, mayExit } from './exit.ts'
import {
  type AmountPart,
  amountOf,
  amountParts,
  type InstallmentRow,
  installmentId,
  isLate,
  nextDueOn,
  owedOf,
  paidOf,
  type RowStatus,
  rowStatus,
  unpaidOf,
} from './installment-row.ts'
import { isRunning, type Loan, type LoanStatus, type PartPaymentKeeps } from './loan.ts'
import { type Payoff, payoffOn } from './payoff.ts'
import { endDays } from './row-day-end.ts'
import { openSettlement, type Settlement } from './settlement/settlement.ts'
import { type RowBalance, readUnpaidRows, readWithLedger } from './store.ts'
import { maxWaivable, type Waivable } from './waiver.ts'

interface Soa {
  currency: 'INR'
  updatedAt: Date
  /** The transferred amount: the loan less fee, tax and charges. */
  disbursedPaise: Paise
  principalPaise: Paise
  /** Unpaid interest of rows that have fallen due. */
  interestPaise: Paise
  penaltyPaise: Paise
  chargesPaise: Paise
  totalPaise: Paise
  overduePaise: Paise
}

interface Installment {
  installmentId: string
  number: number
  dueOn: string
  principalPaise: Paise
  interestPaise: Paise
  chargesPaise: Paise
  amountPaise: Paise
  paidPaise: Paise
  unpaidPaise: Paise
  /** Penal charges, which are not part of `amountPaise`, and the unpaid part of the penal charges. */
  penaltyPaise: Paise
  penaltyUnpaidPaise: Paise
  status: RowStatus
  updatedAt: Date
}

export interface AccountView {
  loanStatus: LoanStatus
  loanId: string
  loanAccountId: string
  partPaymentKeeps: PartPaymentKeeps
  disbursedOn: string
  /** The last day to request a cooling-off exit. */
  coolingOffUntil: string
  /** The last day to pay after an exit request; null without a request. */
  exitUntil: string | null
  exitRequestedOn: string | null
  /** The number of the complaint or message that contains the exit request. */
  exitReference: string | null
  /** The part of the processing fee and its tax that was not refunded. */
  retainedFeePaise: Paise
  assetClass: AssetClass
  npaOn: string | null
  /** The due date of the oldest unpaid row; null if all rows are paid. */
  nextDueOn: string | null
  /** Booked but unreceived income of a non-performing loan. */
  suspensePaise: Paise
  soa: Soa
  /** Money beyond the schedule, which must be refunded to the borrower. Negative if too much was refunded. */
  unappliedPaise: Paise
  writtenOffOn: string | null
  /** The agreement to settle the loan for less, in force or not, with the amount given up; null without one. */
  settlement: (Omit<Settlement, 'earlierIds'> & { settledOn: string | null; lossPaise: Paise }) | null
  /** Money received since the write-off. */
  recoveredPaise: Paise
  waivable: Waivable
  /** The part of the unapplied balance with a pending refund. */
  refundingPaise: Paise
  schedule: { scheduleVersion: number; updatedAt: Date; frequency: 'WEEKLY'; installments: Installment[] }
}

/**
 * Returns the account of a case; null if the case has no account yet. Throws if ledger and schedule disagree, because
 * the statement could be wrong.
 */
export async function accountOf(db: Run, caseRef: string): Promise<AccountView | null> {
  const account = await readVerified(db, caseRef)
  if (!account) return null
  const { loan, rows, balances } = account
  return {
    loanStatus: loan.status,
    loanId: loan.loanId,
    loanAccountId: loan.loanAccountId,
    partPaymentKeeps: loan.partPaymentKeeps,
    disbursedOn: loan.disbursedOn,
    coolingOffUntil: coolingOffUntil(loan),
    exitUntil: loan.exitUntil,
    exitRequestedOn: loan.exitRequestedOn,
    exitReference: loan.exitReference,
    retainedFeePaise: -totalOf(balances, 'FEE_INCOME') - totalOf(balances, 'TAX_PAYABLE'),
    assetClass: loan.assetClass,
    npaOn: loan.npaOn,
    nextDueOn: nextDueOn(rows),
    suspensePaise: -totalOf(balances, 'INCOME_SUSPENSE'),
    soa: {
      currency: 'INR',
      updatedAt: loan.updatedAt,
      disbursedPaise: loan.disbursedPaise,
      ...withClaim(owedBy(rows, balances), isRunning(loan.status) ? waitingClaim(balances) : 0n),
    },
    unappliedPaise: -totalOf(balances, 'UNAPPLIED'),
    writtenOffOn: loan.writtenOffOn,
    settlement: settlementOf(loan, balances),
    recoveredPaise: -totalOf(balances, 'RECOVERY_INCOME'),
    waivable: maxWaivable(rows),
    refundingPaise: -totalOf(balances, 'REFUND_PAYABLE'),
    schedule: {
      scheduleVersion: loan.scheduleVersion,
      updatedAt: latest([loan.scheduleUpdatedAt, ...rows.map((row) => row.updatedAt)]),
      frequency: 'WEEKLY',
      installments: rows.map((row) => installmentOf(loan.loanId, row)),
    },
  }
}

function settlementOf(loan: Loan, balances: RowBalance[]): AccountView['settlement'] {
  const { settlementPaise: paise, settlementAgreedOn: agreedOn, settlementUntil: until, settledOn } = loan
  if (paise === null || agreedOn === null || until === null) return null
  return { paise, agreedOn, until, settledOn, lossPaise: totalOf(balances, 'SETTLEMENT_LOSS') }
}

/** Returns an account with its rows and balances, if there is an account. Throws if rows and balances disagree. */
async function readVerified(db: Run, caseRef: string) {
  const account = await readWithLedger(db, caseRef)
  const [disagreement] = account
    ? rowDisagreements(account.rows, account.balances, hasIncomeSuspense(account.loan))
    : []
  if (disagreement) throw new Error(`ledger and schedule of case ${caseRef} disagree: ${disagreement}`)
  return account
}

const latest = (instants: Date[]): Date => new Date(Math.max(...instants.map((at) => at.getTime())))

const installmentOf = (loanId: string, row: InstallmentRow): Installment => ({
  installmentId: installmentId(loanId, row.number),
  number: row.number,
  dueOn: row.dueOn,
  principalPaise: row.due.principal,
  interestPaise: row.due.interest,
  chargesPaise: row.due.charges,
  amountPaise: amountOf(row),
  paidPaise: paidOf(row),
  unpaidPaise: unpaidOf(row),
  penaltyPaise: row.due.penalty,
  penaltyUnpaidPaise: row.due.penalty - row.paid.penalty,
  status: rowStatus(row),
  updatedAt: row.updatedAt,
})

/**
 * Returns the amounts of the statement. A prepayment of interest or charges of one row does not reduce what other rows
 * owe.
 */
export function owedBy(rows: InstallmentRow[], balances: RowBalance[]) {
  const owed = (part: AmountPart): Paise =>
    balances.reduce((sum, { account, paise }) => {
      if (account !== accountOfPart[part]) return sum
      return sum + (part === 'principal' || paise > 0n ? paise : 0n)
    }, 0n)
  const principalPaise = owed('principal')
  const interestPaise = owed('interest')
  const penaltyPaise = owed('penalty')
  const chargesPaise = owed('charges')
  return {
    principalPaise,
    interestPaise,
    penaltyPaise,
    chargesPaise,
    totalPaise: principalPaise + interestPaise + penaltyPaise + chargesPaise,
    overduePaise: rows.filter(isLate).reduce((sum, row) => sum + owedOf(row), 0n),
  }
}

/** What was refunded in excess and waits for the first due date, in no row yet. */
const waitingClaim = (balances: RowBalance[]): Paise => maxPaise(0n, totalOf(balances, 'UNAPPLIED'))

const withClaim = (owed: ReturnType<typeof owedBy>, claim: Paise): ReturnType<typeof owedBy> => ({
  ...owed,
  principalPaise: owed.principalPaise + claim,
  totalPaise: owed.totalPaise + claim,
})

const totalOf = (balances: RowBalance[], name: RowBalance['account']): Paise =>
  balances.reduce((sum, { account, paise }) => (account === name ? sum + paise : sum), 0n)

/** Describes every amount of the rows that differs from the sum of its postings. */
export function rowDisagreements(rows: InstallmentRow[], balances: RowBalance[], hasSuspense = false): string[] {
  const sums = new Map<string, Map<number, Paise>>()
  for (const { account, installment, paise } of balances)
    sums.set(account, (sums.get(account) ?? new Map()).set(installment, paise))
  const inLedger = (account: string, installment: number): Paise => sums.get(account)?.get(installment) ?? 0n
  const faults: string[] = []
  const compare = (label: () => string, ledger: Paise, row: Paise) => {
    if (ledger !== row) faults.push(`${label()}: ${ledger} paise in the ledger, ${row} paise in the rows`)
  }
  compare(
    () => 'principal',
    totalOf(balances, 'PRINCIPAL'),
    rows.reduce((sum, { due, paid }) => sum + due.principal - paid.principal, 0n),
  )
  const suspense = (row: InstallmentRow): Paise => (hasSuspense ? suspenseOf(row) : 0n)
  compare(
    () => 'income in suspense',
    -totalOf(balances, 'INCOME_SUSPENSE'),
    rows.reduce((sum, row) => sum + suspense(row), 0n),
  )
  for (const row of rows) {
    compare(() => `accrued interest of row ${row.number}`, inLedger('ACCRUED_INTEREST', row.number), row.accrued)
    compare(() => `income in suspense of row ${row.number}`, -inLedger('INCOME_SUSPENSE', row.number), suspense(row))
    compare(
      () => `principal paid of row ${row.number}`,
      -inLedger('PRINCIPAL', row.number),
      row.paid.principal + row.interestGivenBack - row.claimed,
    )
    for (const part of amountParts) {
      if (part === 'principal') continue
      const payable = row.fellDue || part === 'penalty' ? row.due[part] : 0n
      const ledger = inLedger(accountOfPart[part], row.number)
      compare(() => `${part} of row ${row.number}`, ledger, payable - row.paid[part])
    }
  }
  return faults
}

export interface DueRow {
  installmentId: string
  number: number
  dueOn: string
  unpaidPaise: Paise
  /** Unpaid penal charges on the row, which are not part of `unpaidPaise`. */
  penaltyPaise: Paise
}

export interface PayoffQuote extends Payoff {
  /** The refunded fee with its tax, which is deducted from the total. */
  feePaise: Paise
}

/**
 * Returns the amount that closes a running loan on a day, if no payment arrives before. After an exit request, the fee
 * is deducted. Includes a refund that the bank took back, also before it is due. Returns null without a running loan. Throws as `accountOf`.
 */
export async function payoffOf(db: Run, caseRef: string, on: string, at: Date): Promise<PayoffQuote | null> {
  const [account, debitDays] = await Promise.all([readVerified(db, caseRef), readDebitDays(db)])
  if (!account || !isRunning(account.loan.status)) return null
  const { loan, balances } = account
  // Applies the day-ends before that day, which add dues and penal charges.
  const { rows } = endDays(account.rows, loan.terms, { through: plusDays(on, -1), debitDays, at })
  const isExit = mayExit(loan, on, feeRefundsFrom(await entriesOfFeeRefunds(db, caseRef)))
  const quote = isExit ? exitAmountOn(loan, rows, on, at) : { ...payoffOn(loan, rows, on, at), feePaise: 0n }
  const claim = waitingClaim(balances)
  return { ...quote, principal: quote.principal + claim, total: quote.total + claim }
}

export interface Dues {
  rows: DueRow[]
  settlement: Settlement | null
}

/** Returns the unpaid rows that are due by a day, oldest first, and the open agreement to settle the loan for less. */
export async function dueOn(db: Run, caseRef: string, on: string): Promise<Dues> {
  const [account] = await readUnpaidRows(db, [caseRef])
  if (!account) return { rows: [], settlement: null }
  const rows = account.rows
    .filter((row) => row.dueOn <= on && owedOf(row) > 0n)
    .map((row) => ({
      installmentId: installmentId(account.loan.loanId, row.number),
      number: row.number,
      dueOn: row.dueOn,
      unpaidPaise: unpaidOf(row),
      penaltyPaise: row.due.penalty - row.paid.penalty,
    }))
  return { rows, settlement: openSettlement(account.loan) }
}
