// Interest as it is earned day by day: simple, on the principal to come, actual/365; pure rules.

import { interestOn } from '#kit/money/annuity.ts'
import { daysBetween } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Entry, posting } from '#partner/ledger/entry.ts'
import { bpsOf } from './rounding.ts'
import { currentRow, type Row } from './row.ts'
import type { LoanTerms } from './terms.ts'

type Rate = Pick<LoanTerms, 'annualRatePercent'>

/**
 * What is earned of the current row until the end of a day, to the paisa: its interest less that of the days to come. Early
 * repayments of principal have lowered its interest, so what was earned before them stays earned. All of it on its due date.
 */
export function earnedBy(rows: Row[], { annualRatePercent }: Rate, on: string): Paise {
  const current = currentRow(rows)
  if (!current) return 0n
  const principal = rows.reduce((sum, row) => (row.fellDue ? sum : sum + row.due.principal), 0n)
  const left = BigInt(Math.max(daysBetween(on, current.dueOn), 0))
  const rate = { numerator: bpsOf(annualRatePercent) * left, denominator: 10_000n * 365n }
  const earned = current.due.interest - interestOn(principal, rate, 1n)
  return earned > 0n ? earned : 0n
}

/**
 * Books what was earned until a day and is not booked yet: once for a row and day. Nothing changes when a later day was
 * booked, or nothing was earned. Rows must have all that have not fallen due.
 */
export function accrued(
  rows: Row[],
  rate: Rate,
  on: string,
  at: Date,
): { rows: Row[]; entries: Omit<Entry, 'caseRef'>[] } {
  const current = currentRow(rows)
  if (!current || on >= current.dueOn || on <= (current.accruedOn ?? '')) return { rows, entries: [] }
  const earned = earnedBy(rows, rate, on)
  const postings = posting('ACCRUED_INTEREST', 'INTEREST_INCOME', earned - current.accrued, current.number)
  const booked = {
    ...current,
    accrued: earned,
    accruedOn: on,
    updatedAt: earned === current.accrued ? current.updatedAt : at,
  }
  return {
    rows: rows.map((row) => (row === current ? booked : row)),
    entries: [
      { entryId: `accrual-${current.number}-${on}`, kind: 'ACCRUAL', businessOn: on, reverses: null, postings },
    ],
  }
}
