// Preset values of a page's inputs as a browser submits them (HTML, value sanitization algorithm).
import { ownValue } from '@lendloom/foundation/record'

type Attributes = Record<string, string>

const oneLine = (value: string): string => value.replace(/[\r\n]/g, '')

const trimmed = (value: string): string => oneLine(value).trim()

const ifMatches =
  (pattern: RegExp) =>
  (value: string): string =>
    pattern.test(value) ? value : ''

const ifTime = ifMatches(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/)

function numberIn(text: string | undefined): number | null {
  if (text === undefined || !/^-?(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

function ifDay(value: string): string {
  const day = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(value) : null
  // JavaScript reads 30 February as a day in March.
  const isDay = day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
  return isDay ? value : ''
}

/** Returns the shortest form of the day and its time, without seconds that are 0. */
function dayAndTime(value: string): string {
  const day = ifDay(value.slice(0, 10))
  const time = ifTime(value.slice(11))
  if (!day || !time || !/[T ]/.test(value.charAt(10))) return ''
  return new Date(`${day}T${time}Z`).toISOString().replace(/(?::00)?\.000Z$|0{0,2}Z$/, '')
}

/** Only a year that begins or ends on a Thursday has 53 weeks. */
function ifWeek(value: string): string {
  const [found, year, week] = /^(?!0000)(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/.exec(value) ?? []
  const thursday = 4
  const isLong = [`${year}-01-01`, `${year}-12-31`].some((day) => new Date(day).getUTCDay() === thursday)
  return found && (week !== '53' || isLong) ? value : ''
}

/** Returns the color in six digits, without its opacity; black without a color. Names of colors count as none. */
function color(value: string): string {
  const digits = /^#([0-9a-f]{3,8})$/.exec(value.trim().toLowerCase())?.[1] ?? ''
  if (digits.length === 6 || digits.length === 8) return `#${digits.slice(0, 6)}`
  if (digits.length === 3 || digits.length === 4) return `#${digits.slice(0, 3).replace(/./g, '$&$&')}`
  return '#000000'
}

/** Removes the error of binary fractions, such as in 0.1 * 3. */
const exact = (number: number): number => Number(number.toPrecision(12))

/** Returns a slider's position: the preset value or the middle, inside the range and on the nearest step. */
function sliderPosition(value: string, { min, max, step }: Attributes): string {
  const lowest = numberIn(min) ?? 0
  const highest = Math.max(lowest, numberIn(max) ?? 100)
  const wanted = numberIn(value) ?? (lowest + highest) / 2
  const inRange = Math.min(Math.max(wanted, lowest), highest)
  if (step?.toLowerCase() === 'any') return String(inRange)
  const given = numberIn(step) ?? 1
  const size = given > 0 ? given : 1
  const base = numberIn(min) ?? numberIn(value) ?? 0
  const steps = Math.round(exact((inRange - base) / size))
  const nearest = exact(base + steps * size)
  return String(nearest > highest ? exact(nearest - size) : nearest)
}

/** Types of which a borrower changes the value. A browser treats a type that it does not know as `text`. */
const sanitizers: Record<string, (value: string, attributes: Attributes) => string> = {
  text: oneLine,
  search: oneLine,
  tel: oneLine,
  password: oneLine,
  email: trimmed,
  url: trimmed,
  number: (value) => (numberIn(value) === null ? '' : value),
  range: sliderPosition,
  date: ifDay,
  'datetime-local': dayAndTime,
  month: ifMatches(/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])$/),
  week: ifWeek,
  time: ifTime,
  color,
}

export const isTypedIn = (type: string): boolean => ownValue(sanitizers, type) !== undefined

/** Returns what an input submits if the user changes nothing. Values of other types are as the page states them. */
export function presetValue(type: string, attributes: Attributes): string {
  const { value = '' } = attributes
  return ownValue(sanitizers, type)?.(value, attributes) ?? value
}
