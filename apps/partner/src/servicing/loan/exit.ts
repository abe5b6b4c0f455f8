// Cooling-off exit (RBI Digital Lending Directions): the borrower pays principal and accrued interest, and the lender
// refunds the fee.

import { plusDays } from '@lendloom/lending/calendar'
import { minPaise, type Paise } from '@lendloom/lending/money'
import { type LedgerEntry, type Posting, posting, receiptsOf } from '#partner/books/ledger/entry.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import { postingsOf } from './allocate.ts'
import type { InstallmentRow } from './installment-row.ts'
import { isRunning, type Loan, type LoanStatus } from './loan.ts'
import { type Payoff, payoffOn } from './payoff.ts'
import { type LoanState, prepayPrincipal } from './repay.ts'
import { addInterestBase, type PlanBasis } from './replan.ts'

/** Days within which staff can record a borrower's exit request: as long as a lender may take to resolve a complaint. */
const recordingDays = 30

interface CoolingOff {
  disbursedOn: string
  terms: Pick<LoanTerms, 'coolOffDays'>
}

/** The last day on which the borrower may request the exit; the day of the transfer does not count. */
export const coolingOffUntil = ({ disbursedOn, terms }: CoolingOff): string => plusDays(disbursedOn, terms.coolOffDays)

/** Whether the loan is open and the time to pay a requested exit has not passed. */
export const isExiting = <L extends Pick<Loan, 'exitUntil'> & { loanStatus: LoanStatus }>(
  loan: L,
  today: string,
): loan is L & { exitUntil: string } => isRunning(loan.loanStatus) && loan.exitUntil !== null && loan.exitUntil >= today

interface RequestPeriod {
  disbursedOn: string
  coolingOffUntil: string
}

/** The days of a request that staff can record today; null if there are none left. */
export function recordableDays(
  { disbursedOn, coolingOffUntil: periodEnd }: RequestPeriod,
  today: string,
): { first: string; last: string } | null {
  const earliest = plusDays(today, -recordingDays)
  const first = earliest > disbursedOn ? earliest : disbursedOn
  const last = today < periodEnd ? today : periodEnd
  return last < first ? null : { first, last }
}

export type ExitableLoan = PlanBasis & Pick<Loan, 'caseRef' | 'exitUntil'>

/**
 * Returns the exit's last value date; null for a settled loan, because its rest was given up, and for a cancelled one,
 * which owes nothing.
 */
export const openExitUntil = ({
  exitUntil,
  settledOn,
  status,
}: Pick<Loan, 'exitUntil' | 'settledOn' | 'status'>): string | null =>
  settledOn === null && status !== 'CANCELLED' ? exitUntil : null

/** The fee refund: the processing fee and its tax. */
const feeOf = ({ terms }: Pick<Loan, 'terms'>): Paise => terms.feePaise + terms.taxPaise

/** Applies the fee refund. The refund repays principal, then other dues; the rest belongs to the borrower. */
export function applyFeeRefund(
  { loan, rows }: Pick<LoanState, 'loan' | 'rows'>,
  { today, at }: Pick<ExitMoney, 'today' | 'at'>,
) {
  const state = { loan, rows: addInterestBase(loan, rows, today), conversions: [], isReplanned: false }
  return prepayPrincipal(state, feeOf(loan), [], { today, at, keep: 'INSTALLMENT' })
}

/** Returns the exit amount of a day: the payoff less the fee and its tax. */
export function exitAmountOn(
  loan: PlanBasis,
  rows: InstallmentRow[],
  on: string,
  at: Date,
): Payoff & { feePaise: Paise } {
  const payoff = payoffOn(loan, rows, on, at)
  const feePaise = minPaise(feeOf(loan), payoff.total)
  return { ...payoff, total: payoff.total - feePaise, feePaise }
}

/** A case's active fee refunds, oldest first, and the number of reversed fee refunds. */
export interface FeeRefunds {
  active: LedgerEntry[]
  reversedCount: number
}

/** Finds the fee refunds in a case's entries: all entries, or the result of `entriesOfFeeRefunds`, in posting order. */
export function feeRefundsFrom(entries: LedgerEntry[]): FeeRefunds {
  const feeRefunds = entries.filter(({ kind }) => kind === 'FEE_RETURN')
  const active = feeRefunds.filter(({ entryId }) => !entries.some(({ reverses }) => reverses === entryId))
  return { active, reversedCount: feeRefunds.length - active.length }
}

/** Returns an entry id with the number of reversals, so that a unique index rejects a second active refund. */
const feeRefundId = (reversedCount: number, paymentId: string): string =>
  `fee-return-${reversedCount + 1}-of-${paymentId}`

interface ExitMoney {
  /** Part of the entry's id. */
  paymentId: string
  paise: Paise
  on: string
  today: string
  /** For a payment reported late: the first day on which only the fee was owed; null if there was no such day. */
  exitedOn?: string | null
  at: Date
}

/** Whether a payment on a day may complete an exit: it meets the exit deadline, and no fee refund is active. */
export const mayExit = ({ exitUntil }: Pick<Loan, 'exitUntil'>, on: string, refunds: FeeRefunds): boolean =>
  exitUntil !== null && on <= exitUntil && refunds.active.length === 0

/** Refunds the fee if this payment completes the exit; otherwise returns null. */
export function refundFee(
  loan: ExitableLoan,
  rows: InstallmentRow[],
  money: ExitMoney,
  refunds: FeeRefunds,
): (LoanState & { entry: LedgerEntry }) | null {
  const { caseRef, terms } = loan
  if (!mayExit(loan, money.on, refunds) || feeOf(loan) === 0n) return null
  const exitedOn = exitDayOf(loan, rows, money)
  if (exitedOn === null) return null
  const { shares, principal, unapplied, ...after } = applyFeeRefund({ loan, rows }, money)
  const postings = feePostings(terms, postingsOf('FEE_INCOME', { shares, principal, interestRefunds: [], unapplied }))
  const entryId = feeRefundId(refunds.reversedCount, money.paymentId)
  const entry: LedgerEntry = { caseRef, entryId, kind: 'FEE_RETURN', businessOn: exitedOn, reverses: null, postings }
  return { ...after, entry }
}

/** Returns the day on which money completes the exit; null if it does not reach the exit amount. */
function exitDayOf(loan: PlanBasis, rows: InstallmentRow[], { exitedOn, paise, on, at }: ExitMoney): string | null {
  if (exitedOn !== undefined) return exitedOn
  return paise < exitAmountOn(loan, rows, on, at).total ? null : on
}

/** Splits postings into the fee and, once that is used up, the tax. */
function feePostings({ feePaise }: Pick<LoanTerms, 'feePaise'>, postings: Posting[]): Posting[] {
  let left = feePaise
  return postings.flatMap(({ credit, paise, installment }) => {
    const fee = minPaise(paise, left)
    left -= fee
    const tax = posting('TAX_PAYABLE', credit, paise - fee, installment)
    return [...posting('FEE_INCOME', credit, fee, installment), ...tax]
  })
}

/** Returns the first value date of the receipts that were not reversed; null without receipts. */
export const firstPaidOn = (entries: LedgerEntry[]): string | null =>
  receiptsOf(entries).reduce<string | null>(
    (first, { businessOn }) => (first === null || businessOn < first ? businessOn : first),
    null,
  )
