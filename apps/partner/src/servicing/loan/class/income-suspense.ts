// The booked but unreceived income of non-performing loans, which is kept in suspense. Pure functions.

import type { Paise } from '@lendloom/lending/money'
import type { ChartAccount } from '#partner/books/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/books/ledger/entry.ts'
import { accountOfPart } from '#partner/servicing/loan/allocate.ts'
import type { InstallmentRow } from '#partner/servicing/loan/installment-row.ts'
import type { Loan } from '#partner/servicing/loan/loan.ts'

export type IncomeKind = 'penalty' | 'charges' | 'interest'
const incomeOf: Record<IncomeKind, ChartAccount> = {
  penalty: 'PENALTY_INCOME',
  charges: 'CHARGES_INCOME',
  interest: 'INTEREST_INCOME',
}
export const incomeKinds = ['penalty', 'charges', 'interest'] as const

const notBelowZero = (paise: Paise): Paise => (paise > 0n ? paise : 0n)

/** Returns a row's income that was booked, but neither refunded nor received. */
export const unreceivedIncome = (row: InstallmentRow, part: IncomeKind): Paise => {
  const booked = row.fellDue || part === 'penalty' ? row.due[part] : part === 'interest' ? row.accrued : 0n
  const refunded = part === 'interest' ? row.interestGivenBack : 0n
  return notBelowZero(booked - refunded - row.paid[part])
}

/** Returns the income in suspense of a row, for a non-performing loan. */
export const suspenseOf = (row: InstallmentRow): Paise =>
  incomeKinds.reduce((sum, part) => sum + unreceivedIncome(row, part), 0n)

/** The rows of a loan, and whether it is non-performing. */
export interface RowsWithClass {
  rows: InstallmentRow[]
  isNonPerforming: boolean
}

/**
 * Returns the postings between income and suspense when the rows or the class of a loan change. Suspended income
 * becomes income when it is received or the loan performs again. Suspense that a waiver or settlement in `posted`
 * removed does not become income. Rows that are paid before and after the change may be omitted.
 */
export function suspensePostings(before: RowsWithClass, after: RowsWithClass, posted: Posting[] = []): Posting[] {
  if (!before.isNonPerforming && !after.isNonPerforming) return []
  const rows = new Map<number, { previous?: InstallmentRow; current?: InstallmentRow }>()
  for (const row of before.rows) rows.set(row.number, { previous: row })
  for (const row of after.rows) rows.set(row.number, { ...rows.get(row.number), current: row })
  return [...rows].flatMap(([number, { previous, current }]) => {
    if (previous === current && before.isNonPerforming === after.isNonPerforming) return []
    return incomeKinds.flatMap((part) => {
      const suspended = (row: InstallmentRow | undefined, { isNonPerforming }: RowsWithClass) =>
        row && isNonPerforming ? unreceivedIncome(row, part) : 0n
      return posting(
        incomeOf[part],
        'INCOME_SUSPENSE',
        suspended(current, after) - suspended(previous, before) + waivedSuspense(posted, part, number),
        number,
      )
    })
  })
}

const waivedSuspense = (posted: Posting[], part: IncomeKind, number: number): Paise =>
  posted.reduce((sum, { debit, credit, installment, paise }) => {
    if (installment !== number) return sum
    if (debit === 'INCOME_SUSPENSE' && credit === accountOfPart[part]) return sum + paise
    return debit === accountOfPart[part] && credit === 'INCOME_SUSPENSE' ? sum - paise : sum
  }, 0n)

/**
 * Returns the entry that makes income of what a settlement took from suspense, when the settlement is undone while the
 * loan performs. The next day-end classifies the loan again.
 */
export function suspendedIncome(settlement: LedgerEntry | undefined, on: string): LedgerEntry[] {
  const postings = (settlement?.postings ?? []).flatMap(({ debit, credit, installment, paise }) => {
    const part = incomeKinds.find((each) => accountOfPart[each] === credit)
    return debit === 'INCOME_SUSPENSE' && part ? posting('INCOME_SUSPENSE', incomeOf[part], paise, installment) : []
  })
  const cause = settlement && { ...settlement, entryId: `reversal-${settlement.entryId}`, businessOn: on }
  return cause && postings.length > 0 ? [suspenseEntry(cause, postings)] : []
}

/** Returns the suspense postings as their own entry, so that the entry of their cause can be reversed alone. */
export const suspenseEntry = (
  cause: Pick<LedgerEntry, 'caseRef' | 'entryId' | 'businessOn'>,
  postings: Posting[],
): LedgerEntry => ({
  caseRef: cause.caseRef,
  entryId: `suspense-${cause.entryId}`,
  kind: 'SUSPENSE',
  businessOn: cause.businessOn,
  reverses: null,
  postings,
})

/** Whether a loan's unreceived income is in suspense. The income of a written-off loan is not in the books. */
export const hasIncomeSuspense = ({ npaOn, writtenOffOn }: Pick<Loan, 'npaOn' | 'writtenOffOn'>): boolean =>
  npaOn !== null && writtenOffOn === null

/** Returns the suspense entry for entries of a non-performing loan, whose rows change from `before` to `after`. */
export function suspenseEntriesFor(
  hasSuspense: boolean,
  entries: LedgerEntry[],
  before: InstallmentRow[],
  after: InstallmentRow[],
): LedgerEntry[] {
  const cause = entries.at(-1)
  if (!hasSuspense || !cause) return []
  const isNonPerforming = true
  const posted = entries.flatMap(({ postings }) => postings)
  const postings = suspensePostings({ rows: before, isNonPerforming }, { rows: after, isNonPerforming }, posted)
  return [suspenseEntry(cause, postings)]
}
