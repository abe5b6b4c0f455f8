// Writes a loan off, once, with all its dues and the interest accrued by that day.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { balancesFrom, type LedgerEntry, withCase } from '#partner/books/ledger/entry.ts'
import { balancesOf } from '#partner/books/ledger/post-entries.ts'
import { accrue } from './accrue.ts'
import { hasIncomeSuspense } from './class/income-suspense.ts'
import { lockAccount, saveWriteOff } from './store.ts'
import { storeAccountChange } from './store-account-change.ts'
import { receivables, writeOffEntry } from './write-off-entries.ts'

/** Returns the claim on a borrower on a day: principal, interest until the day, penal and other charges. */
export async function claimOnBorrower(tx: Tx, caseRef: string, on: string, at: Date): Promise<Paise> {
  const account = await lockAccount(tx, caseRef)
  return claimWith(tx, caseRef, account ? accrue(account.rows, account.loan.terms, on, at).entries : [])
}

async function claimWith(tx: Tx, caseRef: string, earned: Pick<LedgerEntry, 'postings'>[]): Promise<Paise> {
  const accrued = balancesFrom(earned.flatMap(({ postings }) => postings))
  const balances = await balancesOf(tx, caseRef)
  return receivables.reduce((sum, name) => sum + balances[name] + accrued[name], 0n)
}

/**
 * Writes a loan off under the lock of its case; returns the claim, which the borrower still owes. Throws `absent`
 * without an account, `wrong-state` if nothing is overdue or the loan is already written off.
 */
export async function writeOff(tx: Tx, caseRef: string, on: string, at: Date): Promise<Paise> {
  const before = await lockAccount(tx, caseRef)
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan, rows } = before
  if (loan.writtenOffOn !== null) throw new Refusal('wrong-state', `this loan was written off on ${loan.writtenOffOn}`)
  if (loan.status !== 'OVERDUE') throw new Refusal('wrong-state', 'nothing of this loan is overdue')
  const earned = accrue(rows, loan.terms, on, at)
  const claim = await claimWith(tx, caseRef, earned.entries)
  const suspended = hasIncomeSuspense(loan) ? earned.rows : []
  const entries = [
    ...withCase(caseRef, earned.entries),
    writeOffEntry(caseRef, { claim, suspendedRows: suspended, on }),
  ]
  await storeAccountChange(tx, { before, after: earned.rows, entries }, at)
  await saveWriteOff(tx, caseRef, on)
  return claim
}
