// Money beyond the schedule pays rows that open again, and is taken back from them when it turns out not to be there.
import type { Paise } from '#kit/money/money.ts'
import { type Entry, posting, reversalOf } from '#partner/ledger/entry.ts'
import { accountOfPart, allocate, allocationFrom, received, takenBack } from './allocate.ts'
import type { PenaltyPolicy } from './penalty.ts'
import { parts, type Row } from './row.ts'

/** What a case holds beyond its schedule, below zero when more was set off than is left, and the set-offs that stand. */
export interface Spare {
  paise: Paise
  inForce: Entry[]
  /** How many set-offs there ever were. */
  made: number
}

/** `entries` are those that touch the account `UNAPPLIED`. */
export function spareFrom(entries: Entry[]): Spare {
  const reversed = new Set(entries.map(({ reverses }) => reverses))
  const made = entries.filter(({ kind }) => kind === 'SET_OFF').sort((a, b) => numberOf(a) - numberOf(b))
  const touching = entries.flatMap(({ postings }) => postings)
  return {
    paise: touching.reduce((sum, { debit, credit, paise }) => {
      return sum + (credit === 'UNAPPLIED' ? paise : 0n) - (debit === 'UNAPPLIED' ? paise : 0n)
    }, 0n),
    inForce: made.filter(({ entryId }) => !reversed.has(entryId)),
    made: made.length,
  }
}

const numberOf = ({ entryId }: Entry): number => Number(entryId.slice('set-off-'.length))

interface Cause {
  caseRef: string
  penalty: PenaltyPolicy
  /** The business day of what changed the rows. */
  on: string
}

/**
 * What has to be done after rows opened, or money beyond the schedule went away: the latest set-offs that are no longer
 * covered are taken back, and what is there pays what is owed. Nobody is overdue with money of theirs in our hands.
 */
export function setOff(rows: Row[], spare: Spare, { caseRef, penalty, on }: Cause, at: Date) {
  const entries: Entry[] = []
  let now = rows
  let left = spare.paise
  for (const earlier of spare.inForce.toReversed()) {
    if (left >= 0n) break
    now = takenBack(now, allocationFrom(earlier), { penalty, on, at })
    left += earlier.postings.reduce((sum, { paise }) => sum + paise, 0n)
    entries.push(reversalOf(earlier, `reversal-${earlier.entryId}`, on))
  }
  const { shares } = allocate(now, left > 0n ? left : 0n)
  if (shares.length > 0) {
    now = received(now, { shares, unapplied: 0n }, at)
    const postings = shares.flatMap((share) =>
      parts.flatMap((part) => posting('UNAPPLIED', accountOfPart[part], share[part], share.number)),
    )
    const entryId = `set-off-${spare.made + 1}`
    entries.push({ caseRef, entryId, kind: 'SET_OFF', businessOn: on, reverses: null, postings })
  }
  return { rows: now, entries }
}
