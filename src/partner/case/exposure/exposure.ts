// What one borrower has of the lender at once: loans that run, and applications that may become loans; by number and by amount.
import type { Paise } from '#kit/money/money.ts'
import { daysAfter } from '#kit/runtime/clock.ts'

export interface Exposure {
  /** The money is out, or ordered to go out. */
  isPaid: boolean
  /** Of a loan the principal that is outstanding, of an application the amount that is offered, or asked for until then. */
  paise: Paise
}

/** An application that has waited for its offer for longer is no longer counted: no borrower is kept out by what they left lying. */
const waitingDays = 30

/** Since when applications without an offer count. */
export const countedSince = (at: Date): Date => daysAfter(at, -waitingDays)

export interface ExposureLimits {
  mostLoans: number
  mostPaise: Paise
}

export type ExposureFault = 'TOO_MANY_LOANS' | 'TOO_MUCH_OWED'

/** Why this amount may not be added to what a borrower has; null when it may. */
export function exposureFault(others: Exposure[], added: Paise, limits: ExposureLimits): ExposureFault | null {
  if (others.length >= limits.mostLoans) return 'TOO_MANY_LOANS'
  return owedBy(others) + added > limits.mostPaise ? 'TOO_MUCH_OWED' : null
}

const owedBy = (all: Exposure[]): Paise => all.reduce((sum, { paise }) => sum + paise, 0n)
