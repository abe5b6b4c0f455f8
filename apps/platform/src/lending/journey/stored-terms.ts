// The terms of an offer or a loan, as they are stored in JSON.

import { recordOf } from '@lendloom/foundation/record'
import type { Terms } from '@lendloom/lending/terms'

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
