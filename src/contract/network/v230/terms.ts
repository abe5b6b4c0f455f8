// The terms of a loan against mutual funds: 2.0.3's under the names of 2.3.0, in an offer and in a quote (FIS12 §7.3, §7.4).

import { loanInfoTexts230 } from '#contract/network/tag-texts.ts'
import { type TagGroup, type Tags, tagGroup, tagsOf } from '#contract/network/tags.ts'
import * as common from '#contract/network/v203/terms.ts'
import type { Static } from '#kit/http/schema.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { ownValue } from '#kit/runtime/record.ts'
import type { Product } from './categories.ts'
import { lineOfferOf, linePriceOf, lineQuoteIn203, lineQuoteOf } from './line.ts'
import type { Quote, Terms } from './quote.ts'
import type { Item } from './schema.ts'

/** The titles of a quote, as 2.0.3 names them. */
const names: Record<string, string> = { PRINCIPAL_AMOUNT: 'PRINCIPAL', INTEREST_AMOUNT: 'INTEREST' }
const namesHere = Object.fromEntries(Object.entries(names).map(([here, there]) => [there, here]))

/** Every title that the quote of a term loan may carry. */
export const quoteTitles = [
  'PRINCIPAL_AMOUNT',
  'INTEREST_AMOUNT',
  'PROCESSING_FEE',
  'OTHER_UPFRONT_CHARGES',
  'INSURANCE_CHARGES',
  'OTHER_CHARGES',
  'NET_DISBURSED_AMOUNT',
]

/** The last row of an official quote is no money but how long the offer stands, which `ttl` says too (FIS12 §21). */
const isMoney = ({ title }: Quote['breakup'][number]): boolean => title !== 'OFFER_VALIDITY'

/** A quote in the words of 2.0.3: reading and arithmetic are the same in both dialects. */
export const quoteIn203 = (quote: Quote): Quote => ({
  ...quote,
  breakup: quote.breakup.filter(isMoney).map((row) => ({ ...row, title: ownValue(names, row.title) ?? row.title })),
})

/** `utilization` is what of a line is drawn, in paise. */
export function quoteOf(terms: Terms, product: Product, utilization: Paise = 0n) {
  if (product === 'CREDIT_LINE') return lineQuoteOf(terms, utilization)
  const quote = common.quoteOf(terms)
  return { ...quote, breakup: quote.breakup.map((row) => ({ ...row, title: namesHere[row.title] ?? row.title })) }
}

const inInr = (amount: Paise): string => `${rupees(amount)} INR`
const spaced = (percentage: string): string => percentage.replace('%', ' %')

export const loanInfoOf = (terms: Terms): TagGroup =>
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
    },
    loanInfoTexts230,
  )

/** The amounts of an offer. */
export const loanOfferOf = (terms: Terms, product: Product): TagGroup =>
  tagGroup('LOAN_OFFER', product === 'CREDIT_LINE' ? lineOfferOf(terms) : termOfferOf(terms))

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

/** The amounts of an offered item as a quote in the words of 2.0.3; null when it states none. */
export function quoteOfOffer({ id, price, tags }: Static<typeof Item>): Quote | null {
  const offer = tagsOf(tags, 'LOAN_OFFER')
  if (!offer || !price) return null
  const { OFFER_VALIDITY: ttl, ...amounts } = offer
  const breakup = Object.entries(amounts).map(([title, value]) => ({ title, price: { value, currency: 'INR' } }))
  return quoteIn203({ id, price, breakup, ...(ttl !== undefined && { ttl }) })
}

/** Reads the terms of a quote, given in the words of 2.0.3, or of an offer. Throws as 2.0.3's reader does. */
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
 * The texts of LOAN_INFO. A code that stands there twice is told apart by its name: one flow of the network's writes the
 * margin call as another INTEREST_RATE, called "Margin Call" (FIS12 §17.2).
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

export const priceOf = (terms: Terms, product: Product) =>
  product === 'CREDIT_LINE' ? linePriceOf(terms) : common.priceOf(terms)
