// Default labels of codes without their own label: `OFFER_SELECTED` becomes "Offer selected".

import { capitalize } from '@lendloom/foundation/text'
import { inr, paiseFrom } from '@lendloom/lending/money'

const terms: [RegExp, string][] = [
  [/\bbank ?mandate\b/, 'bank account'],
  [/\be-?mandate\b/, 'mandate'],
  [/\bloan ?agreement\b/, 'loan agreement'],
  [/\besign\b/, 'e-sign'],
  [/\bkyc\b/, 'KYC'],
  [/\bpan\b/, 'PAN'],
  [/\bapi\b/, 'API'],
  [/\bondc\b/, 'ONDC'],
  [/\bemi\b/, 'EMI'],
  [/\butr\b/, 'UTR'],
  [/\bpdf\b/, 'PDF'],
  [/^profiled$/, 'profile complete'],
  [/^lender redirected$/, 'sent to the lender'],
]

/** Converts `OFFER_SELECTED`, `offer-selected` and `offer.selected` to `Offer selected`. */
export const labelOf = (code: string): string => {
  const phrase = code.replaceAll(/[_.-]/g, ' ').toLowerCase()
  const text = terms.reduce((label, [pattern, term]) => label.replace(pattern, term), phrase)
  return capitalize(text)
}

/** The label within a sentence, such as `offer selected` or `KYC failed`. */
export const inlineLabelOf = (code: string): string =>
  labelOf(code).replace(/^[A-Z](?=[^A-Z])/, (first) => first.toLowerCase())

/** Why a journey ended, within a sentence. A returned payout needs more words than its code has. */
export const endReasonText = (code: string): string =>
  code === 'PAYOUT_RETURNED'
    ? 'the bank sent the money back to the lender, and the borrower owes nothing'
    : inlineLabelOf(code)

/** Formats an amount, such as `200000.00` as `₹2,00,000`. */
export function rupees(amount: string | null): string {
  const paise = amount === null ? null : paiseFrom(amount)
  return paise === null ? (amount ?? '–') : inr(paise)
}

export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '')

export const shortId = (id: string, maxLength = 14): string =>
  id.length > maxLength ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
