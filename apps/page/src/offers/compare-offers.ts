// Prices and sorts all offers at the same amount and term. Pure.
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { isWeekly, rateOf } from '../page/format.ts'
import { countOf, estimatedInstalment, exactInstalment, reducing, weeklyToMonthly } from './estimate-instalment.ts'
import { type OfferCharges, sum, upfrontFees } from './total-cost.ts'

/** The amount (whole rupees) and the term (months) at which offers are compared. */
export interface RequestedTerms {
  amount: number
  /** 0 if the term cannot be chosen: each offer then has its own. */
  months: number
}

/** An offer's figures at an amount and a term. */
export interface OfferPrice extends RequestedTerms {
  offer: EmbedOffer
  /** Whether amount and term are as requested; otherwise they are the lender's nearest. */
  fits: boolean
  /** Null for a credit line, which has no instalments, and for an unreadable rate. */
  instalment: number | null
  count: number
  /** Cost per month, so that weekly and monthly plans can be compared. */
  perMonth: number | null
  /** Sum of all instalments. */
  total: number | null
  /** In per cent; null if it is unreadable. The least that the lender may charge if `isEstimate`. */
  apr: number | null
  /** The charges at the start, in rupees. The least that the lender may charge if `isEstimate`. */
  charges: OfferCharges
  fees: number
  payout: number
  /** Whether we computed the figures, because the lender stated none for this amount and term. */
  isEstimate: boolean
}

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Prices an offer: the lender's figures for the offered amount and term, estimates for others. */
export function priceOffer(offer: EmbedOffer, request: RequestedTerms): OfferPrice {
  const amount = clamp(request.amount, Number(offer.least.amount), Number(offer.most.amount))
  const months = clamp(request.months, offer.least.tenureMonths, offer.most.tenureMonths)
  const fits = amount === request.amount && (!request.months || months === request.months)
  const apr = rateOf(offer.annualPercentageRate)
  const isEstimate = !offer.creditLine && (amount !== Number(offer.amountPrincipal) || months !== offer.tenureMonths)
  const instalment = offer.creditLine ? null : estimatedInstalment(offer, amount, months)
  const count = countOf(offer, months)
  const charges = isEstimate ? chargesFor(offer, amount) : offer
  return {
    offer,
    amount,
    months,
    fits,
    instalment,
    count,
    perMonth: instalment && (isWeekly(offer) ? weeklyToMonthly(instalment) : Math.round((instalment * count) / months)),
    total:
      instalment && (isEstimate ? instalment * count : Number(offer.amountPrincipal) + Number(offer.totalInterest)),
    apr: isEstimate && apr !== null ? aprOf(offer, apr, amount, months) : apr,
    charges,
    fees: feesOf(charges),
    payout: isEstimate ? payoutOf(offer, amount) : Number(offer.netDisbursed),
    isEstimate,
  }
}

/** In percentage points. If our APR differs more from the stated one, we do not know the lender's method. */
const maxDifference = 3

/**
 * Estimates the APR at another amount or term: the lender's APR plus the computed difference, which preserves the
 * lender's method. Null if the fees exceed the amount.
 */
function aprOf(offer: EmbedOffer, statedApr: number, amount: number, months: number): number | null {
  const offeredApr = yearlyRate(offer, Number(offer.amountPrincipal), offer.tenureMonths)
  const requestedApr = yearlyRate(offer, amount, months)
  return offeredApr === null || Math.abs(offeredApr - statedApr) > maxDifference
    ? statedApr
    : requestedApr && statedApr + requestedApr - offeredApr
}

/**
 * The charges at another amount than the offer's, in rupees. Processing fee and insurance follow the amount, other
 * charges stay as stated. For a smaller amount this is the least that the lender may charge, because a fee may have a
 * minimum or a maximum that an offer does not state.
 */
function chargesFor(offer: EmbedOffer, amount: number): OfferCharges {
  const scaled = (charge: string) => String(Math.round((Number(charge) * amount) / Number(offer.amountPrincipal)))
  if (amount === Number(offer.amountPrincipal)) return offer
  const { processingFees, insuranceCharges, otherUpfrontCharges, otherCharges } = offer
  return {
    otherUpfrontCharges,
    otherCharges,
    processingFees: scaled(processingFees),
    insuranceCharges: scaled(insuranceCharges),
  }
}

const feesOf = (charges: OfferCharges): number => sum(...upfrontFees(charges).map(([, charge]) => charge))

/** The payout: a lender deducts the fees as in its offer, or lets the borrower pay them apart. */
function payoutOf(offer: EmbedOffer, amount: number): number {
  const deducted = sum(offer.amountPrincipal, -Number(offer.netDisbursed))
  return amount - Math.max(0, deducted + feesOf(chargesFor(offer, amount)) - feesOf(offer))
}

