// Formats counts, shares, durations and sizes.

const whole = new Intl.NumberFormat('en-IN')
const share = new Intl.NumberFormat('en-IN', { style: 'percent', maximumFractionDigits: 1 })

export const number = (value: number): string => whole.format(Math.round(value))

export const counted = (count: number, most = 10_000): string =>
  count > most ? `more than ${number(most)}` : number(count)

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`

export const percent = (part: number, of: number): string => (of === 0 ? '–' : share.format(part / of))

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** `850 ms`, `2.4 s`, `3 h 20 min`. */
export function duration(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 995) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const place = units.findIndex(([, size]) => ms >= size)
  const [unit, size] = units[place] ?? units[3]
  const [lesser, part] = units[place + 1] ?? ['', 1]
  const [most, rest] = [Math.floor(ms / size), Math.round((ms % size) / part)]
  return unit === 's' || rest === 0 ? `${Math.round(ms / size)} ${unit}` : `${most} ${unit} ${rest} ${lesser}`
}

/** A duration in one unit, such as `2.9 h`. */
export const roughly = (ms: number): string => {
  const [unit, size] = units.find(([, each]) => ms >= each) ?? ['ms', 1]
  return ms === 0 ? '0' : `${Number((ms / size).toFixed(1))} ${unit}`
}

export const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
