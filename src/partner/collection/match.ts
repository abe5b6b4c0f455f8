// Matches a bank receipt with a borrower's claim by amount, method and date (D3 §6 rule 4).
import { daysBetween } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'

/** A borrower's claim, or the bank's receipt. */
export interface Transaction {
  amountPaise: Paise
  method: string
  on: string
}

export type MatchFault = 'AMOUNT_MISMATCH' | 'METHOD_MISMATCH' | 'DATE_MISMATCH'

/** Normalizes a reference. Borrowers copy references by hand, so blanks, hyphens and letter case are ignored. */
export const plainReference = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase()

/**
 * Compares a claim and a receipt with the same reference; null when they match. A receipt may be dated up to
 * `earlyDays` before and `lateDays` after the claimed date, because the bank's day changes at another hour.
 */
export function mismatchOf(
  claim: Transaction,
  receipt: Transaction,
  { earlyDays, lateDays }: { earlyDays: number; lateDays: number },
): MatchFault | null {
  if (claim.amountPaise !== receipt.amountPaise) return 'AMOUNT_MISMATCH'
  if (claim.method !== receipt.method) return 'METHOD_MISMATCH'
  const days = daysBetween(claim.on, receipt.on)
  return days < -earlyDays || days > lateDays ? 'DATE_MISMATCH' : null
}
