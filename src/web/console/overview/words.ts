// How the overview puts its figures into words: numbers, durations, steps, and what each outcome is called.

import type { DeliveryOutcome, EventOutcome, OfferOutcome, Range, RequestOutcome } from '#contract/console/lists.ts'
import { number, roughly } from '../ui/figures.ts'

const large = [
  ['Cr', 10_000_000],
  ['L', 100_000],
  ['k', 1000],
] as const

/** For an axis: `12.5k`, `3L`. Nothing stands where no whole number is. */
function compact(value: number): string {
  if (value < 10_000) return Number.isInteger(value) ? number(value) : ''
  const [unit, size] = large.find(([, each]) => value >= each) ?? large[2]
  return `${Number((value / size).toFixed(1))}${unit}`
}

const [second, minute, hour] = [1000, 60_000, 3_600_000]
/** How counts and times stand at the side of a chart, and times that may be a thousandfold of others. */
export const countAxis = { format: compact }
export const timeAxis = {
  format: roughly,
  increments: [
    ...[
      10,
      20,
      50,
      100,
      200,
      500,
      second,
      2 * second,
      5 * second,
      10 * second,
      30 * second,
      minute,
      2 * minute,
      5 * minute,
    ],
    ...[
      10 * minute,
      20 * minute,
      30 * minute,
      hour,
      2 * hour,
      3 * hour,
      6 * hour,
      12 * hour,
      24 * hour,
      48 * hour,
      120 * hour,
    ],
  ],
}
export const spreadTimeAxis = {
  format: roughly,
  powers: [
    1,
    3,
    10,
    30,
    100,
    300,
    second,
    3 * second,
    10 * second,
    30 * second,
    minute,
    5 * minute,
    20 * minute,
    hour,
    5 * hour,
    24 * hour,
    120 * hour,
  ],
}

const inIndia = { timeZone: 'Asia/Kolkata' } as const
const day = new Intl.DateTimeFormat('en-IN', { ...inIndia, day: 'numeric', month: 'short' })
const clock = new Intl.DateTimeFormat('en-IN', { ...inIndia, hour: 'numeric', hour12: true })
const dayAndClock = new Intl.DateTimeFormat('en-IN', {
  ...inIndia,
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  hour12: true,
})

/** What steps are called: days, hours of one day, or hours of several. */
export function stepNames(steps: string[], step: 'hour' | 'day'): string[] {
  const format = step === 'day' ? day : steps.length <= 24 ? clock : dayAndClock
  return steps.map((each) => format.format(new Date(each)))
}

export const rangeNames: Record<Range, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  custom: 'Other days',
}

export const offerWords: Record<OfferOutcome, string> = {
  REQUESTED: 'Asked',
  ANSWERED: 'Answered',
  OFFERED: 'Offered',
  CHOSEN: 'Chosen',
}

/** Each outcome with the number of its mark: the usual first, what went wrong in the colour for that. */
export const deliveryWords: Record<DeliveryOutcome, readonly [string, number]> = {
  FIRST_TRY: ['At the first try', 1],
  REPEATED: ['Later', 2],
  WAITING: ['Waiting', 3],
  GIVEN_UP: ['Given up', 4],
  STOPPED: ['Stopped', 6],
}
export const requestWords: Record<RequestOutcome, readonly [string, number]> = {
  ANSWERED: ['Answered', 1],
  LATE: ['Answered late', 2],
  SILENT: ['No answer', 3],
  REFUSED: ['Refused', 4],
  UNREACHED: ['Not reached', 5],
  WAITING: ['Waiting', 6],
}
export const eventWords: Record<EventOutcome, readonly [string, number]> = {
  DONE: ['Applied', 1],
  WAITING: ['Waiting', 3],
  FAILED: ['Failed', 4],
  SUPERSEDED: ['Superseded', 6],
}
