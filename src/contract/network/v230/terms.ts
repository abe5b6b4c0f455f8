// The terms of a loan against mutual funds: 2.0.3's under the names of 2.3.0, in an offer and in a quote (FIS12 §7.3, §7.4).
import { moneyOf } from '#contract/network/reading.ts'
import { type TagGroup, type Tags, tagGroup, tagsOf } from '#contract/network/tags.ts'
import * as common from '#contract/network/v203/terms.ts'
import { type Paise, rupees } from '#kit/money.ts'
import { invalid } from '#kit/refusal.ts'
import type { Static } from '#kit/schema.ts'
import type { Product } from './categories.ts'
import type { Item, Order } from './schema.ts'

/** In an offer, where there is no quote yet, `quoteId` is the id of the offered item. A line's principal is its limit. */
export interface Terms extends common.Terms {
  /** How far the units may fall before more of them are asked for, as the lender writes it. */
  marginCall: string | null
  annualisedPenalCharges: string | null
}

/** The titles of a quote, as 2.0.3 names them. */
const names: Record<string, string> = { PRINCIPAL_AMOUNT: 'PRINCIPAL', INTEREST_AMOUNT: 'INTEREST' }
const namesHere = Object.fromEntries(Object.entries(names).map(([here, there]) => [there, here]))

/** Every title that a 2.3.0 quote may carry. */
export const quoteTitles = [
  'PRINCIPAL_AMOUNT',
  'INTEREST_AMOUNT',
  'PROCESSING_FEE',
  'OTHER_UPFRONT_CHARGES',
  'INSURANCE_CHARGES',
  'OTHER_CHARGES',
  'NET_DISBURSED_AMOUNT',
]

export type Quote = NonNullable<Order['quote']>

/** A quote in the words of 2.0.3: reading and arithmetic are the same in both dialects. */
export const quoteIn203 = (quote: Quote): Quote => ({
  ...quote,
  breakup: quote.breakup.map((row) => ({ ...row, title: names[row.title] ?? row.title })),
})

export function quoteOf(terms: Terms) {
  const quote = common.quoteOf(terms)
  return { ...quote, breakup: quote.breakup.map((row) => ({ ...row, title: namesHere[row.title] ?? row.title })) }
}

const inInr = (amount: Paise): string => `${rupees(amount)} INR`
const spaced = (percentage: string): string => percentage.replace('%', ' %')

export const loanInfoOf = (terms: Terms): TagGroup =>
  tagGroup('LOAN_INFO', {
    MARGIN_CALL: terms.marginCall,
    INTEREST_RATE: spaced(terms.interestRate),
    TERM: `P${terms.termMonths}M`,
    INTEREST_RATE_TYPE: terms.interestType,
    APPLICATION_FEE: terms.applicationFee,
    FORECLOSURE_FEE: terms.foreclosureFee,
    INTEREST_RATE_CONVERSION_CHARGE: terms.interestRateConversionCharge,
    DELAY_PENALTY_FEE: terms.delayPenaltyFee,
    OTHER_PENALTY_FEE: terms.otherPenaltyFee,
    RATE_ANNUALISED_PENAL_CHARGES: terms.annualisedPenalCharges,
    ANNUAL_PERCENTAGE_RATE: spaced(terms.apr),
    REPAYMENT_FREQUENCY: terms.repaymentFrequency,
    NUMBER_OF_INSTALLMENTS: String(terms.installmentsCount),
    TNC_LINK: terms.tncLink,
    COOL_OFF_PERIOD: terms.coolOffPeriod,
    INSTALLMENT_AMOUNT: inInr(terms.installmentAmount),
    KFS_LINK: terms.kfsLink,
  })

/** The amounts of an offer. A new line has not been drawn on. */
export const loanOfferOf = (terms: Terms, product: Product): TagGroup =>
  tagGroup('LOAN_OFFER', {
    ...(product === 'TERM_LOAN'
      ? { PRINCIPAL_AMOUNT: inInr(terms.principal) }
      : { OVERDRAFT_LIMIT: inInr(terms.principal), CURRENT_UTILIZATION: inInr(0n) }),
    INTEREST_AMOUNT: inInr(terms.interest),
    PROCESSING_FEE: inInr(terms.processingFee),
    OTHER_UPFRONT_CHARGES: inInr(terms.otherUpfront),
    INSURANCE_CHARGES: inInr(terms.insurance),
    OTHER_CHARGES: inInr(terms.otherCharges),
    NET_DISBURSED_AMOUNT: inInr(terms.netDisbursed),
    OFFER_VALIDITY: terms.quoteTtl,
  })

/** The amounts of an offered item as a quote in the words of 2.0.3; null when it states none. */
export function quoteOfOffer({ id, price, tags }: Static<typeof Item>): Quote | null {
  const offer = tagsOf(tags, 'LOAN_OFFER')
  if (!offer || !price) return null
  const { OFFER_VALIDITY: ttl, CURRENT_UTILIZATION: _, OVERDRAFT_LIMIT: limit, ...amounts } = offer
  const principal = amounts.PRINCIPAL_AMOUNT ?? limit
  const rows = Object.entries({ ...amounts, ...(principal !== undefined && { PRINCIPAL_AMOUNT: principal }) })
  const breakup = rows.map(([title, value]) => ({ title, price: { value, currency: 'INR' } }))
  return quoteIn203({ id, price, breakup, ...(ttl !== undefined && { ttl }) })
}

/** Reads the terms of an order's quote, given in the words of 2.0.3, or of an offer. Throws as 2.0.3's reader does. */
export function termsOf(quote: Quote, info: Tags, path: string, warnings: string[], tag?: string): Terms {
  return lamfTerms(common.termsOf(quote, info, path, warnings, tag), info)
}

export const lamfTerms = (terms: common.Terms, info: Tags): Terms => ({
  ...terms,
  term: `${terms.termMonths} months`,
  marginCall: info.MARGIN_CALL ?? null,
  annualisedPenalCharges: info.RATE_ANNUALISED_PENAL_CHARGES ?? null,
})

/** Of a line in an offer; null for a term loan. */
export function utilizationOf(tags: Item['tags'], path: string): Paise | null {
  const text = tagsOf(tags, 'LOAN_OFFER')?.CURRENT_UTILIZATION
  if (text === undefined) return null
  const amount = moneyOf(text)
  if (amount === null) throw invalid({ path, message: 'must be an amount of rupees' })
  return amount
}

export const { priceOf } = common
