// Cooling-off exit: principal and interest for the days, and the refund of the fee (RBI Digital Lending Directions).

import { plusDays } from '#kit/money/calendar.ts'
import { least, type Paise } from '#kit/money/money.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/ledger/store.ts'
import { postingsOf } from './allocate.ts'
import type { Loan } from './loan.ts'
import { type Payoff, payoffOn } from './payoff.ts'
import { type Repaid, repaidAhead } from './repay.ts'
import { countedUntil, type PlanBasis } from './replan.ts'
import type { InstallmentRow } from './row.ts'
import type { LoanTerms } from './terms.ts'

/** How many days staff have to record a borrower's request: a weekend and adjacent holidays. */
export const lateDays = 7

/** The last day on which the borrower may ask to leave; the day of the transfer is not counted. */
export const coolingOffUntil = ({ disbursedOn, terms }: Pick<Loan, 'disbursedOn' | 'terms'>): string =>
  plusDays(disbursedOn, terms.coolOffDays)

/** The last day on which it may be written down that the borrower asked in time. */
export const exitNotedUntil = (loan: Pick<Loan, 'disbursedOn' | 'terms'>): string =>
  plusDays(coolingOffUntil(loan), lateDays)

/** The part of a loan that its fee refund depends on. */
export type LeavableLoan = PlanBasis & Pick<Loan, 'caseRef' | 'exitUntil'>

/** The refund: the processing fee and its tax. */
const feeOf = ({ terms }: Pick<Loan, 'terms'>): Paise => terms.feePaise + terms.taxPaise

/**
 * The loan after its fee was refunded on a day: the refund repays principal, then other dues; the rest belongs to the
 * borrower.
 */
export function withoutFee(
  { loan, rows }: Pick<Repaid, 'loan' | 'rows'>,
  { today, at }: Pick<LeavingMoney, 'today' | 'at'>,
) {
  const now = { loan, rows: countedUntil(loan, rows, today), moved: [], isReplanned: false }
  return repaidAhead(now, feeOf(loan), [], { today, at, keep: 'INSTALLMENT' })
}

/** The exit amount of a day: the payoff less the fee and its tax. */
export function exitOn(loan: PlanBasis, rows: InstallmentRow[], on: string, at: Date): Payoff & { feePaise: Paise } {
  const payoff = payoffOn(loan, rows, on, at)
  const feePaise = least(feeOf(loan), payoff.total)
  return { ...payoff, total: payoff.total - feePaise, feePaise }
}

/** Active fee refunds, oldest first, and the number of reversed ones. */
export interface FeeReturns {
  inForce: LedgerEntry[]
  takenBack: number
}

/** `entries` are those of a case, at least those of `entriesOfFeeReturns`, in the order in which they were posted. */
export function feeReturnsFrom(entries: LedgerEntry[]): FeeReturns {
  const returns = entries.filter(({ kind }) => kind === 'FEE_RETURN')
  const inForce = returns.filter(({ entryId }) => !entries.some(({ reverses }) => reverses === entryId))
  return { inForce, takenBack: returns.length - inForce.length }
}

/** Includes the number of reversals, so that a unique index refuses a second active refund. */
const feeReturnId = (takenBack: number, paymentId: string): string => `fee-return-${takenBack + 1}-of-${paymentId}`

interface LeavingMoney {
  /** Its payment, which names the entry. */
  paymentId: string
  paise: Paise
  on: string
  today: string
  /** With earlier money: the day since which only the fee was owed; null otherwise. */
  leftOn?: string | null
  at: Date
}

/** Whether money of a day may leave the loan: the borrower asked to, and has the fee not back yet. */
export const mayLeave = ({ exitUntil }: Pick<Loan, 'exitUntil'>, on: string, returns: FeeReturns): boolean =>
  exitUntil !== null && on <= exitUntil && returns.inForce.length === 0

/** The loan after its fee refund, if this money completes the exit; otherwise null. */
export function feeReturned(
  loan: LeavableLoan,
  rows: InstallmentRow[],
  money: LeavingMoney,
  returns: FeeReturns,
): (Repaid & { entry: LedgerEntry }) | null {
  const { caseRef, terms } = loan
  const { paymentId, paise, on, at } = money
  if (!mayLeave(loan, on, returns) || feeOf(loan) === 0n) return null
  const { leftOn = paise < exitOn(loan, rows, on, at).total ? null : on } = money
  if (leftOn === null) return null
  const { shares, principal, unapplied, ...after } = withoutFee({ loan, rows }, money)
  const postings = feePostings(terms, postingsOf('FEE_INCOME', { shares, principal, back: [], unapplied }))
  const entryId = feeReturnId(returns.takenBack, paymentId)
  const entry: LedgerEntry = { caseRef, entryId, kind: 'FEE_RETURN', businessOn: leftOn, reverses: null, postings }
  return { ...after, entry }
}

/** Postings of the fee and its tax; the last ones are the tax. */
function feePostings({ feePaise }: Pick<LoanTerms, 'feePaise'>, postings: Posting[]): Posting[] {
  let left = feePaise
  return postings.flatMap(({ credit, paise, installment }) => {
    const fee = least(paise, left)
    left -= fee
    const tax = posting('TAX_PAYABLE', credit, paise - fee, installment)
    return [...posting('FEE_INCOME', credit, fee, installment), ...tax]
  })
}

/** The day of the newest counted money; null without any. */
export const lastPaidOn = (entries: LedgerEntry[]): string | null =>
  receiptsOf(entries).reduce<string | null>(
    (last, { businessOn }) => (last === null || businessOn > last ? businessOn : last),
    null,
  )

function receiptsOf(entries: LedgerEntry[]): LedgerEntry[] {
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  return entries.filter(({ kind, entryId }) => kind === 'RECEIPT' && !reversed.has(entryId))
}
