// The terms and instalments of a loan, as they are stored in JSON.

import { recordOf } from '@lendloom/foundation/record'
import { businessDate } from '@lendloom/lending/calendar'
import { moneyOf, percentOf, rupees } from '@lendloom/lending/money'
import type { Terms } from '@lendloom/lending/terms'
import type { InstallmentStatus } from '@lendloom/wire/hosted/embed-servicing'

/** The terms that are amounts of money. */
const amountNames = [
  'principal',
  'interest',
  'processingFee',
  'otherUpfront',
  'insurance',
  'otherCharges',
  'netDisbursed',
  'installmentAmount',
] as const

/** The terms of an offer as stored in JSON. Amounts are strings of digits, in paise. */
export type StoredTerms = Omit<Terms, (typeof amountNames)[number]> & Record<(typeof amountNames)[number], string>

/** Writes amounts as strings, because JSON has no bigint. */
export const toStoredTerms = (terms: Terms): StoredTerms => ({
  ...terms,
  ...recordOf(amountNames, (name) => terms[name].toString()),
})

/** Inverse of `toStoredTerms`. */
export const termsFrom = (stored: StoredTerms): Terms => ({
  ...stored,
  ...recordOf(amountNames, (name) => BigInt(stored[name])),
})

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

/** An instalment of the lender's schedule, with the status that the lender sent. `amount` is digits, in paise. */
export interface Installment {
  serialNumber: number
  amount: string
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED' | 'FAILED'
  startsAt: string
  dueAt: string
}

/** The status of an instalment at an instant (D1 §2.4). An unpaid instalment is DUE from its due date in India. */
export function installmentStatus({ status, dueAt }: Installment, at: Date): InstallmentStatus {
  if (status === 'PAID') return 'PAID'
  if (status === 'DEFERRED') return 'CLOSED'
  if (status === 'DELAYED' || status === 'FAILED') return 'OVERDUE'
  return businessDate(at) < businessDate(new Date(dueAt)) ? 'NOT-DUE' : 'DUE'
}
