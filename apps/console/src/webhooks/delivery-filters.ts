// The filters of the list of deliveries, and the filter that replays the displayed list.

import type { ReplayFilter } from '@lendloom/wire/console/webhooks'
import { updateStatuses } from '@lendloom/wire/hosted/loan-event-types'
import { deliveryStates } from '@lendloom/wire/webhook/delivery-state'
import { query } from '../router.ts'
import { minuteBefore } from '../ui/clock.ts'

/** Time windows of the filter: name and length in seconds. */
export const windows: Record<string, readonly [string, number]> = {
  '1h': ['Last hour', 3600],
  '1d': ['Last day', 86_400],
  '7d': ['Last 7 days', 7 * 86_400],
  '30d': ['Last 30 days', 30 * 86_400],
}

/** Start of a window, rounded to the minute, so that the list is not loaded again every second. */
function startOf(window: string): string | undefined {
  const seconds = windows[window]?.[1]
  if (seconds === undefined) return undefined
  return minuteBefore(seconds)
}

const filterNames = ['state', 'status', 'since', 'journey'] as const
type FilterName = (typeof filterNames)[number]
type Filters = Record<FilterName, string>

export const filtersNow = (): Filters => ({
  state: query.value('state'),
  status: query.value('status'),
  since: query.value('since'),
  journey: query.value('journey').trim(),
})

export const listQuery = ({ state, status, since, journey }: Filters, endpointId: string | undefined) => ({
  endpointId,
  state: state || undefined,
  status: status || undefined,
  journeyId: journey || undefined,
  from: startOf(since),
})

/** The filter that replays the displayed list; without a state, all deliveries that have not arrived. */
export function replayFilter({ state, status, since, journey }: Filters, endpointId: string | undefined): ReplayFilter {
  const from = startOf(since)
  return {
    ...(endpointId && { endpointId }),
    ...(journey && { journeyId: journey }),
    ...(from && { from }),
    ...(status && { statuses: updateStatuses.filter((each) => each === status) }),
    states: state ? deliveryStates.filter((each) => each === state) : ['PENDING', 'EXHAUSTED', 'STOPPED'],
  }
}
