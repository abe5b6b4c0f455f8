// Takes back returns of a fee beyond the first one: an earlier version gave it back once for each receipt after a cooling-off exit.

import type { Tx } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import { ofCase, reversalOf } from '#partner/ledger/entry.ts'
import { entriesOfFeeReturns, entriesOfUnapplied } from '#partner/ledger/store.ts'
import { accrued } from './accrue.ts'
import { allocationFrom } from './allocate.ts'
import { feeReturnsFrom } from './exit.ts'
import type { LoanStatus } from './lifecycle.ts'
import { unpaid } from './repay.ts'
import { setOff, spareFrom } from './set-off.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount } from './store.ts'

export interface FeeReturnsTakenBack {
  paise: Paise
  loanStatus: LoanStatus
}

/**
 * Under the lock of the case; money beyond the schedule, or principal, is less by what was given back too much. Null where at
 * most one return is in force: the same again changes nothing.
 */
export async function takeBackDoubleFeeReturns(
  tx: Tx,
  caseRef: string,
  on: string,
  at: Date,
): Promise<FeeReturnsTakenBack | null> {
  const [account, returns, unapplied] = await Promise.all([
    lockAccount(tx, caseRef),
    entriesOfFeeReturns(tx, caseRef),
    entriesOfUnapplied(tx, caseRef),
  ])
  const [, ...double] = feeReturnsFrom(returns).inForce
  if (!account || double.length === 0) return null
  const { loan, rows } = account
  const taken = double.map((entry) => reversalOf(entry, `reversal-${entry.entryId}`, on))
  const earned = accrued(rows, loan.terms, on, at)
  const principal = double.reduce((sum, entry) => sum + allocationFrom(entry).principal, 0n)
  const allocation = { shares: [], principal, back: [], unapplied: 0n }
  const opened = unpaid({ loan, rows: earned.rows }, allocation, { penalty: loan.terms.penalty, on, at })
  const { entries, ...after } = setOff(opened, spareFrom([...unapplied, ...taken]), { caseRef, on, at })
  const all = [...ofCase(caseRef, earned.entries), ...taken, ...entries]
  const settling = { before: account, after, entries: all }
  const loanStatus = await settleRepaid(tx, settling, { reason: 'FEE_RETURN_REVERSED', on }, at)
  const paise = double.flatMap(({ postings }) => postings).reduce((sum, posting) => sum + posting.paise, 0n)
  return { paise, loanStatus }
}
