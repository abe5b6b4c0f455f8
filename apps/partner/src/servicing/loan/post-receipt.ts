// Posts a verified receipt once: allocates it to rows, posts it to the ledger and updates the loan's state.

import { Refusal } from '@lendloom/foundation/refusal'
import { businessDate } from '@lendloom/lending/calendar'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { type LedgerEntry, withCase } from '#partner/books/ledger/entry.ts'
import { entriesOfFeeRefunds, findEntry, readEntries } from '#partner/books/ledger/store.ts'
import { accrue } from './accrue.ts'
import { type Allocation, allocationFrom, receiptId } from './allocate.ts'
import { feeRefundsFrom, openExitUntil } from './exit.ts'
import { installmentId } from './installment-row.ts'
import type { LoanStatus } from './loan.ts'
import { effectOfReceipt } from './receipt-effect.ts'
import { roundOffsIn } from './round-off.ts'
import { settleForLess } from './settlement/settle-for-less.ts'
import { saveSettledOn } from './settlement/store.ts'
import { type LoanAccount, lockAccount } from './store.ts'
import { storeChangeWithSchedule } from './store-account-change.ts'

export interface NewReceipt {
  caseRef: string
  paymentId: string
  paise: Paise
  valueOn: string
  /** Whether the borrower requested a part payment, which prepays principal however small the amount is. */
  isPartPayment?: boolean
}

export interface PostedReceipt extends Allocation {
  /** The ids of the paid rows, as events name them. */
  installmentIds: string[]
  loanStatus: LoanStatus
  /** Whether the receipt completed a cooling-off exit. */
  hasExited: boolean
  /** Whether the receipt completed the agreed sum of a settlement, so that the rest was given up. */
  isSettled: boolean
  /** False if this payment had been posted before, so that nothing changed. */
  isNew: boolean
}

/**
 * Posts a receipt under the lock of its case, and reverses penal charges that are wrong by its value date. A repeated
 * payment returns the first result. Money for a cancelled account is refundable. Throws `absent` without an account,
 * `invalid` for a zero amount, `wrong-state` if the payment was posted with another amount.
 */
export async function postReceipt(tx: Tx, receipt: NewReceipt, at: Date): Promise<PostedReceipt> {
  const { caseRef, paymentId, paise } = receipt
  if (paise <= 0n) throw new Refusal('invalid', `the amount of a receipt must be above zero, not ${rupees(paise)}`)
  const [account, existing] = await Promise.all([
    lockAccount(tx, caseRef),
    findEntry(tx, caseRef, receiptId(paymentId)),
  ])
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = account
  const resultOf = (allocation: Allocation, loanStatus: LoanStatus, isNew: boolean): PostedReceipt => ({
    ...allocation,
    installmentIds: allocation.shares.map(({ number }) => installmentId(loan.loanId, number)),
    loanStatus,
    hasExited: false,
    isSettled: false,
    isNew,
  })
  if (existing) {
    if (amountOf(existing) !== paise) throw new Refusal('wrong-state', 'this payment was posted with another amount')
    return resultOf(allocationFrom(existing), loan.status, false)
  }

  const { allocation, postings, entries, hasExited, choice, ...after } = await applyReceipt(tx, account, receipt, at)
  const entry = {
    caseRef,
    entryId: receiptId(paymentId),
    kind: 'RECEIPT' as const,
    businessOn: receipt.valueOn,
    reverses: null,
    choice,
    postings,
  }
  const received = { after, entries: [...entries, entry] }
  const on = postingDay(receipt, at)
  const settled = await settleForLess(tx, loan, { ...received, on }, at)
  if (settled) await saveSettledOn(tx, caseRef, on)
  const reasonWithoutExit = settled ? 'SETTLEMENT' : 'PART_PAYMENT'
  const reason = hasExited ? 'COOLING_OFF_EXIT' : reasonWithoutExit
  const change = { before: account, ...(settled ?? received) }
  const status = await storeChangeWithSchedule(tx, change, { reason, on: receipt.valueOn }, at)
  return { ...resultOf(allocation, status, true), hasExited, isSettled: settled !== null }
}

/** The later of today and the value date, because money is never posted before its value date. */
const postingDay = ({ valueOn }: NewReceipt, at: Date): string => {
  const today = businessDate(at)
  return today > valueOn ? today : valueOn
}

/**
 * Applies a receipt to a locked account, without storing the result. Money for a settled, rounded-off or cancelled loan
 * belongs to the borrower on any value date, because nothing is owed, and completes no exit.
 */
export async function applyReceipt(tx: Tx, { loan, rows }: LoanAccount, receipt: NewReceipt, at: Date) {
  const { caseRef, paymentId, paise } = receipt
  const today = postingDay(receipt, at)
  // Only money with an earlier value date is replayed against the entries since then.
  const mayOwe = loan.settledOn === null && loan.status !== 'CANCELLED'
  const posted = mayOwe && receipt.valueOn < today ? await readEntries(tx, caseRef) : []
  const owesByDay = mayOwe && roundOffsIn(posted).length === 0
  const valueOn = owesByDay ? receipt.valueOn : today
  const earned = accrue(rows, loan.terms, today, at)
  const choice = { isPartPayment: receipt.isPartPayment ?? false, keeps: loan.partPaymentKeeps }
  const exitUntil = openExitUntil(loan)
  const { entries, ...after } = effectOfReceipt({ ...loan, exitUntil }, earned.rows, {
    paymentId,
    paise,
    on: valueOn,
    today,
    at,
    isPartPayment: choice.isPartPayment,
    keep: choice.keeps,
    feeRefunds: feeRefundsFrom(exitUntil === null ? [] : await entriesOfFeeRefunds(tx, caseRef)),
    posted: valueOn < today ? posted : [],
  })
  return { ...after, choice, entries: [...withCase(caseRef, earned.entries), ...entries] }
}

/** The money that the entry took from the bank; its other postings do not come from this payment. */
const amountOf = ({ postings }: LedgerEntry): Paise =>
  postings.reduce((sum, { debit, paise }) => (debit === 'BANK' ? sum + paise : sum), 0n)
