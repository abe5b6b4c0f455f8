// Checks all updates that an integrator received in one run, journey by journey.
import type { Arrival, Listener } from '#test/setup/listener.ts'
import { sequenceFaults, updateFaults } from './lifecycle-oracle.ts'

/** All violations of D1 in these updates, and the updates with a forged signature. */
export function findViolations({ arrivals, forged }: Listener): string[] {
  const journeys = new Set(arrivals.map(({ journeyId }) => journeyId))
  return [...forged, ...[...journeys].flatMap((journeyId) => journeyViolations(arrivals, journeyId))]
}

function journeyViolations(arrivals: Arrival[], journeyId: string): string[] {
  const journeyArrivals = arrivals.filter((each) => each.journeyId === journeyId)
  const faults = (['webhook', 'callback'] as const).flatMap((channel) => {
    const events = withoutRetries(journeyArrivals.filter((each) => each.channel === channel))
    const payloads = events.map(({ payload }) => payload)
    return [...payloads.flatMap(updateFaults), ...sequenceFaults(payloads), ...duplicateFaults(events)]
  })
  return faults.map((fault) => `${journeyId}: ${fault}`)
}

/** The first arrival of each event: a retry has the same `webhook-id` (D1 §6.4). */
export const withoutRetries = (arrivals: Arrival[]): Arrival[] =>
  arrivals.filter(({ id }, i) => arrivals.findIndex((each) => each.id === id) === i)

const duplicateFaults = (events: Arrival[]): string[] => {
  const statuses = events.map(({ status }) => status)
  return statuses.filter((status, i) => statuses.indexOf(status) !== i).map((status) => `${status} was sent twice`)
}
