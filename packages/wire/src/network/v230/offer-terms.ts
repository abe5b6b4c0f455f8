// The terms of a loan or credit line against mutual funds: as in 2.0.3, with the titles of 2.3.0 (FIS12 §7.3, §7.4).

import { ownValue } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import type { Static } from '@lendloom/foundation/schema'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import { amountText, isAmount } from '@lendloom/lending/term-bounds'
import type { CreditLine, Terms as LoanTerms } from '@lendloom/lending/terms'
import { loanInfoTexts230, type TagGroup, type Tags, tagGroup, tagsOf } from '#wire/network/tags.ts'
import * as common from '#wire/network/v203/offer-terms.ts'
import { inr, isForeign } from '#wire/network/v203/offer-terms.ts'
import type { CatalogProduct } from './categories.ts'
import type { Item, Order } from './schema.ts'

/** The 2.0.3 titles of a quote, by 2.3.0 title. */
const titleIn203: Record<string, string> = { PRINCIPAL_AMOUNT: 'PRINCIPAL', INTEREST_AMOUNT: 'INTEREST' }
const titleIn230 = Object.fromEntries(Object.entries(titleIn203).map(([in230, in203]) => [in203, in230]))

/** All titles of a term loan's quote. */
export const quoteTitles = [
  'PRINCIPAL_AMOUNT',
  'INTEREST_AMOUNT',
  'PROCESSING_FEE',
  'OTHER_UPFRONT_CHARGES',
  'INSURANCE_CHARGES',
  'OTHER_CHARGES',
  'NET_DISBURSED_AMOUNT',
]

/** The last row of an official quote is not an amount but the offer's validity, which `ttl` repeats (FIS12 §21). */
export const isMoney = ({ title }: Quote['breakup'][number]): boolean => title !== 'OFFER_VALIDITY'

/** Converts a quote to the titles of 2.0.3, whose parser and arithmetic apply to both dialects. */
export const quoteIn203 = (quote: Quote): Quote => ({
  ...quote,
  breakup: quote.breakup
    .filter(isMoney)
    .map((row) => ({ ...row, title: ownValue(titleIn203, row.title) ?? row.title })),
})

/** Writes the quote; `utilization` is the drawn amount of a credit line, in paise. */
export function quoteOf(terms: Terms, product: CatalogProduct, utilization: Paise = 0n) {
  if (product === 'CREDIT_LINE') return lineQuoteOf(terms, utilization)
  const quote = common.quoteOf(terms)
  return { ...quote, breakup: quote.breakup.map((row) => ({ ...row, title: titleIn230[row.title] ?? row.title })) }
}

const inInr = (amount: Paise): string => `${rupees(amount)} INR`
const spaced = (percentage: string): string => percentage.replace('%', ' %')

/** The texts of a loan. `loanToValue` is that of all schemes, which only lenders with stops state here (FIS12 §27.3). */
export const loanInfoOf = (terms: Terms, loanToValue: string | null = null): TagGroup =>
  tagGroup(
    'LOAN_INFO',
    {
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
      NUMBER_OF_INSTALLMENTS: terms.installmentsCount === 0 ? null : String(terms.installmentsCount),
      TNC_LINK: terms.tncLink,
      COOL_OFF_PERIOD: terms.coolOffPeriod,
      INSTALLMENT_AMOUNT: inInr(terms.installmentAmount),
      KFS_LINK: terms.kfsLink,
      LTV_PERCENT: loanToValue && spaced(loanToValue),
    },
    loanInfoTexts230,
  )

/** With stops, a line states no interest, which is null here (FIS12 §27.3). */
export const loanOfferOf = (terms: Terms, product: CatalogProduct, hasStops = false): TagGroup =>
  tagGroup('LOAN_OFFER', {
    ...(product === 'CREDIT_LINE' ? lineOfferOf(terms) : termOfferOf(terms)),
    ...(product === 'CREDIT_LINE' && hasStops && { INTEREST_AMOUNT: null }),
  })

