// When a failed attempt is retried: schedules of ISO 8601 durations, one per use, and `Retry-After`.
import { durationMs, secondsAfter } from './clock.ts'

export interface Schedule {
  /** The pause before the second try, the third, and so on, as ISO 8601 durations. */
  pauses: readonly string[]
  /** After the last pause: nothing more is tried, or the last pause is used again and again. */
  then: 'give up' | 'repeat'
  /** Milliseconds of each pause. */
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

/** Twice as long each time, from the first pause to the longest, which is then repeated. */
export const doublingPauses = (firstSeconds: number, longestSeconds: number): Schedule =>
  upTo(longestSeconds, (seconds) => seconds * 2, firstSeconds)

/** Longer by the first pause each time, up to the longest, which is then repeated. */
export const linearPauses = (firstSeconds: number, longestSeconds: number): Schedule =>
  upTo(longestSeconds, (seconds) => seconds + firstSeconds, firstSeconds)

function upTo(longestSeconds: number, next: (seconds: number) => number, firstSeconds: number): Schedule {
  const pauses: string[] = []
  for (let seconds = firstSeconds; seconds < longestSeconds; seconds = rounded(next(seconds)))
    pauses.push(durationOf(seconds))
  return schedule([...pauses, durationOf(longestSeconds)], 'repeat')
}

const rounded = (seconds: number): number => Number(seconds.toFixed(3))
const durationOf = (seconds: number): string => (seconds % 60 === 0 ? `PT${seconds / 60}M` : `PT${seconds}S`)

/** Milliseconds before the next try after `attempt` tries; null when that was the last one. */
export function pauseMs({ milliseconds, then }: Schedule, attempt: number): number | null {
  const last = then === 'repeat' ? milliseconds.at(-1) : undefined
  return milliseconds[Math.max(1, attempt) - 1] ?? last ?? null
}

/** As above in seconds, for a schedule that does not give up. */
export function pauseSeconds(repeating: Schedule, attempt: number): number {
  const ms = pauseMs(repeating, attempt)
  if (ms === null) throw new RangeError('this schedule gives up')
  return ms / 1000
}

/** The longest `Retry-After` that is respected. */
export const longestRetryAfterSeconds = 86_400

export interface FailedTry {
  /** How many tries there were, from 1. */
  attempt: number
  at: Date
  /** When the other side asked to be tried again. */
  retryAfter: Date | null
  /** Multiplies the pauses; 1 by default. */
  scale?: number
}

/**
 * When to try again; null when that was the last try. A later `retryAfter` is respected, up to a day; an earlier one
 * changes nothing, because the schedule is a promise.
 */
export function nextTryAt(given: Schedule, { attempt, at, retryAfter, scale = 1 }: FailedTry): Date | null {
  const ms = pauseMs(given, attempt)
  if (ms === null) return null
  const scheduled = secondsAfter(at, (ms / 1000) * scale)
  const requestedAt =
    retryAfter && new Date(Math.min(retryAfter.getTime(), secondsAfter(at, longestRetryAfterSeconds).getTime()))
  return requestedAt && requestedAt > scheduled ? requestedAt : scheduled
}

/** The instant that a `Retry-After` header names, in seconds or as an HTTP date (RFC 9110 §10.2.3); null for anything else. */
export function retryAfter(header: string | string[] | undefined, at: Date): Date | null {
  if (typeof header !== 'string') return null
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return secondsAfter(at, Number(text))
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : new Date(date)
}
