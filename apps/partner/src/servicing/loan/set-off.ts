// Sets off the unapplied balance against reopened rows, and reverses set-offs that the balance no longer covers.
import type { Paise } from '@lendloom/lending/money'
import { type LedgerEntry, type Posting, reversalOf } from '#partner/books/ledger/entry.ts'
import { allocationFrom } from './allocate.ts'
import { type LoanState, repay, reverseRepayment } from './repay.ts'
import { choiceOfEarlierPayments } from './replan.ts'

/** A case's unapplied balance, which is negative if set-offs exceed it, and its set-offs. */
export interface UnappliedBalance {
  paise: Paise
  /** The set-offs that were not reversed, oldest first. */
  active: LedgerEntry[]
  /** Includes reversed set-offs. */
  count: number
}

/** Computes the balance from a case's entries that post to the account `UNAPPLIED`. */
export function unappliedBalanceFrom(entries: LedgerEntry[]): UnappliedBalance {
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  const setOffs = entries.filter(({ kind }) => kind === 'SET_OFF').sort((a, b) => numberOf(a) - numberOf(b))
  return {
    paise: unappliedIn(entries.flatMap(({ postings }) => postings)),
    active: setOffs.filter(({ entryId }) => !reversed.has(entryId)),
    count: setOffs.length,
  }
}

/** Returns the net amount that postings add to `UNAPPLIED`. */
export const unappliedIn = (postings: Posting[]): Paise =>
  postings.reduce((sum, { debit, credit, paise }) => {
    return sum + (credit === 'UNAPPLIED' ? paise : 0n) - (debit === 'UNAPPLIED' ? paise : 0n)
  }, 0n)

const numberOf = ({ entryId }: LedgerEntry): number => Number(entryId.slice('set-off-'.length))

interface SetOffContext {
  caseRef: string
  /** The business day of the set-off. */
  on: string
  at: Date
}

/**
 * Reverses the latest set-offs that the balance no longer covers, then sets off the available balance. Must run
 * whenever rows reopened or the unapplied balance changed. A borrower with an unapplied balance is never overdue.
 */
export function setOff(
  account: LoanState,
  balance: UnappliedBalance,
  { caseRef, on, at }: SetOffContext,
): LoanState & { entries: LedgerEntry[] } {
  const entries: LedgerEntry[] = []
  let state = account
  let available = balance.paise + unappliedIn(account.conversions)
  const applyResult = (next: LoanState): void => {
    state = {
      ...next,
      conversions: [...state.conversions, ...next.conversions],
      isReplanned: state.isReplanned || next.isReplanned,
    }
  }
  for (const setOffEntry of balance.active.toReversed()) {
    if (available >= 0n) break
    const reopened = reverseRepayment(state, allocationFrom(setOffEntry), { penalty: state.loan.terms.penalty, on, at })
    applyResult(reopened)
    available += unappliedIn(reopened.conversions)
    // The set-off took this money from the balance, so its reversal returns it.
    available -= unappliedIn(setOffEntry.postings)
    entries.push(reversalOf(setOffEntry, `reversal-${setOffEntry.entryId}`, on))
  }
  if (available > 0n) {
    const keep = choiceOfEarlierPayments(state.loan)
    const money = { paise: available, from: 'UNAPPLIED', on, today: on, isPartPayment: false, keep, at } as const
    const { allocation, postings, ...after } = repay({ loan: state.loan, rows: state.rows }, money)
    applyResult(after)
    const entryId = `set-off-${balance.count + 1}`
    if (postings.length > 0)
      entries.push({ caseRef, entryId, kind: 'SET_OFF', businessOn: on, reverses: null, postings })
  }
  return { ...state, entries }
}
