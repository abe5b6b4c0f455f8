// A borrower's exposure: what counts, and which limit an amount would exceed.

import { daysAfter } from '@lendloom/foundation/clock'
import { maxPaise, type Paise } from '@lendloom/lending/money'

/** A running loan, or an application that may become one. */
export interface Exposure {
  /** Whether the loan is disbursed, or its disbursement is pending. */
  isDisbursed: boolean
  /** The outstanding principal of a loan; of an application the offered amount, or else the requested one. */
  paise: Paise
}

/** Older applications without an offer do not count, so that an abandoned application does not block the borrower. */
const countedDays = 30

/** Returns the time from which applications without an offer count. */
export const countedSince = (at: Date): Date => daysAfter(at, -countedDays)

export interface ExposureLimits {
  maxLoans: number
  maxPaise: Paise
}

export type ExposureFault = 'TOO_MANY_LOANS' | 'TOO_MUCH_OWED'

/** Returns the limit that adding this amount would exceed; null if there is none. */
export function exposureFault(others: Exposure[], added: Paise, limits: ExposureLimits): ExposureFault | null {
  if (others.length >= limits.maxLoans) return 'TOO_MANY_LOANS'
  return totalOf(others) + added > limits.maxPaise ? 'TOO_MUCH_OWED' : null
}

/** Returns the largest amount that may be added; null if no further loan may be added at all. */
export function largestAddition(others: Exposure[], limits: ExposureLimits): Paise | null {
  if (others.length >= limits.maxLoans) return null
  return maxPaise(0n, limits.maxPaise - totalOf(others))
}

const totalOf = (exposures: Exposure[]): Paise => exposures.reduce((sum, { paise }) => sum + paise, 0n)
