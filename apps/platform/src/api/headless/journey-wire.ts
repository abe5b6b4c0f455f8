// Converts journeys to the format of D2 §2.3.
import type { JourneyState, JourneyView, Resume } from '@lendloom/wire/headless/journey'
import { capabilitiesOf, type JourneyOverview, type StatusRows, statusOf } from './journey-status.ts'
import type { HeadlessJourneyRow } from './store.ts'

export const overviewOf = (row: HeadlessJourneyRow): JourneyOverview =>
  statusOf({ ...row, journey: row } satisfies StatusRows)

export function journeyWire(row: HeadlessJourneyRow): JourneyView {
  const { status, timelineState, nextAction } = overviewOf(row)
  return {
    journeyID: row.journeyId,
    type: row.type,
    status,
    updatedAt: row.updatedAt.toISOString(),
    timelineState,
    nextAction,
    capabilities: capabilitiesOf(row.type),
    resume: resumeWire(row),
  }
}

export function stateWire(row: HeadlessJourneyRow): JourneyState {
  const { status, nextAction, pendingOperations } = overviewOf(row)
  return { journeyID: row.journeyId, status, nextAction, pendingOperations, updatedAt: row.updatedAt.toISOString() }
}

export const resumeWire = ({
  lastCompletedStep,
  lastViewedOfferId,
}: Pick<HeadlessJourneyRow, 'lastCompletedStep' | 'lastViewedOfferId'>): Resume => ({
  ...(lastCompletedStep !== null && { lastCompletedStep }),
  ...(lastViewedOfferId !== null && { lastViewedOfferID: lastViewedOfferId }),
})
