// The window of figures and its steps: hours and days of India.
import { type ChartStep, mostDays, mostHourlyDays, type Range } from '#contract/console/lists.ts'
import { invalid } from '#kit/http/refusal.ts'
import { businessDate, daysBetween, plusDays, startOf } from '#kit/money/calendar.ts'
import { dayMs, dayOf, halfHourAfter, halfHourMs, type Window } from '#platform/figures/figure.ts'

export interface WindowRequest {
  range?: Range | undefined
  from?: string | undefined
  to?: string | undefined
  step?: ChartStep | undefined
}

export interface FigureWindow extends Window {
  step: ChartStep
  steps: Date[]
  /** As long a window that ends as far into its last step, to compare with. */
  before: Window
}

const hourMs = 2 * halfHourMs
const daysOf: Record<Exclude<Range, '24h' | 'custom'>, number> = { '7d': 7, '30d': 30, '90d': 90 }

/** Refused as `invalid` where it names no days, too many, or too many for hours. */
export function windowOf(wanted: WindowRequest, at: Date): FigureWindow {
  const range = wanted.range ?? (wanted.from === undefined && wanted.to === undefined ? '7d' : 'custom')
  if (range !== 'custom' && (wanted.from !== undefined || wanted.to !== undefined))
    throw invalid({ path: 'range', message: 'must be custom where days are given' })
  const [from, end] =
    range === '24h' ? lastHours(24, at) : range === 'custom' ? customDays(wanted, at) : lastDays(daysOf[range], at)
  const step = wanted.step ?? (range === '24h' ? 'hour' : 'day')
  if (step === 'hour' && end.getTime() - from.getTime() > mostHourlyDays * dayMs)
    throw invalid({ path: 'step', message: `can be hour for at most ${mostHourlyDays} days` })
  const until = new Date(Math.max(from.getTime(), Math.min(end.getTime(), halfHourAfter(at).getTime())))
  const length = end.getTime() - from.getTime()
  const shifted = (instant: Date) => new Date(instant.getTime() - length)
  const stepMs = step === 'hour' ? hourMs : dayMs
  const first = step === 'hour' ? from : dayOf(from)
  const steps = Array.from({ length: Math.ceil((end.getTime() - first.getTime()) / stepMs) }, (_, i) => {
    return new Date(first.getTime() + i * stepMs)
  })
  return { from, until, step, steps, before: { from: shifted(from), until: shifted(until) } }
}

/** The last hours of India, the one that has begun among them: their clocks strike when ours are at half past. */
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
  const [first, last] = [dayGiven(from, 'from'), to === undefined ? businessDate(at) : dayGiven(to, 'to')]
  const days = daysBetween(first, last) + 1
  if (days < 1) throw invalid({ path: 'to', message: 'must not be before from' })
  if (days > mostDays) throw invalid({ path: 'from', message: `must be at most ${mostDays} days before to` })
  return [startOf(first), startOf(plusDays(last, 1))]
}

function dayGiven(text: string, path: string): string {
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(text) ||
    Number.isNaN(Date.parse(text)) ||
    new Date(text).toISOString().slice(0, 10) !== text
  )
    throw invalid({ path, message: 'is no day that there is' })
  return text
}

export interface Piece extends Window {
  grain: 'HALF_HOUR' | 'DAY'
}

/** Splits a window into whole days, with half hours at its ends; into half hours when hours are requested. */
export function piecesOf({ from, until }: Window, step: ChartStep = 'day'): Piece[] {
  const halfHours = (window: Window): Piece => ({ ...window, grain: 'HALF_HOUR' })
  const firstDay = new Date(Math.ceil((from.getTime() - dayOf(from).getTime()) / dayMs) * dayMs + dayOf(from).getTime())
  const lastDay = dayOf(until)
  if (step === 'hour' || firstDay >= lastDay) return [halfHours({ from, until })]
  return [
    halfHours({ from, until: firstDay }),
    { grain: 'DAY' as const, from: firstDay, until: lastDay },
    halfHours({ from: lastDay, until }),
  ].filter((piece) => piece.from < piece.until)
}
