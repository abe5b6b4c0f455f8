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

/** Interest that was given back as the lender learnt late of money, or was charged again. */
const isGivenBack = ({ debit, credit }: Posting): boolean =>
  [debit, credit].includes('INTEREST_INCOME') && [debit, credit].includes('PRINCIPAL')

/** What an entry adds to the claim: by money that came or went, by interest that was given back, and by everything else. */
function addedBy(postings: Posting[]) {
  let [money, interest, other] = [0n, 0n, 0n]
  for (const each of postings) {
    const { debit, credit, paise } = each
    if (isReceivable(debit) === isReceivable(credit)) continue
    const [sign, against] = isReceivable(debit) ? [1n, credit] : [-1n, debit]
    if (isMoney(against)) money += sign * paise
    else if (isGivenBack(each)) interest += sign * paise
    else other += sign * paise
  }
  return { money, interest, other }
}

export const recoveryId = (entryId: string): string => `recovery-${entryId}`

/**
 * What goes with entries of a loan that was written off, so that its claim and `WRITTEN_OFF` together stay nothing: money that
 * comes is income of recovery, and no longer when it goes again; interest and charges that are still owed are lost as they are
 * earned; interest that is given back was lost or in suspense, and so takes nothing from income. `recoveries` are the entries of money that came since.
 */
export function withRecoveries(entries: Entry[], recoveries: ReadonlySet<string>): Entry[] {
  const known = new Set(recoveries)
  const added = entries.flatMap((entry): Entry[] => {
    const { money, interest, other } = addedBy(entry.postings)
    const wasRecovery = entry.reverses === null ? money < 0n : known.has(entry.reverses)
    if (wasRecovery) known.add(entry.entryId)
    const postings = [
      ...posting(wasRecovery ? 'RECOVERY_INCOME' : 'WRITE_OFF_LOSS', 'WRITTEN_OFF', money),
      ...posting('INTEREST_INCOME', 'WRITTEN_OFF', interest),
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
