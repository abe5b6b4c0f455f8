// The effect of a receipt on a loan: cooling-off exit, corrections for late money, and the payment; pure rules.

import { type LedgerEntry, withCase } from '#partner/ledger/store.ts'
import { accrue } from './accrue.ts'
import { type ExitableLoan, type FeeRefunds, feeRefundsFrom, mayExit, refundFee } from './exit.ts'
import { lateMoneyCorrections, reverseWrongPenalties } from './late-news.ts'
import { type LoanState, type Money, repay } from './repay.ts'
import { findExitDay, type LoanReplays, replayWith } from './replay.ts'
import { type InstallmentRow, principalOf } from './row.ts'
import { setOff, unappliedBalanceFrom, unappliedIn } from './set-off.ts'

export interface ReceivedMoney extends Omit<Money, 'late' | 'from'> {
  paymentId: string
  feeRefunds: FeeRefunds
  /** All entries of the case, if the value date is before today. */
  posted: LedgerEntry[]
}

type ReceiptResult = ReturnType<typeof repay> & {
  /** Entries besides the receipt's own. */
  entries: LedgerEntry[]
  hasExited: boolean
}

/** The rows must be accrued until today. The exit happens only if no principal is outstanding after it. */
export function receive(loan: ExitableLoan, rows: InstallmentRow[], received: ReceivedMoney): ReceiptResult {
  const { posted, feeRefunds, on, today, at } = received
  const isLateExit = on < today && mayExit(loan, on, feeRefunds)
  const exitedOn = isLateExit
    ? findExitDay({ loan, rows, posted, at }, { ...received, until: loan.exitUntil })
    : undefined
  const feeRefund = refundFee(loan, rows, { ...received, exitedOn }, feeRefunds)
  const exited = feeRefund && applyMoney(loan, feeRefund, received, [feeRefund.entry])
  if (exited && principalOf(exited.rows) === 0n) return exited
  return applyMoney(loan, { loan, rows, moved: [], isReplanned: false }, received, [])
}

/** Applies money to the loan, after the fee refund if there is one. */
function applyMoney(
  loan: ExitableLoan,
  now: LoanState,
  received: ReceivedMoney,
  feeRefundEntries: LedgerEntry[],
): ReceiptResult {
  const { paymentId, feeRefunds, posted, ...payment } = received
  const { on, today, at } = payment
  const money = { ...payment, from: 'BANK' as const }
  const exitedOn = feeRefundEntries[0]?.businessOn ?? null
  const hasExited = exitedOn !== null
  if (on === today) return { ...repay(now, money), entries: feeRefundEntries, hasExited }
  const replays = replayWith({ ...now, posted, at }, { ...payment, exitedOn })
  const { entries, released, ...corrected } = reverseWrongCharges(now, replays, { ...received, caseRef: loan.caseRef })
  const corrections = lateMoneyCorrections({ ...corrected, posted, at }, replays, today)
  const unapplied = released + feeRefundEntries.reduce((sum, { postings }) => sum + unappliedIn(postings), 0n)
  const unappliedThen = corrections.unappliedThen === null ? null : corrections.unappliedThen - unapplied
  const late = { ...corrections, unappliedThen }
  return { ...repay(corrected, { ...money, late }), entries: [...feeRefundEntries, ...entries], hasExited }
}

/** Reverses penal charges that the money proves wrong. Amounts paid for them pay other dues; the rest is unapplied. */
function reverseWrongCharges(
  now: LoanState,
  replays: LoanReplays,
  { caseRef, paymentId, posted, today, at }: ReceivedMoney & { caseRef: string },
) {
  const corrected = reverseWrongPenalties({ ...now, posted, at }, replays, { caseRef, paymentId, today })
  const { rows, entries } = corrected
  const fromCharges = unappliedIn(entries.flatMap(({ postings }) => postings))
  if (fromCharges === 0n) return { ...now, rows, entries, released: 0n }
  const after = setOff({ ...now, rows }, unappliedBalanceFrom([...posted, ...entries]), { caseRef, on: today, at })
  const released = fromCharges + unappliedIn(after.entries.flatMap(({ postings }) => postings))
  return { ...after, entries: [...entries, ...after.entries], released }
}

interface ExitDays {
  /** All entries of the case. */
  posted: LedgerEntry[]
  /** The first day with both the request and the money. */
  on: string
  today: string
  at: Date
}

/**
 * Closes the loan without further money if the fee refund of a day covers everything owed; otherwise returns null.
 * Interest since that day is refunded with the fee.
 */
export function exitWithoutPayment(
  loan: ExitableLoan,
  rows: InstallmentRow[],
  { posted, ...days }: ExitDays,
): (LoanState & { entries: LedgerEntry[] }) | null {
  const earned = accrue(rows, loan.terms, days.today, days.at)
  const noMoney = { paymentId: 'request', paise: 0n, isPartPayment: true, keep: 'INSTALLMENT' } as const
  const received = { ...noMoney, ...days, feeRefunds: feeRefundsFrom(posted), posted }
  const { entries, postings, hasExited, ...after } = receive(loan, earned.rows, received)
  if (!hasExited) return null
  const exitEntries = entries.map((entry) =>
    entry.kind === 'FEE_RETURN' ? { ...entry, postings: [...entry.postings, ...postings] } : entry,
  )
  return { ...after, entries: [...withCase(loan.caseRef, earned.entries), ...exitEntries] }
}
