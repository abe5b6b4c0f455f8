// Gives up the rest of a loan, as soon as the agreed sum is paid.

import type { Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { hasIncomeSuspense } from '#partner/servicing/loan/class/income-suspense.ts'
import type { Loan } from '#partner/servicing/loan/loan.ts'
import type { LoanState } from '#partner/servicing/loan/repay.ts'
import { unappliedIn } from '#partner/servicing/loan/set-off.ts'
import { giveUpRest, openSettlement } from './settlement.ts'

interface LoanAct {
  after: LoanState
  /** The entries of the act, which are not posted yet. */
  entries: LedgerEntry[]
  unappliedAfter?: Paise
}

/** Adds the loss to an act after which the agreed sum is paid; otherwise returns null. */
export async function settleForLess(
  tx: Tx,
  loan: Loan,
  { after, entries, on, unappliedAfter }: LoanAct & { on: string },
  at: Date,
): Promise<LoanAct | null> {
  const settlement = openSettlement(loan)
  if (!settlement) return null
  const { caseRef } = loan
  const posted = [...(await readEntries(tx, caseRef)), ...entries]
  const unapplied = unappliedIn([...posted.flatMap(({ postings }) => postings), ...after.conversions])
  const given = giveUpRest(
    { rows: after.rows, loan: { ...after.loan, caseRef } },
    {
      settlement,
      posted,
      unapplied,
      unappliedAfter,
      hasSuspense: hasIncomeSuspense(loan),
      on,
      at,
    },
  )
  if (!given) return null
  const { entry, ...settled } = given
  const conversions = [...after.conversions, ...settled.conversions]
  return { after: { ...settled, conversions, isReplanned: true }, entries: [...entries, entry] }
}
