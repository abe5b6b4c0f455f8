// Offer cards and offer details of the headless API; pure.

import { required } from '@lendloom/foundation/required'
import { businessDate } from '@lendloom/lending/calendar'
import type { Lender } from '@lendloom/lending/lender'
import { rupees } from '@lendloom/lending/money'
import { englishOf } from '@lendloom/lending/reason/reason'
import type { OfferCard, OfferDetail } from '@lendloom/wire/headless/offer'
import { type AaSession, aaActionOf } from '#platform/lenders/network/consent/aa-session.ts'
import { installmentStatus } from '#platform/lending/journey/installment.ts'
import type { Journey, Terms } from '#platform/lending/journey/journey.ts'
import { termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { type NearbyBranch, sortByDistance } from '#platform/lending/offer/branch-visit.ts'
import { compareOffers } from '#platform/lending/offer/compare-offers.ts'
import { boundaryOf, isExpired, isSelected, type Offer } from '#platform/lending/offer/offer.ts'
import { penalCharges } from '#platform/lending/offer/penal-charges.ts'

export type ListedOffer = Offer & { lender: Pick<Lender, 'name' | 'logoUrl'> }

/** A lender's request for consent to read bank statements, with the fields that its card needs. */
export type AaRequest = Pick<AaSession, 'offerId' | 'purpose' | 'state' | 'consentHandle' | 'handleWanted'>

/** Returns the cards in order: offers by APR, then awaited lenders, then lenders without an offer. */
export const offerCards = (offers: ListedOffer[], aa: AaRequest[], at: Date): OfferCard[] =>
  [...offers].sort(compareOffers).map((offer) => offerCard(offer, aa, at))

function offerCard(offer: ListedOffer, aa: AaRequest[], at: Date): OfferCard {
  const hasLapsed = offer.status === 'OFFER_RECEIVED' && isExpired(offer, at)
  return {
    lenderID: offer.lenderId,
    lenderName: offer.lender.name,
    logoUrl: offer.lender.logoUrl,
    offerID: offer.offerId,
    status: hasLapsed ? 'NO_OFFER_AVAILABLE' : offer.status,
    ...(offer.terms ? termsFields(termsFrom(offer.terms)) : noTerms),
    aa: aaFields(aa.findLast(({ offerId, purpose }) => offerId === offer.offerId && purpose === 'UNDERWRITING')),
    lenderStateReason: englishOf(hasLapsed ? 'OFFER_EXPIRED' : offer.status === 'OFFER_RECEIVED' ? null : offer.reason),
    validUntil: offer.validUntil?.toISOString() ?? null,
  }
}

type TermsFields = Pick<
  OfferCard,
  | 'amountPrincipal'
  | 'interestRate'
  | 'offerTerm'
  | 'annualPercentageRate'
  | 'installmentAmount'
  | 'penalCharges'
  | 'keyFactsStatementLink'
>

const noTerms: TermsFields = {
  amountPrincipal: null,
  interestRate: null,
  offerTerm: null,
  annualPercentageRate: null,
  installmentAmount: null,
  penalCharges: [],
  keyFactsStatementLink: null,
}

const termsFields = (terms: Terms): TermsFields => ({
  amountPrincipal: rupees(terms.principal),
  interestRate: terms.interestRate,
  offerTerm: terms.term,
  annualPercentageRate: terms.apr,
  installmentAmount: rupees(terms.installmentAmount),
  penalCharges: penalCharges(terms),
  keyFactsStatementLink: terms.kfsLink,
})

const aaFields = (request: AaRequest | undefined): OfferCard['aa'] => ({
  required: request !== undefined && request.state !== 'NOT_REQUIRED',
  state: request?.state ?? 'NOT_REQUIRED',
  actionRequired: aaActionOf(request),
})

interface OfferDetailOptions {
  lockedOffer: Offer | undefined
  aa: AaRequest[]
  pincode: string | undefined
  at: Date
}

export function offerDetail(
  journey: Journey,
  offer: ListedOffer,
  { lockedOffer, aa, pincode, at }: OfferDetailOptions,
): OfferDetail {
  const { limits } = offer
  return {
    ...offerCard(offer, aa, at),
    ltvRatio: offer.terms ? termsFrom(offer.terms).ltvRatio : null,
    branches: sortByDistance(offer, pincode).map(toWireBranch),
    branchID: offer.branchId,
    agent: offer.agent,
    visitBooked: offer.visitBookedAt !== null,
    breakup: offer.terms ? breakupOf(termsFrom(offer.terms)) : [],
    installments: offer.installments.map((each) => ({
      installmentID: String(each.serialNumber),
      serialNumber: each.serialNumber,
      amount: rupees(BigInt(each.amount)),
      dueOn: businessDate(new Date(each.dueAt)),
      status: installmentStatus(each, at),
    })),
    fulfillments: lockedOffer?.offerId === offer.offerId ? [{ type: 'LOAN', status: loanStatus(journey) }] : [],
    proceedBoundaryState: boundaryOf(offer.offerId, lockedOffer),
    offerSelectionLock: isSelected(offer) ? selectionLockOf(offer) : null,
    limits: {
      leastAmount: rupees(BigInt(limits.leastAmount)),
      mostAmount: rupees(BigInt(limits.mostAmount)),
      leastTenureMonths: limits.leastMonths,
      mostTenureMonths: limits.mostMonths,
    },
    requestedAmount: offer.requestedAmountPaise === null ? null : rupees(offer.requestedAmountPaise),
    termsFinal: offer.finalTerms,
    termsChanged: offer.finalTerms && journey.changeInOffer,
    expired: isExpired(offer, at),
    rejectedAt: offer.rejectedAt?.toISOString() ?? null,
  }
}

const toWireBranch = ({ id, name, address, pincode, at, aboutKm }: NearbyBranch): OfferDetail['branches'][number] => ({
  branchID: id,
  name,
  address,
  pincode,
  aboutKm,
  latitude: at?.latitude ?? null,
  longitude: at?.longitude ?? null,
})

const breakupOf = (terms: Terms): OfferDetail['breakup'] => [
  { title: 'PRINCIPAL', amount: rupees(terms.principal) },
  { title: 'INTEREST', amount: rupees(terms.interest) },
  { title: 'PROCESSING_FEE', amount: rupees(terms.processingFee) },
  { title: 'OTHER_UPFRONT_CHARGES', amount: rupees(terms.otherUpfront) },
  { title: 'INSURANCE_CHARGES', amount: rupees(terms.insurance) },
  { title: 'OTHER_CHARGES', amount: rupees(terms.otherCharges) },
  { title: 'NET_DISBURSED_AMOUNT', amount: rupees(terms.netDisbursed) },
]

function loanStatus({ status, decision }: Journey): string {
  if (status === 'DISBURSED' || status === 'REJECTED') return status
  return decision === 'APPROVED' ? 'SANCTIONED' : 'INITIATED'
}

/** Returns the time of the selection and the channel through which the borrower made it (D2 §2.3). */
export const selectionLockOf = ({ selectedAt, lockSource }: Offer): { lockedAt: string; lockSource: string } => ({
  lockedAt: required(selectedAt, 'the time at which the offer was selected').toISOString(),
  lockSource: (lockSource ?? 'hosted').toUpperCase(),
})
