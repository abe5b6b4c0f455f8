// Preset values of a page's inputs as a browser submits them (HTML, value sanitization algorithm).
import { ownValue } from '@lendloom/foundation/record'

type Attributes = Record<string, string>

const oneLine = (value: string): string => value.replace(/[\r\n]/g, '')

const trimmed = (value: string): string => oneLine(value).trim()

const ifMatches =
  (pattern: RegExp) =>
  (value: string): string =>
    pattern.test(value) ? value : ''

function numberIn(text: string | undefined): number | null {
  if (text === undefined || !/^-?(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return null
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

function ifDay(value: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(value) : null
  // JavaScript reads 30 February as a day in March.
  const isDay = day !== null && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
  return isDay ? value : ''
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
  month: ifMatches(/^\d{4}-(?:0[1-9]|1[0-2])$/),
  time: ifMatches(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?$/),
}

export const isTypedIn = (type: string): boolean => ownValue(sanitizers, type) !== undefined

/** Returns what an input submits if the user changes nothing. Values of other types are as the page states them. */
export function presetValue(type: string, attributes: Attributes): string {
  const { value = '' } = attributes
  return ownValue(sanitizers, type)?.(value, attributes) ?? value
}
