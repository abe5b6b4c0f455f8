// A bulk replay: its filter, counts and states.

import type { DeliveryState } from '@lendloom/wire/webhook/delivery-state'
import type { UpdateStatus } from '#platform/integrators/webhook/delivery.ts'

/** The queue, and the kind of its jobs. */
export const replayQueue = 'webhook-replay'

export const maxReplayJourneys = 100_000

/** Default rate: the number of updates that become due per second. */
export const defaultUpdatesPerSecond = 50

export interface ReplayKey {
  tenantId: string
  replayId: string
}

/** The filter of a replay; null omits a condition. */
export interface ReplayFilter {
  endpointId: string | null
  journeyId: string | null
  states: DeliveryState[]
  statuses: UpdateStatus[] | null
  /** The time of the update; `from` is inclusive, `until` exclusive. */
  from: Date | null
  until: Date | null
}

/** `chosen` deliveries match the filter; `updates` also counts all later updates of their journeys. */
export interface ReplayCount {
  journeys: number
  chosen: number
  updates: number
  missed: number
  waiting: number
}

/** A STOPPED replay still has its remaining journeys and can be resumed. */
export interface BulkReplay extends ReplayKey {
  filter: ReplayFilter
  state: 'RUNNING' | 'STOPPED' | 'DONE'
  perSecond: number
  /** Counted at the start. */
  journeys: number
  updates: number
  journeysDone: number
  updatesDone: number
  /** Journeys whose destination was removed or disabled before their turn. */
  journeysSkipped: number
  personId: string | null
  startedAt: Date
  endedAt: Date | null
}
