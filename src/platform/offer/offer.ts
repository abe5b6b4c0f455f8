// An offer of one lender, from the request to the accepted terms; pure rules.

import { isDeepStrictEqual } from 'node:util'
import type { Agent, Branch } from '#contract/network/v203/lender.ts'
import type { Assessment } from '#contract/network/v203/search.ts'
import type { Pledge, Scheme } from '#contract/network/v230/pledge.ts'
import type { OfferReason, StoredReason } from '#contract/reason/reason.ts'
import type { Paise } from '#kit/money/money.ts'
import type { ConsentPlace } from '#platform/borrower/borrower.ts'
import type { Installment, Journey, StoredTerms, Terms } from '#platform/journey/journey.ts'
import type { ChannelName } from '#platform/lender/channel.ts'
import { rulesOf } from '#platform/lender/rules.ts'

/** D2 §2.2 OfferCardStatus. */
type OfferStatus = 'OFFER_AWAITED' | 'OFFER_RECEIVED' | 'NO_OFFER_AVAILABLE'

/** The limits of a request; amounts are paise as digits, because they are stored as JSON. */
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
  /** The network conversation; for the partner, the case. */
  conversationId: string
  lenderId: string
  /** The lender's channel. */
  channel: ChannelName
  /** Basis of the lender's decision: the credit bureau or bank data; null when unknown. */
  assessment: Assessment | null
  status: OfferStatus
  /** The reason for the missing offer. */
  reason: StoredReason<OfferReason> | null
  terms: StoredTerms | null
  firstTerms: StoredTerms | null
  limits: Limits
  /** Whether `terms` are the final ones, worked out for the borrower's request. */
  finalTerms: boolean
  accepted: boolean
  /** The requested amount of the choice; null for all of it. */
  requestedAmountPaise: Paise | null
  /** The channel of the choice. */
  lockSource: ConsentPlace['channel'] | null
  selectedAt: Date | null
  acceptedAt: Date | null
  rejectedAt: Date | null
  /** The borrower's progress and reason at a rejection, in the app's or the borrower's words. */
  rejectedStage: string | null
  rejectedBecause: string | null
  validUntil: Date | null
  installments: Installment[]
  /** The lender's documents for the borrower; null before the first. */
  documentsSealed: Buffer | null
  /** For gold loans: the possible branches, the chosen one, and the agent there. */
  branches: Branch[]
  branchId: string | null
  agent: Agent | null
  /** When the lender reported a booked visit. */
  visitBookedAt: Date | null
  /** Against mutual funds: the units for the full amount, and the borrower's pledge. */
  schemes: Scheme[]
  pledges: Pledge[]
  /** Whether everything after the choice happens on one page of the lender. */
  ownPage: boolean
  /** Whether it is a credit line instead of a term loan. */
  creditLine: boolean
  /** The opened line: its limit, the drawn amount, and the time of the last change. */
  lineOpenedAt: Date | null
  lineLimitPaise: Paise | null
  lineUtilisedPaise: Paise | null
  lineChangedAt: Date | null
}

export const isExpired = (offer: Offer, at: Date): boolean =>
  offer.validUntil !== null && offer.validUntil <= at && !offer.accepted

export const isSelected = (offer: Offer): boolean => offer.selectedAt !== null && offer.rejectedAt === null

/**
 * Whether the borrower agreed to exactly these final terms at the choice: the app had shown them with the Key Facts
 * Statement, and the lender confirmed them unchanged. Otherwise they must be shown first, as must the partner's final
 * offer always: choosing a recommendation does not accept an offer (D3 §1.1 rule 4).
 */
export const isAgreed = (
  { changeInOffer }: Pick<Journey, 'changeInOffer'>,
  { finalTerms, lockSource, channel }: Pick<Offer, 'finalTerms' | 'lockSource' | 'channel'>,
): boolean => !rulesOf({ channel }).choiceSubmits && finalTerms && lockSource === 'headless' && !changeInOffer

/** The state of an offer relative to the choice (D2 §2.3 proceedBoundaryState). */
export type Boundary = 'OPEN' | 'LOCKED' | 'LOCKED_TO_DIFFERENT_OFFER'

export const boundaryOf = (offerId: string, selected: Pick<Offer, 'offerId'> | undefined): Boundary =>
  selected === undefined ? 'OPEN' : selected.offerId === offerId ? 'LOCKED' : 'LOCKED_TO_DIFFERENT_OFFER'

/**
 * Whether the lender's final terms differ from its first ones in anything that the borrower pays or is bound to (D1
 * change_in_offer, FIS12 §13.1), even if only because the borrower requested less.
 */
export const termsDiffer = (first: Terms, final: Terms): boolean =>
  !isDeepStrictEqual(conditionsOf(first), conditionsOf(final))

/** The terms without ids and links, which differ per quote. */
const conditionsOf = ({ quoteId, quoteTtl, kfsLink, tncLink, ...conditions }: Terms) => conditions

/**
 * Narrows the catalogue's limits to the offer: at most the offered amount and term, and exactly the offered term when the
 * borrower cannot choose one.
 */
export function limitsFor(limits: Limits, offered: Terms, isTermChosen: boolean): Limits {
  const catalogMax = BigInt(limits.mostAmount)
  const mostAmount = catalogMax === 0n || catalogMax > offered.principal ? offered.principal : catalogMax
  const catalogMin = BigInt(limits.leastAmount)
  return {
    leastAmount: (catalogMin > mostAmount ? mostAmount : catalogMin).toString(),
    mostAmount: mostAmount.toString(),
    leastMonths: isTermChosen ? Math.min(limits.leastMonths, offered.termMonths) : offered.termMonths,
    mostMonths: offered.termMonths,
  }
}

/**
 * Whether the borrower still has an offer to accept (FIS12 §13.2 EXPIRED): while choosing, a valid offer (`stands`) or an
 * awaited one; after the choice, the final terms until they are accepted.
 */
export function outlookOf(
  { status, search }: Pick<Journey, 'status' | 'search'>,
  offers: Offer[],
  at: Date,
): 'stands' | 'awaited' | 'lapsed' {
  if (status === 'OFFER_SELECTED') {
    const chosen = offers.find(isSelected)
    return chosen?.finalTerms && isExpired(chosen, at) ? 'lapsed' : 'stands'
  }
  if (status !== 'OFFERED') return 'stands'
  if (offers.some((offer) => offer.status === 'OFFER_RECEIVED' && !isExpired(offer, at))) return 'stands'
  return search === 'OPEN' || offers.some((offer) => offer.status === 'OFFER_AWAITED') ? 'awaited' : 'lapsed'
}

/** The combined outcome of a journey's lenders; `undefined` while one may still offer. */
export type SearchOutcome = 'noneOffered' | 'unanswered' | undefined

/**
 * The outcome of a search; no journey ends while a lender may still answer or has offered. A lender that accepted or
 * rejected the profile has decided; without any decision the borrower may try again.
 */
export function outcomeOf(
  offers: Pick<Offer, 'status' | 'reason'>[],
  searchClosed: boolean,
  anyDecision: boolean,
): SearchOutcome {
  if (!searchClosed) return undefined
  if (offers.some(({ status }) => status !== 'NO_OFFER_AVAILABLE')) return undefined
  return anyDecision ? 'noneOffered' : 'unanswered'
}
