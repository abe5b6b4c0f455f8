// An amount is a bigint of whole paise in the programs, and a decimal string of rupees in messages; never a float.

export type Paise = bigint

/** Reads an amount of a message: `"1234"`, `"01234.5"` or `"-1234.50"`. Returns null for any other text. */
export function paiseFrom(text: string): Paise | null {
  const match = /^(-?)0*(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text)
  if (!match) return null
  const [, sign, rupees = '', fraction = ''] = match
  const paise = BigInt(rupees) * 100n + BigInt(fraction.padEnd(2, '0'))
  return sign ? -paise : paise
}

/** Reads an amount such as `1000`, `1,000.50`, `1000 INR`, `₹ 1000` or `Rs. 1000`. Null for any other text. */
export function moneyOf(value: string | number): Paise | null {
  const digits = String(value)
    .trim()
    .replace(/^(?:INR|₹|Rs\.?)\s*/i, '')
    .replace(/(?<!\s)\s*(?:INR|\/-)$/i, '')
  // The last group has three digits, in India too: a comma before two digits is a decimal comma.
  const ungrouped = /^-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits
  return paiseFrom(ungrouped.replace(/(\.\d\d)0+$/, '$1'))
}

/** Reads a percentage such as `14`, `014 %` or `14 percent` as `14%`, and `-0` as `0%`. Returns null for any other text. */
export function percentOf(value: string | number): string | null {
  const [, digits] =
    /^(-?\d+(?:\.\d+)?)(?:\s*(?:%|percent|per cent))?(?:\s*p\.?a\.?)?$/i.exec(String(value).trim()) ?? []
  if (digits === undefined) return null
  const plain = digits.replace(/^(-?)0+(?=\d)/, '$1')
  return `${/[1-9]/.test(plain) ? plain : plain.replace('-', '')}%`
}

/** Like `paiseFrom`, for a text that a schema has validated. Throws for any other text. */
export function checkedPaise(text: string): Paise {
  const paise = paiseFrom(text)
  if (paise === null) throw new RangeError(`${JSON.stringify(text)} is not an amount`)
  return paise
}

/** Writes rupees with exactly two decimals: 123450n is `"1234.50"`. */
export function rupees(paise: Paise): string {
  const digits = (paise < 0n ? -paise : paise).toString().padStart(3, '0')
  return `${paise < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Divides, and rounds a half away from zero. The denominator must be positive. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  const half = denominator / 2n
  return numerator < 0n ? -((-numerator + half) / denominator) : (numerator + half) / denominator
}

/** Rounds to whole rupees, as the regulator requires for every transaction. */
export const toWholeRupees = (paise: Paise): Paise => divideHalfUp(paise, 100n) * 100n

// Created on first use, because creating a format takes milliseconds.
let paisaFormat: Intl.NumberFormat | undefined
const isDecimal = (text: string): text is `${number}` => /^-?\d+\.\d{2}$/.test(text)

/** Writes an amount for a column of a table: `1,00,000.00`. */
export function grouped(amount: Paise): string {
  const text = rupees(amount)
  if (!isDecimal(text)) throw new Error(`${text} is not an amount`)
  paisaFormat ??= new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  return paisaFormat.format(text)
}

let rupeeFormat: Intl.NumberFormat | undefined

/** Writes an amount for a sentence: `₹2,00,000` or `₹1,234.50`. */
export function inr(amount: Paise): string {
  rupeeFormat ??= new Intl.NumberFormat('en-IN')
  const whole = rupeeFormat.format(amount / 100n)
  return amount % 100n === 0n ? `₹${whole}` : `₹${whole}.${rupees(amount).slice(-2)}`
}

export const minPaise = (...amounts: [Paise, ...Paise[]]): Paise =>
  amounts.reduce((min, each) => (each < min ? each : min))
export const maxPaise = (...amounts: [Paise, ...Paise[]]): Paise =>
  amounts.reduce((max, each) => (each > max ? each : max))

/**
 * Reads a non-negative number: `decimalFrom('1,020.5', 3)` is `1020500n` thousandths. Ignores grouping commas, and
 * rounds half up after `places` decimals. Returns null for any other text.
 */
export function decimalFrom(text: string, places: number): bigint | null {
  const match = /^(?!,)([\d,]{1,20})(?:\.(\d{1,40}))?$/.exec(text)
  if (!match) return null
  const [, whole = '', decimals = ''] = match
  const fraction = decimals.padEnd(places + 1, '0')
  const parts = BigInt(whole.replaceAll(',', '') + fraction.slice(0, places))
  return fraction.charAt(places) >= '5' ? parts + 1n : parts
}

/** Writes a number that `decimalFrom` read, with at least `minDecimals` decimals and no further trailing zeros. */
export function decimalText(parts: bigint, places: number, minDecimals = 0): string {
  const digits = parts.toString().padStart(places + 1, '0')
  const fraction = digits.slice(digits.length - places)
  const decimals = places === 0 ? '' : fraction.replace(/(?<!0)0+$/, '').padEnd(minDecimals, '0')
  return digits.slice(0, digits.length - places) + (decimals && `.${decimals}`)
}
