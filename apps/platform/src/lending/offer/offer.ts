// A lender's offer, and pure rules about its state, terms and limits.

import { isDeepStrictEqual } from 'node:util'
import { canonicalJson } from '@lendloom/foundation/json'
import type { Agent, Branch } from '@lendloom/lending/lender'
import type { Paise } from '@lendloom/lending/money'
import type { Pledge, Scheme } from '@lendloom/lending/pledge'
import type { OfferReason } from '@lendloom/lending/reason/reason'
import type { Assessment } from '@lendloom/lending/terms'
import { digestOf } from '@lendloom/seal/token'
import type { ConsentOrigin, ShownQuote } from '#platform/lending/borrower/consent.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Journey, Terms } from '#platform/lending/journey/journey.ts'
import type { StoredTerms } from '#platform/lending/journey/stored-terms.ts'
import type { ChannelName } from '#platform/lending/lender/channel.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'

/** D2 §2.2 OfferCardStatus. */
type OfferStatus = 'OFFER_AWAITED' | 'OFFER_RECEIVED' | 'NO_OFFER_AVAILABLE'

/** The minimum and maximum of a request. Amounts are paise as digits, because JSON has no bigint. */
export interface Limits {
  leastAmount: string
  mostAmount: string
  leastMonths: number
  mostMonths: number
}

export interface Offer {
  tenantId: string
  journeyId: string
  offerId: string
  /** The id of the network conversation, or of the partner's case. */
  conversationId: string
  lenderId: string
  channel: ChannelName
  /** The data on which the lender decides: the credit bureau or bank data. Null when unknown. */
  assessment: Assessment | null
  status: OfferStatus
  /** Why there is no offer; null otherwise. */
  reason: OfferReason | null
  /** The lender's newest terms; null before it has made an offer. */
  terms: StoredTerms | null
  /** The terms of the lender's first offer, with which the final terms are compared. */
  firstTerms: StoredTerms | null
  limits: Limits
  /** Whether `terms` are the lender's final terms, which it sends after the choice. */
  finalTerms: boolean
  accepted: boolean
  /** The amount that the borrower requests; null for the full offer. */
  requestedAmountPaise: Paise | null
  /** The channel through which the borrower chose the offer. */
  lockSource: ConsentOrigin['channel'] | null
  selectedAt: Date | null
  acceptedAt: Date | null
  rejectedAt: Date | null
  /** The borrower's progress and reason at the rejection, as the app sent them. */
  rejectedStage: string | null
  rejectedBecause: string | null
  validUntil: Date | null
  installments: Installment[]
  payoutReference: string | null
  /** The lender's documents for the borrower; null before the first document. */
  documentsSealed: Buffer | null
  /** For gold loans: the possible branches, the chosen branch, and the agent of that branch. */
  branches: Branch[]
  branchId: string | null
  agent: Agent | null
  /** When the lender reported that the visit is booked, and the time of the visit, if the lender sent it. */
  visitBookedAt: Date | null
  visitAt: Date | null
  /** For loans against mutual funds: the units that the full amount requires, and the borrower's pledges. */
  schemes: Scheme[]
  pledges: Pledge[]
  /** Whether the borrower completes all steps after the choice on one page of the lender. */
  ownPage: boolean
  /** Whether the offer is a credit line instead of a term loan. */
  creditLine: boolean
  /** For an open credit line: its limit, the drawn amount, and the time of the last change. */
  lineOpenedAt: Date | null
  lineLimitPaise: Paise | null
  lineUtilisedPaise: Paise | null
  lineChangedAt: Date | null
}

export const isExpired = (offer: Offer, at: Date): boolean =>
  offer.validUntil !== null && offer.validUntil <= at && !offer.accepted

export const isSelected = (offer: Offer): boolean => offer.selectedAt !== null && offer.rejectedAt === null

/**
 * Whether the borrower agreed to the final terms at the choice. This is so if the app had shown the terms with the Key
 * Facts Statement and the lender confirmed them unchanged. A partner's final offer always needs a separate acceptance,
 * because the choice is only an application (D3 §1.1 rule 4).
 */
export const isAgreedAtChoice = (
  { changeInOffer }: Pick<Journey, 'changeInOffer'>,
  { finalTerms, lockSource, channel }: Pick<Offer, 'finalTerms' | 'lockSource' | 'channel'>,
): boolean => !rulesOf({ channel }).isChoiceOnlyApplication && finalTerms && lockSource === 'headless' && !changeInOffer

