// What the page shows of an offer: everything that a borrower must see to compare and choose.

import { lastDayOf } from '@lendloom/lending/calendar'
import { paiseFrom, rupees } from '@lendloom/lending/money'
import type { EmbedBranch } from '@lendloom/wire/hosted/embed-lender'
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import type { Holding } from '@lendloom/wire/hosted/portfolio'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { Terms } from '#platform/lending/journey/journey.ts'
import { type StoredTerms, termsFrom } from '#platform/lending/journey/stored-terms.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import { type NearbyBranch, sortByDistance } from '#platform/lending/offer/branch-visit.ts'
import { isExpired, type Limits, type Offer } from '#platform/lending/offer/offer.ts'
import { penalCharges } from '#platform/lending/offer/penal-charges.ts'
import { schemeViews } from './fund-view.ts'

/** The data besides the offer from which a card is built. */
export interface OfferViewContext {
  pincode: string | undefined
  requested: RequestedLoan
  at: Date
  holdings: readonly Holding[]
  /** Ids of the lenders with more than one offer request. */
  multiRequestLenders: ReadonlySet<string>
}

/** The requested amount in rupees, and the term of a gold loan (D1 §2.1). */
type RequestedLoan = Pick<NonNullable<BorrowerDetails['gold']>, 'requestedAmount' | 'requestedTenureMonths'>

/** Builds an offer's card. The list of offers passes the first terms, the chosen offer passes its current terms. */
export function offerCard(
  offer: Offer,
  stored: StoredTerms,
  lenderName: string,
  context: OfferViewContext,
): EmbedOffer {
  const { pincode, requested, at, holdings } = context
  const terms = termsFrom(stored)
  return {
    id: offer.offerId,
    lenderId: offer.lenderId,
    lenderName,
    basis: context.multiRequestLenders.has(offer.lenderId) ? offer.assessment : null,
    amountPrincipal: rupees(terms.principal),
    tenureMonths: terms.termMonths,
    offerTerm: terms.term,
    interestRate: terms.interestRate,
    interestType: terms.interestType ?? '',
    annualPercentageRate: terms.apr,
    installmentAmount: rupees(terms.installmentAmount),
    numberOfInstallments: terms.installmentsCount,
    repaymentFrequency: terms.repaymentFrequency,
    totalInterest: rupees(terms.interest),
    processingFees: rupees(terms.processingFee),
    otherUpfrontCharges: rupees(terms.otherUpfront),
    insuranceCharges: rupees(terms.insurance),
    otherCharges: rupees(terms.otherCharges),
    netDisbursed: rupees(terms.netDisbursed),
    penalCharges: penalCharges(terms),
    coolOffPeriod: terms.coolOffPeriod ?? '',
    coolOffUntil: lastDayOf(terms.coolOffPeriod ?? '', at),
    ltvRatio: terms.ltvRatio,
    branches: sortByDistance(offer, pincode).map(branchView),
    schemes: schemeViews(offer.schemes, holdings),
    creditLine: offer.creditLine,
    ownPage: offer.ownPage,
    keyFactsStatementUrl: terms.kfsLink ?? '',
    termsUrl: terms.tncLink ?? '',
    validUntil: offer.validUntil?.toISOString() ?? null,
    expired: isExpired(offer, at),
    submits: rulesOf(offer).isChoiceOnlyApplication,
    start: initialChoiceOf(offer.limits, terms, requested),
    least: { amount: rupees(BigInt(offer.limits.leastAmount)), tenureMonths: offer.limits.leastMonths },
    most: { amount: rupees(BigInt(offer.limits.mostAmount)), tenureMonths: offer.limits.mostMonths },
  }
}

/** Returns the amount and term that prefill the lender's form: whole rupees, within the limits (FIS12 §13.5). */
export function initialChoiceOf(
  limits: Limits,
  { principal, termMonths, ltvRatio }: Terms,
  requested: RequestedLoan,
): EmbedOffer['start'] {
  const min = BigInt(limits.leastAmount)
  const max = BigInt(limits.mostAmount)
  const requestedPaise = requested.requestedAmount === undefined ? null : paiseFrom(requested.requestedAmount)
  const suggested = ltvRatio === null ? principal : roundHalfOf(principal)
  const amount = requestedPaise === null ? suggested : (requestedPaise / 100n) * 100n
  const months = requested.requestedTenureMonths ?? termMonths
  return {
    amount: rupees(amount < min ? min : amount > max ? max : amount),
    tenureMonths: Math.min(limits.mostMonths, Math.max(limits.leastMonths, months)),
  }
}

/** About half of what the gold permits, because borrowers seldom need the maximum. */
function roundHalfOf(principal: bigint): bigint {
  // Rounds down to 1,000 rupees below 40,000 rupees, and to 10,000 rupees above.
  const step = principal < 40_000_00n ? 1_000_00n : 10_000_00n
  return (principal / 2n / step) * step
}

const branchView = ({ id, name, address, pincode, aboutKm }: NearbyBranch): EmbedBranch => ({
  id,
  name: name ?? '',
  address: address ?? '',
  pincode: pincode ?? '',
  aboutKm,
})
