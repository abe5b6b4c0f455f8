// Entries of written-off loans: the claim is a loss in the books, and money from the borrower is recovery income.

import type { Paise } from '@lendloom/lending/money'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/books/ledger/entry.ts'
import { suspenseOf } from './class/income-suspense.ts'
import type { InstallmentRow } from './installment-row.ts'

/** The accounts of a borrower's current and future dues. */
export const receivables = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'ACCRUED_INTEREST'] as const

const isReceivable = (account: ChartAccount): boolean => receivables.some((each) => each === account)
const isMoney = (account: ChartAccount): boolean => account === 'BANK' || account === 'UNAPPLIED'

/** Whether a posting refunds interest, or charges it again, because the bank reported money late. */
const isInterestRefund = ({ debit, credit }: Posting): boolean =>
  [debit, credit].includes('INTEREST_INCOME') && [debit, credit].includes('PRINCIPAL')

/** Whether a posting reverses a penal charge. */
const isPenaltyReversal = ({ debit, credit }: Posting): boolean => debit === 'PENALTY_INCOME' && credit === 'PENALTY'

/** Returns an entry's contributions to the claim: money, refunded interest, and everything else. */
function contributionsOf(postings: Posting[]) {
  let money = 0n
  let interest = 0n
  let other = 0n
  for (const each of postings) {
    const { debit, credit, paise } = each
    if (isReceivable(debit) === isReceivable(credit)) continue
    // A debit of a receivable raises the claim; a credit reduces it.
    const isRaised = isReceivable(debit)
    const change = isRaised ? paise : -paise
    const contra = isRaised ? credit : debit
    if (isMoney(contra)) money += change
    else if (isInterestRefund(each)) interest += change
    else other += change
  }
  return { money, interest, other }
}

export const recoveryId = (entryId: string): string => `recovery-${entryId}`

/** Facts of a loan's ledger since its write-off. */
export interface LedgerSinceWriteOff {
  /** Ids of the entries that have a companion entry. */
  entryIds: ReadonlySet<string>
  /** Ids of those entries that brought money from the borrower, which was booked as recovery income. */
  moneyEntryIds: ReadonlySet<string>
  /** Penal charges that were in suspense at the write-off and are not reversed, keyed by row. */
  suspendedPenalties: ReadonlyMap<number, Paise>
}

/** For a day-end, which posts no money and reverses no charge. */
export const noEntriesSinceWriteOff: LedgerSinceWriteOff = {
  entryIds: new Set(),
  moneyEntryIds: new Set(),
  suspendedPenalties: new Map(),
}

/**
 * Adds companion entries that keep a written-off loan's claim plus `WRITTEN_OFF` at zero. Incoming money is recovery
 * income until it is returned. Interest and charges that accrue later are a loss at once. Refunded interest, and a
 * reversed penal charge that was in suspense, reduce no income, because they were a loss or in suspense.
 */
export function withRecoveries(entries: LedgerEntry[], since: LedgerSinceWriteOff): LedgerEntry[] {
  const recoveryIds = new Set(since.moneyEntryIds)
  const suspended = new Map(since.suspendedPenalties)
  const companions = entries.flatMap((entry): LedgerEntry[] => {
    const { money, interest, other } = contributionsOf(entry.postings)
    const isRecovery = entry.reverses === null ? money < 0n : recoveryIds.has(entry.reverses)
    if (isRecovery) recoveryIds.add(entry.entryId)
    const penalties = reversesEarlierEntry(entry, since) ? releaseSuspended(entry.postings, suspended) : []
    const postings = [
      ...posting(isRecovery ? 'RECOVERY_INCOME' : 'WRITE_OFF_LOSS', 'WRITTEN_OFF', money),
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
  return [...entries, ...companions]
}

/** Whether an entry reverses an entry from before the write-off. */
const reversesEarlierEntry = ({ reverses }: LedgerEntry, { entryIds }: LedgerSinceWriteOff): boolean =>
  reverses !== null && !entryIds.has(reverses)

/** Returns postings for reversed penal charges that were in suspense, and deducts them from `suspended`. */
const releaseSuspended = (postings: Posting[], suspended: Map<number, Paise>): Posting[] =>
  postings.filter(isPenaltyReversal).flatMap(({ installment, paise }) => {
    const left = suspended.get(installment) ?? 0n
    const fromSuspense = paise < left ? paise : left
    suspended.set(installment, left - fromSuspense)
    return posting('WRITTEN_OFF', 'PENALTY_INCOME', fromSuspense, installment)
  })

/** Returns the entry of a write-off. The claim becomes a loss, except the part that is still in suspense. */
export function writeOffEntry(
  caseRef: string,
  { claim, suspendedRows, on }: { claim: Paise; suspendedRows: InstallmentRow[]; on: string },
): LedgerEntry {
  const suspended = suspendedRows.flatMap((row) =>
    posting('INCOME_SUSPENSE', 'WRITTEN_OFF', suspenseOf(row), row.number),
  )
  const loss = suspended.reduce((sum, { paise }) => sum - paise, claim)
  return {
    caseRef,
    entryId: 'write-off',
    kind: 'WRITE_OFF',
    businessOn: on,
    reverses: null,
    postings: [...suspended, ...posting('WRITE_OFF_LOSS', 'WRITTEN_OFF', loss)],
  }
}
