// Computes the status of a journey (D2 §2.2) from its stored rows. The status itself is never stored.
import type {
  AaSessionState,
  JourneyStatus,
  NextAction,
  PendingOperation,
  StepStatus,
} from '@lendloom/wire/headless/enums'
import { isExpired, type Journey } from '#platform/lending/journey/journey.ts'
import { products } from '#platform/lending/product/products.ts'
import { type StepName, stepNames } from '#platform/lending/step/step.ts'

/** The stored rows that decide the status. */
export interface StatusRows {
  journey: Pick<Journey, 'type' | 'status' | 'active' | 'search' | 'closedAt'>
  /** Whether the borrower has acted since the creation of the journey. Prefilled data does not count. */
  profileBegun: boolean
  /** `finalTerms`: whether the lender has sent final terms. */
  offers: { offerId: string; status: string; selected: boolean; finalTerms: boolean }[]
  /** `hasPage`: whether the borrower completes the step on a page. */
  steps: { name: StepName; status: StepStatus; retryable: boolean | null; hasPage?: boolean }[]
  aaSessions: { offerId: string; purpose: 'UNDERWRITING' | 'MONITORING'; state: AaSessionState }[]
}

export interface JourneyOverview {
  status: JourneyStatus
  timelineState: JourneyStatus
  nextAction: NextAction | null
  pendingOperations: PendingOperation[]
}

/** Computes what the API returns of a journey's progress. */
export function statusOf(rows: StatusRows): JourneyOverview {
  const [status, nextAction] = statusRowOf(rows)
  return {
    status,
    // The timeline begins with the profile and does not contain STARTED (D2 §3).
    timelineState: status === 'STARTED' ? 'PROFILE_REQUIRED' : status,
    nextAction,
    pendingOperations: pendingOf(rows),
  }
}

type StatusRow = [JourneyStatus, NextAction | null]

function statusRowOf(rows: StatusRows): StatusRow {
  const { journey, offers } = rows
  if (journey.closedAt !== null) return ['CLOSED', null]
  if (isExpired(journey)) return ['EXPIRED', null]
  switch (journey.status) {
    case 'STARTED':
      return isSearching(journey) ? searchRow('PROFILE_SUBMITTED', rows) : rowBeforeSearch(rows)
    case 'PROFILED':
      return searchRow('OFFERS_PENDING', rows)
    case 'OFFERED':
      return ['OFFERS_AVAILABLE', 'VIEW_OFFERS']
    case 'OFFER_SELECTED': {
      if (isAccountDue(rows)) return ['BANK_MANDATE_PENDING', 'COMPLETE_STEP']
      const row = stepRow(rows)
      // A visit of the lender's page accepts the final terms. The status changes once both page and terms exist.
      return offers.some(({ selected, finalTerms }) => selected && finalTerms) && row[1] === 'COMPLETE_STEP'
        ? row
        : ['OFFER_SELECTED', null]
    }
    case 'OFFER_ACCEPTED':
    case 'LENDER_REDIRECTED':
      return stepRow(rows)
    case 'DISBURSED':
      return ['DISBURSED', null]
    case 'NOT_OFFERED':
    case 'REJECTED':
      return ['REJECTED', null]
  }
}

/** Whether the lender requires the account before its final terms. */
const isAccountDue = ({ steps, offers }: StatusRows): boolean =>
  !offers.some(({ selected, finalTerms }) => selected && finalTerms) &&
  steps.some(
    ({ name, status, hasPage = false }) =>
      name === 'bankMandate' && (status === 'READY' || (hasPage && (status === 'IN_PROGRESS' || status === 'FAILURE'))),
  )

const isSearching = ({ search }: StatusRows['journey']): boolean => search === 'OPEN' || search === 'CLOSED'

/** A borrower whose profile reached no lender may submit it again. */
const rowBeforeSearch = ({ journey, profileBegun }: StatusRows): StatusRow => [
  profileBegun || journey.search === 'UNANSWERED' ? 'PROFILE_REQUIRED' : 'STARTED',
  'FILL_PROFILE',
]

/** Returns AA_REQUIRED while a lender needs the borrower's consent to bank statements before it makes an offer. */
function searchRow(status: JourneyStatus, { offers, aaSessions }: StatusRows): StatusRow {
  const awaited = new Set(offers.filter((offer) => offer.status === 'OFFER_AWAITED').map(({ offerId }) => offerId))
  const needsConsent = aaSessions.some(
    ({ purpose, state, offerId }) => purpose === 'UNDERWRITING' && awaited.has(offerId) && needsBorrowerConsent(state),
  )
  return needsConsent ? ['AA_REQUIRED', 'COMPLETE_AA'] : [status, 'WAIT_FOR_OFFERS']
}

const needsBorrowerConsent = (state: AaSessionState): boolean =>
  state === 'REQUIRED' || state === 'REDIRECT_READY' || state === 'IN_PROGRESS'

const stepStatuses: Record<Exclude<StepName, 'disbursal'>, JourneyStatus> = {
  kyc: 'KYC_PENDING',
  bankMandate: 'BANK_MANDATE_PENDING',
  eMandate: 'E_MANDATE_PENDING',
  loanAgreement: 'LOAN_AGREEMENT_PENDING',
}

/** The first unfinished step decides the status. While this step is pending, the lender must act. */
function stepRow({ steps, aaSessions }: StatusRows): StatusRow {
  const allSteps = stepNames.map((name) => steps.find((step) => step.name === name) ?? pendingStep(name))
  const due = allSteps.find(({ status }) => status !== 'SUCCESS' && status !== 'NOT_REQUIRED')
  if (!due || due.name === 'disbursal') {
    const needsMonitoringConsent = aaSessions.some(
      ({ purpose, state }) => purpose === 'MONITORING' && needsBorrowerConsent(state),
    )
    return needsMonitoringConsent ? ['AA_REQUIRED', 'COMPLETE_AA'] : ['LENDER_PROCESSING', null]
  }
  if (due.status === 'PENDING') return ['LENDER_PROCESSING', null]
  // The borrower cannot act while the lender verifies the account, or after a final failure.
  const isBlocked =
    (due.name === 'bankMandate' && due.status === 'IN_PROGRESS') ||
    (due.status === 'FAILURE' && due.retryable === false)
  return [stepStatuses[due.name], isBlocked ? null : 'COMPLETE_STEP']
}

const pendingStep = (name: StepName) => ({ name, status: 'PENDING' as const, retryable: null })

/** The borrower's unanswered request: PROFILE_SUBMISSION for offers, SELECT_DISPATCH for final terms. */
function pendingOf({ journey, offers }: StatusRows): PendingOperation[] {
  if (!journey.active) return []
  const { status } = journey
  if (status === 'PROFILED' || (status === 'STARTED' && isSearching(journey))) return ['PROFILE_SUBMISSION']
  const chosen = offers.find(({ selected }) => selected)
  return status === 'OFFER_SELECTED' && chosen && !chosen.finalTerms ? ['SELECT_DISPATCH'] : []
}

/** What an app may offer the borrower of a journey of this product (D2 §2.3). */
export const capabilitiesOf = (type: Journey['type']) => products[type].capabilities
