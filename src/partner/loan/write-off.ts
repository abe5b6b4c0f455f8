// A written-off loan: its claim is a loss in the books, the borrower still owes it, and later money is income.

import type { Paise } from '#kit/money/money.ts'
import type { ChartAccount } from '#partner/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/ledger/store.ts'
import { suspenseOf } from './class/suspense.ts'
import type { InstallmentRow } from './row.ts'

/** A borrower's current and future dues, in the books. */
export const receivables = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'ACCRUED_INTEREST'] as const

const isReceivable = (account: ChartAccount): boolean => receivables.some((each) => each === account)
const isMoney = (account: ChartAccount): boolean => account === 'BANK' || account === 'UNAPPLIED'

/** Interest that was refunded, or charged again, because the lender learned late of money. */
const isGivenBack = ({ debit, credit }: Posting): boolean =>
  [debit, credit].includes('INTEREST_INCOME') && [debit, credit].includes('PRINCIPAL')

/** A reversed penal charge. */
const isPenaltyBack = ({ debit, credit }: Posting): boolean => debit === 'PENALTY_INCOME' && credit === 'PENALTY'

/** Contributions of an entry to the claim: money, refunded interest, and everything else. */
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

/** The books of a loan since its write-off. */
export interface SinceWriteOff {
  /** Entries with a companion entry. */
  entryIds: ReadonlySet<string>
  /** Companion entries of incoming money. */
  money: ReadonlySet<string>
  /** Penal charges by row in suspense at the write-off, without reversed ones. */
  suspendedPenalties: ReadonlyMap<number, Paise>
}

/** The end of a day brings no money and takes no charge back. */
export const nothingSince: SinceWriteOff = { entryIds: new Set(), money: new Set(), suspendedPenalties: new Map() }

/**
 * Adds the entries that keep a written-off loan's claim plus `WRITTEN_OFF` at zero: incoming money is income of
 * recovery, until it is returned; interest and charges that are still owed are lost as they are earned; refunded
 * interest was lost or in suspense, so it reduces no income, and neither does a reversed penal charge that was in
 * suspense.
 */
export function withRecoveries(entries: LedgerEntry[], since: SinceWriteOff): LedgerEntry[] {
  const known = new Set(since.money)
  const suspended = new Map(since.suspendedPenalties)
  const added = entries.flatMap((entry): LedgerEntry[] => {
    const { money, interest, other } = addedBy(entry.postings)
    const wasRecovery = entry.reverses === null ? money < 0n : known.has(entry.reverses)
    if (wasRecovery) known.add(entry.entryId)
    const penalties = isOfBefore(entry, since) ? suspendedOf(entry.postings, suspended) : []
    const postings = [
      ...posting(wasRecovery ? 'RECOVERY_INCOME' : 'WRITE_OFF_LOSS', 'WRITTEN_OFF', money),
      ...posting('INTEREST_INCOME', 'WRITTEN_OFF', interest),
      ...penalties,
      ...posting(
        'WRITE_OFF_LOSS',
        'WRITTEN_OFF',
        penalties.reduce((sum, { paise }) => sum + paise, other),
      ),
    ]
    const { caseRef, entryId, businessOn } = entry
    return [{ caseRef, entryId: recoveryId(entryId), kind: 'RECOVERY', businessOn, reverses: null, postings }]
  })
  return [...entries, ...added]
}

/** Whether an entry reverses one from before the write-off. */
const isOfBefore = ({ reverses }: LedgerEntry, { entryIds }: SinceWriteOff): boolean =>
  reverses !== null && !entryIds.has(reverses)

/** Reversed penal charges that were in suspense: `suspended` has the rest by row. */
const suspendedOf = (postings: Posting[], suspended: Map<number, Paise>): Posting[] =>
  postings.filter(isPenaltyBack).flatMap(({ installment, paise }) => {
    const left = suspended.get(installment) ?? 0n
    const never = paise < left ? paise : left
    suspended.set(installment, left - never)
    return posting('WRITTEN_OFF', 'PENALTY_INCOME', never, installment)
  })

/**
 * The whole claim becomes a loss, except its part in suspense, which was never income: `held` are the rows in suspense.
 */
export function writeOffEntry(
  caseRef: string,
  { claim, held, on }: { claim: Paise; held: InstallmentRow[]; on: string },
): LedgerEntry {
  const suspended = held.flatMap((row) => posting('INCOME_SUSPENSE', 'WRITTEN_OFF', suspenseOf(row), row.number))
  const loss = suspended.reduce((sum, { paise }) => sum - paise, claim)
  return {
    ...{ caseRef, entryId: 'write-off', kind: 'WRITE_OFF', businessOn: on, reverses: null },
    postings: [...suspended, ...posting('WRITE_OFF_LOSS', 'WRITTEN_OFF', loss)],
  }
}
