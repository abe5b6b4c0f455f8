// The effect of a receipt on a loan: cooling-off exit, corrections if reported late, and payment of dues; pure rules.

import { type LedgerEntry, withCase } from '#partner/books/ledger/entry.ts'
import { accrue } from './accrue.ts'
import { type ExitableLoan, type FeeRefunds, feeRefundsFrom, mayExit, refundFee } from './exit.ts'
import { type InstallmentRow, principalOf } from './installment-row.ts'
import { lateMoneyCorrections, reverseWrongPenalties } from './late-money.ts'
import { type LoanState, type MoneyReceived, repay } from './repay.ts'
import { findExitDay, type LoanReplays, replayWith } from './replay.ts'
import { setOff, unappliedBalanceFrom, unappliedIn } from './set-off.ts'

export interface ReceiptToApply extends Omit<MoneyReceived, 'late' | 'from'> {
  paymentId: string
  feeRefunds: FeeRefunds
  /** All entries of the case; may be empty if the value date is today. */
  posted: LedgerEntry[]
}

type ReceiptEffect = ReturnType<typeof repay> & {
  /** The entries other than the receipt's entry. */
  entries: LedgerEntry[]
  hasExited: boolean
}

/** Returns a loan after a receipt, with rows accrued until today. Exits only if no principal is then outstanding. */
export function effectOfReceipt(loan: ExitableLoan, rows: InstallmentRow[], received: ReceiptToApply): ReceiptEffect {
  const { posted, feeRefunds, on, today, at } = received
  const isLateExit = on < today && mayExit(loan, on, feeRefunds)
  const exitedOn = isLateExit
    ? findExitDay({ loan, rows, posted, at }, { ...received, until: loan.exitUntil })
    : undefined
  const feeRefund = refundFee(loan, rows, { ...received, exitedOn }, feeRefunds)
  const exited = feeRefund && applyMoney(loan, feeRefund, received, [feeRefund.entry])
  if (exited && principalOf(exited.rows) === 0n) return exited
  return applyMoney(loan, { loan, rows, conversions: [], isReplanned: false }, received, [])
}

/** Applies money to the loan, after the fee refund if the money completes an exit. */
function applyMoney(
  loan: ExitableLoan,
  state: LoanState,
  received: ReceiptToApply,
  feeRefundEntries: LedgerEntry[],
): ReceiptEffect {
  const { paymentId, feeRefunds, posted, ...payment } = received
  const { on, today, at } = payment
  const money = { ...payment, from: 'BANK' as const }
  const exitedOn = feeRefundEntries[0]?.businessOn ?? null
  const hasExited = exitedOn !== null
  if (on === today) return { ...repay(state, money), entries: feeRefundEntries, hasExited }
  const replays = replayWith({ ...state, posted, at }, { ...payment, exitedOn })
  const { entries, released, ...corrected } = reverseWrongCharges(state, replays, {
    ...received,
    caseRef: loan.caseRef,
  })
  const corrections = lateMoneyCorrections({ ...corrected, posted, at }, replays, today)
  const unapplied = released + feeRefundEntries.reduce((sum, { postings }) => sum + unappliedIn(postings), 0n)
  const unappliedIfOnTime = corrections.unappliedIfOnTime === null ? null : corrections.unappliedIfOnTime - unapplied
  const late = { ...corrections, unappliedIfOnTime }
  return { ...repay(corrected, { ...money, late }), entries: [...feeRefundEntries, ...entries], hasExited }
}

/** Reverses wrong penal charges. Amounts paid for these charges pay other dues; the rest becomes unapplied. */
function reverseWrongCharges(
  state: LoanState,
  replays: LoanReplays,
  { caseRef, paymentId, posted, today, at }: ReceiptToApply & { caseRef: string },
) {
  const corrected = reverseWrongPenalties({ ...state, posted, at }, replays, { caseRef, paymentId, today })
  const { rows, entries } = corrected
  const fromCharges = unappliedIn(entries.flatMap(({ postings }) => postings))
  if (fromCharges === 0n) return { ...state, rows, entries, released: 0n }
  const after = setOff({ ...state, rows }, unappliedBalanceFrom([...posted, ...entries]), { caseRef, on: today, at })
  const released = fromCharges + unappliedIn(after.entries.flatMap(({ postings }) => postings))
  return { ...after, entries: [...entries, ...after.entries], released }
}

interface ExitDays {
  /** All entries of the case. */
  posted: LedgerEntry[]
  /** The day on which the exit takes effect. */
  on: string
  today: string
  at: Date
}

/**
 * Closes the loan without a further payment if the fee refund on the day `on` covers everything owed; otherwise returns
 * null. Interest since that day is refunded too.
 */
export function exitWithoutPayment(
  loan: ExitableLoan,
  rows: InstallmentRow[],
  { posted, ...days }: ExitDays,
): (LoanState & { entries: LedgerEntry[] }) | null {
  const earned = accrue(rows, loan.terms, days.today, days.at)
  const noMoney = { paymentId: 'request', paise: 0n, isPartPayment: true, keep: 'INSTALLMENT' } as const
  const received = { ...noMoney, ...days, feeRefunds: feeRefundsFrom(posted), posted }
  const { entries, postings, hasExited, ...after } = effectOfReceipt(loan, earned.rows, received)
  if (!hasExited) return null
  const exitEntries = entries.map((entry) =>
    entry.kind === 'FEE_RETURN' ? { ...entry, postings: [...entry.postings, ...postings] } : entry,
  )
  return { ...after, entries: [...withCase(loan.caseRef, earned.entries), ...exitEntries] }
}