/** The state of an offer relative to the choice (D2 §2.3 proceedBoundaryState). */
export type Boundary = 'OPEN' | 'LOCKED' | 'LOCKED_TO_DIFFERENT_OFFER'

export function boundaryOf(offerId: string, selected: Pick<Offer, 'offerId'> | undefined): Boundary {
  if (selected === undefined) return 'OPEN'
  return selected.offerId === offerId ? 'LOCKED' : 'LOCKED_TO_DIFFERENT_OFFER'
}

/**
 * Whether the lender's final terms differ from its first terms in a price or a condition (D1 change_in_offer, FIS12
 * §13.1). They also differ when the borrower requested a smaller amount.
 */
export const termsDiffer = (first: Terms, final: Terms): boolean =>
  !isDeepStrictEqual(conditionsOf(first), conditionsOf(final))

/** Removes ids, validity and links, which differ in every quote. */
const conditionsOf = ({ quoteId, quoteTtl, kfsLink, tncLink, ...conditions }: Terms | StoredTerms) => conditions

/**
 * The quote that a screen shows: its id, and a digest of its terms and instalments. An acceptance names it, because the
 * lender may replace its offer until then. Links and the validity may differ between two readings of one quote.
 */
export function quoteOf({ terms, installments }: Pick<Offer, 'terms' | 'installments'>): ShownQuote | null {
  if (terms === null) return null
  const shown = { conditions: conditionsOf(terms), installments }
  const termsDigest = digestOf(canonicalJson(shown)).toString('hex')
  return { quoteId: terms.quoteId, termsDigest }
}

/**
 * Narrows the limits of the catalogue to the offered amount and term. If the borrower cannot choose a term, only the
 * offered term remains.
 */
export function limitsFor(limits: Limits, offered: Terms, borrowerChoosesTerm: boolean): Limits {
  const catalogMax = BigInt(limits.mostAmount)
  const mostAmount = catalogMax === 0n || catalogMax > offered.principal ? offered.principal : catalogMax
  const catalogMin = BigInt(limits.leastAmount)
  return {
    leastAmount: (catalogMin > mostAmount ? mostAmount : catalogMin).toString(),
    mostAmount: mostAmount.toString(),
    leastMonths: borrowerChoosesTerm ? Math.min(limits.leastMonths, offered.termMonths) : offered.termMonths,
    mostMonths: offered.termMonths,
  }
}

/** The limits of an offer that a lender makes for one amount and term only. */
export const fixedLimits = ({ principal, termMonths }: Terms): Limits => ({
  leastAmount: principal.toString(),
  mostAmount: principal.toString(),
  leastMonths: termMonths,
  mostMonths: termMonths,
})

/**
 * Returns whether a journey in OFFERED has a valid offer (`valid`), may still get an offer (`awaited`), or neither
 * (`lapsed`; FIS12 §13.2 EXPIRED). A journey in OFFER_SELECTED is `lapsed` when its final terms have expired. Any other
 * journey is `valid`.
 */
export function outlookOf(
  { status, search }: Pick<Journey, 'status' | 'search'>,
  offers: Offer[],
  at: Date,
): 'valid' | 'awaited' | 'lapsed' {
  if (status === 'OFFER_SELECTED') {
    const chosen = offers.find(isSelected)
    return chosen?.finalTerms && isExpired(chosen, at) ? 'lapsed' : 'valid'
  }
  if (status !== 'OFFERED') return 'valid'
  if (offers.some((offer) => offer.status === 'OFFER_RECEIVED' && !isExpired(offer, at))) return 'valid'
  return search === 'OPEN' || offers.some((offer) => offer.status === 'OFFER_AWAITED') ? 'awaited' : 'lapsed'
}

/** The outcome of a search without offers; `undefined` while a lender may still offer or has offered. */
export type SearchOutcome = 'noneOffered' | 'unanswered' | undefined

/**
 * Returns the outcome of a search. `hasAnyDecision`: a lender accepted or rejected the profile. Without a decision the
 * borrower may search again.
 */
export function searchOutcomeOf(
  offers: Pick<Offer, 'status' | 'reason'>[],
  isSearchClosed: boolean,
  hasAnyDecision: boolean,
): SearchOutcome {
  if (!isSearchClosed) return undefined
  if (offers.some(({ status }) => status !== 'NO_OFFER_AVAILABLE')) return undefined
  return hasAnyDecision ? 'noneOffered' : 'unanswered'
}
