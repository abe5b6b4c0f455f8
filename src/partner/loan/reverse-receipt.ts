// A receipt that came to nothing is taken back by a linked entry: its rows open again, and a closed loan with them (D3 §3).
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import { reversalOf } from '#partner/ledger/entry.ts'
import { findEntry, findReversal } from '#partner/ledger/store.ts'
import { allocationFrom, receiptId, reversalId, takenBack } from './allocate.ts'
import type { LoanStatus } from './lifecycle.ts'
import { installmentId } from './row.ts'
import { settle } from './settle.ts'
import { lockAccount } from './store.ts'

export interface Reversal {
  caseRef: string
  /** The payment whose receipt is taken back. */
  paymentId: string
  /** The correcting payment; it names the entry. */
  reversalPaymentId: string
  /** The business day of the reversal. */
  reversedOn: string
}

export interface Reversed {
  installmentIds: string[]
  loanStatus: LoanStatus
  /** False when this reversal was posted before: nothing happened now. */
  fresh: boolean
}

/**
 * Takes a receipt back under the lock of its case. The same reversal again changes nothing. Refused: `absent` no such
 * receipt · `wrong-state` another reversal took it back before.
 */
export async function reverseReceipt(tx: Tx, reversal: Reversal, at: Date): Promise<Reversed> {
  const { caseRef, paymentId, reversalPaymentId, reversedOn } = reversal
  const entryId = reversalId(reversalPaymentId)
  const [account, receipt, known, earlier] = await Promise.all([
    lockAccount(tx, caseRef),
    findEntry(tx, caseRef, receiptId(paymentId)),
    findEntry(tx, caseRef, entryId),
    findReversal(tx, caseRef, receiptId(paymentId)),
  ])
  if (!account || !receipt) throw new Refusal('absent', 'this case has no such receipt')
  const { loan, rows } = account
  const allocation = allocationFrom(receipt)
  const installmentIds = allocation.shares.map(({ number }) => installmentId(loan.loanId, number))
  if (known?.reverses === receipt.entryId) return { installmentIds, loanStatus: loan.status, fresh: false }
  if (known || earlier) throw new Refusal('wrong-state', 'this receipt was taken back before')

  const after = takenBack(rows, allocation, loan.terms.penalty, reversedOn, at)
  const entry = reversalOf(receipt, entryId, reversedOn)
  const [status] = await settle(tx, [{ before: account, after, entries: [entry] }], at)
  return { installmentIds, loanStatus: status!, fresh: true }
}