const termOfferOf = (terms: Terms): Record<string, string | null> => ({
  PRINCIPAL_AMOUNT: inInr(terms.principal),
  INTEREST_AMOUNT: inInr(terms.interest),
  PROCESSING_FEE: inInr(terms.processingFee),
  OTHER_UPFRONT_CHARGES: inInr(terms.otherUpfront),
  INSURANCE_CHARGES: inInr(terms.insurance),
  OTHER_CHARGES: inInr(terms.otherCharges),
  NET_DISBURSED_AMOUNT: inInr(terms.netDisbursed),
  OFFER_VALIDITY: terms.quoteTtl,
})

/** Converts the amounts of an offered item to a quote with the titles of 2.0.3; null without amounts. */
export function quoteOfOffer({ id, price, tags }: Static<typeof Item>): Quote | null {
  const offer = tagsOf(tags, 'LOAN_OFFER')
  if (!offer || !price) return null
  const { OFFER_VALIDITY: ttl, ...amounts } = offer
  const breakup = Object.entries(amounts).map(([title, value]) => ({ title, price: { value, currency: 'INR' } }))
  return quoteIn203({ id, price, breakup, ...(ttl !== undefined && { ttl }) })
}

/** As `offerFaultsOf` of 2.0.3, for an offer or a quote with its titles. */
export const offerFaultsOf = (offer: common.StatedOffer, terms: Terms): FieldError[] =>
  common.offerFaultsOf(offer.isLine ? { ...offer, quote: lineQuoteIn203(offer.quote) } : offer, terms)

/** Reads the terms of an offer or of a quote with the titles of 2.0.3. Throws `invalid` like 2.0.3's reader. */
export function termsOf(offer: common.StatedOffer, warnings: string[]): Terms {
  const { quote, info, isLine } = offer
  const read = common.termsOf({ ...offer, quote: isLine ? lineQuoteIn203(quote) : quote }, warnings)
  return {
    ...read,
    term: `${read.termMonths} months`,
    marginCall: info.MARGIN_CALL ?? null,
    annualisedPenalCharges: info.RATE_ANNUALISED_PENAL_CHARGES ?? null,
  }
}

/**
 * The texts of LOAN_INFO. A repeated code is distinguished by its name: one official flow writes the margin call as
 * another INTEREST_RATE, named "Margin Call" (FIS12 §17.2).
 */
export function loanInfoIn(groups: readonly TagGroup[] | undefined): Tags | null {
  const group = groups?.find(({ descriptor }) => descriptor.code === 'LOAN_INFO')
  if (!group) return null
  const codes = group.list.map(({ descriptor }) => descriptor.code)
  const list = group.list.map((entry) => {
    const { code, name = '' } = entry.descriptor
    const named = name.trim().toUpperCase().replace(/\W+/g, '_')
    const isOther = codes.indexOf(code) !== codes.lastIndexOf(code) && named !== '' && named !== code
    return isOther && !codes.includes(named) ? { ...entry, descriptor: { ...entry.descriptor, code: named } } : entry
  })
  return tagsOf([{ ...group, list }], 'LOAN_INFO')
}

export const priceOf = (terms: Terms, product: CatalogProduct) =>
  product === 'CREDIT_LINE' ? linePriceOf(terms) : common.priceOf(terms)

/**
 * In an offer, which has no quote yet, `quoteId` is the item's id. A credit line's principal is its limit; it has no
 * instalments, and nothing is disbursed before a drawdown.
 */
export interface Terms extends LoanTerms {
  /** The lender's text: how far the units may fall before it requests more. */
  marginCall: string | null
  annualisedPenalCharges: string | null
}

export type Quote = NonNullable<Order['quote']>

/** The titles of a line's limit: we write the first and accept both. */
export const limitTitles = ['OVERDRAFT_LIMIT', 'WORKING_CAPITAL_LIMIT']

/** The titles of a line's quote besides its limit, in the network's order. */
export const lineTitles = [
  ...limitTitles,
  'INTEREST_AMOUNT',
  'CURRENT_UTILIZATION',
  'PROCESSING_FEE',
  'OTHER_UPFRONT_CHARGES',
  'INSURANCE_CHARGES',
  'OTHER_CHARGES',
]

