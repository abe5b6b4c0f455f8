// The total cost of final terms, and of late payment. Pure.
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'

/** All amounts are in rupees. */
export interface Cost {
  /** Sum of all instalments. */
  total: number
  interest: number
  fees: number
  /** Interest and fees. */
  cost: number
  /** Whether the payout is the principal minus exactly these fees. */
  deducted: boolean
}

export type OfferCharges = Pick<
  EmbedOffer,
  'processingFees' | 'otherUpfrontCharges' | 'insuranceCharges' | 'otherCharges'
>
type OfferCosts = OfferCharges & Pick<EmbedOffer, 'amountPrincipal' | 'totalInterest' | 'netDisbursed'>

/** The charges at the start, keyed by their text; zero charges are omitted, except the processing fee. */
export const upfrontFees = (offer: OfferCharges) =>
  (
    [
      ['terms.processing', offer.processingFees],
      ['terms.upfront', offer.otherUpfrontCharges],
      ['terms.insurance', offer.insuranceCharges],
      ['terms.others', offer.otherCharges],
    ] as const
  ).filter(([textKey, amount]) => textKey === 'terms.processing' || Number(amount) > 0)

export function costOf(offer: OfferCosts): Cost {
  const { amountPrincipal: principal, totalInterest: interest, netDisbursed } = offer
  const fees = sum(...upfrontFees(offer).map(([, amount]) => amount))
  return {
    total: sum(principal, interest),
    interest: Number(interest),
    fees,
    cost: sum(interest, fees),
    deducted: fees > 0 && sum(netDisbursed, fees) === Number(principal),
  }
}

/** Adds in paise, to avoid rounding errors. */
export const sum = (...amounts: (string | number)[]): number =>
  amounts.reduce<number>((paise, amount) => paise + Math.round(Number(amount) * 100), 0) / 100

const periods = ['year', 'month', 'week', 'day'] as const
type Period = (typeof periods)[number]

/** A parsed charge, which can be shown in any language. `words` is a text that could not be parsed. */
export type Charge =
  | { kind: 'none' }
  | { kind: 'amount'; amount: string }
  /** In per cent. `per` is null if the lender states no period. */
  | { kind: 'rate'; rate: string; per: Period | null }
  /** Of what is unpaid at the end of the day `after` the due date, and again every `every` days. */
  | { kind: 'repeated'; rate: string; after: number; every: number; most: number }
  | { kind: 'words'; text: string }

const noChargePattern = /^(?:none|nil|no|free|nothing|n\.?\/?a\.?|not applicable|0+(?:\.0+)?\s*%?)\.?$/i
const ratePattern =
  /^(\d+(?:\.\d+)?)\s*%(?:\s*(?:(p\.?\s?a|an? year|per year|per annum|yearly|annually)|(p\.?\s?m|an? month|per month|monthly)|(an? week|per week|weekly)|(an? day|per day|daily))\.?)?(?:,? (?:on|of) (?:(?:the|an|any|each|your) )?(?:overdue|unpaid|late) (?:instal?lments?|emis?|amounts?))?\.?$/i

/** As our own setting states the charge of a lending partner, which charges at the end of a day and then repeatedly. */
const repeatedPattern =
  /^(\d+(?:\.\d+)?)% of what is unpaid at the end of the (\w+) day after the due date \(or the next day with debits\), and again every (\d+) days, (\d+) times at most\.?$/i
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

export function parseCharge(text: string): Charge {
  const trimmed = text.trim()
  if (noChargePattern.test(trimmed)) return { kind: 'none' }
  if (/^\d+\.\d\d$/.test(trimmed)) return { kind: 'amount', amount: trimmed }
  const [, rate, ordinal = '', every, most] = repeatedPattern.exec(trimmed) ?? []
  const after = ordinals.indexOf(ordinal.toLowerCase()) + 1
  if (rate && after > 0) return { kind: 'repeated', rate, after, every: Number(every), most: Number(most) }
  const [, figure, ...units] = ratePattern.exec(trimmed) ?? []
  if (!figure) return { kind: 'words', text: trimmed }
  return { kind: 'rate', rate: figure, per: periods[units.findIndex(Boolean)] ?? null }
}

/** How often a repeated charge has applied `days` after the due date. */
const timesCharged = (days: number, { after, every, most }: Extract<Charge, { kind: 'repeated' }>): number =>
  days < after ? 0 : Math.min(most, 1 + Math.floor((days - after) / every))

/** Whether a charge is a repeated one that does not apply again after `days`. */
export const isAtMost = (days: number, charge: Charge): boolean =>
  charge.kind === 'repeated' && timesCharged(days, charge) === charge.most

/**
 * Computes the cost of paying an instalment `days` late, in whole rupees, with 365 days a year or 30 a month. Null for
 * charges without a yearly, monthly or repeated rate, and below one rupee.
 */
export function lateCost(days: number, charge: Charge, instalment: number): number | null {
  if (charge.kind === 'repeated')
    return Math.round((instalment * Number(charge.rate) * timesCharged(days, charge)) / 100) || null
  if (charge.kind !== 'rate' || (charge.per !== 'year' && charge.per !== 'month')) return null
  const share = days / (charge.per === 'year' ? 365 : 30)
  return Math.round((instalment * Number(charge.rate) * share) / 100) || null
}
