// Default labels of codes without their own label: `OFFER_SELECTED` becomes "Offer selected".

/** Words of codes that are replaced by a term or an acronym. */
const known: [RegExp, string][] = [
  [/\bbank ?mandate\b/, 'bank account'],
  [/\be-?mandate\b/, 'mandate'],
  [/\bloan ?agreement\b/, 'loan agreement'],
  [/\bkyc\b/, 'KYC'],
  [/\bpan\b/, 'PAN'],
  [/\bapi\b/, 'API'],
  [/\bondc\b/, 'ONDC'],
  [/\bemi\b/, 'EMI'],
  [/\butr\b/, 'UTR'],
]

/** `OFFER_SELECTED` and `offer-selected` as `Offer selected`. */
export const worded = (code: string): string => {
  const plain = code.replaceAll(/[_-]/g, ' ').toLowerCase()
  const text = known.reduce((before, [pattern, words]) => before.replace(pattern, words), plain)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** As above within a sentence: `offer selected`, `KYC failed`. */
export const wordedInside = (code: string): string =>
  worded(code).replace(/^[A-Z](?=[^A-Z])/, (first) => first.toLowerCase())
