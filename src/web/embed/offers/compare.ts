// All offers at one amount over one term, so that like is compared with like. Pure.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { isWeekly, rateOf } from '../page/format.ts'
import { countOf, estimatedInstalment, exactInstalment, reducing, weeklyAMonth } from './estimate.ts'

/** The borrower's request: whole rupees, and months. */
export interface RequestedTerms {
  amount: number
  /** 0 while no term can be chosen: each offer is then over its own. */
  months: number
}

/** An offer at an amount over a term. */
export interface OfferPrice extends RequestedTerms {
  offer: EmbedOffer
  /** Whether it matches the request; otherwise it is the nearest that the lender offers. */
  fits: boolean
  /** Null of a credit line, which has no instalments, and where the rate cannot be read. */
  instalment: number | null
  count: number
  /** The instalments of a month, so that a weekly plan is compared with a monthly one. */
  perMonth: number | null
  /** All instalments together. */
  total: number | null
  /** In per cent; null where it cannot be read. */
  apr: number | null
  processingFee: number
  /** The payout. */
  paidOut: number
  /** Whether the lender has given no figures for this amount and term. */
  isEstimate: boolean
}

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** The lender's own figures for its offer; computed from its rate for other values. */
export function priced(offer: EmbedOffer, wanted: RequestedTerms): OfferPrice {
  const amount = within(wanted.amount, Number(offer.least.amount), Number(offer.most.amount))
  const months = within(wanted.months, offer.least.tenureMonths, offer.most.tenureMonths)
  const fits = amount === wanted.amount && (!wanted.months || months === wanted.months)
  const apr = rateOf(offer.annualPercentageRate)
  const isEstimate = !offer.creditLine && (amount !== Number(offer.amountPrincipal) || months !== offer.tenureMonths)
  const instalment = offer.creditLine ? null : estimatedInstalment(offer, amount, months)
  const count = countOf(offer, months)
  const processingFee = isEstimate ? processingFeeFor(offer, amount) : Number(offer.processingFees)
  return {
    offer,
    amount,
    months,
    fits,
    instalment,
    count,
    perMonth: instalment && (isWeekly(offer) ? weeklyAMonth(instalment) : Math.round((instalment * count) / months)),
    total:
      instalment && (isEstimate ? instalment * count : Number(offer.amountPrincipal) + Number(offer.totalInterest)),
    apr: isEstimate && apr !== null ? aprOf(offer, apr, amount, months) : apr,
    processingFee,
    paidOut: isEstimate ? paidOutOf(offer, amount) : Number(offer.netDisbursed),
    isEstimate,
  }
}

/** An offer whose own figures differ from its APR by more than this is computed in an unknown way. */
const mostApart = 3

/**
 * The APR of another amount or term of an offer: the lender's figure plus the computed difference, so that its method
 * of computation is kept. Null when fees would consume the amount.
 */
function aprOf(offer: EmbedOffer, offered: number, amount: number, months: number): number | null {
  const own = yearlyRate(offer, Number(offer.amountPrincipal), offer.tenureMonths)
  const other = yearlyRate(offer, amount, months)
  return own === null || Math.abs(own - offered) > mostApart ? offered : other && offered + other - own
}

/**
 * An offer states its fees for one amount only, which may be the lender's minimum or maximum: for less, the processing
 * fee is proportional, or if that is higher, as is usual (2.4 %, and not below ₹1,200 or 6 %, all with tax), but never
 * above the stated one. Other fees stay as stated.
 */
function processingFeeFor({ amountPrincipal, processingFees }: EmbedOffer, amount: number): number {
  const fee = Number(processingFees)
  const usual = Math.max(amount * 0.024, Math.min(amount * 0.06, 1200))
  return Math.round(Math.max((fee * amount) / Number(amountPrincipal), Math.min(fee, usual)))
}

function paidOutOf(offer: EmbedOffer, amount: number): number {
  const otherFees = Math.max(
    0,
    Number(offer.amountPrincipal) - Number(offer.netDisbursed) - Number(offer.processingFees),
  )
  return amount - otherFees - processingFeeFor(offer, amount)
}

/** The yearly rate in per cent, twelve times that of a month, at which the instalments are worth what reaches the borrower. */
function yearlyRate(offer: EmbedOffer, amount: number, months: number): number | null {
  const instalment = exactInstalment(offer, amount, months)
  const paidOut = paidOutOf(offer, amount)
  if (!instalment || paidOut <= 0) return null
  const count = countOf(offer, months)
  let [low, high] = [0, 1]
  for (let i = 0; i < 50; i++) {
    const rate = (low + high) / 2
    if (reducing(paidOut, rate, count) < instalment) low = rate
    else high = rate
  }
  return low * (count / months) * 1200
}

export const orders = ['apr', 'emi', 'total'] as const
export type SortOrder = (typeof orders)[number]
const figureOf = { apr: 'apr', emi: 'perMonth', total: 'total' } as const

/** Lowest first; offers that do not match the request, or lack the figure, come last. No lender is preferred. */
export function compared(offers: EmbedOffer[], wanted: RequestedTerms, order: SortOrder): OfferPrice[] {
  const value = (one: OfferPrice) => one[figureOf[order]] ?? Number.POSITIVE_INFINITY
  return offers
    .map((offer) => priced(offer, wanted))
    .sort(
      (one, other) =>
        Number(other.fits) - Number(one.fits) ||
        value(one) - value(other) ||
        (one.offer.lenderName < other.offer.lenderName ? -1 : 1),
    )
}

export interface Range {
  least: RequestedTerms
  most: RequestedTerms
}

/** The range that at least one offer covers. */
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

/** Whether an offer leaves the term to the borrower. */
export const leavesTerm = ({ least, most }: EmbedOffer): boolean => least.tenureMonths < most.tenureMonths

/**
 * The initial comparison: the request in the app, if offers start below it; otherwise the largest amount of all offers.
 */
export function firstWanted(offers: EmbedOffer[]): RequestedTerms {
  const begin = (of: (end: EmbedOffer['start']) => number) => {
    const below = offers.filter(({ start, most }) => of(start) < of(most)).map(({ start }) => of(start))
    return below.length > 0 ? Math.max(...below) : Math.min(...offers.map(({ most }) => of(most)))
  }
  return {
    amount: begin(({ amount }) => Number(amount)),
    months: offers.some(leavesTerm) ? begin(({ tenureMonths }) => tenureMonths) : 0,
  }
}

const usualMonths = [3, 6, 9, 12, 18, 24, 36, 48, 60, 84, 120, 180, 240]

/** The terms to choose from: usual ones, and what is chosen. */
export const termsBetween = ({ least, most }: Range, chosen: number): number[] =>
  [...new Set([...usualMonths, chosen])]
    .filter((months) => months >= least.months && months <= most.months)
    .sort((one, other) => one - other)

/** The usual limit of instalments: 40 % of the monthly income, in whole thousands from ten thousand on. */
export const affordable = (income: number): number => {
  const share = Math.floor((income * 2) / 5)
  return share >= 10_000 ? share - (share % 1000) : share - (share % 100)
}
