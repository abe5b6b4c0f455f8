// Refunds of unapplied balance: reserved when ordered, posted when the bank confirms, released when the transfer fails.

import { Refusal } from '@lendloom/foundation/refusal'
import { inr, maxPaise, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { type LedgerEntry, posting, returnOf, reversalOf, withCase } from '#partner/books/ledger/entry.ts'
import { entriesOfUnapplied, findEntry, readEntries } from '#partner/books/ledger/store.ts'
import { accrue } from './accrue.ts'
import { openExitUntil } from './exit.ts'
import type { LoanStatus } from './loan.ts'
import { postInBooks } from './post-in-books.ts'
import { exitWithoutPayment } from './receipt-effect.ts'
import { setOff, unappliedBalanceFrom } from './set-off.ts'
import { settleForLess } from './settlement/settle-for-less.ts'
import { saveSettledOn } from './settlement/store.ts'
import { lockAccount } from './store.ts'
import { storeChangeWithSchedule } from './store-account-change.ts'

export interface RefundKey {
  caseRef: string
  refundId: string
  /** The business day of the posting. */
  on: string
}

const refundEntryId = (refundId: string): string => `refund-${refundId}`
const paidRefundId = (refundId: string): string => `refund-paid-${refundId}`

export const refundEntry = ({ caseRef, refundId, on }: RefundKey, paise: Paise): LedgerEntry => ({
  caseRef,
  entryId: refundEntryId(refundId),
  kind: 'REFUND',
  businessOn: on,
  reverses: null,
  postings: posting('UNAPPLIED', 'REFUND_PAYABLE', paise),
})

interface RefundLimit {
  /** Money that the bank may still take back, so that it is not refunded yet. */
  held?: Paise
  at: Date
}

/**
 * Reserves an amount under the lock of the case. Throws `absent` without an account, `wrong-state` if the amount is not
 * above zero or exceeds the unapplied balance less the money that is held.
 */
export async function reserveRefund(
  tx: Tx,
  refund: RefundKey,
  paise: Paise,
  { held = 0n, at }: RefundLimit,
): Promise<void> {
  const { caseRef } = refund
  const [account, unapplied] = await Promise.all([lockAccount(tx, caseRef), entriesOfUnapplied(tx, caseRef)])
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const balance = unappliedBalanceFrom(unapplied).paise
  const refundable = maxPaise(0n, balance - held)
  if (paise <= 0n || paise > refundable)
    throw new Refusal(
      'wrong-state',
      paise > 0n && paise <= balance
        ? `only ${inr(refundable)} can be refunded now: the bank may still take the rest back`
        : `the refundable balance is ${inr(refundable)}, not ${inr(paise)}`,
    )
  await postInBooks(tx, [refundEntry(refund, paise)], at)
}

/** Posts that the bank has paid the reserved amount out. */
export async function postPaidRefund(
  tx: Tx,
  { caseRef, refundId, on }: RefundKey,
  paise: Paise,
  at: Date,
): Promise<void> {
  const entry = { caseRef, entryId: paidRefundId(refundId), kind: 'REFUND_PAID' as const, businessOn: on }
  await postInBooks(tx, [{ ...entry, reverses: null, postings: posting('REFUND_PAYABLE', 'BANK', paise) }], at)
}

export interface ReleasedRefund {
  loanStatus: LoanStatus
  /** Whether the released amount completed a cooling-off exit, so that the fee was refunded. */
  hasExited: boolean
  /** Whether the released amount paid dues, so that the new loan status must be reported. */
  hasPaidDues: boolean
  isSettled: boolean
}

/**
 * Releases the amount of a refund that failed, or that the bank gave back after it had paid it out, under the lock of
 * the case. The amount first pays open dues.
 */
export async function releaseRefund(tx: Tx, { caseRef, refundId, on }: RefundKey, at: Date): Promise<ReleasedRefund> {
  const [account, unapplied, reservation, paidOut] = await Promise.all([
    lockAccount(tx, caseRef),
    entriesOfUnapplied(tx, caseRef),
    findEntry(tx, caseRef, refundEntryId(refundId)),
    findEntry(tx, caseRef, paidRefundId(refundId)),
  ])
  if (!account || !reservation) throw new Error(`refund ${refundId} was never reserved`)
  const { loan, rows } = account
  const reversal = reversalOf(reservation, `reversal-${reservation.entryId}`, on)
  // Interest until today comes first, so that the released amount pays it like other dues.
  const earned = accrue(rows, loan.terms, on, at)
  const before = { loan, rows: earned.rows, conversions: [], isReplanned: false }
  const { entries, ...paid } = setOff(before, unappliedBalanceFrom([...unapplied, reversal]), { caseRef, on, at })
  // What is left may complete a cooling-off exit whose money was refunded meanwhile.
  const exitUntil = openExitUntil(loan)
  const posted = exitUntil === null ? [] : await readEntries(tx, caseRef)
  const exit = exitWithoutPayment({ ...loan, ...paid.loan, exitUntil }, paid.rows, { posted, on, today: on, at })
  // The exit continues from the dues that are paid, so what was converted before stays converted.
  const after = exit
    ? {
        ...exit,
        conversions: [...paid.conversions, ...exit.conversions],
        isReplanned: paid.isReplanned || exit.isReplanned,
      }
    : paid
  const givenBack = paidOut ? [returnOf(paidOut, on)] : []
  const all = [...withCase(caseRef, earned.entries), ...givenBack, reversal, ...entries, ...(exit?.entries ?? [])]
  const released = { after, entries: all }
  // Otherwise it may complete a settlement for less.
  const settled = exit ? null : await settleForLess(tx, loan, { ...released, on }, at)
  if (settled) await saveSettledOn(tx, caseRef, on)
  const reasonWithoutExit = settled ? 'SETTLEMENT' : 'REFUND_FAILED'
  const reason = exit ? 'COOLING_OFF_EXIT' : reasonWithoutExit
  const change = { before: account, ...(settled ?? released) }
  const loanStatus = await storeChangeWithSchedule(tx, change, { reason, on }, at)
  return { loanStatus, hasExited: exit !== null, hasPaidDues: entries.length > 0, isSettled: settled !== null }
}
