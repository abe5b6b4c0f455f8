// The asset class of a loan, from its borrower's arrears at a day-end (RBI, income recognition and asset
// classification). Pure functions.

import { daysBetween, plusDays, plusMonths } from '@lendloom/lending/calendar'

/** The classes, from best to worst. A loan is performing, and a standard asset, up to `SMA_2`. */
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

/** Why a loan has its class. */
export type ClassReason =
  | 'ARREARS'
  | 'OTHER_LOAN' // arrears of another loan of the borrower
  | 'AGE' // the time for which the loan has been non-performing
  | 'ARREARS_PAID'
  | 'ARREARS_WAIVED' // some arrears were waived, the others paid
  | 'DECISION' // an officer's decision

/** A class applies above this number of days past due. */
const daysPastDueAbove = { SMA_1: 30, SMA_2: 60, SUB_STANDARD: 90 } as const
/** A class applies after this number of months as non-performing. */
const nonPerformingMonths = { DOUBTFUL_1: 12, DOUBTFUL_2: 24, DOUBTFUL_3: 48 } as const

export const isNonPerforming = (assetClass: AssetClass): boolean =>
  assetClasses.indexOf(assetClass) >= assetClasses.indexOf('SUB_STANDARD')

/** The combined arrears of a borrower's loans. */
export interface Arrears {
  /**
   * The earliest day from which an unpaid amount counts, over all loans: its due date, or the first day with debits after
   * a due date without debits. Null if there is no unpaid amount.
   */
  oldestDueOn: string | null
  /** The business day whose day-end made the borrower non-performing; null while performing. */
  npaOn: string | null
  /** Whether an officer classified the loans as a loss. */
  isLoss: boolean
  /** Whether arrears were waived while non-performing, without a later payment, or given up by a settlement. */
  awaitsPayment: boolean
}

export interface Classification {
  assetClass: AssetClass
  npaOn: string | null
  daysPastDue: number
}

/** Returns the days past due at a day-end. The day from which the arrears above the tolerance count is the first day. */
export const daysPastDue = (oldestDueOn: string | null, on: string): number =>
  oldestDueOn === null || oldestDueOn > on ? 0 : daysBetween(oldestDueOn, on) + 1

/**
 * Returns the class at a day-end. A borrower stays non-performing until all overdue amounts of all loans are paid. A
 * part payment or a settlement is not enough, nor is a waiver without a later payment.
 */
export function classOn({ oldestDueOn, npaOn, isLoss, awaitsPayment }: Arrears, on: string): Classification {
  const days = daysPastDue(oldestDueOn, on)
  if (days === 0 && (npaOn === null || !awaitsPayment)) return { assetClass: 'STANDARD', npaOn: null, daysPastDue: 0 }
  const sinceArrears = dayOfNpa(oldestDueOn, days)
  const since = npaOn !== null && (sinceArrears === null || npaOn < sinceArrears) ? npaOn : sinceArrears
  if (since === null) return { assetClass: specialMention(days), npaOn: null, daysPastDue: days }
  return { assetClass: isLoss ? 'LOSS' : nonPerforming(since, on), npaOn: since, daysPastDue: days }
}

/**
 * The day-end at which arrears made a loan non-performing; null if they did not. It follows from the due date, because a
 * returned payment can uncover arrears that are much older than today.
 */
const dayOfNpa = (oldestDueOn: string | null, days: number): string | null =>
  oldestDueOn !== null && days > daysPastDueAbove.SUB_STANDARD
    ? plusDays(oldestDueOn, daysPastDueAbove.SUB_STANDARD)
    : null

const specialMention = (days: number): AssetClass =>
  days > daysPastDueAbove.SMA_2 ? 'SMA_2' : days > daysPastDueAbove.SMA_1 ? 'SMA_1' : 'SMA_0'

function nonPerforming(since: string, on: string): AssetClass {
  const isAfter = (months: number) => on >= plusMonths(since, months)
  if (isAfter(nonPerformingMonths.DOUBTFUL_3)) return 'DOUBTFUL_3'
  if (isAfter(nonPerformingMonths.DOUBTFUL_2)) return 'DOUBTFUL_2'
  return isAfter(nonPerformingMonths.DOUBTFUL_1) ? 'DOUBTFUL_1' : 'SUB_STANDARD'
}

/** Returns the reason for a change of class. `isOwn`: the loan itself has the oldest arrears of the borrower. */
export function reasonOf(
  before: AssetClass,
  { assetClass }: Classification,
  { isOwn, isWaived }: { isOwn: boolean; isWaived: boolean },
): ClassReason {
  if (assetClass === 'STANDARD') return isWaived ? 'ARREARS_WAIVED' : 'ARREARS_PAID'
  if (isNonPerforming(before) && isNonPerforming(assetClass)) return 'AGE'
  return isOwn ? 'ARREARS' : 'OTHER_LOAN'
}
