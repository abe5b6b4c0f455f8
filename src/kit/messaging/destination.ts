// One destination as a worker sees it: how much it may have in flight, when it is paused, and what waits for it.
import { pauseSeconds, type Schedule } from '#kit/runtime/schedule.ts'

export interface DestinationPolicy {
  /** Requests that one destination may have in flight at once, however many wait and however slowly it answers. */
  mostInFlight: number
  /** How long a destination that fails again and again is left alone; null for one that is never left alone and has its full width. */
  pauseSchedule: Schedule | null
}

/** Plain state of this process; what it forgets costs a few tries, never a message. Times in milliseconds. */
export interface Destination<Message = unknown> {
  tenantId: string
  destinationId: string
  inFlight: number
  /** How many requests it may have in flight while it answers well; a fraction while it shrinks. */
  width: number
  /** The receiver's latency with few requests in flight, and its recent latency. */
  usualMs: number
  recentMs: number
  /** Failures in a row. */
  failures: number
  /** Left alone until then. */
  pausedUntil: number
  pauses: number
  /** Read from the database and not taken yet, oldest first. */
  waiting: Message[]
  /** Whether the database may hold more that is due. */
  hasMore: boolean
  usedAt: number
}

export const newDestination = <Message>(tenantId: string, destinationId: string): Destination<Message> => ({
  tenantId,
  destinationId,
  inFlight: 0,
  width: leastWidth,
  usualMs: 0,
  recentMs: 0,
  failures: 0,
  pausedUntil: 0,
  pauses: 0,
  waiting: [],
  hasMore: false,
  usedAt: 0,
})

/** How many requests a destination begins with at once; it keeps them however slowly it answers. */
const leastWidth = 4
/** After this many failures in a row a destination is paused, and counts as dead until a single try succeeds. */
export const failuresToPause = 4
/** How long a destination is remembered without messages. */
const forgottenMs = 600_000

/** How many more tries may begin; `crowded` when the worker as a whole is near its limit. */
export const freeSlots = (destination: Destination, now: number, crowded: boolean, policy: DestinationPolicy): number =>
  Math.max(0, limitOf(destination, now, crowded, policy) - destination.inFlight)

function limitOf(destination: Destination, now: number, crowded: boolean, policy: DestinationPolicy): number {
  const { mostInFlight, pauseSchedule } = policy
  if (pauseSchedule === null) return mostInFlight
  if (now < destination.pausedUntil) return 0
  if (crowded || destination.failures >= failuresToPause) return 1
  // After a failure, no more attempts start than would pause the destination, until one succeeds.
  const mayFail = destination.failures > 0 ? failuresToPause - destination.failures : mostInFlight
  return Math.min(Math.floor(destination.width), mostInFlight, mayFail)
}

/** Whether it is worth looking for its next messages: some wait, and a quarter of its slots is free to take several at once. */
export function isReady(destination: Destination, now: number, policy: DestinationPolicy): boolean {
  const limit = limitOf(destination, now, false, policy)
  return isWaitedFor(destination) && limit > 0 && 4 * (limit - destination.inFlight) >= limit
}

/** Whether its backlog should be read: half of its slots are free and nothing that was read is left. */
export function shouldReadBacklog(
  destination: Destination,
  now: number,
  crowded: boolean,
  policy: DestinationPolicy,
): boolean {
  const limit = limitOf(destination, now, crowded, policy)
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

interface EndedTry {
  tookMs: number
  now: number
  succeeded: boolean
  policy: DestinationPolicy
}

/** A try has ended after `tookMs`. */
export function endAttempt(destination: Destination, { tookMs, now, succeeded, policy }: EndedTry): void {
  revertAttempt(destination)
  if (policy.pauseSchedule === null) return
  if (succeeded) {
    Object.assign(destination, { failures: 0, pausedUntil: 0, pauses: 0 })
    adapt(destination, tookMs, policy)
    return
  }
  destination.width = Math.max(leastWidth, destination.width / 2)
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
function adapt(destination: Destination, tookMs: number, { mostInFlight }: DestinationPolicy): void {
  const { recentMs, width } = destination
  destination.recentMs = recentMs === 0 ? tookMs : recentMs * 0.8 + tookMs * 0.2
  if (width <= leastWidth) destination.usualMs = destination.recentMs
  const slower = destination.recentMs - destination.usualMs
  if (slower > destination.usualMs * 0.5 + 5) destination.width = Math.max(leastWidth, width - 0.25)
  else if (slower <= destination.usualMs * 0.2 + 2 && isWaitedFor(destination))
    destination.width = Math.max(width, Math.min(mostInFlight, width + 1))
}

const isWaitedFor = ({ waiting, hasMore }: Destination): boolean => waiting.length > 0 || hasMore

/** Whether nothing is lost when the destination is forgotten. */
export const isEvictable = (destination: Destination, now: number): boolean =>
  destination.inFlight === 0 &&
  !isWaitedFor(destination) &&
  now > Math.max(destination.usedAt, destination.pausedUntil) + forgottenMs
