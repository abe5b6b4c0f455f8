// Money beyond the schedule is refunded: reserved by the order, removed by the bank's proof, released by a failure.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import {
  entriesOfUnapplied,
  findEntry,
  type LedgerEntry,
  ofCase,
  posting,
  readEntries,
  reversalOf,
} from '#partner/ledger/store.ts'
import { accrued } from './accrue.ts'
import { postInBooks } from './end-of-day.ts'
import type { LoanStatus } from './loan.ts'
import { leftUnpaid } from './receive.ts'
import { setOff, spareFrom } from './set-off.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount } from './store.ts'

/** A refund of a case, on a business day. */
export interface RefundOf {
  caseRef: string
  refundId: string
  on: string
}

const refundEntryId = (refundId: string): string => `refund-${refundId}`

/** The reserved amount. */
export const refundEntry = ({ caseRef, refundId, on }: RefundOf, paise: Paise): LedgerEntry => ({
  caseRef,
  entryId: refundEntryId(refundId),
  kind: 'REFUND',
  businessOn: on,
  reverses: null,
  postings: posting('UNAPPLIED', 'REFUND_PAYABLE', paise),
})

/** Sets an amount apart, under the lock of the case. Refused: `absent` no account · `wrong-state` that much is not the borrower's. */
export async function setApart(tx: Tx, refund: RefundOf, paise: Paise, at: Date): Promise<void> {
  const { caseRef } = refund
  const [account, unapplied] = await Promise.all([lockAccount(tx, caseRef), entriesOfUnapplied(tx, caseRef)])
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const spare = spareFrom(unapplied).paise
  if (paise <= 0n || paise > spare)
    throw new Refusal('wrong-state', `${rupees(spare > 0n ? spare : 0n)} is to be returned, and not ${rupees(paise)}`)
  await postInBooks(tx, [refundEntry(refund, paise)], at)
}

/** The bank has proved that the money is with the borrower. */
export async function refundPaid(tx: Tx, { caseRef, refundId, on }: RefundOf, paise: Paise, at: Date): Promise<void> {
  const entry = { caseRef, entryId: `refund-paid-${refundId}`, kind: 'REFUND_PAID' as const, businessOn: on }
  await postInBooks(tx, [{ ...entry, reverses: null, postings: posting('REFUND_PAYABLE', 'BANK', paise) }], at)
}

export interface RefundFailure {
  loanStatus: LoanStatus
  /** The borrower had asked to leave, and the money covered the rest: the fee was refunded with it. */
  hasLeft: boolean
  /** The money paid a due amount, so Status changes. */
  hasPaid: boolean
}

/** The money did not get there: it is the borrower's in our hands again, and pays what is owed by now, under the lock of the case. */
export async function refundFailed(tx: Tx, { caseRef, refundId, on }: RefundOf, at: Date): Promise<RefundFailure> {
  const [account, unapplied, apart] = await Promise.all([
    lockAccount(tx, caseRef),
    entriesOfUnapplied(tx, caseRef),
    findEntry(tx, caseRef, refundEntryId(refundId)),
  ])
  if (!account || !apart) throw new Error(`refund ${refundId} was never set apart`)
  const { loan, rows } = account
  const back = reversalOf(apart, `reversal-${apart.entryId}`, on)
  const earned = accrued(rows, loan.terms, on, at)
  const before = { loan, rows: earned.rows, moved: [], isReplanned: false }
  const { entries, ...paid } = setOff(before, spareFrom([...unapplied, back]), { caseRef, on, at })
  const posted = loan.exitUntil === null ? [] : await readEntries(tx, caseRef)
  const left = leftUnpaid({ ...loan, ...paid.loan }, paid.rows, { posted, on, today: on, at })
  const after = left
    ? { ...left, moved: [...paid.moved, ...left.moved], isReplanned: paid.isReplanned || left.isReplanned }
    : paid
  const all = [...ofCase(caseRef, earned.entries), back, ...entries, ...(left?.entries ?? [])]
  const because = { reason: left ? 'COOLING_OFF_EXIT' : 'REFUND_FAILED', on }
  const loanStatus = await settleRepaid(tx, { before: account, after, entries: all }, because, at)
  return { loanStatus, hasLeft: left !== null, hasPaid: entries.length > 0 }
}
