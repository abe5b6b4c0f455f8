// A journey as D2 §2.3 spells it.
import type { JourneyState, JourneyView, Resume } from '#contract/headless/journey.ts'
import { capabilitiesOf, type JourneyFacts, type JourneyOverview, statusOf } from './journey-status.ts'
import type { HeadlessJourneyRow } from './store.ts'

/** The status of a row as it was read. */
export const statusIn = (row: HeadlessJourneyRow): JourneyOverview =>
  statusOf({ ...row, journey: row } satisfies JourneyFacts)

export function journeyWire(row: HeadlessJourneyRow): JourneyView {
  const { status, timelineState, nextAction } = statusIn(row)
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
  const { status, nextAction, pendingOperations } = statusIn(row)
  return { journeyID: row.journeyId, status, nextAction, pendingOperations, updatedAt: row.updatedAt.toISOString() }
}

export const resumeWire = ({
  lastCompletedStep,
  lastViewedOfferId,
}: Pick<HeadlessJourneyRow, 'lastCompletedStep' | 'lastViewedOfferId'>): Resume => ({
  ...(lastCompletedStep !== null && { lastCompletedStep }),
  ...(lastViewedOfferId !== null && { lastViewedOfferID: lastViewedOfferId }),
})
