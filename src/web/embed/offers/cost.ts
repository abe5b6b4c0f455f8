// The total cost of final terms, and of late payment. Pure.
import type { EmbedOffer } from '#contract/hosted/embed.ts'

/** In rupees. */
export interface Cost {
  /** All instalments together. */
  total: number
  interest: number
  fees: number
  /** The cost beyond the principal. */
  all: number
  /** Whether exactly the fees are deducted from the payout. */
  isKept: boolean
}

type OfferCharges = Pick<EmbedOffer, 'processingFees' | 'otherUpfrontCharges' | 'insuranceCharges' | 'otherCharges'>
type OfferCosts = OfferCharges & Pick<EmbedOffer, 'amountPrincipal' | 'totalInterest' | 'netDisbursed'>

/** The charges at the start, by what they are called; those that are nothing are left out. */
export const feesOf = (offer: OfferCharges) =>
  (
    [
      ['terms.processing', offer.processingFees],
      ['terms.upfront', offer.otherUpfrontCharges],
      ['terms.insurance', offer.insuranceCharges],
      ['terms.others', offer.otherCharges],
    ] as const
  ).filter(([what, amount]) => what === 'terms.processing' || Number(amount) > 0)

export function costOf(offer: OfferCosts): Cost {
  const { amountPrincipal: principal, totalInterest: interest, netDisbursed } = offer
  const fees = sum(...feesOf(offer).map(([, amount]) => amount))
  return {
    total: sum(principal, interest),
    interest: Number(interest),
    fees,
    all: sum(interest, fees),
    isKept: fees > 0 && sum(netDisbursed, fees) === Number(principal),
  }
}

/** Counted in paise, so that no fraction of one appears. */
const sum = (...amounts: (string | number)[]): number =>
  amounts.reduce<number>((paise, amount) => paise + Math.round(Number(amount) * 100), 0) / 100

const spans = ['year', 'month', 'week', 'day'] as const
type Span = (typeof spans)[number]

/** A charge as it can be written in either language: nothing, rupees, a rate by what time it runs, or the lender's words. */
export type Charge =
  | { kind: 'none' }
  | { kind: 'amount'; amount: string }
  /** In percent. `per` is null when the lender gives no period. */
  | { kind: 'rate'; rate: string; per: Span | null }
  | { kind: 'words'; text: string }

const nothing = /^(?:none|nil|no|free|nothing|n\.?\/?a\.?|not applicable|0+(?:\.0+)?\s*%?)\.?$/i
const rate =
  /^(\d+(?:\.\d+)?)\s*%(?:\s*(?:(p\.?\s?a|an? year|per year|per annum|yearly|annually)|(p\.?\s?m|an? month|per month|monthly)|(an? week|per week|weekly)|(an? day|per day|daily))\.?)?(?:,? (?:on|of) (?:(?:the|an|any|each|your) )?(?:overdue|unpaid|late) (?:instal?lments?|emis?|amounts?))?\.?$/i

export function chargeIn(text: string): Charge {
  const written = text.trim()
  if (nothing.test(written)) return { kind: 'none' }
  if (/^\d+\.\d\d$/.test(written)) return { kind: 'amount', amount: written }
  const [, figure, ...found] = rate.exec(written) ?? []
  if (!figure) return { kind: 'words', text: written }
  return { kind: 'rate', rate: figure, per: spans[found.findIndex(Boolean)] ?? null }
}

/**
 * The cost of a yearly or monthly charge for one instalment paid this many days late: in whole rupees, by 365 days a
 * year or 30 a month. Null for other charges, and below one rupee.
 */
export function lateBy(days: number, charge: Charge, instalment: number): number | null {
  if (charge.kind !== 'rate' || (charge.per !== 'year' && charge.per !== 'month')) return null
  const share = days / (charge.per === 'year' ? 365 : 30)
  return Math.round((instalment * Number(charge.rate) * share) / 100) || null
}
