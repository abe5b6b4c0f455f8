// The platform's time, which a sandbox may have moved, and time formats: always Indian time.
import { agoText } from '@lendloom/lending/time-text'
import { signal } from '@preact/signals'

/** Platform time minus browser time, in milliseconds. */
const clockOffsetMs = signal(0)
/** Smaller differences are network latency. */
const minOffsetMs = 3000

export const ageTick = signal(0)

/** The platform's time in milliseconds. Components that read it render again when the offset changes. */
export const now = (): number => Date.now() + clockOffsetMs.value

/** A time as it is now from here, such as `3 min. ago`; it is read again as it grows. */
export function ago(at: string): string {
  ageTick.value
  return agoText(new Date(at), new Date(now()))
}

/** Updates the offset from the server time of a response. `sentAt` is when the browser sent the request. */
export function setClock(serverTime: string | null, sentAt: number): void {
  const ahead = serverTime === null ? Number.NaN : Date.parse(serverTime) - sentAt
  if (Math.abs(ahead - clockOffsetMs.peek()) >= minOffsetMs) clockOffsetMs.value = ahead
}

/** The minute this many seconds ago, in the API's format; stable while a page is open. */
export const minuteBefore = (seconds: number): string =>
  new Date(Math.floor(now() / 60_000 - seconds / 60) * 60_000).toISOString()

const inIndia = { timeZone: 'Asia/Kolkata' } as const
const formats = {
  date: new Intl.DateTimeFormat('en-IN', { ...inIndia, day: 'numeric', month: 'short', year: 'numeric' }),
  day: new Intl.DateTimeFormat('en-IN', { ...inIndia, day: 'numeric', month: 'short' }),
  time: new Intl.DateTimeFormat('en-IN', { ...inIndia, hour: 'numeric', minute: '2-digit' }),
  second: new Intl.DateTimeFormat('en-IN', { ...inIndia, hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  /** `21 Nov 2026, 7:46 pm` */
  minute: new Intl.DateTimeFormat('en-IN', {
    ...inIndia,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }),
} as const

/** A time for a sentence, such as `7:46 pm` today and `21 Nov 2026, 7:46 pm` on another day. */
export const momentText = (at: string): string =>
  inIndiaAs(inIndiaAs('date', at) === inIndiaAs('date', now()) ? 'time' : 'minute', at)

/** The time of a line in a log, such as `7:46:02 pm` today, and `21 Nov, 7:46 pm` on another day. */
export const logText = (at: string): string =>
  inIndiaAs('date', at) === inIndiaAs('date', now()) ? inIndiaAs('second', at) : dueText(at)

/** A time of another day, such as `11 Dec, 9:18 pm`, with the year if it is another one. */
export const dueText = (at: string): string => {
  const isThisYear = inIndiaAs('date', at).slice(-4) === inIndiaAs('date', now()).slice(-4)
  return isThisYear ? `${inIndiaAs('day', at)}, ${inIndiaAs('time', at)}` : inIndiaAs('minute', at)
}

/** Formats a timestamp in Indian time; a date such as `2026-11-21` keeps its day. */
export const inIndiaAs = (form: keyof typeof formats, at: string | number): string => formats[form].format(new Date(at))
