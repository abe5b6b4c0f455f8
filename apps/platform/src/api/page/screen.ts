// Decides which screen the page shows.

import type { EmbedRequestedConsent } from '@lendloom/wire/hosted/embed-consents'
import type { Screen } from '@lendloom/wire/hosted/embed-view'
import type { SessionBorrower } from '#platform/integrators/access/embed-session.ts'
import { isExpired, type Journey } from '#platform/lending/journey/journey.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { isDoneOnPage, type JourneyStep, nextStepOf, type StepName, stepNamed } from '#platform/lending/step/step.ts'

interface ChosenOfferState {
  hasFinalTerms: boolean
  isLineOpen: boolean
}

/** Returns the journey's screen, which is LINE_OPEN also after a drawdown from a credit line. */
export function screenOf(
  journey: Journey,
  steps: JourneyStep[],
  { hasFinalTerms, isLineOpen }: ChosenOfferState,
): Screen {
  if (isExpired(journey)) return 'EXPIRED'
  if (journey.closedAt !== null) return 'CLOSED'
  if (isLineOpen && (journey.status === 'LENDER_REDIRECTED' || journey.status === 'DISBURSED')) return 'LINE_OPEN'
  switch (journey.status) {
    case 'STARTED':
      return journey.search === 'NONE' ? 'PROFILE' : journey.search === 'UNANSWERED' ? 'NO_ANSWER' : 'SEARCHING'
    case 'PROFILED':
      return 'SEARCHING'
    case 'OFFERED':
      return 'OFFERS'
    case 'OFFER_SELECTED':
      return hasFinalTerms ? 'FINAL_OFFER' : (accountScreen(steps) ?? 'FINALISING')
    case 'OFFER_ACCEPTED':
    case 'LENDER_REDIRECTED':
      return stepScreen(journey, steps)
    default:
      return journey.status
  }
}

/** Whether another page has taken over the journey from the calling page. */
export const isOnOtherPage = ({ pageId }: Pick<Journey, 'pageId'>, who: SessionBorrower): boolean =>
  (who.pageId ?? null) !== null && pageId !== null && pageId !== who.pageId

/**
 * Whether the borrower may ask the other lenders. The statement of a loan against mutual funds belongs to its journey,
 * so that such a loan begins in the app.
 */
export const mayAskOthers = (journey: Pick<Journey, 'status' | 'type'>): boolean =>
  journey.status === 'REJECTED' && productOf(journey).opensBySession

/** Whether a lender may still make an offer without an act of the borrower. `isComplete`: the search reached all known ones. */
export function isSearching(
  { search }: Pick<Journey, 'search'>,
  offers: Pick<Offer, 'offerId' | 'status'>[],
  { consents, isComplete }: { consents: Pick<EmbedRequestedConsent, 'offerId' | 'standing'>[]; isComplete: boolean },
): boolean {
  const isConsentDue = (offerId: string) =>
    consents.some(
      (consent) => consent.offerId === offerId && (consent.standing === 'DUE' || consent.standing === 'HANDLE'),
    )
  if (search === 'OPEN' && !isComplete) return true
  return offers.some(({ status, offerId }) => status === 'OFFER_AWAITED' && !isConsentDue(offerId))
}

/** Returns the screen if the lender needs a bank account or statement before its final terms; otherwise null. */
function accountScreen(steps: JourneyStep[]): Screen | null {
  const step = stepNamed(steps, 'bankMandate')
  const { status } = step
  if (!isDoneOnPage(step)) return status === 'READY' ? 'BANK' : null
  return status === 'READY' || status === 'IN_PROGRESS' || status === 'FAILURE' ? 'STATEMENT' : null
}

const screensOfSteps: Record<StepName, Screen> = {
  kyc: 'KYC',
  bankMandate: 'BANK',
  eMandate: 'E_MANDATE',
  loanAgreement: 'LOAN_AGREEMENT',
  disbursal: 'DISBURSAL',
}

/** Returns the screen of the first unfinished step. The borrower waits while the lender prepares or checks the step. */
function stepScreen(journey: Journey, steps: JourneyStep[]): Screen {
  const due = nextStepOf(steps, journey.type)
  if (!due || due.status === 'PENDING') return 'LENDER_WORKING'
  if (due.name === 'bankMandate' && due.status === 'IN_PROGRESS') return 'LENDER_WORKING'
  // The units are pledged, but the lender has not sent the mandate's page.
  if (due.name === 'eMandate' && due.status === 'IN_PROGRESS' && !isDoneOnPage(due)) return 'LENDER_WORKING'
  if (due.heading === 'LIEN_MARKING') return 'LIEN'
  return due.name === 'kyc' && productOf(journey).visitsBranch ? 'VISIT' : screensOfSteps[due.name]
}

/** How often a screen asks for changes: as often as the borrower waits for one. A screen that is left out never does. */
const pollMsByScreen: Partial<Record<Screen, number>> = {
  SEARCHING: 500,
  OFFERS: 2000,
  FINALISING: 1000,
  STATEMENT: 2000,
  KYC: 2000,
  VISIT: 2000,
  LIEN: 2000,
  E_MANDATE: 2000,
  LOAN_AGREEMENT: 2000,
  LENDER_WORKING: 1000,
  DISBURSAL: 1500,
  LINE_OPEN: 5000,
}

/** The milliseconds until the page's next poll; null if the screen changes only by an act of the borrower. */
export const pollAfterMs = (screen: Screen, isSearching: boolean): number | null =>
  (screen === 'OFFERS' && isSearching ? pollMsByScreen.SEARCHING : pollMsByScreen[screen]) ?? null