/** Whether it is a credit line: by its category if known, otherwise if the quote has a limit and no principal. */
export const isLine = (product: CatalogProduct | null, titles: readonly string[]): boolean =>
  product === 'CREDIT_LINE' ||
  (product === null && titles.some((title) => limitTitles.includes(title)) && !titles.includes('PRINCIPAL'))

type Fees = Pick<Terms, 'processingFee' | 'otherUpfront' | 'insurance' | 'otherCharges'>

/** The upfront cost of a credit line. The limit is not part of its price, and interest accrues on the drawn amount. */
const upfrontOf = ({ processingFee, otherUpfront, insurance, otherCharges }: Fees): Paise =>
  processingFee + otherUpfront + insurance + otherCharges

const rowsOf = (terms: Terms, utilization: Paise): [title: string, amount: Paise][] => [
  ['OVERDRAFT_LIMIT', terms.principal],
  ['INTEREST_AMOUNT', terms.interest],
  ['CURRENT_UTILIZATION', utilization],
  ['PROCESSING_FEE', terms.processingFee],
  ['OTHER_UPFRONT_CHARGES', terms.otherUpfront],
  ['INSURANCE_CHARGES', terms.insurance],
  ['OTHER_CHARGES', terms.otherCharges],
]

const linePriceOf = (terms: Terms) => inr(upfrontOf(terms))

const lineQuoteOf = (terms: Terms, utilization: Paise) => ({
  id: terms.quoteId,
  price: linePriceOf(terms),
  breakup: rowsOf(terms, utilization).map(([title, amount]) => ({ title, price: inr(amount) })),
  ...(terms.quoteTtl !== null && { ttl: terms.quoteTtl }),
})

/** The values of LOAN_OFFER. A new line has not been drawn on. */
const lineOfferOf = (terms: Terms): Record<string, string | null> => ({
  ...Object.fromEntries(rowsOf(terms, 0n).map(([title, amount]) => [title, `${rupees(amount)} INR`])),
  OFFER_VALIDITY: terms.quoteTtl,
})

/** The quote as a lender with stops writes it: a line without interest (FIS12 §27.3). */
export const withoutLineInterest = ({ breakup, ...quote }: Quote, product: CatalogProduct): Quote => ({
  ...quote,
  breakup: product === 'CREDIT_LINE' ? breakup.filter(({ title }) => title !== 'INTEREST_AMOUNT') : breakup,
})

/** Reads limit and utilization from a line's quote. Throws `invalid` if one is missing or unreadable. */
export function lineIn({ breakup }: Quote, path: string): CreditLine {
  const amount = (titles: readonly string[], absent?: Paise): Paise => {
    const row = breakup.find(({ title }) => titles.includes(title))
    const paise = row ? moneyOf(row.price.value) : absent
    if (paise == null || isForeign(row?.price.currency))
      throw invalid({ path: `${path}.breakup`, message: `must have ${titles[0]}, an amount of rupees` })
    if (!isAmount(paise)) throw invalid({ path: `${path}.breakup`, message: `${titles[0]} ${amountText}` })
    return paise
  }
  // Some lenders write the limit as PRINCIPAL.
  return { limit: amount([...limitTitles, 'PRINCIPAL']), utilization: amount(['CURRENT_UTILIZATION'], 0n) }
}

/**
 * Converts a line's quote for the 2.0.3 parser: the limit becomes the principal, and the net disbursal is left out. The
 * parser compares the total with the sum of the rows, which a line's price is not; so the sum becomes the total.
 */
function lineQuoteIn203(quote: Quote): Quote {
  const rows = quote.breakup
    .filter(({ title }) => title !== 'CURRENT_UTILIZATION' && title !== 'NET_DISBURSED_AMOUNT')
    .map((row) => (limitTitles.includes(row.title) ? { ...row, title: 'PRINCIPAL' } : row))
  const total = rows.reduce((sum, { price }) => sum + (moneyOf(price.value) ?? 0n), 0n)
  return { ...quote, price: { ...quote.price, value: rupees(total) }, breakup: rows }
}
