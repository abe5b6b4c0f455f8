// Settles a loan for less than it owes: when the borrower has paid the agreed sum in time, the lender gives up the rest.

import { maxPaise, minPaise, type Paise } from '@lendloom/lending/money'
import { type LedgerEntry, type Posting, posting, receiptsOf, unreversedOf } from '#partner/books/ledger/entry.ts'
import { accountOfPart } from '#partner/servicing/loan/allocate.ts'
import { incomeKinds, unreceivedIncome } from '#partner/servicing/loan/class/income-suspense.ts'
import type { InstallmentRow } from '#partner/servicing/loan/installment-row.ts'
import type { Loan } from '#partner/servicing/loan/loan.ts'
import { payoffOn } from '#partner/servicing/loan/payoff.ts'
import { type LoanState, repay } from '#partner/servicing/loan/repay.ts'

/** What lender and borrower agreed. Only later receipts with a value date from `agreedOn` to `until` count. */
export interface Settlement {
  paise: Paise
  agreedOn: string
  until: string
  /** Ids of the receipts and refunds that were posted before the agreement. If a receipt is returned, the agreement ends. */
  earlierIds: string[]
}

/** Returns the agreement of a loan that is not settled; null without an agreement. */
export const openSettlement = ({
  settlementPaise: paise,
  settlementAgreedOn: agreedOn,
  settlementUntil: until,
  settlementEarlierIds: earlierIds,
  settledOn,
}: Loan): Settlement | null =>
  paise !== null && agreedOn !== null && until !== null && settledOn === null
    ? { paise, agreedOn, until, earlierIds }
    : null

/** Whether a receipt counts towards the agreed sum. */
export const countsTowards = (
  { agreedOn, until, earlierIds }: Settlement,
  { entryId, businessOn }: LedgerEntry,
): boolean => !earlierIds.includes(entryId) && businessOn >= agreedOn && businessOn <= until

/** Returns the money that counts towards the agreed sum. Refunds first pay back later money that does not count. */
function paidTowards(settlement: Settlement, posted: LedgerEntry[]) {
  const isLater = ({ entryId }: LedgerEntry) => !settlement.earlierIds.includes(entryId)
  const receipts = receiptsOf(posted).filter(isLater)
  const paid = debitedIn(
    receipts.filter((receipt) => countsTowards(settlement, receipt)),
    'BANK',
  )
  const received = debitedIn(receipts, 'BANK')
  const refunds = debitedIn(unreversedOf(posted, 'REFUND').filter(isLater), 'UNAPPLIED')
  const refunded = maxPaise(0n, refunds - (received - paid))
  return { paid: paid - refunded, refunded }
}

/** Returns what is still missing from the agreed sum. */
export const restOf = (settlement: Settlement, posted: LedgerEntry[]): Paise =>
  settlement.paise - paidTowards(settlement, posted).paid

/** Sums what entries debit to an account. */
export const debitedIn = (entries: LedgerEntry[], account: Posting['debit']): Paise =>
  entries
    .flatMap(({ postings }) => postings)
    .reduce((sum, { debit, paise }) => (debit === account ? sum + paise : sum), 0n)

interface SettlingLoan {
  settlement: Settlement
  /** All entries of the case, with the receipt that may have completed the sum. */
  posted: LedgerEntry[]
  unapplied: Paise
  /** The unapplied balance after a return; after a receipt, it follows from the excess. */
  unappliedAfter?: Paise | undefined
  hasSuspense: boolean
  on: string
  at: Date
}

/**
 * Gives up what the loan still owes; null while the agreed sum is not paid, or if nothing is owed. Money beyond the
 * agreed sum belongs to the borrower. Income in suspense was never income, so giving it up costs nothing.
 */
export function giveUpRest(
  account: Pick<LoanState, 'rows'> & { loan: LoanState['loan'] & Pick<Loan, 'caseRef'> },
  { settlement, posted, unapplied, unappliedAfter, hasSuspense, on, at }: SettlingLoan,
): (LoanState & { entry: LedgerEntry }) | null {
  const { loan, rows } = account
  const { paid, refunded } = paidTowards(settlement, posted)
  const excess = paid - settlement.paise
  const { total } = payoffOn(loan, rows, on, at)
  // A refund that the borrower owes again was already deducted from the sum; an older claim stays.
  const target = unappliedAfter ?? excess + (refunded > 0n ? 0n : unapplied)
  // After a return, the set-off may have paid the whole rest with money that is the borrower's.
  const isPaidByBorrower = unappliedAfter !== undefined && target > unapplied
  if (excess < 0n || (total === 0n && !isPaidByBorrower)) return null
  const paise = total + maxPaise(0n, target - unapplied)
  const money = { paise, from: 'SETTLEMENT_LOSS', on, today: on, isPartPayment: true, at } as const
  const { postings, allocation: _, ...after } = repay(account, { ...money, keep: 'INSTALLMENT' })
  const entry: LedgerEntry = {
    caseRef: loan.caseRef,
    entryId: `settlement-${posted.filter(({ kind }) => kind === 'SETTLEMENT').length + 1}`,
    kind: 'SETTLEMENT',
    businessOn: on,
    reverses: null,
    postings: hasSuspense ? postings.flatMap((each) => fromSuspense(each, rows)) : postings,
  }
  return { ...after, entry }
}

/** Splits a posting into the income in suspense that it gives up, and the loss. */
function fromSuspense(given: Posting, rows: InstallmentRow[]): Posting[] {
  const { debit, credit, installment, paise } = given
  const part = incomeKinds.find((each) => accountOfPart[each] === credit)
  const row = rows.find(({ number }) => number === installment)
  if (debit !== 'SETTLEMENT_LOSS' || !part || !row) return [given]
  const suspended = minPaise(paise, unreceivedIncome(row, part))
  return [
    ...posting('INCOME_SUSPENSE', credit, suspended, installment),
    ...posting('SETTLEMENT_LOSS', credit, paise - suspended, installment),
  ]
}

/** Returns the settlement that is in force; undefined if there was none or it was reversed. */
export const settlementEntryIn = (entries: LedgerEntry[]): LedgerEntry | undefined =>
  entries.find(({ kind, entryId }) => kind === 'SETTLEMENT' && entries.every(({ reverses }) => reverses !== entryId))
