// Cancels a loan whose payout the bank gave back: the borrower never had the money, so nothing of the loan stands.

import { required } from '@lendloom/foundation/required'
import { minPaise, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting, returnOf } from '#partner/books/ledger/entry.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { feeRefundsFrom } from './exit.ts'
import { type InstallmentRow, noAmounts } from './installment-row.ts'
import { type LoanStatus, statusAfter } from './loan.ts'
import { postInBooks } from './post-in-books.ts'
import { deleteSettlement } from './settlement/store.ts'
import { lockAccount, saveStates, saveWriteOff, storeVersion, updateRows } from './store.ts'

/** Whether the bank gave the payout back, so that the borrower never had the loan. */
export const isPayoutReturned = (entries: LedgerEntry[]): boolean =>
  entries.some(({ kind }) => kind === 'PAYOUT_RETURN')

export interface ReturnedPayout {
  caseRef: string
  /** The value date of the money that came back. */
  on: string
}

/**
 * Cancels the account of a returned payout, under the lock of its case: every charge is reversed, the rows owe nothing,
 * and what the borrower has paid becomes the unapplied balance. Returns the new status.
 */
export async function returnPayout(tx: Tx, { caseRef, on }: ReturnedPayout, at: Date): Promise<LoanStatus> {
  const account = required(await lockAccount(tx, caseRef), `the loan of the case ${caseRef}`)
  const posted = await readEntries(tx, caseRef)
  const status = statusAfter(account.loan.status, 'cancelled')
  const rows = account.rows.map((row) => withoutAmounts(row, at))
  const { installmentPaise } = account.loan
  await storeVersion(tx, account, { reason: 'PAYOUT_RETURNED', installmentPaise }, at)
  await Promise.all([
    postInBooks(tx, returnEntries(caseRef, posted, on), at),
    updateRows(
      tx,
      rows.map((row) => ({ caseRef, row })),
    ),
    saveStates(tx, [{ caseRef, status, rows }], at),
  ])
  await saveWriteOff(tx, caseRef, null)
  await deleteSettlement(tx, caseRef)
  return status
}

const withoutAmounts = (row: InstallmentRow, at: Date): InstallmentRow => ({
  ...row,
  due: noAmounts,
  paid: noAmounts,
  fellDue: true,
  nextPenaltyOn: null,
  accrued: 0n,
  principalDays: 0n,
  interestGivenBack: 0n,
  claimed: 0n,
  updatedAt: at,
})

/** The accounts of the money itself, which the return of the payout does not change. */
const money: ReadonlySet<ChartAccount> = new Set(['BANK', 'UNAPPLIED', 'REFUND_PAYABLE'])

/**
 * Reverses the disbursement and the refunds of its fee, each by an entry of its own, which gets its tax document. One
 * more entry clears what is left of interest, charges, write-off and payments.
 */
export function returnEntries(caseRef: string, posted: LedgerEntry[], on: string): LedgerEntry[] {
  const disbursement = required(
    posted.find(({ kind }) => kind === 'DISBURSEMENT'),
    `the disbursement of the case ${caseRef}`,
  )
  const feeRefunds = feeRefundsFrom(posted).active
  const undone = [...feeRefunds, disbursement].map((each) => returnOf(each, on))
  const clearing: LedgerEntry = {
    caseRef,
    entryId: 'payout-returned',
    kind: 'PAYOUT_RETURN',
    businessOn: on,
    reverses: null,
    postings: clearingPostings([...posted, ...undone].flatMap(({ postings }) => postings)),
  }
  return [...undone, clearing]
}

interface Side {
  account: ChartAccount
  paise: Paise
}

/**
 * Returns postings that bring all accounts but those of the money to zero, row by row. Debit balances are set against
 * credit balances; the rest came from the borrower, to whom it belongs.
 */
function clearingPostings(postings: Posting[]): Posting[] {
  return [...balancesByRow(postings)].flatMap(([installment, balances]) => {
    const sides = [...balances].filter(([account, paise]) => !money.has(account) && paise !== 0n)
    const debits: Side[] = sides.filter(([, paise]) => paise > 0n).map(([account, paise]) => ({ account, paise }))
    const credits: Side[] = sides
      .filter(([, paise]) => paise < 0n)
      .map(([account, paise]) => ({ account, paise: -paise }))
    const cleared = credits.flatMap((credit) =>
      debits.flatMap((debit) => {
        const paise = minPaise(credit.paise, debit.paise)
        credit.paise -= paise
        debit.paise -= paise
        return posting(credit.account, debit.account, paise, installment)
      }),
    )
    const toBorrower = credits.flatMap(({ account, paise }) => posting(account, 'UNAPPLIED', paise, installment))
    const fromBorrower = debits.flatMap(({ account, paise }) => posting('UNAPPLIED', account, paise, installment))
    return [...cleared, ...toBorrower, ...fromBorrower]
  })
}

/** Sums the postings by row and account: debits less credits. */
function balancesByRow(postings: Posting[]): Map<number, Map<ChartAccount, Paise>> {
  const rows = new Map<number, Map<ChartAccount, Paise>>()
  for (const { debit, credit, installment, paise } of postings) {
    const balances = rows.get(installment) ?? new Map<ChartAccount, Paise>()
    rows.set(installment, balances)
    balances.set(debit, (balances.get(debit) ?? 0n) + paise)
    balances.set(credit, (balances.get(credit) ?? 0n) - paise)
  }
  return rows
}
