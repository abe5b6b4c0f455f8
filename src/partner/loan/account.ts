// The displayed account: the statement from the ledger, the schedule from its rows, verified to agree (D3 §2.5).

import type { Run } from '#kit/db/sql.ts'
import { plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { entriesOfFeeReturns } from '#partner/ledger/store.ts'
import { accountOfPart } from './allocate.ts'
import type { AssetClass } from './class/asset-class.ts'
import { holdsIncome, suspenseOf } from './class/suspense.ts'
import { endDays } from './end-of-day.ts'
import { coolingOffUntil, exitNotedUntil, exitOn, feeReturnsFrom, mayLeave } from './exit.ts'
import type { Keep, LoanStatus } from './loan.ts'
import { type Payoff, payoffOn } from './payoff.ts'
import {
  type AmountPart,
  amountOf,
  type InstallmentRow,
  installmentId,
  nextDueOn,
  owedOf,
  paidOf,
  parts,
  type RowStatus,
  rowStatus,
  unpaidOf,
} from './row.ts'
import { type RowBalance, readUnsettled, readWithLedger } from './store.ts'
import { mostWaivable, type Waivable } from './waiver.ts'

interface Soa {
  currency: 'INR'
  updatedAt: Date
  /** The transferred amount: the loan less fee, tax and charges. */
  disbursedPaise: Paise
  principalPaise: Paise
  /** Interest of due rows: interest of later weeks is not owed yet. */
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
  /** Penal charges beside its amount, and their unpaid part. */
  penaltyPaise: Paise
  penaltyUnpaidPaise: Paise
  status: RowStatus
  updatedAt: Date
}

export interface AccountView {
  loanStatus: LoanStatus
  loanId: string
  loanAccountId: string
  /** The borrower's choice for part payments. */
  partPaymentKeeps: Keep
  /** The last day to ask to leave without the fee, and the deadline of the money after that. */
  coolingOffUntil: string
  exitUntil: string | null
  /** When the borrower asked, where that can be read, and until when it can be written down. */
  exitRequestedOn: string | null
  exitReference: string | null
  exitNotedUntil: string
  /** The part of the processing fee and its tax that was not refunded. */
  keptFeePaise: Paise
  assetClass: AssetClass
  npaOn: string | null
  /** When the oldest row with something to pay is due; null when there is none. */
  nextDueOn: string | null
  /** Income that was booked and not received, while the loan is non-performing. */
  suspensePaise: Paise
  soa: Soa
  /**
   * Money beyond the whole schedule: it belongs to the borrower and must be refunded. Negative: too much was refunded.
   */
  unappliedPaise: Paise
  /** The date of the write-off, and the recoveries since. */
  writtenOffOn: string | null
  recoveredPaise: Paise
  /** The amounts that could be waived now. */
  waivable: Waivable
  /** The part of such money that is on its way back to the borrower. */
  refundingPaise: Paise
  schedule: { scheduleVersion: number; updatedAt: Date; frequency: 'WEEKLY'; installments: Installment[] }
}

/**
 * The account of a case at one moment, null before there is one. Throws when ledger and schedule disagree: a statement
 * that might be wrong is not given.
 */
export async function accountOf(db: Run, caseRef: string): Promise<AccountView | null> {
  const found = await readProved(db, caseRef)
  if (!found) return null
  const { loan, rows, balances } = found
  return {
    loanStatus: loan.status,
    loanId: loan.loanId,
    loanAccountId: loan.loanAccountId,
    partPaymentKeeps: loan.partPaymentKeeps,
    coolingOffUntil: coolingOffUntil(loan),
    exitUntil: loan.exitUntil,
    exitRequestedOn: loan.exitRequestedOn,
    exitReference: loan.exitReference,
    exitNotedUntil: exitNotedUntil(loan),
    keptFeePaise: -totalOf(balances, 'FEE_INCOME') - totalOf(balances, 'TAX_PAYABLE'),
    assetClass: loan.assetClass,
    npaOn: loan.npaOn,
    nextDueOn: nextDueOn(rows),
    suspensePaise: -totalOf(balances, 'INCOME_SUSPENSE'),
    soa: { currency: 'INR', updatedAt: loan.updatedAt, disbursedPaise: loan.disbursedPaise, ...owedBy(rows, balances) },
    unappliedPaise: -totalOf(balances, 'UNAPPLIED'),
    writtenOffOn: loan.writtenOffOn,
    recoveredPaise: -totalOf(balances, 'RECOVERY_INCOME'),
    waivable: mostWaivable(rows),
    refundingPaise: -totalOf(balances, 'REFUND_PAYABLE'),
    schedule: {
      scheduleVersion: loan.scheduleVersion,
      updatedAt: latest([loan.scheduleUpdatedAt, ...rows.map((row) => row.updatedAt)]),
      frequency: 'WEEKLY',
      installments: rows.map((row) => installmentOf(loan.loanId, row)),
    },
  }
}

/** An account with every row and its balances, undefined where there is none. Throws when they disagree. */
async function readProved(db: Run, caseRef: string) {
  const found = await readWithLedger(db, caseRef)
  const [wrong] = found ? disagreements(found.rows, found.balances, holdsIncome(found.loan)) : []
  if (wrong) throw new Error(`ledger and schedule of case ${caseRef} disagree: ${wrong}`)
  return found
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

/** The statement's amounts, from the ledger alone. What was paid ahead of one row is not taken off another. */
export function owedBy(rows: InstallmentRow[], balances: RowBalance[]) {
  const owed = (part: AmountPart): Paise =>
    balances.reduce((sum, { account, paise }) => {
      if (account !== accountOfPart[part]) return sum
      return sum + (part === 'principal' || paise > 0n ? paise : 0n)
    }, 0n)
  const [principalPaise, interestPaise, penaltyPaise, chargesPaise] = [
    owed('principal'),
    owed('interest'),
    owed('penalty'),
    owed('charges'),
  ]
  return {
    principalPaise,
    interestPaise,
    penaltyPaise,
    chargesPaise,
    totalPaise: principalPaise + interestPaise + penaltyPaise + chargesPaise,
    overduePaise: rows.filter((row) => row.fellDue).reduce((sum, row) => sum + owedOf(row), 0n),
  }
}

const totalOf = (balances: RowBalance[], name: RowBalance['account']): Paise =>
  balances.reduce((sum, { account, paise }) => (account === name ? sum + paise : sum), 0n)

/** Disagreements between rows and ledger, in words; empty when every amount equals the sum of its postings. */
export function disagreements(rows: InstallmentRow[], balances: RowBalance[], isHeld = false): string[] {
  const sums = new Map<string, Map<number, Paise>>()
  for (const { account, installment, paise } of balances)
    sums.set(account, (sums.get(account) ?? new Map()).set(installment, paise))
  const inLedger = (account: string, installment: number): Paise => sums.get(account)?.get(installment) ?? 0n
  const wrong: string[] = []
  const compare = (what: () => string, ledger: Paise, row: Paise) => {
    if (ledger !== row) wrong.push(`${what()} is ${ledger} paise in the ledger, ${row} by its rows`)
  }
  compare(
    () => 'principal',
    totalOf(balances, 'PRINCIPAL'),
    rows.reduce((sum, { due, paid }) => sum + due.principal - paid.principal, 0n),
  )
  const held = (row: InstallmentRow): Paise => (isHeld ? suspenseOf(row) : 0n)
  compare(
    () => 'income in suspense',
    -totalOf(balances, 'INCOME_SUSPENSE'),
    rows.reduce((sum, row) => sum + held(row), 0n),
  )
  for (const row of rows) {
    compare(() => `accrued interest of row ${row.number}`, inLedger('ACCRUED_INTEREST', row.number), row.accrued)
    compare(() => `income in suspense of row ${row.number}`, -inLedger('INCOME_SUSPENSE', row.number), held(row))
    compare(
      () => `principal paid of row ${row.number}`,
      -inLedger('PRINCIPAL', row.number),
      row.paid.principal + row.interestGivenBack,
    )
    for (const part of parts) {
      if (part === 'principal') continue
      const payable = row.fellDue || part === 'penalty' ? row.due[part] : 0n
      const ledger = inLedger(accountOfPart[part], row.number)
      compare(() => `${part} of row ${row.number}`, ledger, payable - row.paid[part])
    }
  }
  return wrong
}

export interface DueRow {
  installmentId: string
  number: number
  dueOn: string
  /** Of the row's amount. */
  unpaidPaise: Paise
  /** Penal charges on the row, owed beside its amount. */
  penaltyPaise: Paise
}

export interface PayoffQuote extends Payoff {
  /** The refund of the fee and its tax, deducted from the total. */
  feePaise: Paise
}

/**
 * The payoff of a running loan on a day without payments until then, less the fee after a request to leave; null
 * without a loan. Throws as `accountOf`.
 */
export async function payoffOf(db: Run, caseRef: string, on: string, at: Date): Promise<PayoffQuote | null> {
  const found = await readProved(db, caseRef)
  if (!found || (found.loan.status !== 'ACTIVE' && found.loan.status !== 'OVERDUE')) return null
  const { loan } = found
  // Includes the dues and charges that the ends of the days before it will create.
  const { rows } = endDays(found.rows, loan.terms, plusDays(on, -1), at)
  const isExit = mayLeave(loan, on, feeReturnsFrom(await entriesOfFeeReturns(db, caseRef)))
  return isExit ? exitOn(loan, rows, on, at) : { ...payoffOn(loan, rows, on, at), feePaise: 0n }
}

/** Rows that are due on a day or were before and have something to pay, the oldest first. */
export async function dueOn(db: Run, caseRef: string, on: string): Promise<DueRow[]> {
  const [account] = await readUnsettled(db, [caseRef])
  if (!account) return []
  return account.rows
    .filter((row) => row.dueOn <= on && owedOf(row) > 0n)
    .map((row) => ({
      installmentId: installmentId(account.loan.loanId, row.number),
      number: row.number,
      dueOn: row.dueOn,
      unpaidPaise: unpaidOf(row),
      penaltyPaise: row.due.penalty - row.paid.penalty,
    }))
}
