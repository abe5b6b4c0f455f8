// A bulk replay: its filter, counts and states.
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { DeliveryState } from '#platform/webhook/delivery.ts'

/** The queue, and the kind of its jobs. */
export const replays = 'webhook-replay'

/** More are not counted exactly, and not replayed at once. */
export const mostJourneys = 100_000

/** Updates that are made due per second, by default. */
export const usualPerSecond = 50

export interface ReplayKey {
  tenantId: string
  replayId: string
}

/** Which deliveries are chosen; null leaves a condition out. */
export interface ReplayFilter {
  endpointId: string | null
  journeyId: string | null
  /** At least one. */
  states: DeliveryState[]
  statuses: LifecycleStatus[] | null
  /** By the instant of the update: from this one on, and before that one. */
  from: Date | null
  until: Date | null
}

/** `chosen` match the filter; `updates` are those and all later ones of their journeys. */
export interface ReplayCount {
  journeys: number
  chosen: number
  updates: number
}

/** RUNNING works on its journeys turn by turn; STOPPED keeps the rest, and may be resumed. */
export interface BulkReplay extends ReplayKey {
  filter: ReplayFilter
  state: 'RUNNING' | 'STOPPED' | 'DONE'
  perSecond: number
  /** As counted when it began. */
  journeys: number
  updates: number
  journeysDone: number
  updatesDone: number
  /** Their destination was removed or disabled when their turn came. */
  journeysSkipped: number
  personId: string | null
  startedAt: Date
  endedAt: Date | null
}
