// A loan as derived from its entries alone: sums of its lines, and its state on a day.

import type { Paise } from '@lendloom/lending/money'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import type { JournalLine } from '#partner/books/ledger/store.ts'
import type { LoanTerms } from '#partner/origination/terms/terms.ts'
import type { LoanHistory, LoanLine, RecordedClass } from './store.ts'

export type Lines = JournalLine[]
export const receivables: ChartAccount[] = ['PRINCIPAL', 'INTEREST', 'PENALTY', 'CHARGES', 'ACCRUED_INTEREST']

const sumOf = (lines: Lines, paiseOf: (line: JournalLine) => Paise): Paise =>
  lines.reduce((sum, line) => sum + paiseOf(line), 0n)
export const debitsLessCredits = (lines: Lines, ...of: ChartAccount[]): Paise =>
  sumOf(lines, ({ debit, credit, paise }) => (of.includes(debit) ? paise : 0n) - (of.includes(credit) ? paise : 0n))
export const debitsOf = (lines: Lines, ...of: ChartAccount[]): Paise =>
  sumOf(lines, ({ debit, paise }) => (of.includes(debit) ? paise : 0n))
export const creditsOf = (lines: Lines, ...of: ChartAccount[]): Paise =>
  sumOf(lines, ({ credit, paise }) => (of.includes(credit) ? paise : 0n))
/** Whether the line makes the borrower owe a refund, because the bank took the refunded money back. */
export const isRefundClaim = ({ kind, debit, credit }: JournalLine): boolean =>
  kind === 'AMENDMENT' && debit === 'PRINCIPAL' && credit === 'UNAPPLIED'

/** Returns the posting day of the return of the payout, after which the loan counts as never lent; null without one. */
export const payoutReturnedOn = (lines: Lines): string | null =>
  lines.find(({ kind, reverses }) => kind === 'REVERSAL' && reverses === 'disbursement')?.postedOn ?? null

export const lastOf = (days: string[]): string | null => days.toSorted().at(-1) ?? null

export const isReversed = ({ entryId }: JournalLine, lines: Lines, until: string): boolean =>
  lines.some(({ reverses, postedOn }) => reverses === entryId && postedOn <= until)

export interface DerivedLoan extends LoanHistory {
  line: LoanLine
  terms: LoanTerms
}

/** A day before all entries, and one after them. */
export const beginning = '0001-01-01'
export const endOfTime = '9999-12-31'

export const isNpa = (state: string): boolean => state !== 'STANDARD' && !state.startsWith('SMA')

export const isOpen = (lines: Lines): boolean =>
  debitsLessCredits(lines, 'PRINCIPAL') > 0n ||
  [...Map.groupBy(lines, ({ installment }) => installment).values()].some(
    (row) =>
      debitsLessCredits(row, 'PENALTY') > 0n ||
      debitsLessCredits(row, 'INTEREST', 'CHARGES') > 0n ||
      debitsLessCredits(row, 'INTEREST', 'CHARGES', 'ACCRUED_INTEREST') >= 100n,
  )

export const classKnownOn = (classes: RecordedClass[], day: string): string =>
  classes.findLast(({ recordedOn, correctedOn }) => recordedOn <= day && (correctedOn === null || correctedOn > day))
    ?.assetClass ?? 'STANDARD'

export const duesChanges = (lines: Lines): Lines =>
  lines.filter(
    ({ kind, debit, credit }) =>
      kind !== 'DUE' && kind !== 'ACCRUAL' && (receivables.includes(debit) || receivables.includes(credit)),
  )
