// Pure rules of a lender's offer, from the request to the accepted terms.

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
  /** Why there is no offer; null otherwise. */
  reason: StoredReason<OfferReason> | null
  terms: StoredTerms | null
  firstTerms: StoredTerms | null
  limits: Limits
  /** Whether `terms` are the lender's final terms for the borrower's request. */
  finalTerms: boolean
  accepted: boolean
  /** The amount that the borrower requested; null for the full offer. */
  requestedAmountPaise: Paise | null
  /** The channel through which the borrower chose the offer. */
  lockSource: ConsentPlace['channel'] | null
  selectedAt: Date | null
  acceptedAt: Date | null
  rejectedAt: Date | null
  /** How far the borrower was at the rejection, and why the borrower rejected, as the app sent both. */
  rejectedStage: string | null
  rejectedBecause: string | null
  validUntil: Date | null
  installments: Installment[]
  /** The lender's documents for the borrower; null before the first document. */
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
  /** Whether the offer is a credit line instead of a term loan. */
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
 * Statement, and the lender confirmed them unchanged. Otherwise the final terms must be shown first. The partner's
 * final offer must always be shown, because choosing a recommendation accepts no offer (D3 §1.1 rule 4).
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
 * Narrows the catalogue's limits to the offer: at most the offered amount and term, and exactly the offered term when
 * the borrower cannot choose one.
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
 * Whether the borrower has a valid offer (`stands`), may still get one (`awaited`), or neither (`lapsed`; FIS12 §13.2
 * EXPIRED). After the choice, only expired final terms that the borrower has not accepted are `lapsed`.
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

/** The combined outcome of a journey's lenders; `undefined` while a lender may still offer or has offered. */
export type SearchOutcome = 'noneOffered' | 'unanswered' | undefined

/**
 * The outcome of a search. A lender that accepted or rejected the profile has decided; without a decision the borrower
 * may search again.
 */
export function outcomeOf(
  offers: Pick<Offer, 'status' | 'reason'>[],
  isSearchClosed: boolean,
  hasAnyDecision: boolean,
): SearchOutcome {
  if (!isSearchClosed) return undefined
  if (offers.some(({ status }) => status !== 'NO_OFFER_AVAILABLE')) return undefined
  return hasAnyDecision ? 'noneOffered' : 'unanswered'
}
