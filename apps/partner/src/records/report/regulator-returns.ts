// The regulator's returns: events of a period, and the loan book at the end of its last day.

import type { Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { Period } from '#partner/books/ledger/store.ts'
import { classesOnDay, type ProvisionedClass } from '#partner/servicing/loan/class/store.ts'
import { applicationCounts, borrowerCounts, type Count, endingCounts, entryCounts } from './store.ts'

/** In the order of the report. Lower-case names count applications, upper-case names count loans. */
const figureNames = [
  'received',
  'offered',
  'accepted',
  'rejected',
  'stopped',
  'lapsed',
  'DISBURSEMENT',
  'RECEIPT',
  'CLOSED',
  'CLOSED_EARLY',
  'FEE_RETURN',
  'PENALTY',
  'WAIVER',
  'REFUND',
  'WRITE_OFF',
  'SETTLEMENT',
  'RECOVERED',
] as const
export type FigureName = (typeof figureNames)[number]

interface Figure {
  name: FigureName
  count: number
  /** Null for a figure without an amount. */
  paise: Paise | null
}

const figuresWithAmount: readonly FigureName[] = [
  'DISBURSEMENT',
  'RECEIPT',
  'FEE_RETURN',
  'PENALTY',
  'WAIVER',
  'REFUND',
  'WRITE_OFF',
  'SETTLEMENT',
  'RECOVERED',
]

export interface Returns extends Period {
  figures: Figure[]
  /** Borrowers (by PAN) who owe principal now. */
  borrowers: number
  /** The number of these borrowers who have a non-performing loan. */
  nonPerforming: number
  /** Loans by class at the end of the period's last day; empty if its day-end has not run. */
  book: ProvisionedClass[]
}

/** Returns the figures of a period, which includes its first and last day. Figures without events are zero. */
export async function returnsOf(db: Run, period: Period): Promise<Returns> {
  const [applications, entries, endings, [owingBorrowers], book] = await Promise.all([
    applicationCounts(db, period),
    entryCounts(db, period),
    endingCounts(db, period),
    borrowerCounts(db),
    classesOnDay(db, period.to),
  ])
  const counts = new Map<string, Count>([...applications, ...entries, ...endings].map((each) => [each.name, each]))
  const figures = figureNames.map((name): Figure => {
    const { count, paise } = counts.get(name) ?? { count: 0, paise: null }
    return { name, count, paise: figuresWithAmount.includes(name) ? (paise ?? 0n) : null }
  })
  return {
    ...period,
    figures,
    borrowers: owingBorrowers?.borrowers ?? 0,
    nonPerforming: owingBorrowers?.nonPerforming ?? 0,
    book,
  }
}
