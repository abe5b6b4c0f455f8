// Reverses a returned receipt by a linked entry, and reopens its rows and a closed loan (D3 §3).

import { Refusal } from '@lendloom/foundation/refusal'
import type { Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { type LedgerEntry, posting, reversalOf, withCase } from '#partner/books/ledger/entry.ts'
import {
  entriesOfKinds,
  entriesOfUnapplied,
  findEntry,
  findReversal,
  readEntries,
} from '#partner/books/ledger/store.ts'
import { accrue } from './accrue.ts'
import { type Allocation, allocationFrom, receiptId, reversalId } from './allocate.ts'
import { hasIncomeSuspense, suspendedIncome } from './class/income-suspense.ts'
import { feeRefundsFrom, firstPaidOn, openExitUntil } from './exit.ts'
import { installmentId, principalOf } from './installment-row.ts'
import type { Loan, LoanStatus } from './loan.ts'
import { exitWithoutPayment } from './receipt-effect.ts'
import { claimRefund, queueRefundClaim, unclaimedRefund } from './refund-claim.ts'
import { type LoanState, mergeShares, reverseRepayment } from './repay.ts'
import { roundOffsIn } from './round-off.ts'
import { setOff, unappliedBalanceFrom } from './set-off.ts'
import { settleForLess } from './settlement/settle-for-less.ts'
import { countsTowards, debitedIn, openSettlement, settlementEntryIn } from './settlement/settlement.ts'
import { deleteSettlement, saveSettledOn } from './settlement/store.ts'
import { type LoanAccount, lockAccount } from './store.ts'
import { storeAccountChange, storeChangeWithSchedule } from './store-account-change.ts'

export interface Reversal {
  caseRef: string
  /** The payment whose receipt is reversed. */
  paymentId: string
  /** The id of the reversal's own payment, which becomes part of the entry's id. */
  reversalPaymentId: string
  /** The business day of the reversal. */
  reversedOn: string
}

export interface ReversalResult {
  installmentIds: string[]
  loanStatus: LoanStatus
  /** False if this reversal had been posted before, so that nothing changed. */
  isNew: boolean
}

/**
 * Reverses a receipt under the lock of its case; the unapplied balance is then set off against reopened rows.
 * Idempotent. Throws `absent` without such a receipt, `wrong-state` if another reversal has already reversed the
 * receipt.
 */
export async function reverseReceipt(tx: Tx, reversal: Reversal, at: Date): Promise<ReversalResult> {
  const { caseRef, paymentId, reversalPaymentId, reversedOn } = reversal
  const entryId = reversalId(reversalPaymentId)
  const [account, receipt, existing, earlier, unapplied, concessions] = await Promise.all([
    lockAccount(tx, caseRef),
    findEntry(tx, caseRef, receiptId(paymentId)),
    findEntry(tx, caseRef, entryId),
    findReversal(tx, caseRef, receiptId(paymentId)),
    entriesOfUnapplied(tx, caseRef),
    entriesOfKinds(tx, caseRef, ['FEE_RETURN', 'ROUND_OFF']),
  ])
  if (!account || !receipt) throw new Refusal('absent', 'this case has no such receipt')
  const { loan, rows } = account
  const allocation = allocationFrom(receipt)
  const installmentIds = allocation.shares.map(({ number }) => installmentId(loan.loanId, number))
  if (existing?.reverses === receipt.entryId) return { installmentIds, loanStatus: loan.status, isNew: false }
  if (existing || earlier) throw new Refusal('wrong-state', 'this receipt is already reversed')

  const entry = reversalOf(receipt, entryId, reversedOn)
  if (loan.status === 'CANCELLED') return reverseInCancelled(tx, { account, receipt, entry, installmentIds }, at)
  const accrued = accrue(rows, loan.terms, reversedOn, at)
  const settlementEntry = loan.settledOn === null ? undefined : settlementEntryIn(await readEntries(tx, caseRef))
  // Money for a loan that was closed belongs to the borrower, so its return owes nothing again.
  const hasPaidLoan = allocation.shares.length > 0 || allocation.principal > 0n
  const roundOffs = hasPaidLoan ? roundOffsIn(concessions) : []
  const givenUp = [...(settlementEntry ? [settlementEntry] : []), ...roundOffs]
  const reversalEntries = { receipt, reversal: entry, unapplied, feeRefundEntries: concessions, givenUp }
  const undone = reverseInLoan({ loan, rows: accrued.rows }, reversalEntries, { caseRef, on: reversedOn, at })
  const exit = await exitThatStands(tx, { loan, concessions, undone, reversedOn }, at)
  const { entries, ...after } = exit ?? undone
  const suspenseReleases = hasIncomeSuspense(loan) ? [] : suspendedIncome(settlementEntry, reversedOn)
  const reversed = { after, entries: [...withCase(caseRef, accrued.entries), ...entries, ...suspenseReleases] }
  const unappliedAfter = unappliedBalanceFrom(unapplied).paise - takenFromBorrower(loan, receipt)
  const settled = await settleAfterReturn(tx, loan, { ...reversed, receipt, on: reversedOn, unappliedAfter }, at)
  const change = { before: account, ...(settled ?? reversed) }
  const loanStatus = await storeChangeWithSchedule(tx, change, { reason: 'RECEIPT_REVERSED', on: reversedOn }, at)
  if (unclaimedRefund([...unapplied, ...entries], after.conversions) > 0n) await queueRefundClaim(tx, account, at)
  return { installmentIds, loanStatus, isNew: true }
}

interface UndoneExit {
  loan: Loan
  /** Entries with the fee refunds from before the return. */
  concessions: LedgerEntry[]
  undone: LoanState & { entries: LedgerEntry[] }
  reversedOn: string
}

/**
 * A cooling-off exit that the return undid stands if the borrower's other money paid for it in time by its value date.
 * Returns the loan with the return and the exit; null if the exit is undone, or there was none.
 */
async function exitThatStands(
  tx: Tx,
  { loan, concessions, undone, reversedOn }: UndoneExit,
  at: Date,
): Promise<UndoneExit['undone'] | null> {
  const exitUntil = openExitUntil(loan)
  const wasUndone = feeRefundsFrom(concessions).active.length > 0 && principalOf(undone.rows) > 0n
  if (exitUntil === null || !wasUndone) return null
  const posted = [...(await readEntries(tx, loan.caseRef)), ...undone.entries]
  const on = firstPaidOn(posted)
  if (on === null || on > exitUntil) return null
  const { caseRef } = loan
  const exit = exitWithoutPayment({ ...undone.loan, caseRef, exitUntil }, undone.rows, {
    posted,
    on,
    today: reversedOn,
    at,
  })
  return (
    exit && {
      ...exit,
      conversions: [...undone.conversions, ...exit.conversions],
      isReplanned: true,
      entries: [...undone.entries, ...exit.entries],
    }
  )
}

/**
 * The part of a returned receipt that was the borrower's after a settlement. A receipt that counted towards the agreed sum
 * made the excess larger by its whole amount; of another one, only what it did not pay was the borrower's.
 */
function takenFromBorrower(loan: Loan, receipt: LedgerEntry): Paise {
  const settlement = openSettlement({ ...loan, settledOn: null })
  return settlement && !countsTowards(settlement, receipt)
    ? allocationFrom(receipt).unapplied
    : debitedIn([receipt], 'BANK')
}

interface CancelledReversal {
  account: LoanAccount
  receipt: LedgerEntry
  entry: LedgerEntry
  installmentIds: string[]
}

/**
 * Reverses a receipt of a cancelled account. The cancellation made all its money refundable and cleared the rows, so the
 * reversal takes the money from the unapplied balance.
 */
async function reverseInCancelled(
  tx: Tx,
  { account, receipt, entry, installmentIds }: CancelledReversal,
  at: Date,
): Promise<ReversalResult> {
  const postings = posting('UNAPPLIED', 'BANK', debitedIn([receipt], 'BANK'))
  const change = { before: account, after: account.rows, entries: [{ ...entry, postings }] }
  return { installmentIds, loanStatus: await storeAccountChange(tx, change, at), isNew: true }
}

/**
 * Keeps a settlement in force if the other receipts still reach the agreed sum. A returned receipt from before the
 * agreement ends the agreement, because the lender agreed on a smaller debt.
 */
async function settleAfterReturn(
  tx: Tx,
  loan: Loan,
  { receipt, ...reversed }: Parameters<typeof settleForLess>[2] & { receipt: LedgerEntry },
  at: Date,
) {
  const { caseRef, settledOn } = loan
  if (loan.settlementEarlierIds.includes(receipt.entryId)) {
    await deleteSettlement(tx, caseRef)
    return null
  }
  if (settledOn === null) return null
  const settled = await settleForLess(tx, { ...loan, settledOn: null }, reversed, at)
  if (!settled) await saveSettledOn(tx, caseRef, null)
  return settled
}

interface ReversalEntries {
  receipt: LedgerEntry
  reversal: LedgerEntry
  /** Earlier entries that post to the account `UNAPPLIED`. */
  unapplied: LedgerEntry[]
  /** Entries with all fee refunds and their reversals. */
  feeRefundEntries: LedgerEntry[]
  /** The settlement in force and the round-offs, which the reversal undoes. */
  givenUp?: LedgerEntry[]
}

/**
 * Reverses a receipt. If principal is then outstanding, the cooling-off exit is undone, and the fee refund is reversed
 * too, whichever receipt completed the exit. Settlements and round-offs are undone too; `settleAfterReturn` may settle the
 * loan again. Money of the receipt that was refunded meanwhile is owed by the borrower.
 */
export function reverseInLoan(
  account: Pick<LoanState, 'loan' | 'rows'>,
  { receipt, reversal, unapplied, feeRefundEntries, givenUp = [] }: ReversalEntries,
  { caseRef, on, at }: { caseRef: string; on: string; at: Date },
): LoanState & { entries: LedgerEntry[] } {
  const allocation = allocationFrom(receipt)
  const { penalty } = account.loan.terms
  const reverseWith = (feeRefundsToReverse: LedgerEntry[]) => {
    const undone = [...feeRefundsToReverse, ...givenUp]
    const undoings = undone.map((each) => reversalOf(each, `reversal-${each.entryId}`, on))
    const reversed = undone.map(allocationFrom).reduce(sumAllocations, allocation)
    const reopened = reverseRepayment(account, reversed, { penalty, on, at })
    const after = setOff(reopened, unappliedBalanceFrom([...unapplied, ...undoings, reversal]), { caseRef, on, at })
    return { ...after, entries: [...undoings, reversal, ...after.entries] }
  }
  const withFeeRefunded = reverseWith([])
  const state =
    principalOf(withFeeRefunded.rows) > 0n ? reverseWith(feeRefundsFrom(feeRefundEntries).active) : withFeeRefunded
  const claim = unclaimedRefund([...unapplied, ...state.entries], state.conversions)
  return claim > 0n ? { ...state, ...claimRefund(state, claim, { on, at }) } : state
}

const sumAllocations = (one: Allocation, other: Allocation): Allocation => ({
  shares: mergeShares(one.shares, other.shares),
  principal: one.principal + other.principal,
  interestRefunds: [...one.interestRefunds, ...other.interestRefunds],
  unapplied: one.unapplied + other.unapplied,
})
