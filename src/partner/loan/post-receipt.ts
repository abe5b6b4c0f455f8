// Posts a verified receipt once: allocates it to rows, enters it in the ledger, and updates the loan's state.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { entriesOfFeeReturns, findEntry, type LedgerEntry, ofCase, readEntries } from '#partner/ledger/store.ts'
import { accrued } from './accrue.ts'
import { type Allocation, allocationFrom, receiptId } from './allocate.ts'
import { feeReturnsFrom } from './exit.ts'
import type { LoanStatus } from './loan.ts'
import { receive } from './receive.ts'
import { installmentId } from './row.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount } from './store.ts'

export interface NewReceipt {
  caseRef: string
  paymentId: string
  paise: Paise
  /** The business day of the money's arrival. */
  valueOn: string
  /** The borrower wants principal repaid, however small the amount. */
  isPartPayment?: boolean
}

export interface PostedReceipt extends Allocation {
  /** The rows that the money went to, as the wire names them. */
  installmentIds: string[]
  loanStatus: LoanStatus
  /** The borrower has left within the cooling-off period with it. */
  hasLeft: boolean
  /** False when this payment was posted before: nothing happened now. */
  fresh: boolean
}

/**
 * Posts a receipt under the lock of its case, and reverses penal charges that its value date proves wrong. A repeated
 * payment returns the first result. Refused: `absent` no account · `invalid` a zero amount · `wrong-state` a cancelled
 * account, or the payment has another amount.
 */
export async function postReceipt(tx: Tx, receipt: NewReceipt, at: Date): Promise<PostedReceipt> {
  const { caseRef, paymentId, paise } = receipt
  if (paise <= 0n) throw new Refusal('invalid', `a receipt of ${rupees(paise)} is none`)
  const [account, known] = await Promise.all([lockAccount(tx, caseRef), findEntry(tx, caseRef, receiptId(paymentId))])
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const { loan, rows } = account
  const named = (allocation: Allocation, loanStatus: LoanStatus, fresh: boolean): PostedReceipt => ({
    ...allocation,
    installmentIds: allocation.shares.map(({ number }) => installmentId(loan.loanId, number)),
    loanStatus,
    hasLeft: false,
    fresh,
  })
  if (known) {
    if (receivedBy(known) !== paise) throw new Refusal('wrong-state', 'this payment was posted with another amount')
    return named(allocationFrom(known), loan.status, false)
  }
  if (loan.status === 'CANCELLED') throw new Refusal('wrong-state', 'this loan account was cancelled')

  const posted = businessDate(at)
  const today = posted > receipt.valueOn ? posted : receipt.valueOn
  const earned = accrued(rows, loan.terms, today, at)
  const choice = { isPartPayment: receipt.isPartPayment ?? false, keeps: loan.partPaymentKeeps }
  const { allocation, postings, entries, hasLeft, ...after } = receive(loan, earned.rows, {
    ...{ paymentId, paise, on: receipt.valueOn, today, at, isPartPayment: choice.isPartPayment, keep: choice.keeps },
    returns: feeReturnsFrom(loan.exitUntil === null ? [] : await entriesOfFeeReturns(tx, caseRef)),
    posted: receipt.valueOn < today ? await readEntries(tx, caseRef) : [],
  })
  const entry = {
    caseRef,
    entryId: receiptId(paymentId),
    kind: 'RECEIPT' as const,
    businessOn: receipt.valueOn,
    reverses: null,
    choice,
    postings,
  }
  const all = [...ofCase(caseRef, earned.entries), ...entries, entry]
  const reason = hasLeft ? 'COOLING_OFF_EXIT' : 'PART_PAYMENT'
  const status = await settleRepaid(tx, { before: account, after, entries: all }, { reason, on: receipt.valueOn }, at)
  return { ...named(allocation, status, true), hasLeft }
}

/** The money in a receipt's entry. */
const receivedBy = ({ postings }: LedgerEntry): Paise =>
  postings.reduce((sum, { debit, paise }) => (debit === 'BANK' ? sum + paise : sum), 0n)
