// Formats the model's figures with three significant digits.

const zeroBelow = 0.005

/** Formats with three significant digits and thousands separators; values below 0.005 are 0. */
export function amount(value: number): string {
  if (value < zeroBelow) return '0'
  if (value >= 100) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-US')
  return String(Number(value >= 1 ? value.toPrecision(3) : value.toFixed(2)))
}

export const gigabytes = (value: number): string =>
  value >= 1000 ? `${amount(value / 1000)} TB` : `${amount(value)} GB`
