// Derives what a journey waits for, who must act next, since when, and until when.

import { daysAfter } from '@lendloom/foundation/clock'
import { contractOf } from '@lendloom/lending/product/products'
import type { WaitingFor } from '@lendloom/wire/console/journeys'
import { endsJourney, type Journey } from '#platform/lending/journey/journey.ts'
import { allSteps, initialStep, type JourneyStep, nextStepOf, type StepName } from '#platform/lending/step/step.ts'

export interface WaitingFacts {
  journey: Pick<Journey, 'type' | 'status' | 'active' | 'search' | 'lenderMode' | 'lastBorrowerActAt' | 'closedAt'>
  /** Whether the chosen offer has final terms; null before the choice. */
  chosenIsFinal: boolean | null
  /** When the chosen offer expires; before the choice, when the last offer expires. */
  offersUntil: Date | null
  /** The deadline of the message that a lender must send. */
  awaitedUntil: Date | null
  /** Whether a lender waits for the borrower's account aggregator consent. */
  consentIsDue: boolean
  /** When the lender opened the chosen credit line, which may then be drawn at any time or never. */
  lineOpenedAt: Date | null
  /** When the status or a step last changed; null without either. */
  movedAt: Date | null
  steps: Pick<JourneyStep, 'name' | 'status' | 'diagnostics'>[]
}

/** Returns null when the journey has ended, is disbursed, or has an open credit line. */
export function waitOfJourney(facts: WaitingFacts, idleDays: number): WaitingFor | null {
  const { journey, awaitedUntil, movedAt } = facts
  if (!journey.active || journey.closedAt !== null || facts.lineOpenedAt !== null) return null
  if (endsJourney(journey.status)) return null
  const { lastBorrowerActAt } = journey
  const since = (movedAt && movedAt > lastBorrowerActAt ? movedAt : lastBorrowerActAt).toISOString()
  const idleLimit = daysAfter(journey.lastBorrowerActAt, idleDays)
  const waitForLender = (what: WaitingFor['what']): WaitingFor => ({
    what,
    whose: 'lender',
    since,
    until: isoOrNull(awaitedUntil),
  })
  const waitForBorrower = (what: WaitingFor['what'], until: Date | null = null): WaitingFor => ({
    what,
    whose: 'borrower',
    since,
    until: isoOrNull(until && until < idleLimit ? until : idleLimit),
  })
  switch (journey.status) {
    case 'STARTED':
      if (facts.consentIsDue) return waitForBorrower('CONSENT')
      return journey.search === 'OPEN' || journey.search === 'CLOSED'
        ? waitForLender('OFFERS')
        : waitForBorrower('PROFILE')
    case 'PROFILED':
      return facts.consentIsDue ? waitForBorrower('CONSENT') : waitForLender('OFFERS')
    case 'OFFERED':
      return waitForBorrower('CHOICE', facts.offersUntil)
    case 'OFFER_SELECTED':
      if (facts.chosenIsFinal) return waitForBorrower('ACCEPTANCE', facts.offersUntil)
      return isReady(facts, 'bankMandate') ? waitForBorrower('ACCOUNT') : waitForLender('FINAL_OFFER')
    case 'OFFER_ACCEPTED':
    case 'LENDER_REDIRECTED':
      return waitingForStep(facts, { waitForLender, waitForBorrower })
    default:
      return null
  }
}

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null

const isReady = ({ steps }: WaitingFacts, name: StepName): boolean =>
  steps.some((step) => step.name === name && step.status === 'READY')

const expectedByStep: Record<Exclude<StepName, 'disbursal'>, WaitingFor['what']> = {
  kyc: 'KYC',
  bankMandate: 'ACCOUNT',
  eMandate: 'MANDATE',
  loanAgreement: 'AGREEMENT',
}

interface WaitBuilders {
  waitForLender(what: WaitingFor['what']): WaitingFor
  waitForBorrower(what: WaitingFor['what']): WaitingFor
}

/** Whether the borrower visits a branch, and not only a page of the lender. */
const isVisit = ({ type, lenderMode }: WaitingFacts['journey']): boolean =>
  lenderMode === 'OFFLINE' && contractOf(type).visitsBranch

/** Waits for the first unfinished step. The lender must act if the borrower can neither open nor retry it. */
function waitingForStep(
  { journey, steps, consentIsDue }: WaitingFacts,
  { waitForLender, waitForBorrower }: WaitBuilders,
): WaitingFor {
  const due = nextStepOf(allSteps(steps.map((step) => ({ ...initialStep(step.name), ...step }))), journey.type)
  if (!due || due.name === 'disbursal') return consentIsDue ? waitForBorrower('CONSENT') : waitForLender('DISBURSAL')
  if (due.status === 'PENDING') return waitForLender('LENDER')
  const what = due.name === 'kyc' && isVisit(journey) ? 'VISIT' : expectedByStep[due.name]
  const mustLenderAct =
    (due.name === 'bankMandate' && due.status === 'IN_PROGRESS') ||
    (due.status === 'FAILURE' && due.diagnostics?.retryable === false)
  return mustLenderAct ? waitForLender(what) : waitForBorrower(what)
}
