// A journey: a borrower's application for one loan, with its terms and instalments.

import { recordOf } from '@lendloom/foundation/record'
import { businessDate } from '@lendloom/lending/calendar'
import { moneyOf, type Paise, percentOf, rupees } from '@lendloom/lending/money'
import type { ProductId } from '@lendloom/lending/product/products'
import type { EndReason } from '@lendloom/lending/reason/reason'
import type { Terms } from '@lendloom/lending/terms'
import type { Seal } from '@lendloom/seal/seal'
import type { InstallmentStatus } from '@lendloom/wire/hosted/embed-servicing'
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

const amountNames = [
  'principal',
  'interest',
  'processingFee',
  'otherUpfront',
  'insurance',
  'otherCharges',
  'netDisbursed',
  'installmentAmount',
] as const

/** The terms of an offer as stored in JSON. Amounts are strings of digits, in paise. */
export type StoredTerms = Omit<Terms, (typeof amountNames)[number]> & Record<(typeof amountNames)[number], string>

export const toStoredTerms = (terms: Terms): StoredTerms => ({
  ...terms,
  ...recordOf(amountNames, (name) => terms[name].toString()),
})

export const termsFrom = (stored: StoredTerms): Terms => ({
  ...stored,
  ...recordOf(amountNames, (name) => BigInt(stored[name])),
})

/**
 * Normalises a charge: an amount with a currency becomes `1000.00`, and a percentage becomes `1.5%`. Any other text is
 * unchanged. A percentage per year is a different charge, and a bare number may be an amount or a percentage.
 */
export function chargeOf(text: string): string {
  const isPercent = text.includes('%') || /per\s?cent/i.test(text)
  const percent = isPercent && !/p\.?\s?a\b|annum|year/i.test(text) ? percentOf(text) : null
  if (percent !== null) return percent.includes('.') ? percent.replace(/(?<!0)0+%$/, '%').replace('.%', '%') : percent
  const amount = /^[\s\d.,-]*$/.test(text) ? null : moneyOf(text)
  return amount === null ? text : rupees(amount)
}

/** An instalment of the lender's schedule, with the status that the lender sent. `amount` is digits, in paise. */
export interface Installment {
  serialNumber: number
  amount: string
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED' | 'FAILED'
  startsAt: string
  dueAt: string
}

/** The status of an instalment at an instant (D1 §2.4). An unpaid instalment is DUE from its due date in India. */
export function installmentStatus({ status, dueAt }: Installment, at: Date): InstallmentStatus {
  if (status === 'PAID') return 'PAID'
  if (status === 'DEFERRED') return 'CLOSED'
  if (status === 'DELAYED' || status === 'FAILED') return 'OVERDUE'
  return businessDate(at) < businessDate(new Date(dueAt)) ? 'NOT-DUE' : 'DUE'
}

/** Whether the lender may have a loan of the borrower, who can then raise a grievance. */
export const hasLoan = ({ status }: Pick<Journey, 'status'>): boolean =>
  status === 'LENDER_REDIRECTED' || status === 'DISBURSED'
