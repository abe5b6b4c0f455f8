// Derives what a journey waits for, who must act next, and until when.

import type { WaitingFor } from '#contract/console/journeys.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { endsJourney, type Journey } from '#platform/journey/journey.ts'
import { allSteps, initialStep, type JourneyStep, nextStepOf, type StepName } from '#platform/step/store.ts'

export interface WaitingFacts {
  journey: Pick<Journey, 'type' | 'status' | 'active' | 'search' | 'lenderMode' | 'lastBorrowerActAt' | 'closedAt'>
  /** Whether the chosen offer has final terms; null before the choice. */
  chosenIsFinal: boolean | null
  /** End of validity of the chosen offer; before the choice, of the offer that is valid longest. */
  offersUntil: Date | null
  /** The lender's deadline. */
  awaitedUntil: Date | null
  /** Whether a lender waits for the borrower's account aggregator consent. */
  consentIsDue: boolean
  steps: Pick<JourneyStep, 'name' | 'status' | 'diagnostics'>[]
}

/** Returns null when the journey has ended or is disbursed. */
export function waitingFor(facts: WaitingFacts, idleDays: number): WaitingFor | null {
  const { journey, awaitedUntil } = facts
  if (!journey.active || journey.closedAt !== null || endsJourney(journey.status)) return null
  const idle = daysAfter(journey.lastBorrowerActAt, idleDays)
  const lender = (what: WaitingFor['what']): WaitingFor => ({ what, whose: 'lender', until: isoOrNull(awaitedUntil) })
  const borrower = (what: WaitingFor['what'], until: Date | null = null): WaitingFor => ({
    what,
    whose: 'borrower',
    until: isoOrNull(until && until < idle ? until : idle),
  })
  switch (journey.status) {
    case 'STARTED':
      if (facts.consentIsDue) return borrower('CONSENT')
      return journey.search === 'OPEN' || journey.search === 'CLOSED' ? lender('OFFERS') : borrower('PROFILE')
    case 'PROFILED':
      return facts.consentIsDue ? borrower('CONSENT') : lender('OFFERS')
    case 'OFFERED':
      return borrower('CHOICE', facts.offersUntil)
    case 'OFFER_SELECTED':
      if (facts.chosenIsFinal) return borrower('ACCEPTANCE', facts.offersUntil)
      return isReady(facts, 'bankMandate') ? borrower('ACCOUNT') : lender('FINAL_OFFER')
    case 'OFFER_ACCEPTED':
    case 'LENDER_REDIRECTED':
      return waitingForStep(facts, { lender, borrower })
    default:
      return null
  }
}

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null

const isReady = ({ steps }: WaitingFacts, name: StepName): boolean =>
  steps.some((step) => step.name === name && step.status === 'READY')

const waitForStep: Record<Exclude<StepName, 'disbursal'>, WaitingFor['what']> = {
  kyc: 'KYC',
  bankMandate: 'ACCOUNT',
  eMandate: 'MANDATE',
  loanAgreement: 'AGREEMENT',
}

interface WaitBuilders {
  lender(what: WaitingFor['what']): WaitingFor
  borrower(what: WaitingFor['what']): WaitingFor
}

/** The first unfinished step; the lender must act when the borrower cannot open or retry it. */
function waitingForStep(
  { journey, steps, consentIsDue }: WaitingFacts,
  { lender, borrower }: WaitBuilders,
): WaitingFor {
  const due = nextStepOf(allSteps(steps.map((step) => ({ ...initialStep(step.name), ...step }))), journey.type)
  if (!due || due.name === 'disbursal') return consentIsDue ? borrower('CONSENT') : lender('DISBURSAL')
  if (due.status === 'PENDING') return lender('LENDER')
  const what = due.name === 'kyc' && journey.lenderMode === 'OFFLINE' ? 'VISIT' : waitForStep[due.name]
  const mustLenderAct =
    (due.name === 'bankMandate' && due.status === 'IN_PROGRESS') ||
    (due.status === 'FAILURE' && due.diagnostics?.retryable === false)
  return mustLenderAct ? lender(what) : borrower(what)
}
