// How staff pages write an instant, always in Indian time: console and desk use the same formats.
import { lazily } from '@lendloom/foundation/lazily'
import { businessDate, dayText } from './calendar.ts'

const timeFields = { timeZone: 'Asia/Kolkata', hour: 'numeric', minute: '2-digit', second: '2-digit' } as const
const clockFormat = lazily(() => new Intl.DateTimeFormat('en-IN', timeFields))
const exactFormat = lazily(
  () => new Intl.DateTimeFormat('en-IN', { ...timeFields, day: 'numeric', month: 'short', year: 'numeric' }),
)
const agoFormat = lazily(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' }))
const aheadFormat = lazily(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' }))

export const zoneNotice = 'All times are in Indian Standard Time (IST).'

export const clockText = (at: Date): string => clockFormat().format(at)
export const exactText = (at: Date): string => exactFormat().format(at)
/** `21 Nov 2026, 7:46:03 pm IST`, for the tooltip of a time. */
export const zonedText = (at: Date): string => `${exactText(at)} IST`

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `3 min. ago` or `in 2 hours`; a date if it is more than a week away. A time to come is rounded: a day is never "23". */
export function agoText(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  if (Math.abs(seconds) > 7 * 86_400) return dayText(businessDate(at))
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? (['second', 1] as const)
  if (seconds > 0) return aheadFormat().format(Math.round(seconds / size), unit)
  return agoFormat().format(Math.trunc(seconds / size), unit)
}
