// The effect of a receipt on a loan: an exit, corrections for late money, and the payment; pure rules.

import { type LedgerEntry, ofCase } from '#partner/ledger/store.ts'
import { accrued } from './accrue.ts'
import { type FeeReturns, feeReturned, feeReturnsFrom, type LeavableLoan, mayLeave } from './exit.ts'
import { lateNewsOf, withoutWrongCharges } from './late-news.ts'
import { type Money, type Repaid, repay } from './repay.ts'
import { playedLeftOn, type Replays, replayedWith } from './replay.ts'
import { type InstallmentRow, principalOf } from './row.ts'
import { beyondOf, setOff, spareFrom } from './set-off.ts'

export interface ReceivedMoney extends Omit<Money, 'late' | 'from'> {
  paymentId: string
  returns: FeeReturns
  /** All entries of the case, if the money is earlier than today. */
  posted: LedgerEntry[]
}

type ReceiptResult = ReturnType<typeof repay> & {
  /** The other entries. */
  entries: LedgerEntry[]
  hasLeft: boolean
}

/** The rows must be accrued until today. Where other money meanwhile keeps a loan from being left, it is not. */
export function receive(loan: LeavableLoan, rows: InstallmentRow[], received: ReceivedMoney): ReceiptResult {
  const { posted, returns, on, today, at } = received
  const isLate = on < today && mayLeave(loan, on, returns)
  const leftOn = isLate ? playedLeftOn({ loan, rows, posted, at }, { ...received, until: loan.exitUntil }) : undefined
  const leaving = feeReturned(loan, rows, { ...received, leftOn }, returns)
  const left = leaving && paidInto(loan, leaving, received, [leaving.entry])
  if (left && principalOf(left.rows) === 0n) return left
  return paidInto(loan, { loan, rows, moved: [], isReplanned: false }, received, [])
}

/** The loan after money was applied, after a fee refund if there is an entry for one. */
function paidInto(loan: LeavableLoan, now: Repaid, received: ReceivedMoney, returned: LedgerEntry[]): ReceiptResult {
  const { paymentId, returns, posted, ...given } = received
  const { on, today, at } = given
  const money = { ...given, from: 'BANK' as const }
  const leftOn = returned[0]?.businessOn ?? null
  const hasLeft = leftOn !== null
  if (on === today) return { ...repay(now, money), entries: returned, hasLeft }
  const replays = replayedWith({ ...now, posted, at }, { ...given, leftOn })
  const { entries, spare, ...right } = chargesTakenBack(now, replays, { ...received, caseRef: loan.caseRef })
  const news = lateNewsOf({ ...right, posted, at }, replays, today)
  const beyond = spare + returned.reduce((sum, { postings }) => sum + beyondOf(postings), 0n)
  const late = { ...news, kept: news.kept === null ? null : news.kept - beyond }
  return { ...repay(right, { ...money, late }), entries: [...returned, ...entries], hasLeft }
}

/** The loan without penal charges that the money shows to be wrong: what was paid of them pays what is owed, and is to spare beyond that. */
function chargesTakenBack(
  now: Repaid,
  replays: Replays,
  { caseRef, paymentId, posted, today, at }: ReceivedMoney & { caseRef: string },
) {
  const right = withoutWrongCharges({ ...now, posted, at }, replays, { caseRef, paymentId, today })
  const { rows, entries } = right
  const freed = beyondOf(entries.flatMap(({ postings }) => postings))
  if (freed === 0n) return { ...now, rows, entries, spare: 0n }
  const after = setOff({ ...now, rows }, spareFrom([...posted, ...entries]), { caseRef, on: today, at })
  const spare = freed + beyondOf(after.entries.flatMap(({ postings }) => postings))
  return { ...after, entries: [...entries, ...after.entries], spare }
}

interface LeavingUnpaid {
  /** All entries of the case. */
  posted: LedgerEntry[]
  /** The day on which the borrower had asked and the money was there. */
  on: string
  today: string
  at: Date
}

/**
 * The loan closed without further money, because the fee refund of a day covers everything owed; null when it does not.
 * Interest since that day is refunded with the fee.
 */
export function leftUnpaid(
  loan: LeavableLoan,
  rows: InstallmentRow[],
  { posted, ...days }: LeavingUnpaid,
): (Repaid & { entries: LedgerEntry[] }) | null {
  const earned = accrued(rows, loan.terms, days.today, days.at)
  const none = { paymentId: 'request', paise: 0n, isPartPayment: true, keep: 'INSTALLMENT' } as const
  const received = { ...none, ...days, returns: feeReturnsFrom(posted), posted }
  const { entries, postings, hasLeft, ...after } = receive(loan, earned.rows, received)
  if (!hasLeft) return null
  const returned = entries.map((entry) =>
    entry.kind === 'FEE_RETURN' ? { ...entry, postings: [...entry.postings, ...postings] } : entry,
  )
  return { ...after, entries: [...ofCase(loan.caseRef, earned.entries), ...returned] }
}
