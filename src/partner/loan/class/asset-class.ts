// Asset class of a loan by its borrower's arrears at a day-end (RBI, income recognition and asset classification); pure
// rules.

import { daysBetween } from '#kit/money/calendar.ts'

/** From best to worst. Up to SMA-2 a loan is performing, and a standard asset. */
export const assetClasses = [
  'STANDARD',
  'SMA_0',
  'SMA_1',
  'SMA_2',
  'SUB_STANDARD',
  'DOUBTFUL_1',
  'DOUBTFUL_2',
  'DOUBTFUL_3',
  'LOSS',
] as const
export type AssetClass = (typeof assetClasses)[number]

/**
 * The reason for a class: overdue, another loan of the borrower, time as non-performing, all arrears paid, all arrears
 * paid or waived, an officer's decision.
 */
export type ClassReason = 'ARREARS' | 'OTHER_LOAN' | 'AGE' | 'ARREARS_PAID' | 'ARREARS_WAIVED' | 'DECISION'

/** A class applies above this number of days past due. */
const overdueFrom = { SMA_1: 30, SMA_2: 60, SUB_STANDARD: 90 } as const
/** A class applies after this many months as non-performing. */
const npaFrom = { DOUBTFUL_1: 12, DOUBTFUL_2: 24, DOUBTFUL_3: 48 } as const

export const isNonPerforming = (assetClass: AssetClass): boolean =>
  assetClasses.indexOf(assetClass) >= assetClasses.indexOf('SUB_STANDARD')

/** The combined arrears of a borrower's loans. */
export interface Arrears {
  /** The oldest unpaid due date of all loans; null when nothing is overdue. */
  oldestDueOn: string | null
  /** The business day whose day-end made the borrower non-performing; null while performing. */
  npaOn: string | null
  /** An officer classified the loans as a loss. */
  isLoss: boolean
  /** Arrears were waived while the borrower was non-performing, and no payment followed. */
  awaitsPayment: boolean
}

export interface Classification {
  assetClass: AssetClass
  npaOn: string | null
  daysPastDue: number
}

/** Returns the days past due at a day-end; the day-end of the due date is day one. */
export const daysPastDue = (oldestDueOn: string | null, on: string): number =>
  oldestDueOn === null || oldestDueOn > on ? 0 : daysBetween(oldestDueOn, on) + 1

/**
 * Returns the class at a day-end. A borrower stays non-performing until all overdue amounts of all loans are paid; a
 * part payment or a waiver without a payment is not enough. The class worsens with time.
 */
export function classOn({ oldestDueOn, npaOn, isLoss, awaitsPayment }: Arrears, on: string): Classification {
  const days = daysPastDue(oldestDueOn, on)
  if (days === 0 && (npaOn === null || !awaitsPayment)) return { assetClass: 'STANDARD', npaOn: null, daysPastDue: 0 }
  const since = npaOn ?? (days > overdueFrom.SUB_STANDARD ? on : null)
  if (since === null) return { assetClass: specialMention(days), npaOn: null, daysPastDue: days }
  return { assetClass: isLoss ? 'LOSS' : nonPerforming(since, on), npaOn: since, daysPastDue: days }
}

const specialMention = (days: number): AssetClass =>
  days > overdueFrom.SMA_2 ? 'SMA_2' : days > overdueFrom.SMA_1 ? 'SMA_1' : 'SMA_0'

function nonPerforming(since: string, on: string): AssetClass {
  const isAfter = (months: number) => on >= plusMonths(since, months)
  if (isAfter(npaFrom.DOUBTFUL_3)) return 'DOUBTFUL_3'
  if (isAfter(npaFrom.DOUBTFUL_2)) return 'DOUBTFUL_2'
  return isAfter(npaFrom.DOUBTFUL_1) ? 'DOUBTFUL_1' : 'SUB_STANDARD'
}

/** Returns the same day of a later month, or that month's last day. */
function plusMonths(on: string, months: number): string {
  const [year = 0, month = 0, day = 0] = on.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  last.setUTCDate(Math.min(day, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** Returns the reason for a change of class. */
export function reasonOf(
  before: AssetClass,
  { assetClass }: Classification,
  { isOwn, isWaived }: { isOwn: boolean; isWaived: boolean },
): ClassReason {
  if (assetClass === 'STANDARD') return isWaived ? 'ARREARS_WAIVED' : 'ARREARS_PAID'
  if (isNonPerforming(before) && isNonPerforming(assetClass)) return 'AGE'
  return isOwn ? 'ARREARS' : 'OTHER_LOAN'
}
