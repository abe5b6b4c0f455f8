// A lender's text of a charge, in one form for amounts and percentages.

import { moneyOf, percentOf, rupees } from '@lendloom/lending/money'

/**
 * Normalises a charge: an amount with a currency becomes `1000.00`, and a percentage becomes `1.5%`. Any other text is
 * unchanged. A percentage per year is a different charge, and a bare number may be an amount or a percentage.
 */
export function chargeOf(text: string): string {
  const isPercent = text.includes('%') || /per\s?cent/i.test(text)
  const percent = isPercent && !/p\.?\s?a\b|annum|year/i.test(text) ? percentOf(text) : null
  if (percent !== null) return percent.includes('.') ? percent.replace(/(?<!0)0+%$/, '%').replace('.%', '%') : percent
  const amount = /^[\s\d.,-]*$/.test(text) ? null : moneyOf(text)
  return amount === null ? text : rupees(amount)
}
