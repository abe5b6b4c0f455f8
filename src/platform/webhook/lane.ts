// The lane of one destination: how much it may have in flight, when it is left alone, and when what must wait comes back.
import type { Manner } from './manner.ts'

/** Plain state of this process; what it forgets costs a few tries, never a delivery. Times in milliseconds. */
export interface Lane {
  inFlight: number
  /** When the tries in flight began, oldest first. */
  since: number[]
  /** Failures in a row. */
  failures: number
  /** Left alone until then. */
  closedUntil: number
  pauses: number
  /** What a try took lately, and when the last of those that were sent away will come back. */
  tookMs: number
  queueUntil: number
}

export const newLane = (): Lane => ({
  inFlight: 0,
  since: [],
  failures: 0,
  closedUntil: 0,
  pauses: 0,
  tookMs: 0,
  queueUntil: 0,
})

const mostInFlight = 4
/** So many failures in a row, and a destination counts as dead until a single try succeeds. */
const failuresToClose = 4
/** Nobody who was sent away comes back sooner than this, and nobody later than the longest pause. */
const leastWaitMs = 50

/** How many more tries may begin; `crowded` when the worker as a whole is near its limit. */
export function room(lane: Lane, now: number, crowded: boolean): number {
  if (now < lane.closedUntil) return 0
  const limit = crowded || lane.failures >= failuresToClose ? 1 : mostInFlight
  return Math.max(0, limit - lane.inFlight)
}

export function begin(lane: Lane, now: number): void {
  lane.inFlight++
  lane.since.push(now)
}

/** Takes back a `begin`: nothing was tried. */
export function giveBack(lane: Lane, began: number): void {
  lane.inFlight--
  lane.since.splice(lane.since.indexOf(began), 1)
}

export function end(lane: Lane, began: number, now: number, succeeded: boolean, manner: Manner): void {
  giveBack(lane, began)
  const took = now - began
  lane.tookMs = lane.tookMs === 0 ? took : lane.tookMs * 0.8 + took * 0.2
  if (succeeded) {
    Object.assign(lane, { failures: 0, closedUntil: 0, pauses: 0, queueUntil: 0 })
    return
  }
  lane.failures++
  // Of several that fail together, the first one closes the lane; the others only confirm it.
  if (lane.failures < failuresToClose || now < lane.closedUntil) return
  lane.closedUntil = now + 1000 * Math.min(manner.pauseSeconds * 2 ** lane.pauses, manner.longestPauseSeconds)
  lane.pauses++
}

/**
 * When a delivery that finds no room is looked at again. Each one waits a little longer than the one before, as fast as
 * the destination has been taking them: so a backlog of thousands costs one write each, not one a second each.
 */
export function comeBack(lane: Lane, now: number, manner: Manner): number {
  const waited = lane.since[0] === undefined ? 0 : now - lane.since[0]
  const pace = Math.max(lane.tookMs, waited) / mostInFlight
  const soonest = Math.max(now + leastWaitMs, lane.closedUntil)
  lane.queueUntil = Math.max(lane.queueUntil + pace, soonest)
  return Math.min(lane.queueUntil, now + 1000 * manner.longestPauseSeconds)
}

/** A lane that remembers nothing can be forgotten. */
export const isIdle = (lane: Lane, now: number): boolean =>
  lane.inFlight === 0 && lane.failures === 0 && lane.queueUntil <= now
