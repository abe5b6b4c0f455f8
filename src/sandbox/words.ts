// Amounts and days as borrowers read them.
import { type Paise, rupees } from '#kit/money.ts'

const indian = new Intl.NumberFormat('en-IN')

/** `₹2,00,000` or `₹1,234.50`, grouped as in India. */
export function inr(amount: Paise): string {
  const whole = indian.format(amount / 100n)
  return amount % 100n === 0n ? `₹${whole}` : `₹${whole}.${rupees(amount).slice(-2)}`
}

const dayFormat = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `20 November 2026` of `2026-11-20`. */
export const dayText = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** The last four characters, the rest hidden. */
export const masked = (text: string): string => `${'•'.repeat(Math.max(0, text.length - 4))}${text.slice(-4)}`
