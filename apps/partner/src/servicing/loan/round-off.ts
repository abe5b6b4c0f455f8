// Rounds off the rest of a loan that is too small to collect, and closes the loan.

import { Refusal } from '@lendloom/foundation/refusal'
import { inr, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { type LedgerEntry, unreversedOf, withCase } from '#partner/books/ledger/entry.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { accrue } from './accrue.ts'
import { hasIncomeSuspense } from './class/income-suspense.ts'
import { coolingOffUntil } from './exit.ts'
import { isRunning, type Loan, type LoanStatus } from './loan.ts'
import { payoffOn } from './payoff.ts'
import { unclaimedRefund } from './refund-claim.ts'
import { repay } from './repay.ts'
import { lockAccount } from './store.ts'
import { storeChangeWithSchedule } from './store-account-change.ts'

export interface RoundOff {
  caseRef: string
  /** The business day. */
  on: string
  /** The largest rest that is rounded off. */
  tolerance: Paise
}

/** Returns the round-offs that no returned receipt has undone. */
export const roundOffsIn = (entries: LedgerEntry[]): LedgerEntry[] => unreversedOf(entries, 'ROUND_OFF')

/**
 * Gives up the rest of a running loan, under the lock of its case, at the cost of the account `ROUNDED_OFF`. If the bank
 * takes a receipt of the loan back, the rest is owed again. Throws `absent` without an account; `wrong-state` if the loan
 * does not run, owes more than the tolerance, was settled, written off or is non-performing, or can still be cancelled.
 */
export async function roundOff(tx: Tx, { caseRef, on, tolerance }: RoundOff, at: Date): Promise<LoanStatus> {
  const [account, posted] = await Promise.all([lockAccount(tx, caseRef), readEntries(tx, caseRef)])
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = account
  const obstacle = obstacleTo(loan, on)
  if (obstacle !== null) throw new Refusal('wrong-state', obstacle)
  const earned = accrue(account.rows, loan.terms, on, at)
  const total = payoffOn(loan, earned.rows, on, at).total + unclaimedRefund(posted)
  if (total > tolerance)
    throw new Refusal('wrong-state', `this loan owes ${inr(total)}; only up to ${inr(tolerance)} can be rounded off`)
  const money = {
    paise: total,
    from: 'ROUNDED_OFF',
    on,
    today: on,
    isPartPayment: true,
    keep: 'INSTALLMENT',
    at,
  } as const
  const { postings, allocation: _, ...after } = repay({ loan, rows: earned.rows }, money)
  const entry: LedgerEntry = {
    caseRef,
    entryId: `round-off-${posted.filter(({ kind }) => kind === 'ROUND_OFF').length + 1}`,
    kind: 'ROUND_OFF',
    businessOn: on,
    reverses: null,
    postings,
  }
  const change = { before: account, after, entries: [...withCase(caseRef, earned.entries), entry] }
  return storeChangeWithSchedule(tx, change, { reason: 'ROUND_OFF', on }, at)
}

function obstacleTo(loan: Loan, on: string): string | null {
  if (!isRunning(loan.status)) return 'this loan does not run'
  if (loan.writtenOffOn !== null) return 'this loan is written off'
  if (hasIncomeSuspense(loan)) return 'this loan is non-performing; its class changes first'
  if (loan.settlementPaise !== null) return 'this loan has an agreement to settle it for less'
  if (on <= coolingOffUntil(loan) || (loan.exitUntil !== null && on <= loan.exitUntil))
    return 'the borrower can still cancel this loan'
  return null
}
