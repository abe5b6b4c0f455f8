// The half hours by which figures are counted, and time windows made of them. Indian hours and days consist of whole
// UTC half hours, because Indian time is 5:30 hours ahead of UTC.

import { businessDate, startOf } from '@lendloom/lending/calendar'

/** A time window; `until` is exclusive. */
export interface Window {
  from: Date
  until: Date
}

export const halfHourMs = 1_800_000

export const dayMs = 86_400_000

export const halfHourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / halfHourMs) * halfHourMs)

export const halfHourAfter = (at: Date): Date => new Date(halfHourOf(at).getTime() + halfHourMs)

/** The start of the Indian day that contains an instant. */
export const dayOf = (at: Date): Date => startOf(businessDate(at))

export const wholeHalfHours = ({ from, until }: Window): Window => ({
  from: halfHourOf(from),
  until: new Date(Math.ceil(until.getTime() / halfHourMs) * halfHourMs),
})

/** Splits a window at Indian midnights. */
export function* daysIn({ from, until }: Window): Generator<Window> {
  for (let at = from; at < until; ) {
    const next = new Date(Math.min(dayOf(at).getTime() + dayMs, until.getTime()))
    yield { from: at, until: next }
    at = next
  }
}

/** Merges adjacent half hours into windows. */
export function windowsOf(halfHours: Date[]): Window[] {
  const windows: Window[] = []
  for (const from of halfHours.toSorted((a, b) => a.getTime() - b.getTime())) {
    const last = windows.at(-1)
    if (last && from <= last.until) last.until = new Date(Math.max(last.until.getTime(), from.getTime() + halfHourMs))
    else windows.push({ from, until: new Date(from.getTime() + halfHourMs) })
  }
  return windows
}
