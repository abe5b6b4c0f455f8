// A loan as derived from its ledger entries alone: sums over its journal lines, and whether it is open, reversed or
// non-performing.

import type { Paise } from '@lendloom/lending/money'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import type { JournalLine } from '#partner/books/ledger/store.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import type { LoanHistory, LoanLine, RecordedClass } from './store.ts'

export type JournalLines = JournalLine[]
/** The accounts of what borrowers owe. */
export const receivables: ChartAccount[] = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'ACCRUED_INTEREST']

const sumOf = (lines: JournalLines, paiseOf: (line: JournalLine) => Paise): Paise =>
  lines.reduce((sum, line) => sum + paiseOf(line), 0n)
/** Returns the balance of the accounts `of` after the lines. */
export const debitsLessCredits = (lines: JournalLines, ...of: ChartAccount[]): Paise =>
  sumOf(lines, ({ debit, credit, paise }) => (of.includes(debit) ? paise : 0n) - (of.includes(credit) ? paise : 0n))
/** Returns the sum of the debits of the accounts `of`. */
export const debitsOf = (lines: JournalLines, ...of: ChartAccount[]): Paise =>
  sumOf(lines, ({ debit, paise }) => (of.includes(debit) ? paise : 0n))
/** Returns the sum of the credits of the accounts `of`. */
export const creditsOf = (lines: JournalLines, ...of: ChartAccount[]): Paise =>
  sumOf(lines, ({ credit, paise }) => (of.includes(credit) ? paise : 0n))
/** Whether the line makes the borrower owe a refund, because the bank took the refunded money back. */
export const isRefundClaim = ({ kind, debit, credit }: JournalLine): boolean =>
  kind === 'AMENDMENT' && debit === 'PRINCIPAL' && credit === 'UNAPPLIED'

/** Returns the posting day of the return of the payout, after which the loan counts as never lent; null without one. */
export const payoutReturnedOn = (lines: JournalLines): string | null =>
  lines.find(({ kind, reverses }) => kind === 'REVERSAL' && reverses === 'disbursement')?.postedOn ?? null

/** Returns the latest of the days; null without days. */
export const latestDay = (days: string[]): string | null => days.toSorted().at(-1) ?? null

/** Whether the line's entry was reversed by the day `until`. */
export const isReversed = ({ entryId }: JournalLine, lines: JournalLines, until: string): boolean =>
  lines.some(({ reverses, postedOn }) => reverses === entryId && postedOn <= until)

/** A loan with its stored figures (`line`), which are compared with those derived from its entries. */
export interface DerivedLoan extends LoanHistory {
  line: LoanLine
  terms: LoanTerms
}

/** A day before all entries. */
export const beginning = '0001-01-01'
/** A day after all entries. */
export const endOfTime = '9999-12-31'

/** Whether an asset class is non-performing: neither standard nor a special mention account. */
export const isNpa = (state: string): boolean => state !== 'STANDARD' && !state.startsWith('SMA')

/** Whether something is owed. Accrued interest below a rupee does not keep a loan open. */
export const isOpen = (lines: JournalLines): boolean =>
  debitsLessCredits(lines, 'PRINCIPAL') > 0n ||
  [...Map.groupBy(lines, ({ installment }) => installment).values()].some(
    (row) =>
      debitsLessCredits(row, 'PENALTY') > 0n ||
      debitsLessCredits(row, 'INTEREST', 'CHARGES') > 0n ||
      debitsLessCredits(row, 'INTEREST', 'CHARGES', 'ACCRUED_INTEREST') >= 100n,
  )

/** Returns the class of a loan as it was known at the end of a day, before later corrections. */
export const classKnownOn = (classes: RecordedClass[], day: string): string =>
  classes.findLast(({ recordedOn, correctedOn }) => recordedOn <= day && (correctedOn === null || correctedOn > day))
    ?.assetClass ?? 'STANDARD'

/** Returns the lines that change what the borrower owes, other than by the schedule itself. */
export const duesChanges = (lines: JournalLines): JournalLines =>
  lines.filter(
    ({ kind, debit, credit }) =>
      kind !== 'DUE' && kind !== 'ACCRUAL' && (receivables.includes(debit) || receivables.includes(credit)),
  )
