// Checks all updates that an integrator received in one run, journey by journey.
import type { Arrival, Listener } from '#test/setup/listener.ts'
import { sequenceFaults, updateFaults } from './lifecycle-oracle.ts'

/** All violations of D1 by single updates or by the updates of a journey. */
export function judged({ arrivals, forged }: Listener): string[] {
  const journeys = new Set(arrivals.map(({ journeyId }) => journeyId))
  return [...forged, ...[...journeys].flatMap((journeyId) => judgedJourney(arrivals, journeyId))]
}

function judgedJourney(arrivals: Arrival[], journeyId: string): string[] {
  const own = arrivals.filter((each) => each.journeyId === journeyId)
  const faults = (['webhook', 'callback'] as const).flatMap((channel) => {
    const events = firstOfEach(own.filter((each) => each.channel === channel))
    const payloads = events.map(({ payload }) => payload)
    return [...payloads.flatMap(updateFaults), ...sequenceFaults(payloads), ...repeated(events)]
  })
  return faults.map((fault) => `${journeyId}: ${fault}`)
}

/** A retry carries the same `webhook-id` (D1 §6.4): only the first arrival of each is an event. */
export const firstOfEach = (arrivals: Arrival[]): Arrival[] =>
  arrivals.filter(({ id }, i) => arrivals.findIndex((each) => each.id === id) === i)

const repeated = (events: Arrival[]): string[] => {
  const statuses = events.map(({ status }) => status)
  return statuses.filter((status, i) => statuses.indexOf(status) !== i).map((status) => `${status} was sent twice`)
}
