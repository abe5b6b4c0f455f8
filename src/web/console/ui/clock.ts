// The platform's time, which a sandbox may have moved, and time formats: always Indian time.
import { signal } from '@preact/signals'

/** How far the platform's clock is ahead of the browser's, in milliseconds. */
const aheadMs = signal(0)
/** Smaller differences are the time that the call took. */
const leastMs = 3000

/** The platform's time in milliseconds. Its readers are redrawn when the clock was moved. */
export const now = (): number => Date.now() + aheadMs.value

/** Takes over the time that the platform named for a call that was sent at `sentAt` by the browser's clock. */
export function setClock(serverTime: string | null, sentAt: number): void {
  const ahead = serverTime === null ? Number.NaN : Date.parse(serverTime) - sentAt
  if (Math.abs(ahead - aheadMs.peek()) >= leastMs) aheadMs.value = ahead
}

/** The minute this many seconds ago, in the API's format; stable while a page is open. */
export const minuteBefore = (seconds: number): string =>
  new Date(Math.floor(now() / 60_000 - seconds / 60) * 60_000).toISOString()

const inIndia = { timeZone: 'Asia/Kolkata' } as const
const formats = {
  /** `21 Nov 2026` */
  date: new Intl.DateTimeFormat('en-IN', { ...inIndia, day: 'numeric', month: 'short', year: 'numeric' }),
  /** `21 Nov` */
  day: new Intl.DateTimeFormat('en-IN', { ...inIndia, day: 'numeric', month: 'short' }),
  /** `21 Nov, 7:46:03 pm` */
  second: new Intl.DateTimeFormat('en-IN', {
    ...{ ...inIndia, day: 'numeric', month: 'short' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  }),
  /** `7:46:03 pm` */
  time: new Intl.DateTimeFormat('en-IN', { ...inIndia, hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  /** `21 Nov 2026, 7:46 pm` */
  minute: new Intl.DateTimeFormat('en-IN', {
    ...{ ...inIndia, day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit' },
  }),
  /** `21 Nov 2026, 7:46:03 pm` */
  exact: new Intl.DateTimeFormat('en-IN', {
    ...{ ...inIndia, day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit' },
  }),
} as const

/** An instant in Indian time; a day such as `2026-11-21` is that day. */
export const inIndiaAs = (form: keyof typeof formats, at: string | number): string => formats[form].format(new Date(at))

/** `21 Nov 2026, 7:46:03 pm IST`: with the zone, for a time on its own. */
export const exactly = (at: string): string => `${inIndiaAs('exact', at)} IST`
