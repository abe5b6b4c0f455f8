// How the model's figures are written: three digits say all that is known.

const least = 0.005

/** Three digits of it, thousands set apart; what is next to nothing is 0. */
export function amount(value: number): string {
  if (value < least) return '0'
  if (value >= 100) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-US')
  return String(Number(value >= 1 ? value.toPrecision(3) : value.toFixed(2)))
}

export const gigabytes = (value: number): string =>
  value >= 1000 ? `${amount(value / 1000)} TB` : `${amount(value)} GB`
