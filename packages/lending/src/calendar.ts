// The business calendar: days in India (Asia/Kolkata), written as `YYYY-MM-DD`.

/** India's offset from UTC, constant since 1945. */
const offsetMs = 5.5 * 3_600_000
const dayMs = 86_400_000

/** The day in India at this instant. */
export const businessDate = (at: Date): string => new Date(at.getTime() + offsetMs).toISOString().slice(0, 10)

/** The minute in India at this instant, in the format of an HTML form field: `2026-11-20T18:50`. */
export const businessMinute = (at: Date): string => new Date(at.getTime() + offsetMs).toISOString().slice(0, 16)

/** The day `days` days after `on`; a negative number gives an earlier day. */
export const plusDays = (on: string, days: number): string => dateTextOf(dayNumberOf(on) + days)

/** The same day of a later month, or that month's last day. */
export function plusMonths(on: string, months: number): string {
  const [year = 0, month = 0, day = 0] = on.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  last.setUTCDate(Math.min(day, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** Number of days from `from` to `to`; negative when `to` is earlier. */
export const daysBetween = (from: string, to: string): number => dayNumberOf(to) - dayNumberOf(from)

/** The number of whole days of a period such as `P3D`, `P1W` or `PT72H`; null for any other text. */
export function daysOfPeriod(period: string): number | null {
  const [, days, weeks, hours] = /^P(?:(\d+)D|(\d+)W|T(\d+)H)$/.exec(period) ?? []
  if (hours !== undefined) return Math.floor(Number(hours) / 24)
  return days === undefined && weeks === undefined ? null : Number(days ?? Number(weeks) * 7)
}

/** The last day of a period that begins at `from`, not counting the first day; null when the period is invalid. */
export function lastDayOf(period: string, from: Date): string | null {
  const days = daysOfPeriod(period)
  return days === null ? null : plusDays(businessDate(from), days)
}

/** The instant at which a day begins in India. */
export const startOf = (on: string): Date => new Date(dayNumberOf(on) * dayMs - offsetMs)

/** Cached, because loan rules convert the same few hundred days again and again. */
const dayNumberByText = new Map<string, number>()
const textByDayNumber = new Map<number, string>()
const maxCachedDays = 20_000

/** Days since 1970-01-01. Throws for a day that is not in the calendar, such as 30 February. */
function dayNumberOf(on: string): number {
  const known = dayNumberByText.get(on)
  if (known !== undefined) return known
  const number = Date.parse(`${on}T00:00:00.000Z`) / dayMs
  if (Number.isNaN(number) || dateTextOf(number) !== on) throw new Error(`${on} is not a day`)
  return number
}

function dateTextOf(number: number): string {
  const known = textByDayNumber.get(number)
  if (known !== undefined) return known
  const text = new Date(number * dayMs).toISOString().slice(0, 10)
  if (textByDayNumber.size >= maxCachedDays) for (const days of [textByDayNumber, dayNumberByText]) days.clear()
  textByDayNumber.set(number, text)
  dayNumberByText.set(text, number)
  return text
}

type Style = 'medium' | 'long'
const dayFields = { timeZone: 'UTC' } as const
const instantFields = { timeStyle: 'short', timeZone: 'Asia/Kolkata' } as const
// Created on first use, because creating a format takes milliseconds.
const formats = new Map<string, Intl.DateTimeFormat>()
function format(at: Date, style: Style, fields: typeof dayFields | typeof instantFields, locale: string): string {
  const name = `${style} ${fields.timeZone} ${locale}`
  const found = formats.get(name) ?? new Intl.DateTimeFormat(locale, { dateStyle: style, ...fields })
  formats.set(name, found)
  return found.format(at)
}

/** Number of full years from `from` to `to`, for example an age. */
export function yearsBetween(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4))
  return to.slice(5) < from.slice(5) ? years - 1 : years
}

/** Writes `2026-11-20` as `20 Nov 2026`, or in the format of another locale. */
export const dayText = (date: string, locale = 'en-IN'): string => format(new Date(date), 'medium', dayFields, locale)

/** Writes `2026-11-20` as `20 November 2026`, or in the format of another locale. */
export const longDayText = (date: string, locale = 'en-IN'): string => format(new Date(date), 'long', dayFields, locale)

/** Writes an instant in Indian time: `20 Nov 2026, 6:50 pm`. */
export const instantText = (at: Date): string => format(at, 'medium', instantFields, 'en-IN')

/** Writes an instant in Indian time: `20 November 2026 at 6:50 pm (IST)`, or in the format of another locale. */
export const momentText = (at: Date, locale = 'en-IN'): string => `${format(at, 'long', instantFields, locale)} (IST)`

/** Returns the calendar year in which the Indian financial year (April to March) of a day begins. */
export const financialYearOf = (on: string): number => Number(on.slice(0, 4)) - (on.slice(5, 7) < '04' ? 1 : 0)

/** The first day of the financial year of a day: 1 April. */
export const yearStartOf = (on: string): string => `${financialYearOf(on)}-04-01`
