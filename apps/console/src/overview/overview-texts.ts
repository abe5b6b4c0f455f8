// Texts of the overview, with the marks that select colours, and the axes of its charts.

import type { DeliveryOutcome, EventOutcome, OfferOutcome, Range, RequestOutcome } from '@lendloom/wire/console/lists'
import { number, roughly } from '../ui/format-figures.ts'

const largeUnits = [
  ['Cr', 10_000_000],
  ['L', 100_000],
  ['k', 1000],
] as const

/** Formats a number for an axis, such as `12.5k` or `3L`; empty for a fraction. */
function compact(value: number): string {
  if (value < 10_000) return Number.isInteger(value) ? number(value) : ''
  const [unit, size] = largeUnits.find(([, each]) => value >= each) ?? largeUnits[2]
  return `${Number((value / size).toFixed(1))}${unit}`
}

/** Milliseconds, as all durations of the overview. */
const second = 1000
const minute = 60_000
const hour = 3_600_000
const multiples = (unit: number, ...counts: number[]): number[] => counts.map((count) => count * unit)
/** Axes of counts and durations. `spreadTimeAxis` is logarithmic, for durations that differ a thousandfold. */
export const countAxis = {
  format: compact,
  increments: [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].flatMap((unit) => multiples(unit, 1, 2, 5)),
}
export const timeAxis = {
  format: roughly,
  increments: [
    ...multiples(1, 10, 20, 50, 100, 200, 500),
    ...multiples(second, 1, 2, 5, 10, 30),
    ...multiples(minute, 1, 2, 5, 10, 20, 30),
    ...multiples(hour, 1, 2, 3, 6, 12, 24, 48, 120),
  ],
}
export const spreadTimeAxis = {
  format: roughly,
  powers: [
    ...multiples(1, 1, 3, 10, 30, 100, 300),
    ...multiples(second, 1, 3, 10, 30),
    ...multiples(minute, 1, 5, 20),
    ...multiples(hour, 1, 5, 24, 120),
  ],
}

const inIndia = { timeZone: 'Asia/Kolkata' } as const
const dayFields = { day: 'numeric', month: 'short' } as const
const hourFields = { hour: 'numeric', hour12: true } as const
const dayFormat = new Intl.DateTimeFormat('en-IN', { ...inIndia, ...dayFields })
const hourFormat = new Intl.DateTimeFormat('en-IN', { ...inIndia, ...hourFields })
const dayAndHourFormat = new Intl.DateTimeFormat('en-IN', { ...inIndia, ...dayFields, ...hourFields })

/** Labels of steps: days, hours of one day, or hours of several days. */
export function stepNames(steps: string[], step: 'hour' | 'day'): string[] {
  const format = step === 'day' ? dayFormat : steps.length <= 24 ? hourFormat : dayAndHourFormat
  return steps.map((each) => format.format(new Date(each)))
}

export const rangeNames: Record<Range, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  custom: 'Custom',
}

/** Fewer values have no meaningful 90th percentile. */
export const minPercentileCount = 10

export const offerNames: Record<OfferOutcome, string> = {
  REQUESTED: 'Requested',
  ANSWERED: 'Decided',
  OFFERED: 'Offered',
  CHOSEN: 'Chosen',
}

/** Each outcome with its name and its mark, which selects the colour. */
export const deliveryMarks: Record<DeliveryOutcome, readonly [string, number]> = {
  FIRST_TRY: ['On the first try', 1],
  REPEATED: ['After retries', 2],
  WAITING: ['Waiting', 3],
  GIVEN_UP: ['Given up', 4],
  STOPPED: ['Stopped', 6],
}
export const requestMarks: Record<RequestOutcome, readonly [string, number]> = {
  ANSWERED: ['Answered', 1],
  LATE: ['Answered late', 2],
  SILENT: ['No answer', 3],
  REFUSED: ['Rejected', 4],
  UNREACHED: ['Not reached', 5],
  WAITING: ['Waiting', 6],
}
export const eventMarks: Record<EventOutcome, readonly [string, number]> = {
  DONE: ['Applied', 1],
  WAITING: ['Waiting', 3],
  FAILED: ['Failed', 4],
  SUPERSEDED: ['Superseded', 6],
}
