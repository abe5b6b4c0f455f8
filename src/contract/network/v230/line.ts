// A credit line in an offer and in a quote: its limit and what of it is drawn, in place of a principal (FIS12 §17.2).
import { moneyOf } from '#contract/network/reading.ts'
import { inr } from '#contract/network/v203/terms.ts'
import { invalid } from '#kit/http/refusal.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { Product } from './categories.ts'
import type { Quote, Terms } from './quote.ts'

/** Both in paise. What may still be drawn is the limit without what is drawn. */
export interface CreditLine {
  limit: Paise
  utilization: Paise
}

/** The titles of a line's limit; the first is ours. */
export const limitTitles = ['OVERDRAFT_LIMIT', 'WORKING_CAPITAL_LIMIT']

/** What the quote of a line may carry beside its limit, in the network's order. */
export const lineTitles = [
  ...limitTitles,
  'INTEREST_AMOUNT',
  'CURRENT_UTILIZATION',
  'PROCESSING_FEE',
  'OTHER_UPFRONT_CHARGES',
  'INSURANCE_CHARGES',
  'OTHER_CHARGES',
]

/** The category decides; where none is known, a quote with a limit and no principal, in the words of 2.0.3, is a line's. */
export const isLine = (product: Product | null, titles: readonly string[]): boolean =>
  product === 'CREDIT_LINE' ||
  (product === null && titles.some((title) => limitTitles.includes(title)) && !titles.includes('PRINCIPAL'))

type Fees = Pick<Terms, 'processingFee' | 'otherUpfront' | 'insurance' | 'otherCharges'>

/** What the borrower owes for having it: the limit is no part of its price, and interest runs on what is drawn. */
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

export const linePriceOf = (terms: Terms) => inr(upfrontOf(terms))

export const lineQuoteOf = (terms: Terms, utilization: Paise) => ({
  id: terms.quoteId,
  price: linePriceOf(terms),
  breakup: rowsOf(terms, utilization).map(([title, amount]) => ({ title, price: inr(amount) })),
  ...(terms.quoteTtl !== null && { ttl: terms.quoteTtl }),
})

/** The values of LOAN_OFFER. A new line has not been drawn on. */
export const lineOfferOf = (terms: Terms): Record<string, string | null> => ({
  ...Object.fromEntries(rowsOf(terms, 0n).map(([title, amount]) => [title, `${rupees(amount)} INR`])),
  OFFER_VALIDITY: terms.quoteTtl,
})

/** Reads limit and utilisation of a line's quote. Throws `invalid` when one is missing or no amount. */
export function lineIn({ breakup }: Quote, path: string): CreditLine {
  const amount = (titles: readonly string[], absent?: Paise): Paise => {
    const row = breakup.find(({ title }) => titles.includes(title))
    const paise = row ? moneyOf(row.price.value) : absent
    if (paise == null)
      throw invalid({ path: `${path}.breakup`, message: `must carry ${titles[0]}, an amount of rupees` })
    return paise
  }
  // A lender that writes its limit as a principal means the same.
  return { limit: amount([...limitTitles, 'PRINCIPAL']), utilization: amount(['CURRENT_UTILIZATION'], 0n) }
}

/**
 * A line's quote as the reader of 2.0.3 takes it: the limit is the principal, nothing is disbursed with it, and the total is
 * what its rows come to, since the price of a line is not their sum.
 */
export function lineQuoteIn203(quote: Quote): Quote {
  const rows = quote.breakup
    .filter(({ title }) => title !== 'CURRENT_UTILIZATION' && title !== 'NET_DISBURSED_AMOUNT')
    .map((row) => (limitTitles.includes(row.title) ? { ...row, title: 'PRINCIPAL' } : row))
  const total = rows.reduce((sum, { price }) => sum + (moneyOf(price.value) ?? 0n), 0n)
  return { ...quote, price: { ...quote.price, value: rupees(total) }, breakup: rows }
}