/** The yearly rate in per cent (twelve monthly rates) at which the present value of the instalments equals the payout. */
function yearlyRate(offer: EmbedOffer, amount: number, months: number): number | null {
  const instalment = exactInstalment(offer, amount, months)
  const payout = payoutOf(offer, amount)
  if (!instalment || payout <= 0) return null
  const count = countOf(offer, months)
  let low = 0
  let high = 1
  for (let i = 0; i < 50; i++) {
    const rate = (low + high) / 2
    if (reducing(payout, rate, count) < instalment) low = rate
    else high = rate
  }
  return low * (count / months) * 1200
}

export const sortOrders = ['apr', 'emi', 'total'] as const
export type SortOrder = (typeof sortOrders)[number]
const sortFigures = { apr: 'apr', emi: 'perMonth', total: 'total' } as const

/** More than any distance in India. */
const unknownKm = 1e5
/** Kilometres to the nearest branch; very many if unknown, or if no visit is needed. */
export const distanceTo = ({ branches }: EmbedOffer): number => branches[0]?.aboutKm ?? unknownKm
/** Whether the distance to a branch is known. */
export const hasKnownDistance = (offer: EmbedOffer): boolean => distanceTo(offer) < unknownKm

/** Sorts by the lowest displayed figure, then by distance; offers that do not match, or lack the figure, come last. */
export function sortOffers(offers: EmbedOffer[], request: RequestedTerms, order: SortOrder): OfferPrice[] {
  const value = (price: OfferPrice) => Math.round((price[sortFigures[order]] ?? Number.POSITIVE_INFINITY) * 100)
  return offers
    .map((offer) => priceOffer(offer, request))
    .sort(
      (first, other) =>
        Number(other.fits) - Number(first.fits) ||
        value(first) - value(other) ||
        distanceTo(first.offer) - distanceTo(other.offer) ||
        (first.offer.lenderName < other.offer.lenderName ? -1 : 1),
    )
}

export interface Range {
  least: RequestedTerms
  most: RequestedTerms
}

/** The least and the most that any of the offers lends, and its terms. */
export const rangeOf = (offers: EmbedOffer[]): Range => ({
  least: {
    amount: Math.min(...offers.map(({ least }) => Number(least.amount))),
    months: Math.min(...offers.map(({ least }) => least.tenureMonths)),
  },
  most: {
    amount: Math.max(...offers.map(({ most }) => Number(most.amount))),
    months: Math.max(...offers.map(({ most }) => most.tenureMonths)),
  },
})

/** Whether the borrower can choose the term of an offer. */
export const hasTermChoice = ({ least, most }: EmbedOffer): boolean => least.tenureMonths < most.tenureMonths

/** The earlier terms within the limits; else those requested in the app, or those that every offer covers. */
export function initialTerms(offers: EmbedOffer[], earlier?: RequestedTerms | null): RequestedTerms {
  const { least, most } = rangeOf(offers)
  const initialValue = (field: keyof RequestedTerms, fieldOf: (end: EmbedOffer['start']) => number) => {
    if (earlier) return clamp(earlier[field], least[field], most[field])
    const adjustable = offers
      .filter(({ start, most }) => fieldOf(start) < fieldOf(most))
      .map(({ start }) => fieldOf(start))
    return adjustable.length > 0 ? Math.max(...adjustable) : Math.min(...offers.map(({ most }) => fieldOf(most)))
  }
  const months = initialValue('months', ({ tenureMonths }) => tenureMonths)
  return {
    amount: initialValue('amount', ({ amount }) => Number(amount)),
    months: offers.some(hasTermChoice) ? (earlier ? months : mostOfferedTerm(offers, months)) : 0,
  }
}

/** Of the terms at which offers start, the one that most offers cover: `preferred` if others are covered no better. */
function mostOfferedTerm(offers: EmbedOffer[], preferred: number): number {
  const coverageOf = (months: number) =>
    offers.filter(({ least, most }) => least.tenureMonths <= months && months <= most.tenureMonths).length
  return offers
    .map(({ start }) => start.tenureMonths)
    .reduce((best, months) => (coverageOf(months) > coverageOf(best) ? months : best), preferred)
}

/** Whether an offer for another amount or term has a lower APR. EMIs and totals compare only loans of the same size. */
export const isUndercut = (matches: OfferPrice[], rest: OfferPrice[]): boolean => {
  const lowest = (prices: OfferPrice[]) => Math.min(...prices.map(({ apr }) => apr ?? Number.POSITIVE_INFINITY))
  return lowest(rest) < lowest(matches)
}

const usualMonths = [3, 6, 9, 12, 18, 24, 36, 48, 60, 84, 120, 180, 240]

/** The selectable terms: the usual ones within the range, and the chosen one. */
export const termsBetween = ({ least, most }: Range, chosen: number): number[] =>
  [...new Set([...usualMonths, chosen])]
    .filter((months) => months >= least.months && months <= most.months)
    .sort((first, other) => first - other)

/** The affordable instalment: 40 % of the monthly income, rounded down to thousands, below ₹10,000 to hundreds. */
export const affordable = (income: number): number => {
  const share = Math.floor((income * 2) / 5)
  return share - (share % (share >= 10_000 ? 1000 : 100))
}
