// Whether a receipt of the bank is the payment that a borrower claims: by reference, amount, method and date (D3 §6 rule 4).
import { daysBetween } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'

/** The borrower's claim, or the bank's record. */
export interface Transaction {
  amountPaise: Paise
  method: string
  on: string
}

export type MatchFault = 'AMOUNT_MISMATCH' | 'METHOD_MISMATCH' | 'DATE_MISMATCH'

/** References are copied by hand, so blanks and letter case are ignored. */
export const plainReference = (text: string): string => text.replaceAll(/[\s-]/g, '').toUpperCase()

/**
 * Null when they are one; they bear the same reference already. A receipt may be dated `earlyDays` before the claimed date,
 * for a borrower's night is the bank's next day and the other way round, and up to `lateDays` after it.
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
