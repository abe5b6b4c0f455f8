// The figures that the regulator's returns of a lender are filled in from: of a period, and of the book after its last
// day's end.

import type { Run } from '#kit/db/sql.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Period } from '#partner/ledger/store.ts'
import { classesOnDay, type DayOfClass } from '#partner/loan/class/store.ts'
import { applicationCounts, borrowerCounts, type Count, endingCounts, entryCounts } from './store.ts'

/** In the report's order: applications, money, endings, waivers, recoveries. */
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
  'RECOVERED',
] as const
export type FigureName = (typeof figureNames)[number]

interface Figure {
  name: FigureName
  count: number
  /** Null where only a number means something. */
  paise: Paise | null
}

const worth: readonly FigureName[] = [
  ...(['DISBURSEMENT', 'RECEIPT', 'FEE_RETURN', 'PENALTY'] as const),
  ...(['WAIVER', 'REFUND', 'WRITE_OFF', 'RECOVERED'] as const),
]

export interface Returns extends Period {
  figures: Figure[]
  /** Borrowers who owe principal now, each once by PAN, and those of them whose loans are non-performing. */
  borrowers: number
  nonPerforming: number
  /** The book at the end of the period's last day, by class; empty where that day was not ended. */
  book: DayOfClass[]
}

/** Includes both days. Missing events are listed as zero. */
export async function returnsOf(db: Run, period: Period): Promise<Returns> {
  const [applications, entries, endings, [owing], book] = await Promise.all([
    applicationCounts(db, period),
    entryCounts(db, period),
    endingCounts(db, period),
    borrowerCounts(db),
    classesOnDay(db, period.to),
  ])
  const counts = new Map<string, Count>([...applications, ...entries, ...endings].map((each) => [each.name, each]))
  const figures = figureNames.map((name): Figure => {
    const { count, paise } = counts.get(name) ?? { count: 0, paise: null }
    return { name, count, paise: worth.includes(name) ? (paise ?? 0n) : null }
  })
  return { ...period, figures, borrowers: owing?.borrowers ?? 0, nonPerforming: owing?.nonPerforming ?? 0, book }
}
