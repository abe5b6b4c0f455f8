// Records the agreement to settle an overdue loan for less. It changes no amount before the agreed sum is paid.

import { Refusal } from '@lendloom/foundation/refusal'
import { plusDays } from '@lendloom/lending/calendar'
import { inr, type Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { receiptsOf, unreversedOf } from '#partner/books/ledger/entry.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import { payoffOf } from '#partner/servicing/loan/account-view.ts'
import { lockAccount } from '#partner/servicing/loan/store.ts'
import { saveSettlement } from './store.ts'

/** The longest time that a borrower may get to pay the agreed sum, in days. */
export const maxSettlementDays = 90

interface NewSettlement {
  paise: Paise
  until: string
  today: string
}

/**
 * Agrees to a settlement under the lock of the case. A new agreement replaces an earlier one, and money before it does
 * not count. Throws `absent` without an account; `wrong-state` if nothing is overdue, or the borrower can still cancel
 * the loan; `invalid` for a sum that is not below the amount that closes the loan today, or an impossible last day.
 */
export async function agreeSettlement(tx: Tx, caseRef: string, settlement: NewSettlement, at: Date): Promise<void> {
  const { paise, until, today } = settlement
  const account = await lockAccount(tx, caseRef)
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = account
  if (loan.status !== 'OVERDUE') throw new Refusal('wrong-state', 'nothing of this loan is overdue')
  if (loan.exitUntil !== null && loan.exitUntil >= today)
    throw new Refusal('wrong-state', 'the borrower asked to cancel this loan and can still pay for it')
  const payoff = await payoffOf(tx, caseRef, today, at)
  const total = payoff?.total ?? 0n
  if (paise <= 0n || paise >= total)
    throw new Refusal('invalid', `enter an amount below ${inr(total)}, which closes the loan today`, {
      field: 'amount',
    })
  if (until < today || until > plusDays(today, maxSettlementDays))
    throw new Refusal('invalid', `choose a day from today to ${maxSettlementDays} days from now`, { field: 'until' })
  const posted = await readEntries(tx, caseRef)
  const earlierIds = [...receiptsOf(posted), ...unreversedOf(posted, 'REFUND')].map(({ entryId }) => entryId)
  await saveSettlement(tx, caseRef, { paise, agreedOn: today, until, earlierIds })
}
