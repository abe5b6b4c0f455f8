// The time window of an overview, divided into steps of Indian hours or days.

import { invalid } from '@lendloom/foundation/refusal'
import { requireDay } from '@lendloom/http/day-parameter'
import { businessDate, daysBetween, plusDays, startOf } from '@lendloom/lending/calendar'
import { type ChartStep, maxDays, maxHourlyDays, type Range } from '@lendloom/wire/console/lists'
import { dayMs, dayOf, halfHourAfter, halfHourMs, type Window } from '#platform/records/figures/half-hours.ts'

export interface WindowRequest {
  range?: Range | undefined
  from?: string | undefined
  to?: string | undefined
  step?: ChartStep | undefined
}

export interface FigureWindow extends Window {
  step: ChartStep
  steps: Date[]
  /** The preceding window of equal length, for comparison. */
  before: Window
}

const hourMs = 2 * halfHourMs
const daysOf: Record<Exclude<Range, '24h' | 'custom'>, number> = { '7d': 7, '30d': 30, '90d': 90 }

/** Validates and computes the requested window. Throws `invalid` for missing, reversed or too many days. */
export function windowOf(request: WindowRequest, at: Date): FigureWindow {
  const range = request.range ?? (request.from === undefined && request.to === undefined ? '7d' : 'custom')
  if (range !== 'custom' && (request.from !== undefined || request.to !== undefined))
    throw invalid({ path: 'range', message: 'must be custom if days are set' })
  const [from, end] =
    range === '24h' ? lastHours(24, at) : range === 'custom' ? customDays(request, at) : lastDays(daysOf[range], at)
  const step = request.step ?? (range === '24h' ? 'hour' : 'day')
  if (step === 'hour' && end.getTime() - from.getTime() > maxHourlyDays * dayMs)
    throw invalid({ path: 'step', message: `can be hour for at most ${maxHourlyDays} days` })
  const until = new Date(Math.max(from.getTime(), Math.min(end.getTime(), halfHourAfter(at).getTime())))
  const length = end.getTime() - from.getTime()
  const shiftBack = (instant: Date) => new Date(instant.getTime() - length)
  const stepMs = step === 'hour' ? hourMs : dayMs
  const first = step === 'hour' ? from : dayOf(from)
  const steps = Array.from({ length: Math.ceil((end.getTime() - first.getTime()) / stepMs) }, (_, i) => {
    return new Date(first.getTime() + i * stepMs)
  })
  return { from, until, step, steps, before: { from: shiftBack(from), until: shiftBack(until) } }
}

/** The last `count` Indian hours, including the current hour. An Indian hour starts at half past a UTC hour. */
function lastHours(count: number, at: Date): [Date, Date] {
  const end = (Math.floor((at.getTime() - halfHourMs) / hourMs) + 1) * hourMs + halfHourMs
  return [new Date(end - count * hourMs), new Date(end)]
}

const lastDays = (count: number, at: Date): [Date, Date] => {
  const today = dayOf(at).getTime()
  return [new Date(today - (count - 1) * dayMs), new Date(today + dayMs)]
}

function customDays({ from, to }: WindowRequest, at: Date): [Date, Date] {
  if (from === undefined) throw invalid({ path: 'from', message: 'is required' })
  const first = requireDay('from', from)
  const last = to === undefined ? businessDate(at) : requireDay('to', to)
  const days = daysBetween(first, last) + 1
  if (days < 1) throw invalid({ path: 'to', message: 'must not be before from' })
  if (days > maxDays) throw invalid({ path: 'from', message: `must be at most ${maxDays} days before to` })
  return [startOf(first), startOf(plusDays(last, 1))]
}

export interface TimeSlice extends Window {
  grain: 'HALF_HOUR' | 'DAY'
}

/** Splits a window into whole days, and half hours at both ends. For hourly steps, uses half hours only. */
export function timeSlicesOf({ from, until }: Window, step: ChartStep = 'day'): TimeSlice[] {
  const halfHours = (window: Window): TimeSlice => ({ ...window, grain: 'HALF_HOUR' })
  const firstDay = new Date(Math.ceil((from.getTime() - dayOf(from).getTime()) / dayMs) * dayMs + dayOf(from).getTime())
  const lastDay = dayOf(until)
  if (step === 'hour' || firstDay >= lastDay) return [halfHours({ from, until })]
  return [
    halfHours({ from, until: firstDay }),
    { grain: 'DAY' as const, from: firstDay, until: lastDay },
    halfHours({ from: lastDay, until }),
  ].filter((slice) => slice.from < slice.until)
}
