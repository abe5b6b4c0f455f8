// The figures, and their time slots: half hours, which add up exactly to Indian hours and days.

import { businessDate, startOf } from '#kit/money/calendar.ts'
import { keysOf } from '#kit/runtime/record.ts'

/** The sources of figures; one statement counts each. */
export const histories = ['journey', 'offer', 'delivery', 'network', 'event-in', 'event-out'] as const
export type History = (typeof histories)[number]

/** The figures, each with the history that it is counted from. */
const figures = {
  /** Journeys that entered a status: the outcome is the status. */
  journey: 'journey',
  /** From session to disbursal, by bucket of seconds. */
  'time-to-money': 'journey',
  /** From accepted terms to disbursal, by lender and bucket of seconds. */
  'payout-time': 'journey',
  /** Offer requests by lender; the outcome is the progress, so one request may count four times. */
  offer: 'offer',
  /** Lifecycle updates per destination, by outcome. */
  delivery: 'delivery',
  /** From the update to its delivery, by bucket of milliseconds. */
  'delivery-time': 'delivery',
  /** Requests on the network, by lender and action. */
  network: 'network',
  /** Events of the lending partner, by type, and the time until each was applied, by bucket of milliseconds. */
  'event-in': 'event-in',
  'event-in-time': 'event-in',
  /** Partner events that arrived before their predecessor. */
  'event-gap': 'event-in',
  /** Events to the lending partner, and the time until each was acknowledged. */
  'event-out': 'event-out',
  'event-out-time': 'event-out',
} as const satisfies Record<string, History>
export type FigureName = keyof typeof figures

export const figureNames: readonly FigureName[] = keysOf(figures)
export const figureNamesOf = (history: History): FigureName[] => figureNames.filter((name) => figures[name] === history)

/** Whether old rows of a history can change: an offer is selected, a delivery is replayed. */
export const mayChangeLater = (history: History): boolean => history !== 'journey'

/** One figure: the count of an outcome within a half hour. */
export interface FigureRow {
  tenantId: string
  name: FigureName
  beginsAt: Date
  applicationId: string
  product: string
  subject: string
  action: string
  outcome: string
  count: number
}

/** A time window; `until` is exclusive. */
export interface Window {
  from: Date
  until: Date
}

export const halfHourMs = 1_800_000
export const dayMs = 86_400_000

export const halfHourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / halfHourMs) * halfHourMs)
export const halfHourAfter = (at: Date): Date => new Date(halfHourOf(at).getTime() + halfHourMs)
/** The start of the Indian day of an instant. */
export const dayOf = (at: Date): Date => startOf(businessDate(at))

/** The whole half hours that a window touches. */
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

/** Joins consecutive half hours into windows. */
export function windowsOf(halfHours: Date[]): Window[] {
  const windows: Window[] = []
  for (const from of halfHours.toSorted((a, b) => a.getTime() - b.getTime())) {
    const last = windows.at(-1)
    if (last && from <= last.until) last.until = new Date(Math.max(last.until.getTime(), from.getTime() + halfHourMs))
    else windows.push({ from, until: new Date(from.getTime() + halfHourMs) })
  }
  return windows
}

/**
 * Histogram buckets are a quarter of a doubling wide: bucket `n` starts at 2^(n/4), and bucket 0 also holds all values
 * below 1.
 */
const bucketsInDoubling = 4
const boundOf = (bucket: number): number => 2 ** (bucket / bucketsInDoubling)

/**
 * The value below which the proportion `share` of a histogram lies, interpolated linearly within its bucket; null for
 * an empty one. Accurate to 19 %, the width of a bucket.
 */
export function percentileOf(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...buckets].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  let [remaining, upperBound] = [total * share, 0]
  for (const [bucket, count] of sorted) {
    const [low, high] = [bucket === 0 ? 0 : boundOf(bucket), boundOf(bucket + 1)]
    if (remaining <= count) return low + ((high - low) * remaining) / count
    remaining -= count
    upperBound = high
  }
  return total === 0 ? null : upperBound
}
