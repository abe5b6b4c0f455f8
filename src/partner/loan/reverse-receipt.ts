// Reverses a failed receipt by a linked entry: its rows reopen, and so does a closed loan (D3 §3).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import {
  entriesOfFeeReturns,
  entriesOfUnapplied,
  findEntry,
  findReversal,
  type LedgerEntry,
  ofCase,
  reversalOf,
} from '#partner/ledger/store.ts'
import { accrued } from './accrue.ts'
import { type Allocation, allocationFrom, receiptId, reversalId } from './allocate.ts'
import { feeReturnsFrom } from './exit.ts'
import type { LoanStatus } from './loan.ts'
import { type Repaid, together, unpaid } from './repay.ts'
import { installmentId, principalOf } from './row.ts'
import { setOff, spareFrom } from './set-off.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount } from './store.ts'

export interface Reversal {
  caseRef: string
  /** The payment of the reversed receipt. */
  paymentId: string
  /** The correcting payment; it names the entry. */
  reversalPaymentId: string
  /** The business day of the reversal. */
  reversedOn: string
}

export interface ReversalResult {
  installmentIds: string[]
  loanStatus: LoanStatus
  /** False when this reversal was posted before: nothing happened now. */
  fresh: boolean
}

/**
 * Takes a receipt back under the lock of its case; money beyond the schedule pays what is open then. The same reversal
 * again changes nothing. Refused: `absent` no such
 * receipt · `wrong-state` another reversal took it back before.
 */
export async function reverseReceipt(tx: Tx, reversal: Reversal, at: Date): Promise<ReversalResult> {
  const { caseRef, paymentId, reversalPaymentId, reversedOn } = reversal
  const entryId = reversalId(reversalPaymentId)
  const [account, receipt, known, earlier, unapplied, feeReturns] = await Promise.all([
    lockAccount(tx, caseRef),
    findEntry(tx, caseRef, receiptId(paymentId)),
    findEntry(tx, caseRef, entryId),
    findReversal(tx, caseRef, receiptId(paymentId)),
    entriesOfUnapplied(tx, caseRef),
    entriesOfFeeReturns(tx, caseRef),
  ])
  if (!account || !receipt) throw new Refusal('absent', 'this case has no such receipt')
  const { loan, rows } = account
  const allocation = allocationFrom(receipt)
  const installmentIds = allocation.shares.map(({ number }) => installmentId(loan.loanId, number))
  if (known?.reverses === receipt.entryId) return { installmentIds, loanStatus: loan.status, fresh: false }
  if (known || earlier) throw new Refusal('wrong-state', 'this receipt was taken back before')

  const entry = reversalOf(receipt, entryId, reversedOn)
  const earned = accrued(rows, loan.terms, reversedOn, at)
  const returned = { receipt, reversal: entry, unapplied, feeReturns }
  const { entries, ...after } = withoutReceipt({ loan, rows: earned.rows }, returned, { caseRef, on: reversedOn, at })
  const repaid = { before: account, after, entries: [...ofCase(caseRef, earned.entries), ...entries] }
  const loanStatus = await settleRepaid(tx, repaid, { reason: 'RECEIPT_REVERSED', on: reversedOn }, at)
  return { installmentIds, loanStatus, fresh: true }
}

interface ReturnedReceipt {
  receipt: LedgerEntry
  reversal: LedgerEntry
  /** Earlier movements beyond the schedule. */
  unapplied: LedgerEntry[]
  /** As `entriesOfFeeReturns` reads them. */
  feeReturns: LedgerEntry[]
}

/**
 * The loan after a receipt was taken back. If principal is owed then, the borrower has not left the loan: the refunded
 * fee is owed again, whichever receipt it was. Otherwise the fee stays refunded.
 */
export function withoutReceipt(
  account: Pick<Repaid, 'loan' | 'rows'>,
  { receipt, reversal, unapplied, feeReturns }: ReturnedReceipt,
  { caseRef, on, at }: { caseRef: string; on: string; at: Date },
): Repaid & { entries: LedgerEntry[] } {
  const allocation = allocationFrom(receipt)
  const { penalty } = account.loan.terms
  const withoutFees = (returns: LedgerEntry[]) => {
    const taken = returns.map((each) => reversalOf(each, `reversal-${each.entryId}`, on))
    const gone = returns.map(allocationFrom).reduce(addedUp, allocation)
    const opened = unpaid(account, gone, { penalty, on, at })
    const after = setOff(opened, spareFrom([...unapplied, ...taken, reversal]), { caseRef, on, at })
    return { ...after, entries: [...taken, reversal, ...after.entries] }
  }
  const kept = withoutFees([])
  return principalOf(kept.rows) > 0n ? withoutFees(feeReturnsFrom(feeReturns).inForce) : kept
}

const addedUp = (one: Allocation, other: Allocation): Allocation => ({
  shares: together(one.shares, other.shares),
  principal: one.principal + other.principal,
  back: [...one.back, ...other.back],
  unapplied: one.unapplied + other.unapplied,
})
