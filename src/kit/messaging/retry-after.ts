// When somebody who is busy wishes to be asked again.
import { secondsAfter } from '#kit/runtime/clock.ts'

/** The instant that a `Retry-After` header names, in seconds or as an HTTP date (RFC 9110 §10.2.3); null for anything else. */
export function retryAfter(header: string | string[] | undefined, at: Date): Date | null {
  if (typeof header !== 'string') return null
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return secondsAfter(at, Number(text))
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : new Date(date)
}
