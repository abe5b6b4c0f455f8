// Decimal text such as `312.450`, computed without a float: as a whole number of its smallest parts.

/**
 * Reads a number that is not negative: `decimalFrom('1,020.5', 3)` is `1020500n`, thousandths. Commas that group digits are
 * taken out; digits beyond `places` are rounded to the nearest. Null when it is no such number.
 */
export function decimalFrom(text: string, places: number): bigint | null {
  const match = /^(?!,)([\d,]{1,20})(?:\.(\d{1,40}))?$/.exec(text)
  if (!match) return null
  const [, whole = '', written = ''] = match
  const fraction = written.padEnd(places + 1, '0')
  const parts = BigInt(whole.replaceAll(',', '') + fraction.slice(0, places))
  return fraction.charAt(places) >= '5' ? parts + 1n : parts
}

/** Writes parts back with at least `least` decimals, and no zeros at the end beyond those: `1020500n` is `1020.5`. */
export function decimalText(parts: bigint, places: number, least = 0): string {
  const digits = parts.toString().padStart(places + 1, '0')
  const fraction = digits.slice(digits.length - places)
  const decimals = places === 0 ? '' : fraction.replace(/(?<!0)0+$/, '').padEnd(least, '0')
  return digits.slice(0, digits.length - places) + (decimals && `.${decimals}`)
}
