// Money beyond the schedule is set off against reopened rows, and returned when it turns out to be missing.
import type { Paise } from '#kit/money/money.ts'
import { type LedgerEntry, type Posting, reversalOf } from '#partner/ledger/store.ts'
import { allocationFrom } from './allocate.ts'
import { type Repaid, repay, unpaid } from './repay.ts'
import { keptBefore } from './replan.ts'

/** A case's balance beyond its schedule, negative when more was set off than is left, and the active set-offs. */
export interface Spare {
  paise: Paise
  inForce: LedgerEntry[]
  /** How many set-offs there ever were. */
  made: number
}

/** `entries` are those that touch the account `UNAPPLIED`. */
export function spareFrom(entries: LedgerEntry[]): Spare {
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  const made = entries.filter(({ kind }) => kind === 'SET_OFF').sort((a, b) => numberOf(a) - numberOf(b))
  return {
    paise: beyondOf(entries.flatMap(({ postings }) => postings)),
    inForce: made.filter(({ entryId }) => !reversed.has(entryId)),
    made: made.length,
  }
}

/** The postings' sum beyond the schedule. */
export const beyondOf = (postings: Posting[]): Paise =>
  postings.reduce((sum, { debit, credit, paise }) => {
    return sum + (credit === 'UNAPPLIED' ? paise : 0n) - (debit === 'UNAPPLIED' ? paise : 0n)
  }, 0n)

const numberOf = ({ entryId }: LedgerEntry): number => Number(entryId.slice('set-off-'.length))

/** The case and business day of a set-off. */
interface Cause {
  caseRef: string
  on: string
  at: Date
}

/**
 * After rows were opened, or money beyond the schedule was removed: reverses the latest set-offs that are no longer
 * covered, and sets off the available balance, including what the opening released. A borrower with an unapplied
 * balance is never overdue.
 */
export function setOff(account: Repaid, spare: Spare, { caseRef, on, at }: Cause): Repaid & { entries: LedgerEntry[] } {
  const entries: LedgerEntry[] = []
  let now = account
  let left = spare.paise + beyondOf(account.moved)
  const went = (next: Repaid): void => {
    now = { ...next, moved: [...now.moved, ...next.moved], isReplanned: now.isReplanned || next.isReplanned }
  }
  for (const earlier of spare.inForce.toReversed()) {
    if (left >= 0n) break
    const opened = unpaid(now, allocationFrom(earlier), { penalty: now.loan.terms.penalty, on, at })
    went(opened)
    left += beyondOf(opened.moved)
    left -= beyondOf(earlier.postings)
    entries.push(reversalOf(earlier, `reversal-${earlier.entryId}`, on))
  }
  if (left > 0n) {
    const keep = keptBefore(now.loan)
    const money = { paise: left, from: 'UNAPPLIED', on, today: on, isPartPayment: false, keep, at } as const
    const { allocation, postings, ...after } = repay({ loan: now.loan, rows: now.rows }, money)
    went(after)
    const entryId = `set-off-${spare.made + 1}`
    if (postings.length > 0)
      entries.push({ caseRef, entryId, kind: 'SET_OFF', businessOn: on, reverses: null, postings })
  }
  return { ...now, entries }
}
