// The state that a worker keeps of one destination: requests in flight, pauses and waiting messages.
import { pauseSeconds, type Schedule } from '@lendloom/foundation/schedule'

export interface DestinationPolicy {
  /** Maximum number of requests in flight to one destination. */
  maxInFlight: number
  /** Pauses of a destination that keeps failing. Null: it is never paused, and its limit is always `maxInFlight`. */
  pauseSchedule: Schedule | null
}

/** Kept only in memory, because losing it costs a few attempts but no message. Times are in milliseconds. */
export interface Destination<Message = unknown> {
  tenantId: string
  destinationId: string
  inFlight: number
  /** How many requests may be in flight; adapts to the receiver's latency, and may be a fraction. */
  concurrencyLimit: number
  /** Average latency while the concurrency limit is at its minimum. */
  baselineMs: number
  /** Moving average of the receiver's latency. */
  averageMs: number
  /** Consecutive failures. */
  failures: number
  pausedUntil: number
  pauses: number
  /** Messages that the worker has read but not yet claimed, oldest first. */
  waiting: Message[]
  /** Whether the database may have more due messages. */
  hasMore: boolean
  usedAt: number
}

export const newDestination = <Message>(tenantId: string, destinationId: string): Destination<Message> => ({
  tenantId,
  destinationId,
  inFlight: 0,
  concurrencyLimit: minConcurrency,
  baselineMs: 0,
  averageMs: 0,
  failures: 0,
  pausedUntil: 0,
  pauses: 0,
  waiting: [],
  hasMore: false,
  usedAt: 0,
})

/** Initial and minimum number of requests in flight. */
const minConcurrency = 4
/** After this many consecutive failures a destination is paused; then it gets single attempts until one succeeds. */
export const failuresToPause = 4
/** A destination without messages is evicted after ten minutes. */
const evictAfterMs = 600_000

/** Returns how many more attempts may start. `isCrowded`: the worker is near its total limit. */
export const freeSlots = (
  destination: Destination,
  now: number,
  isCrowded: boolean,
  policy: DestinationPolicy,
): number => Math.max(0, limitOf(destination, now, isCrowded, policy) - destination.inFlight)

function limitOf(destination: Destination, now: number, isCrowded: boolean, policy: DestinationPolicy): number {
  const { maxInFlight, pauseSchedule } = policy
  if (pauseSchedule === null) return maxInFlight
  if (now < destination.pausedUntil) return 0
  if (isCrowded || destination.failures >= failuresToPause) return 1
  // After a failure, limits attempts to the number of failures that would cause a pause.
  const attemptsBeforePause = destination.failures > 0 ? failuresToPause - destination.failures : maxInFlight
  return Math.min(Math.floor(destination.concurrencyLimit), maxInFlight, attemptsBeforePause)
}

/** Whether to claim more messages: only when a quarter of the slots is free, so that each claim gets several. */
export function isReady(destination: Destination, now: number, policy: DestinationPolicy): boolean {
  const limit = limitOf(destination, now, false, policy)
  return hasMessages(destination) && limit > 0 && 4 * (limit - destination.inFlight) >= limit
}

/** Whether to read more due messages: half of the slots are free, and no message that was read waits. */
export function shouldReadBacklog(
  destination: Destination,
  now: number,
  isCrowded: boolean,
  policy: DestinationPolicy,
): boolean {
  const limit = limitOf(destination, now, isCrowded, policy)
  return (
    destination.hasMore && destination.waiting.length === 0 && 2 * (limit - destination.inFlight) >= limit && limit > 0
  )
}

/** Takes a slot of the destination for an attempt. */
export function beginAttempt(destination: Destination, now: number): void {
  destination.inFlight++
  destination.usedAt = now
}

/** Undoes `beginAttempt` when no attempt was made. */
export function revertAttempt(destination: Destination): void {
  destination.inFlight--
}

interface AttemptEnd {
  tookMs: number
  now: number
  succeeded: boolean
  policy: DestinationPolicy
}

/** Records the end of an attempt, and adapts the concurrency limit or the pause. */
export function endAttempt(destination: Destination, { tookMs, now, succeeded, policy }: AttemptEnd): void {
  revertAttempt(destination)
  const { pauseSchedule } = policy
  if (pauseSchedule === null) return
  if (succeeded) {
    Object.assign(destination, { failures: 0, pausedUntil: 0, pauses: 0 })
    adapt(destination, tookMs, policy)
    return
  }
  destination.concurrencyLimit = Math.max(minConcurrency, destination.concurrencyLimit / 2)
  destination.failures++
  // Further failures of concurrent attempts do not lengthen the pause.
  if (destination.failures < failuresToPause || now < destination.pausedUntil) return
  destination.pauses++
  destination.pausedUntil = now + 1000 * pauseSeconds(pauseSchedule, destination.pauses)
}

/**
 * Raises the concurrency limit while messages wait and latency is near the baseline; lowers it when latency rises. So
 * an overloaded receiver gets fewer concurrent requests.
 */
function adapt(destination: Destination, tookMs: number, { maxInFlight }: DestinationPolicy): void {
  const { averageMs, concurrencyLimit } = destination
  destination.averageMs = averageMs === 0 ? tookMs : averageMs * 0.8 + tookMs * 0.2
  if (concurrencyLimit <= minConcurrency) destination.baselineMs = destination.averageMs
  const addedMs = destination.averageMs - destination.baselineMs
  if (addedMs > destination.baselineMs * 0.5 + 5)
    destination.concurrencyLimit = Math.max(minConcurrency, concurrencyLimit - 0.25)
  else if (addedMs <= destination.baselineMs * 0.2 + 2 && hasMessages(destination))
    destination.concurrencyLimit = Math.max(concurrencyLimit, Math.min(maxInFlight, concurrencyLimit + 1))
}

const hasMessages = ({ waiting, hasMore }: Destination): boolean => waiting.length > 0 || hasMore

/** Whether the worker may forget the destination: it is idle, and a pause would have ended long ago. */
export const isEvictable = (destination: Destination, now: number): boolean =>
  destination.inFlight === 0 &&
  !hasMessages(destination) &&
  now > Math.max(destination.usedAt, destination.pausedUntil) + evictAfterMs
