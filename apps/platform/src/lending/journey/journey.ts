// A journey: a borrower's application for one loan, and what its status and times say about it.

import type { Paise } from '@lendloom/lending/money'
import type { ProductId } from '@lendloom/lending/product/products'
import type { EndReason } from '@lendloom/lending/reason/reason'
import type { Terms } from '@lendloom/lending/terms'
import type { Seal } from '@lendloom/seal/seal'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { EndUse } from '@lendloom/wire/hosted/profile'

/** NONE: not started. CLOSED: the time to answer has passed. UNANSWERED: the search reached no lender. */
type SearchState = 'NONE' | 'OPEN' | 'CLOSED' | 'UNANSWERED'

export interface Journey {
  tenantId: string
  journeyId: string
  applicationId: string
  borrowerId: string
  type: ProductId
  status: LifecycleStatus
  active: boolean
  networkTransactionId: string
  endUse: EndUse | null
  bureauConsent: boolean
  lenderMode: 'ONLINE' | 'OFFLINE' | null
  changeInOffer: boolean
  preferredAmountPaise: Paise | null
  preferredTenureMonths: number | null
  decision: 'APPROVED' | null
  search: SearchState
  endReason: EndReason | null
  callbackUrlSealed: Buffer | null
  /** The number of the last lifecycle update that the page has shown; a new page begins after it. */
  pageSequence: number
  /** The id of the page load that may change the journey; null before a page has sent its id. */
  pageId: string | null
  returnUrlSealed: Buffer | null
  /** Lenders that this journey does not ask, because they refused the borrower before, as `lenderKeyText`. */
  refusedLenders: string[]
  version: number
  lastBorrowerActAt: Date
  /** When the loan was repaid. */
  closedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The columns that other modules may change. Only `advance` changes the status. */
export type JourneyChange = Partial<
  Pick<
    Journey,
    | 'endUse'
    | 'bureauConsent'
    | 'lenderMode'
    | 'changeInOffer'
    | 'preferredAmountPaise'
    | 'preferredTenureMonths'
    | 'decision'
    | 'search'
    | 'endReason'
    | 'active'
    | 'lastBorrowerActAt'
    | 'closedAt'
    | 'callbackUrlSealed'
    | 'returnUrlSealed'
    | 'refusedLenders'
  >
>

/** Whether a status ends the journey, so that the borrower may start a new one (D1 §2.6). */
export const endsJourney = (status: LifecycleStatus): boolean => status === 'NOT_OFFERED' || status === 'REJECTED'

/** Whether a journey is inactive although no status ended it and its loan was not repaid (D2 §2.2 EXPIRED). */
export const isExpired = (journey: Pick<Journey, 'active' | 'status' | 'closedAt'>): boolean =>
  !journey.active && !endsJourney(journey.status) && journey.status !== 'DISBURSED' && journey.closedAt === null

/** Whether the borrower has not sent the profile yet, or sent it without an answer. */
export const isUnsubmitted = ({ active, status, search }: Pick<Journey, 'active' | 'status' | 'search'>): boolean =>
  active && status === 'STARTED' && (search === 'NONE' || search === 'UNANSWERED')

/** Whether a lender's message or the borrower's act still has an effect. A loan may run beside another active journey. */
export const isLive = (journey: Pick<Journey, 'active' | 'status' | 'closedAt'>): boolean =>
  journey.active || (journey.status === 'DISBURSED' && journey.closedAt === null)

export type JourneyKey = Pick<Journey, 'tenantId' | 'journeyId'>

/** The context that a sealed lifecycle event is bound to. */
export const eventContext = (tenantId: string, journeyId: string, status: string): string =>
  `lifecycle_event:${tenantId}:${journeyId}:${status}`

const callbackContext = ({ tenantId, journeyId }: JourneyKey): string => `journey.callback:${tenantId}:${journeyId}`

/** Seals the integrator's callback URL for this journey's updates. */
export const sealCallbackUrl = ({ seal }: { seal: Seal }, journey: JourneyKey, url: string): Buffer =>
  seal.bytes(Buffer.from(url), callbackContext(journey))
export const callbackUrlOf = ({ seal }: { seal: Seal }, journey: Journey): string | null =>
  journey.callbackUrlSealed && seal.open(journey.callbackUrlSealed, callbackContext(journey)).toString()

const returnContext = ({ tenantId, journeyId }: JourneyKey): string => `journey.return:${tenantId}:${journeyId}`

export const sealReturnUrl = ({ seal }: { seal: Seal }, journey: JourneyKey, url: string): Buffer =>
  seal.bytes(Buffer.from(url), returnContext(journey))
export const returnUrlOf = ({ seal }: { seal: Seal }, journey: Journey): string | null =>
  journey.returnUrlSealed && seal.open(journey.returnUrlSealed, returnContext(journey)).toString()

export type { Terms }

/** Whether the borrower has accepted the final offer, and the lender has not paid out yet. */
export const isWithLender = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'OFFER_ACCEPTED' || status === 'LENDER_REDIRECTED'

/** Whether the lender may have a loan of the borrower, who can then raise a grievance. */
export const hasLoan = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'LENDER_REDIRECTED' || status === 'DISBURSED'
