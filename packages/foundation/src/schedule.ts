// When a failed attempt is retried: schedules of ISO 8601 durations, and `Retry-After`.
import { durationMs, secondsAfter } from './clock.ts'

export interface Schedule {
  /** The pauses before the second, third and later attempts, as ISO 8601 durations. */
  pauses: readonly string[]
  /** After the last pause: `give up` allows no further attempt, `repeat` repeats the last pause. */
  then: 'give up' | 'repeat'
  /** The same pauses in milliseconds. */
  milliseconds: readonly number[]
}

/** Reads a schedule. Throws a RangeError for a pause that is not a duration: a mistake in the program. */
export function schedule(pauses: readonly string[], then: Schedule['then']): Schedule {
  const milliseconds = pauses.map((pause) => {
    const ms = durationMs(pause)
    if (ms === null) throw new RangeError(`"${pause}" is not an ISO 8601 duration`)
    return ms
  })
  if (then === 'repeat' && pauses.length === 0) throw new RangeError('a schedule that repeats needs a pause')
  return { pauses, then, milliseconds }
}

/** Pauses that double from the first to the longest, which then repeats. */
export const doublingPauses = (firstSeconds: number, longestSeconds: number): Schedule =>
  pausesUpTo(longestSeconds, (seconds) => seconds * 2, firstSeconds)

/** Pauses that each grow by the first one up to the longest, which then repeats. */
export const linearPauses = (firstSeconds: number, longestSeconds: number): Schedule =>
  pausesUpTo(longestSeconds, (seconds) => seconds + firstSeconds, firstSeconds)

function pausesUpTo(longestSeconds: number, next: (seconds: number) => number, firstSeconds: number): Schedule {
  const pauses: string[] = []
  for (let seconds = firstSeconds; seconds < longestSeconds; seconds = rounded(next(seconds)))
    pauses.push(durationOf(seconds))
  return schedule([...pauses, durationOf(longestSeconds)], 'repeat')
}

const rounded = (seconds: number): number => Number(seconds.toFixed(3))
const durationOf = (seconds: number): string => (seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`)

/** Returns the pause after the given attempt, which is counted from 1; null when no attempt is left. */
export function pauseMs({ milliseconds, then }: Schedule, attempt: number): number | null {
  const last = then === 'repeat' ? milliseconds.at(-1) : undefined
  return milliseconds[Math.max(1, attempt) - 1] ?? last ?? null
}

/** The milliseconds of all pauses after the given attempt's; 0 once no attempt is left. */
export const remainingMs = ({ milliseconds }: Schedule, attempt: number): number =>
  milliseconds.slice(attempt).reduce((sum, each) => sum + each, 0)

/** As `pauseMs`, in seconds. Throws a RangeError when no attempt is left. */
export function pauseSeconds(repeating: Schedule, attempt: number): number {
  const ms = pauseMs(repeating, attempt)
  if (ms === null) throw new RangeError('the schedule allows no further attempt')
  return ms / 1000
}

/** The longest `Retry-After` that is respected. */
export const longestRetryAfterSeconds = 86_400

export interface FailedAttempt {
  /** The number of the failed attempt, from 1. */
  attempt: number
  at: Date
  /** When the server asked for the next attempt. */
  retryAfter: Date | null
  /** Multiplies the pauses; 1 by default. */
  scale?: number
}

/** When to try again; null when no attempt is left. `retryAfter` can only extend the pause, up to a day. */
export function nextTryAt(retrySchedule: Schedule, { attempt, at, retryAfter, scale = 1 }: FailedAttempt): Date | null {
  const ms = pauseMs(retrySchedule, attempt)
  if (ms === null) return null
  const scheduled = secondsAfter(at, (ms / 1000) * scale)
  const requestedAt =
    retryAfter && new Date(Math.min(retryAfter.getTime(), secondsAfter(at, longestRetryAfterSeconds).getTime()))
  return requestedAt && requestedAt > scheduled ? requestedAt : scheduled
}

/** The instant in a `Retry-After` header, given in seconds or as an HTTP date (RFC 9110 §10.2.3); null if invalid. */
export function retryAfter(header: string | string[] | undefined, at: Date): Date | null {
  if (typeof header !== 'string') return null
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return secondsAfter(at, Number(text))
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : new Date(date)
}
