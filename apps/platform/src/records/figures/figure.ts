// The figures, which count events per half hour. Indian hours and days consist of whole UTC half hours.

import { keysOf } from '@lendloom/foundation/record'
import { businessDate, startOf } from '@lendloom/lending/calendar'

/** The kinds of data from which figures are counted. One SQL statement counts each kind. */
export const histories = ['journey', 'offer', 'delivery', 'network', 'event-in', 'event-out'] as const
export type History = (typeof histories)[number]

/** Each figure with the history from which it is counted. Durations are counted per histogram bucket. */
const figures = {
  /** Journeys that entered a status, which is the outcome. */
  journey: 'journey',
  /** Seconds from the creation of a journey to the disbursal. */
  'time-to-money': 'journey',
  /** Seconds from the acceptance of the terms to the disbursal, by lender. */
  'payout-time': 'journey',
  /** Offer requests by lender. A request counts once for each outcome that it reached. */
  offer: 'offer',
  delivery: 'delivery',
  /** Milliseconds from a lifecycle update to its delivery. */
  'delivery-time': 'delivery',
  /** Network requests, by lender and action. */
  network: 'network',
  /** Events from lending partners, by type. */
  'event-in': 'event-in',
  /** Milliseconds from the receipt of a partner's event to its outcome. */
  'event-in-time': 'event-in',
  /** Events from lending partners that arrived before their predecessor. */
  'event-gap': 'event-in',
  /** Events to lending partners, by type. */
  'event-out': 'event-out',
  /** Milliseconds until a partner acknowledged an event. */
  'event-out-time': 'event-out',
} as const satisfies Record<string, History>
export type FigureName = keyof typeof figures

export const figureNames: readonly FigureName[] = keysOf(figures)
export const figureNamesOf = (history: History): FigureName[] => figureNames.filter((name) => figures[name] === history)

/** Whether old rows of a history may change, for example when an offer is selected or a delivery is replayed. */
export const mayChangeLater = (history: History): boolean => history !== 'journey'

/** The count of one outcome within the half hour that starts at `beginsAt`. */
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

/**
 * Histogram buckets are logarithmic, with four per power of two: bucket `n` starts at 2^(n/4). Bucket 0 also holds all
 * values below 1.
 */
const bucketsPerDoubling = 4
const lowerBoundOf = (bucket: number): number => 2 ** (bucket / bucketsPerDoubling)

/**
 * The value below which the proportion `share` of a histogram lies, interpolated linearly within a bucket; null for an
 * empty histogram. The error is at most 19 %, the width of a bucket.
 */
export function percentileOf(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...buckets].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  let remaining = total * share
  let upperBound = 0
  for (const [bucket, count] of sorted) {
    const low = bucket === 0 ? 0 : lowerBoundOf(bucket)
    const high = lowerBoundOf(bucket + 1)
    if (remaining <= count) return low + ((high - low) * remaining) / count
    remaining -= count
    upperBound = high
  }
  return total === 0 ? null : upperBound
}
