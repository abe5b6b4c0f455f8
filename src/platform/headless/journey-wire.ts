// A journey as D2 §2.3 spells it.
import type { JourneyType } from '#contract/headless/fields.ts'
import type { Journey, JourneyState, Resume } from '#contract/headless/journey.ts'
import { capabilitiesOf, type Facts, type Standing, standingOf } from './journey-status.ts'
import type { StandingRow } from './store.ts'

/** The standing of a row as it was read. */
export const standingIn = (row: StandingRow): Standing => standingOf({ ...row, journey: row } satisfies Facts)

export function journeyWire(row: StandingRow): Journey {
  const { status, timelineState, nextAction } = standingIn(row)
  return {
    journeyID: row.journeyId,
    type: row.type as JourneyType,
    status,
    updatedAt: row.updatedAt.toISOString(),
    timelineState,
    nextAction,
    capabilities: capabilitiesOf(row.type),
    resume: resumeWire(row),
  }
}

export function stateWire(row: StandingRow): JourneyState {
  const { status, nextAction, pendingOperations } = standingIn(row)
  return { journeyID: row.journeyId, status, nextAction, pendingOperations, updatedAt: row.updatedAt.toISOString() }
}

export const resumeWire = ({
  lastCompletedStep,
  lastViewedOfferId,
}: Pick<StandingRow, 'lastCompletedStep' | 'lastViewedOfferId'>): Resume => ({
  ...(lastCompletedStep !== null && { lastCompletedStep }),
  ...(lastViewedOfferId !== null && { lastViewedOfferID: lastViewedOfferId }),
})
