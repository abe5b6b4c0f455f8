// A journey: one borrower's way to one loan, the little that is stored about it, its terms and instalments; the rest is computed.

import type { InstallmentStatus } from '#contract/hosted/embed-servicing.ts'
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { EndUse } from '#contract/hosted/profile.ts'
import type { Terms } from '#contract/network/v203/terms.ts'
import type { ProductId } from '#contract/product/products.ts'
import type { EndReason, StoredReason } from '#contract/reason/reason.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { recordOf } from '#kit/runtime/record.ts'

/** The state of the search: not started, open, closed after every lender had time to answer, or unreached. */
type Search = 'NONE' | 'OPEN' | 'CLOSED' | 'UNANSWERED'

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
  search: Search
  endReason: StoredReason<EndReason> | null
  callbackUrlSealed: Buffer | null
  pageSequence: number
  /** The page load that holds the journey; null before the first one identified itself. */
  pageId: string | null
  returnUrlSealed: Buffer | null
  version: number
  lastBorrowerActAt: Date
  /** When the loan was repaid. */
  closedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The columns that a module may set on a journey; only `advance` sets the status. */
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
  >
>

/** Statuses that end a journey: the borrower may start a new one (D1 §2.6). */
export const endsJourney = (status: LifecycleStatus): boolean => status === 'NOT_OFFERED' || status === 'REJECTED'

/**
 * A journey that is neither ended by a status, nor repaid, nor active has expired without any act (D2 §2.2 EXPIRED).
 */
export const isExpired = (journey: Pick<Journey, 'active' | 'status' | 'closedAt'>): boolean =>
  !journey.active && !endsJourney(journey.status) && journey.closedAt === null

export type JourneyKey = Pick<Journey, 'tenantId' | 'journeyId'>

/** The place a sealed lifecycle event belongs to. */
export const eventContext = (tenantId: string, journeyId: string, status: string): string =>
  `lifecycle_event:${tenantId}:${journeyId}:${status}`

const callbackContext = ({ tenantId, journeyId }: JourneyKey): string => `journey.callback:${tenantId}:${journeyId}`

/** The integrator's address for this journey's updates: sealed, and opened. */
export const sealedCallbackUrl = ({ seal }: { seal: Seal }, journey: JourneyKey, url: string): Buffer =>
  seal.bytes(Buffer.from(url), callbackContext(journey))
export const callbackUrlOf = ({ seal }: { seal: Seal }, journey: Journey): string | null =>
  journey.callbackUrlSealed && seal.open(journey.callbackUrlSealed, callbackContext(journey)).toString()

const returnContext = ({ tenantId, journeyId }: JourneyKey): string => `journey.return:${tenantId}:${journeyId}`

/** The return address of a standalone page: sealed, and opened. */
export const sealedReturnUrl = ({ seal }: { seal: Seal }, journey: JourneyKey, url: string): Buffer =>
  seal.bytes(Buffer.from(url), returnContext(journey))
export const returnUrlOf = ({ seal }: { seal: Seal }, journey: Journey): string | null =>
  journey.returnUrlSealed && seal.open(journey.returnUrlSealed, returnContext(journey)).toString()

/** The terms of an offer as stored: JSON, with amounts in paise as digits. */
export type { Terms }

const amounts = [
  'principal',
  'interest',
  'processingFee',
  'otherUpfront',
  'insurance',
  'otherCharges',
  'netDisbursed',
  'installmentAmount',
] as const

export type StoredTerms = Omit<Terms, (typeof amounts)[number]> & Record<(typeof amounts)[number], string>

export const storedTerms = (terms: Terms): StoredTerms => ({
  ...terms,
  ...recordOf(amounts, (name) => terms[name].toString()),
})

export const termsFrom = (stored: StoredTerms): Terms => ({
  ...stored,
  ...recordOf(amounts, (name) => BigInt(stored[name])),
})

/** One instalment of a loan as its lender scheduled it; `status` is the lender's word, `amount` is paise as digits. */
export interface Installment {
  serialNumber: number
  amount: string
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED' | 'FAILED'
  startsAt: string
  dueAt: string
}

/** The status of an instalment at an instant (D1 §2.4): one that is not paid is due from the Indian day of its date on. */
export function installmentStatus({ status, dueAt }: Installment, at: Date): InstallmentStatus {
  if (status === 'PAID') return 'PAID'
  if (status === 'DEFERRED') return 'CLOSED'
  if (status === 'DELAYED' || status === 'FAILED') return 'OVERDUE'
  return businessDate(at) < businessDate(new Date(dueAt)) ? 'NOT-DUE' : 'DUE'
}
