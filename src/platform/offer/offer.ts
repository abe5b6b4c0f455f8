// An offer: what one lender would lend, from the question to the accepted terms; pure rules.

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
  /** With a lender of the network; the case, with the partner. */
  conversationId: string
  lenderId: string
  /** The channel by which its lender is reached. */
  channel: ChannelName
  /** What its lender decides by: the credit bureau, or bank data; null when unknown. */
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
  /** A gold loan only: where the gold may be brought, which of these was chosen, and who waits there. */
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
  /** Whether it is a line to draw on rather than a loan over a term. */
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
 * Statement, and the lender confirmed them unchanged. Otherwise they must be shown first. The partner's final offer
 * always is, because choosing a recommendation does not accept an offer (D3 §1.1 rule 4).
 */
export const isAgreed = (
  { changeInOffer }: Pick<Journey, 'changeInOffer'>,
  { finalTerms, lockSource, channel }: Pick<Offer, 'finalTerms' | 'lockSource' | 'channel'>,
): boolean => !rulesOf({ channel }).choiceSubmits && finalTerms && lockSource === 'headless' && !changeInOffer

/** The state of an offer relative to the choice (D2 §2.3 proceedBoundaryState). */
export type Boundary = 'OPEN' | 'LOCKED' | 'LOCKED_TO_DIFFERENT_OFFER'

export const boundaryOf = (offerId: string, held: Pick<Offer, 'offerId'> | undefined): Boundary =>
  held === undefined ? 'OPEN' : held.offerId === offerId ? 'LOCKED' : 'LOCKED_TO_DIFFERENT_OFFER'

/**
 * Whether the lender's final terms differ from its first ones in anything that the borrower pays or is bound to (D1
 * change_in_offer, FIS12 §13.1); also when they do so because the borrower asked for less.
 */
export const changed = (first: Terms, final: Terms): boolean =>
  !isDeepStrictEqual(conditionsOf(first), conditionsOf(final))

/** Without what names or links a quote: each quote has its own. */
const conditionsOf = ({ quoteId, quoteTtl, kfsLink, tncLink, ...conditions }: Terms) => conditions

/**
 * Fills open limits of the catalogue from the offer: no more and no longer than offered, and exactly the offered term
 * when none can be chosen.
 */
export function limitsFor(limits: Limits, offered: Terms, isTermChosen: boolean): Limits {
  const most = BigInt(limits.mostAmount)
  const mostAmount = most === 0n || most > offered.principal ? offered.principal : most
  const least = BigInt(limits.leastAmount)
  return {
    leastAmount: (least > mostAmount ? mostAmount : least).toString(),
    mostAmount: mostAmount.toString(),
    leastMonths: isTermChosen ? Math.min(limits.leastMonths, offered.termMonths) : offered.termMonths,
    mostMonths: offered.termMonths,
  }
}

/**
 * Whether anything is left that the borrower could take (FIS12 §13.2 EXPIRED): while choosing, an offer that has not
 * lapsed or one that is still awaited; after the choice, its final terms until they are accepted.
 */
export function report(
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

/** The combined answer of a journey's lenders and its effect; `undefined` while the journey waits. */
export type SearchOutcome = 'noneOffered' | 'unanswered' | undefined

/**
 * After the window: no journey ends while a lender may still answer or has offered. A lender that accepted or rejected
 * the profile has decided; without any decision the borrower may try again.
 */
export function settled(
  offers: Pick<Offer, 'status' | 'reason'>[],
  searchClosed: boolean,
  anyDecision: boolean,
): SearchOutcome {
  if (!searchClosed) return undefined
  if (offers.some(({ status }) => status !== 'NO_OFFER_AVAILABLE')) return undefined
  return anyDecision ? 'noneOffered' : 'unanswered'
}
