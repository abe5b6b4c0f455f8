// A loan that is written off: its claim is a loss in the books, the borrower owes it as before, and what still comes is income.

import type { Paise } from '#kit/money/money.ts'
import type { Account } from '#partner/ledger/accounts.ts'
import { type Entry, type Posting, posting } from '#partner/ledger/entry.ts'
import { suspenseOf } from './class/suspense.ts'
import type { Row } from './row.ts'

/** What a borrower owes, now or later, as the books have it. */
export const receivables = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'ACCRUED_INTEREST'] as const

const isReceivable = (account: Account): boolean => receivables.some((each) => each === account)
const isMoney = (account: Account): boolean => account === 'BANK' || account === 'UNAPPLIED'

/** What an entry adds to the claim: by money that came or went, and by everything else. */
function addedBy(postings: Posting[]) {
  let [money, other] = [0n, 0n]
  for (const { debit, credit, paise } of postings) {
    if (isReceivable(debit) === isReceivable(credit)) continue
    const [sign, against] = isReceivable(debit) ? [1n, credit] : [-1n, debit]
    if (isMoney(against)) money += sign * paise
    else other += sign * paise
  }
  return { money, other }
}

export const recoveryId = (entryId: string): string => `recovery-${entryId}`

/**
 * What goes with entries of a loan that was written off, so that its claim and `WRITTEN_OFF` together stay nothing: money that
 * comes is income of recovery, and no longer when it goes again; interest and charges that are still owed are lost as they are
 * earned. `recoveries` are the entries of money that came since.
 */
export function withRecoveries(entries: Entry[], recoveries: ReadonlySet<string>): Entry[] {
  const known = new Set(recoveries)
  const added = entries.flatMap((entry): Entry[] => {
    const { money, other } = addedBy(entry.postings)
    const wasRecovery = entry.reverses === null ? money < 0n : known.has(entry.reverses)
    if (wasRecovery) known.add(entry.entryId)
    const postings = [
      ...posting(wasRecovery ? 'RECOVERY_INCOME' : 'WRITE_OFF_LOSS', 'WRITTEN_OFF', money),
      ...posting('WRITE_OFF_LOSS', 'WRITTEN_OFF', other),
    ]
    const { caseRef, entryId, businessOn } = entry
    return [{ caseRef, entryId: recoveryId(entryId), kind: 'RECOVERY', businessOn, reverses: null, postings }]
  })
  return [...entries, ...added]
}

/** The whole claim becomes a loss, but for what of it is in suspense, which never was income: `held` are the rows it is held with. */
export function writeOffEntry(caseRef: string, { claim, held, on }: { claim: Paise; held: Row[]; on: string }): Entry {
  const suspended = held.flatMap((row) => posting('INCOME_SUSPENSE', 'WRITTEN_OFF', suspenseOf(row), row.number))
  const loss = suspended.reduce((sum, { paise }) => sum - paise, claim)
  return {
    ...{ caseRef, entryId: 'write-off', kind: 'WRITE_OFF', businessOn: on, reverses: null },
    postings: [...suspended, ...posting('WRITE_OFF_LOSS', 'WRITTEN_OFF', loss)],
  }
}
