// Income of a loan that is non-performing: what was booked and is not received is in suspense, and nowhere in income; pure rules.

import type { Paise } from '#kit/money/money.ts'
import type { ChartAccount } from '#partner/ledger/chart.ts'
import { type LedgerEntry, type Posting, posting } from '#partner/ledger/store.ts'
import { accountOfPart } from '#partner/loan/allocate.ts'
import type { Loan } from '#partner/loan/loan.ts'
import type { InstallmentRow } from '#partner/loan/row.ts'

export type IncomeKind = 'penalty' | 'charges' | 'interest'
const incomeOf: Record<IncomeKind, ChartAccount> = {
  penalty: 'PENALTY_INCOME',
  charges: 'CHARGES_INCOME',
  interest: 'INTEREST_INCOME',
}
const earnings = ['penalty', 'charges', 'interest'] as const

const notBelowZero = (paise: Paise): Paise => (paise > 0n ? paise : 0n)

/** Income of a row that was booked, and neither refunded nor received. */
export const unreceived = (row: InstallmentRow, part: IncomeKind): Paise => {
  const booked = row.fellDue || part === 'penalty' ? row.due[part] : part === 'interest' ? row.accrued : 0n
  const givenBack = part === 'interest' ? row.interestGivenBack : 0n
  return notBelowZero(booked - givenBack - row.paid[part])
}

/** The suspense of a row while its loan is non-performing. */
export const suspenseOf = (row: InstallmentRow): Paise =>
  earnings.reduce((sum, part) => sum + unreceived(row, part), 0n)

/** The rows of a loan, and whether it is non-performing. */
export interface ClassedRows {
  rows: InstallmentRow[]
  isNonPerforming: boolean
}

/**
 * Moves between income and suspense as rows and class change: when the loan becomes non-performing, booked but
 * unreceived income, and later earnings, go into suspense; received income, and all of it when the loan performs again,
 * returns. Suspense that `made` removed itself, as a waiver does, does not become income. Rows that are settled before
 * and after may be missing on both sides.
 */
export function suspensePostings(before: ClassedRows, after: ClassedRows, made: Posting[] = []): Posting[] {
  if (!before.isNonPerforming && !after.isNonPerforming) return []
  const rows = new Map<number, { was?: InstallmentRow; is?: InstallmentRow }>()
  for (const row of before.rows) rows.set(row.number, { was: row })
  for (const row of after.rows) rows.set(row.number, { ...rows.get(row.number), is: row })
  return [...rows].flatMap(([number, { was, is }]) => {
    if (was === is && before.isNonPerforming === after.isNonPerforming) return []
    return earnings.flatMap((part) => {
      const held = (row: InstallmentRow | undefined, { isNonPerforming }: ClassedRows) =>
        row && isNonPerforming ? unreceived(row, part) : 0n
      return posting(
        incomeOf[part],
        'INCOME_SUSPENSE',
        held(is, after) - held(was, before) + waivedOf(made, part, number),
        number,
      )
    })
  })
}

const waivedOf = (made: Posting[], part: IncomeKind, number: number): Paise =>
  made.reduce((sum, { debit, credit, installment, paise }) => {
    const isOf = debit === 'INCOME_SUSPENSE' && credit === accountOfPart[part] && installment === number
    return isOf ? sum + paise : sum
  }, 0n)

/** As above as a separate entry, so that its cause can be reversed without it. */
export const suspenseEntry = (
  cause: Pick<LedgerEntry, 'caseRef' | 'entryId' | 'businessOn'>,
  postings: Posting[],
): LedgerEntry => ({
  ...{ caseRef: cause.caseRef, entryId: `suspense-${cause.entryId}`, kind: 'SUSPENSE' },
  ...{ businessOn: cause.businessOn, reverses: null, postings },
})

/** Whether income of a loan is held back: of one that was written off the books count nothing, and so there is nothing to hold. */
export const holdsIncome = ({ npaOn, writtenOffOn }: Pick<Loan, 'npaOn' | 'writtenOffOn'>): boolean =>
  npaOn !== null && writtenOffOn === null

/** Moves earnings and receipts of an act on a non-performing loan into or out of suspense. */
export function heldBack(
  isHeld: boolean,
  entries: LedgerEntry[],
  before: InstallmentRow[],
  after: InstallmentRow[],
): LedgerEntry[] {
  const cause = entries.at(-1)
  if (!isHeld || !cause) return []
  const isNonPerforming = true
  const made = entries.flatMap(({ postings }) => postings)
  const moved = suspensePostings({ rows: before, isNonPerforming }, { rows: after, isNonPerforming }, made)
  return [suspenseEntry(cause, moved)]
}
