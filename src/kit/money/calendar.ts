// The business calendar: days in Asia/Kolkata as `YYYY-MM-DD`, and steps between them.

/** India's offset from UTC, constant since 1945. */
const offsetMs = 5.5 * 3_600_000
const dayMs = 86_400_000

/** The day that an instant falls on in India. */
export const businessDate = (at: Date): string => new Date(at.getTime() + offsetMs).toISOString().slice(0, 10)

/** An instant in Indian time to the minute, as an HTML form field writes it: `2026-11-20T18:50`. */
export const businessMinute = (at: Date): string => new Date(at.getTime() + offsetMs).toISOString().slice(0, 16)

/** The day `days` after `on`, or before it when negative. */
export const plusDays = (on: string, days: number): string => textOf(numberOf(on) + days)

/** Days from one day to another; negative when `to` is the earlier one. */
export const daysBetween = (from: string, to: string): number => numberOf(to) - numberOf(from)

/** The whole days of a period such as `P3D`, `P1W` or `PT72H`, hours rounded down; null for any other text. */
export function daysOfPeriod(period: string): number | null {
  const [, days, weeks, hours] = /^P(?:(\d+)D|(\d+)W|T(\d+)H)$/.exec(period) ?? []
  if (hours !== undefined) return Math.floor(Number(hours) / 24)
  return days === undefined && weeks === undefined ? null : Number(days ?? Number(weeks) * 7)
}

/**
 * The last day of a period that begins at an instant; the starting day is not counted. Null when `daysOfPeriod` cannot
 * read the period.
 */
export function lastDayOf(period: string, from: Date): string | null {
  const days = daysOfPeriod(period)
  return days === null ? null : plusDays(businessDate(from), days)
}

/** The instant at which a day begins in India. */
export const startOf = (on: string): Date => new Date(numberOf(on) * dayMs - offsetMs)

/** Caches of both conversions: loan rules step over the same few hundred days, and converting takes most of a step. */
const numberByText = new Map<string, number>()
const textByNumber = new Map<number, string>()
const maxCachedDays = 20_000

/** Throws for a day that is not in the calendar, such as 30 February, instead of silently using another day. */
function numberOf(on: string): number {
  const known = numberByText.get(on)
  if (known !== undefined) return known
  const number = Date.parse(`${on}T00:00:00.000Z`) / dayMs
  if (Number.isNaN(number) || textOf(number) !== on) throw new Error(`${on} is not a day`)
  return number
}

function textOf(number: number): string {
  const known = textByNumber.get(number)
  if (known !== undefined) return known
  const text = new Date(number * dayMs).toISOString().slice(0, 10)
  if (textByNumber.size >= maxCachedDays) for (const days of [textByNumber, numberByText]) days.clear()
  textByNumber.set(number, text)
  numberByText.set(text, number)
  return text
}

type Style = 'medium' | 'long'
// Created on first use, because each takes milliseconds of the start.
const formats = new Map<string, Intl.DateTimeFormat>()
function formatDay(style: Style, date: string, locale: string): string {
  const name = `${style} ${locale}`
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' })
  formats.set(name, format)
  return format.format(new Date(date))
}

/** Full years from one day to another, such as an age. */
export function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4))
  return to.slice(5) < from.slice(5) ? years - 1 : years
}

/** `2026-11-20` as `20 Nov 2026`, or in the format of another locale. */
export const dayText = (date: string, locale = 'en-IN'): string => formatDay('medium', date, locale)

/** `2026-11-20` as `20 November 2026`, or in the format of another locale. */
export const longDayText = (date: string, locale = 'en-IN'): string => formatDay('long', date, locale)

/** An instant in Indian time: `20 November 2026 at 6:50 pm (IST)`, or in the format of another locale. */
export const momentText = (at: Date, locale = 'en-IN'): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' }).format(at)} (IST)`
