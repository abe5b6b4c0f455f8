// A worker's state of one destination: its requests in flight, its pauses, and its waiting messages.
import { pauseSeconds, type Schedule } from '#kit/runtime/schedule.ts'

export interface DestinationPolicy {
  /** Maximum number of requests in flight to one destination. */
  maxInFlight: number
  /** Pauses of a destination that keeps failing; null: it is never paused and always has its full width. */
  pauseSchedule: Schedule | null
}

/** State in the memory of this process; its loss costs a few attempts, but no message. Times in milliseconds. */
export interface Destination<Message = unknown> {
  tenantId: string
  destinationId: string
  inFlight: number
  /** How many requests may be in flight, from the receiver's latency; not always a whole number. */
  concurrencyLimit: number
  /** The receiver's latency with few requests in flight. */
  baselineMs: number
  /** The moving average of the receiver's latency. */
  averageMs: number
  /** Failures in a row. */
  failures: number
  /** No attempt starts before then. */
  pausedUntil: number
  pauses: number
  /** Messages that were read and not claimed yet, oldest first. */
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
/** After this many failures in a row a destination is paused, and counts as dead until a single try succeeds. */
export const failuresToPause = 4
/** A destination without messages is evicted after this time. */
const evictAfterMs = 600_000

/** Returns how many more attempts may start; `isCrowded`: the whole worker is near its limit. */
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
  // After a failure, only as many attempts run as failures are left before a pause, until one succeeds.
  const attemptsBeforePause = destination.failures > 0 ? failuresToPause - destination.failures : maxInFlight
  return Math.min(Math.floor(destination.concurrencyLimit), maxInFlight, attemptsBeforePause)
}

/** Whether to claim more messages: some wait, and a quarter of the slots is free, so that a claim gets several. */
export function isReady(destination: Destination, now: number, policy: DestinationPolicy): boolean {
  const limit = limitOf(destination, now, false, policy)
  return hasMessages(destination) && limit > 0 && 4 * (limit - destination.inFlight) >= limit
}

/** Whether to read the backlog: half of the slots are free, and every message that was read is claimed. */
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

export function beginAttempt(destination: Destination, now: number): void {
  destination.inFlight++
  destination.usedAt = now
}

/** Reverts a `beginAttempt` without an attempt. */
export function revertAttempt(destination: Destination): void {
  destination.inFlight--
}

interface AttemptEnd {
  tookMs: number
  now: number
  succeeded: boolean
  policy: DestinationPolicy
}

/** Records the end of an attempt and adapts the width or the pause. */
export function endAttempt(destination: Destination, { tookMs, now, succeeded, policy }: AttemptEnd): void {
  revertAttempt(destination)
  if (policy.pauseSchedule === null) return
  if (succeeded) {
    Object.assign(destination, { failures: 0, pausedUntil: 0, pauses: 0 })
    adapt(destination, tookMs, policy)
    return
  }
  destination.concurrencyLimit = Math.max(minConcurrency, destination.concurrencyLimit / 2)
  destination.failures++
  // When several fail together, the first one pauses the destination; the others only confirm it.
  if (destination.failures < failuresToPause || now < destination.pausedUntil) return
  destination.pauses++
  destination.pausedUntil = now + 1000 * pauseSeconds(policy.pauseSchedule, destination.pauses)
}

/**
 * Widens while messages wait and latency stays as low as with few in flight; narrows when it rises. So the width
 * follows the receiver's latency, and an overloaded receiver gets less.
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

/** Whether the destination holds no state worth keeping. */
export const isEvictable = (destination: Destination, now: number): boolean =>
  destination.inFlight === 0 &&
  !hasMessages(destination) &&
  now > Math.max(destination.usedAt, destination.pausedUntil) + evictAfterMs
