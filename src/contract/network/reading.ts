// Reads the values that lenders write in many ways: money, percentages, months (FIS12 §7.3).
import { type Paise, paiseFrom, rupees } from '#kit/money/money.ts'

/** Paise of `1000`, `1,000.50`, `1000 INR`, `₹ 1000` or `Rs. 1000`; null when it is no amount of whole paise. */
export function moneyOf(value: string | number): Paise | null {
  const bare = String(value)
    .trim()
    .replace(/^(?:INR|₹|Rs\.?)\s*/i, '')
    .replace(/(?<!\s)\s*(?:INR|\/-)$/i, '')
  const plain = /^-?\d{1,3}(?:,\d{2,3})+(?:\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare
  return paiseFrom(plain.replace(/(\.\d\d)0+$/, '$1'))
}

/** `14%` of `14%`, `14 %`, `14.0` or `14 percent`; null when it is no percentage. */
export function percentOf(value: string | number): string | null {
  const match = /^(-?\d+(?:\.\d+)?)(?:\s*(?:%|percent|per cent))?(?:\s*p\.?a\.?)?$/i.exec(String(value).trim())
  return match && `${match[1]}%`
}

/**
 * A charge in the one form of its kind: an amount with its currency as `1000.00`, a percentage as `1.5%`, anything else as
 * the lender wrote it: a percentage by the year is another charge than one without. A bare number could be either, and is left
 * alone, whole or with a fraction.
 */
export function chargeOf(text: string): string {
  const isPercent = text.includes('%') || /per\s?cent/i.test(text)
  const percent = isPercent && !/p\.?\s?a\b|annum|year/i.test(text) ? percentOf(text) : null
  if (percent !== null) return percent.includes('.') ? percent.replace(/(?<!0)0+%$/, '%').replace('.%', '%') : percent
  const amount = /^[\s\d.,-]*$/.test(text) ? null : moneyOf(text)
  return amount === null ? text : rupees(amount)
}

/** Months of `12 months`, `12`, `P12M`, `P1Y` or `1 year`; null when it is no whole number of them. */
export function monthsOf(value: string | number): number | null {
  const text = String(value).trim()
  const iso = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?$/i.exec(text)
  if (iso) return Number(iso[1] ?? 0) * 12 + Number(iso[2] ?? 0)
  const words = /^(\d+)\s*(months?|mths?|years?|yrs?)?$/i.exec(text)
  return words && Number(words[1]) * (/^y/i.test(words[2] ?? '') ? 12 : 1)
}

/** A positive whole number such as a count of instalments; null when it is none. */
export function countOf(value: string | number): number | null {
  const match = /^(\d{1,4})(?:\.0+)?(?:\s*installments?|\s*instalments?)?$/i.exec(String(value).trim())
  const count = match ? Number(match[1]) : 0
  return count > 0 ? count : null
}
