// Matches a bank receipt with a borrower's claim by amount, method and date (D3 §6 rule 4).
import { daysBetween } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'

/** A payment, as the borrower claims it or as the bank reports it. */
export interface Transaction {
  amountPaise: Paise
  method: string
  on: string
}

export type MatchFault = 'AMOUNT_MISMATCH' | 'METHOD_MISMATCH' | 'DATE_MISMATCH'

/** Removes blanks and hyphens, and ignores letter case, because borrowers copy references by hand. */
export const normalizeReference = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase()

/**
 * Returns why a claim does not match a receipt with the same reference; null if they match. The date of the receipt may
 * be up to `earlyDays` before and `lateDays` after the claimed date.
 */
export function receiptMismatch(
  claim: Transaction,
  receipt: Transaction,
  { earlyDays, lateDays }: { earlyDays: number; lateDays: number },
): MatchFault | null {
  if (claim.amountPaise !== receipt.amountPaise) return 'AMOUNT_MISMATCH'
  if (claim.method !== receipt.method) return 'METHOD_MISMATCH'
  const days = daysBetween(claim.on, receipt.on)
  return days < -earlyDays || days > lateDays ? 'DATE_MISMATCH' : null
}
