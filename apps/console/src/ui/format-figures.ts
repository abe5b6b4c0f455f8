// Formats counts, shares and durations.

export { countText, sizeText } from '@lendloom/foundation/text'

const integerFormat = new Intl.NumberFormat('en-IN')
const percentFormat = new Intl.NumberFormat('en-IN', { style: 'percent', maximumFractionDigits: 1 })

/** Formats a count with the grouping of India: `1,00,000`. */
export const number = (value: number): string => integerFormat.format(Math.round(value))

/** Formats a count; above the maximum as "more than". */
export const cappedCount = (count: number, max = 10_000): string =>
  count > max ? `more than ${number(max)}` : number(count)

/** Formats a share; a dash if there is no total. */
export const percent = (part: number, total: number): string => (total === 0 ? '–' : percentFormat.format(part / total))

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** Formats milliseconds, such as `850 ms`, `2.4 s` or `3 h 20 min`. */
export function duration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 995) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const index = units.findIndex(([, size]) => ms >= size)
  const [unit, size] = units[index] ?? units[3]
  const [smallerUnit, smallerSize] = units[index + 1] ?? ['', 1]
  const quotient = Math.floor(ms / size)
  const remainder = Math.round((ms % size) / smallerSize)
  return unit === 's' || remainder === 0
    ? `${Math.round(ms / size)} ${unit}`
    : `${quotient} ${unit} ${remainder} ${smallerUnit}`
}

/** A duration in one unit, such as `2.9 h`. */
export const roughly = (ms: number): string => {
  const [unit, size] = units.find(([, each]) => ms >= each) ?? ['ms', 1]
  return ms === 0 ? '0' : `${Number((ms / size).toFixed(1))} ${unit}`
}
