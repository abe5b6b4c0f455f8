// The terms of an offer (quote and LOAN_INFO): strict when writing, lenient when reading (FIS12 §7.3, §7.4).

import { durationMs } from '@lendloom/foundation/clock'
import { isOneOf, ownValue } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import type { Static } from '@lendloom/foundation/schema'
import { moneyOf, type Paise, percentOf, rupees } from '@lendloom/lending/money'
import { termFaults } from '@lendloom/lending/term-bounds'
import { type Amounts, netDisbursedOf, type Terms, totalOf } from '@lendloom/lending/terms'
import { contradictedCode, countOf, monthsOf, type TagGroup, type Tags, tagGroup } from '#wire/network/tags.ts'
import type { Quote } from './schema.ts'

export const inr = (amount: Paise) => ({ value: rupees(amount), currency: 'INR' })

/** Writes the terms as a quote, whose total leaves out what is paid out. */
export function quoteOf(terms: Terms) {
  const row = (title: string, amount: Paise) => ({ title, price: inr(amount) })
  return {
    id: terms.quoteId,
    price: inr(totalOf(terms)),
    breakup: [
      row('PRINCIPAL', terms.principal),
      row('INTEREST', terms.interest),
      row('PROCESSING_FEE', terms.processingFee),
      row('OTHER_UPFRONT_CHARGES', terms.otherUpfront),
      row('INSURANCE_CHARGES', terms.insurance),
      row('OTHER_CHARGES', terms.otherCharges),
      row('NET_DISBURSED_AMOUNT', terms.netDisbursed),
    ],
    ...(terms.quoteTtl !== null && { ttl: terms.quoteTtl }),
  }
}

/** Amounts in paise. The sum of repaid and outstanding principal is the loan's principal. */
export interface Repayment {
  repaidPrincipal: Paise
  repaidInterest: Paise
  outstandingPrincipal: Paise
  outstandingInterest: Paise
  /** Past charges, and charges of the requested payment. */
  charges: { title: string; amount: Paise }[]
}

/** Writes the quote with the offer's id and disbursed amount. The total is the sum of the other rows. */
export function repaymentQuoteOf(terms: Terms, repayment: Repayment) {
  const rows: [title: string, amount: Paise][] = [
    ['PRINCIPAL', repayment.repaidPrincipal],
    ['INTEREST', repayment.repaidInterest],
    ['PROCESSING_FEE', terms.processingFee],
    ['OTHER_UPFRONT_CHARGES', terms.otherUpfront],
    ['INSURANCE_CHARGES', terms.insurance],
    ['OTHER_CHARGES', terms.otherCharges],
    ['OUTSTANDING_PRINCIPAL', repayment.outstandingPrincipal],
    ['OUTSTANDING_INTEREST', repayment.outstandingInterest],
    ...repayment.charges.map(({ title, amount }): [string, Paise] => [title, amount]),
  ]
  const total = rows.reduce((sum, [, amount]) => sum + amount, 0n)
  return {
    id: terms.quoteId,
    price: inr(total),
    breakup: [...rows, ['NET_DISBURSED_AMOUNT', terms.netDisbursed] as const].map(([title, amount]) => ({
      title,
      price: inr(amount),
    })),
    ...(terms.quoteTtl !== null && { ttl: terms.quoteTtl }),
  }
}

/** Writes what the borrower repays in all, as the price of the item. */
export const priceOf = (terms: Terms) => inr(totalOf(terms))

/** Writes the terms that are no rows of a quote. */
export const loanInfoOf = (terms: Terms): TagGroup =>
  tagGroup('LOAN_INFO', {
    INTEREST_RATE: terms.interestRate,
    TERM: terms.term,
    INTEREST_RATE_TYPE: terms.interestType,
    APPLICATION_FEE: terms.applicationFee,
    FORECLOSURE_FEE: terms.foreclosureFee,
    INTEREST_RATE_CONVERSION_CHARGE: terms.interestRateConversionCharge,
    DELAY_PENALTY_FEE: terms.delayPenaltyFee,
    OTHER_PENALTY_FEE: terms.otherPenaltyFee,
    ANNUAL_PERCENTAGE_RATE: terms.apr,
    REPAYMENT_FREQUENCY: terms.repaymentFrequency,
    NUMBER_OF_INSTALLMENTS_OF_REPAYMENT: String(terms.installmentsCount),
    TNC_LINK: terms.tncLink,
    COOL_OFF_PERIOD: terms.coolOffPeriod,
    INSTALLMENT_AMOUNT: rupees(terms.installmentAmount),
    KFS_LINK: terms.kfsLink,
    LTV_RATIO: terms.ltvRatio,
  })

/** The spellings of a title (FIS12 §7.4); we write the first. */
export const foreclosureTitles: [string, ...string[]] = [
  'FORCLOSUER_CHARGES',
  'FORECLOSUER_CHARGES',
  'FORECLOSURE_CHARGES',
]

/** The title of the charge for each payment that a borrower requests. */
export const chargeTitles = {
  FORECLOSURE: foreclosureTitles[0],
  PRE_PART_PAYMENT: 'PRE_PAYMENT_CHARGE',
  MISSED_EMI_PAYMENT: 'LATE_FEE_AMOUNT',
} as const

/** All titles of a 2.0.3 quote, including those after disbursal and of sachet insurance. */
export const quoteTitles = [
  'PRINCIPAL',
  'INTEREST',
  'PROCESSING_FEE',
  'OTHER_UPFRONT_CHARGES',
  'INSURANCE_CHARGES',
  'NET_DISBURSED_AMOUNT',
  'OTHER_CHARGES',
  'OUTSTANDING_PRINCIPAL',
  'OUTSTANDING_INTEREST',
  'LATE_FEE_AMOUNT',
  'PRE_PAYMENT_CHARGE',
  ...foreclosureTitles,
  'INSURANCE_PRODUCT_FEE',
  'INSURANCE_TOTAL_FEE',
  'TAX',
]

/** What a loan has once; of a charge there may be several. */
const singleTitles = ['PRINCIPAL', 'INTEREST', 'NET_DISBURSED_AMOUNT']

/**
 * Returns the rows of a quote in paise. Throws `invalid` for an unreadable amount, or two of what a loan has once; skips
 * OFFER_VALIDITY.
 */
export function amountsOf(quote: Static<typeof Quote>, path: string, warnings: string[]): Map<string, Paise> {
  const amounts = new Map<string, Paise>()
  const repeats: [title: string, amount: Paise, at: string][] = []
  for (const [i, { title, price }] of quote.breakup.entries()) {
    if (title === 'OFFER_VALIDITY') {
      warnings.push('the quote has an OFFER_VALIDITY row')
      continue
    }
    if (!quoteTitles.includes(title)) warnings.push(`unknown quote title ${title}`)
    const amount = money(price.value, `${path}.breakup.${i}.price.value`)
    const before = amounts.get(title)
    if (before !== undefined) warnings.push(`the quote states ${title} twice`)
    if (before && amount !== 0n && before !== amount && singleTitles.includes(title))
      throw invalid({ path: `${path}.breakup.${i}.price.value`, message: `must not contradict another row ${title}` })
    if (before === amount)
      repeats.push([title, title === 'NET_DISBURSED_AMOUNT' ? 0n : amount, `${path}.breakup.${i}.price.value`])
    else amounts.set(title, (before ?? 0n) + amount)
  }
  const statedAmount = money(quote.price.value, `${path}.price.value`)
  // Published quotes repeat rows. An equal amount is the same charge, unless the total includes it twice.
  if (sumOf(amounts) + sumOf(repeats) === statedAmount)
    for (const [title, amount, at] of repeats) {
      if (amount !== 0n && singleTitles.includes(title))
        throw invalid({ path: at, message: `must not be counted beside another row ${title}` })
      amounts.set(title, (amounts.get(title) ?? 0n) + amount)
    }
  // A row of another title that the total leaves out, such as a subtotal, is no charge.
  const unknown = [...amounts].filter(([title, amount]) => amount > 0n && !quoteTitles.includes(title))
  if (sumOf(amounts) - sumOf(unknown) === statedAmount) for (const [title] of unknown) amounts.delete(title)
  const sum = sumOf(amounts)
  if (statedAmount !== sum) warnings.push(`the quote says ${rupees(statedAmount)}, its rows add up to ${rupees(sum)}`)
  return amounts
}

const sumOf = (rows: Iterable<readonly [string, Paise, ...unknown[]]>): Paise =>
  [...rows].reduce((sum, [title, amount]) => (title === 'NET_DISBURSED_AMOUNT' ? sum : sum + amount), 0n)

/** The parts of a message that describe an offer. */
export interface StatedOffer {
  quote: Static<typeof Quote>
  /** The texts of its LOAN_INFO. */
  info: Tags
  /** The paths of the quote and of LOAN_INFO, for faults. */
  path: string
  tag: string
  /** A line may omit interest and instalments, and has no disbursal (FIS12 §17.2). */
  isLine: boolean
}

/**
 * What in an offer cannot be one: another currency than rupees, or a term out of its bounds. Empty for a possible offer.
 * Only an offer is judged by it: a report about a running loan says what has happened, however odd its quote is.
 */
export const offerFaultsOf = (offer: StatedOffer, terms: Terms): FieldError[] => [
  ...currencyFaults(offer),
  ...termFaults(terms, offer.isLine).map(({ term, message }) => ({ path: pathOf(term, offer), message })),
]

/** The prices of a quote that are in another currency than rupees. */
export const currencyFaults = ({ quote, path }: Pick<StatedOffer, 'quote' | 'path'>): FieldError[] =>
  [
    { price: quote.price, at: `${path}.price` },
    ...quote.breakup.map(({ price }, i) => ({ price, at: `${path}.breakup.${i}.price` })),
  ].flatMap(({ price, at }) => (isForeign(price.currency) ? [{ path: `${at}.currency`, message: 'must be INR' }] : []))

/** Whether a text names another currency than rupees, which lenders write in several ways, or omit. */
export const isForeign = (currency = ''): boolean => !/^(?:|INR|₹|Rs\.?|(?:Indian )?rupees?)$/i.test(currency.trim())

/** The titles of the quote for each amount. */
const titles = {
  principal: 'PRINCIPAL',
  interest: 'INTEREST',
  processingFee: 'PROCESSING_FEE',
  otherUpfront: 'OTHER_UPFRONT_CHARGES',
  insurance: 'INSURANCE_CHARGES',
  otherCharges: 'OTHER_CHARGES',
  netDisbursed: 'NET_DISBURSED_AMOUNT',
} as const

/** The codes of LOAN_INFO for each other term that has bounds. */
const codes = {
  interestRate: 'INTEREST_RATE',
  apr: 'ANNUAL_PERCENTAGE_RATE',
  termMonths: 'TERM',
  coolOffPeriod: 'COOL_OFF_PERIOD',
  ltvRatio: 'LTV_RATIO',
  installmentsCount: 'NUMBER_OF_INSTALLMENTS_OF_REPAYMENT',
  installmentAmount: 'INSTALLMENT_AMOUNT',
} as const

/** Where the lender stated a term. */
function pathOf(term: keyof Terms, { quote, path, tag }: StatedOffer): string {
  if (term === 'quoteTtl') return `${path}.ttl`
  const title = ownValue(titles, term)
  if (title === undefined) return `${tag}.${ownValue(codes, term) ?? term}`
  const position = quote.breakup.findIndex((row) => row.title === title)
  return position < 0 ? `${path}.breakup` : `${path}.breakup.${position}.price.value`
}

/** Throws `invalid` for a term that LOAN_INFO states twice, differently: nobody knows which of the two is meant. */
export function requireOneTerm(tags: readonly TagGroup[] | undefined, path: string): void {
  const code = contradictedCode(tags, 'LOAN_INFO')
  if (code !== undefined) throw invalid({ path: `${path}.${code}`, message: 'must not be stated twice, differently' })
}

/** Reads an offer. Throws `invalid` if an amount is unreadable or a required field is missing. */
export function termsOf(offer: StatedOffer, warnings: string[]): Terms {
  const { quote, info, isLine } = offer
  const amounts = amountsOf(quote, offer.path, warnings)
  const quoteId = quoteIdOf(offer, amounts)
  const coolOffPeriod = info.COOL_OFF_PERIOD === undefined ? null : durationIn(info.COOL_OFF_PERIOD)
  if (coolOffPeriod && durationMs(coolOffPeriod) === null) warnings.push('COOL_OFF_PERIOD is not a duration')
  const charges = chargesIn(amounts)
  return {
    quoteId,
    quoteTtl: validityOf(quote, warnings),
    ...charges,
    netDisbursed: isLine ? 0n : netOf(amounts, netDisbursedOf(charges), warnings),
    ...requiredTermsOf(offer),
    interestType: info.INTEREST_RATE_TYPE ?? null,
    repaymentFrequency: info.REPAYMENT_FREQUENCY ?? null,
    applicationFee: info.APPLICATION_FEE ?? null,
    foreclosureFee: info.FORECLOSURE_FEE ?? null,
    interestRateConversionCharge: info.INTEREST_RATE_CONVERSION_CHARGE ?? null,
    delayPenaltyFee: info.DELAY_PENALTY_FEE ?? null,
    otherPenaltyFee: info.OTHER_PENALTY_FEE ?? null,
    tncLink: info.TNC_LINK ?? null,
    kfsLink: info.KFS_LINK ?? null,
    coolOffPeriod,
    ltvRatio: info.LTV_RATIO ?? null,
  }
}

/** An unreadable validity is none: the offer then has the platform's own. */
function validityOf({ ttl }: StatedOffer['quote'], warnings: string[]): string | null {
  const validity = validityIn(ttl)
  if (ttl && validity === null) warnings.push('the ttl of the quote is not a duration')
  return validity
}

/** Reads the `ttl` of a quote as an ISO 8601 duration; null for another text. */
export function validityIn(ttl: string | undefined): string | null {
  const validity = ttl ? durationIn(ttl) : null
  return validity !== null && durationMs(validity) !== null ? validity : null
}

/** Corrects `PT15D`, as published examples write 15 days. Other texts stay unchanged. */
const durationIn = (text: string): string => text.trim().replace(/^PT(?=\d+D$)/i, 'P')

function quoteIdOf({ quote, path, isLine }: StatedOffer, amounts: Map<string, Paise>): string {
  for (const title of isLine ? ['PRINCIPAL'] : ['PRINCIPAL', 'INTEREST'])
    if (!amounts.has(title)) throw invalid({ path: `${path}.breakup`, message: `must have ${title}` })
  if (!quote.id) throw invalid({ path: `${path}.id`, message: 'is required' })
  return quote.id
}

/** A row of another title that the total includes is one of the other charges, because the borrower pays it too. */
function chargesIn(amounts: Map<string, Paise>): Amounts {
  const amount = (term: keyof Amounts) => amounts.get(titles[term]) ?? 0n
  const others = [...amounts].filter(([title]) => !isOneOf(Object.values(titles), title))
  return {
    principal: amount('principal'),
    interest: amount('interest'),
    processingFee: amount('processingFee'),
    otherUpfront: amount('otherUpfront'),
    insurance: amount('insurance'),
    otherCharges: others.reduce((sum, [, each]) => sum + each, amount('otherCharges')),
  }
}

type RequiredTerm = 'interestRate' | 'apr' | 'term' | 'termMonths' | 'installmentsCount' | 'installmentAmount'

function requiredTermsOf({ info, tag, isLine }: StatedOffer): Pick<Terms, RequiredTerm> {
  const requireValue = <T>(code: string, read: (text: string) => T | null): T => {
    const value = info[code] === undefined ? null : read(info[code])
    if (value === null) throw invalid({ path: `${tag}.${code}`, message: 'is required and must be readable' })
    return value
  }
  const countCode = 'NUMBER_OF_INSTALLMENTS_OF_REPAYMENT'
  return {
    interestRate: requireValue('INTEREST_RATE', percentOf),
    apr: requireValue('ANNUAL_PERCENTAGE_RATE', percentOf),
    term: requireValue('TERM', (term) => term),
    termMonths: requireValue('TERM', monthsOf),
    installmentsCount: isLine ? 0 : requireValue(info[countCode] ? countCode : 'NUMBER_OF_INSTALLMENTS', countOf),
    installmentAmount: isLine
      ? (moneyOf(info.INSTALLMENT_AMOUNT ?? '') ?? 0n)
      : requireValue('INSTALLMENT_AMOUNT', moneyOf),
  }
}

function netOf(amounts: Map<string, Paise>, computed: Paise, warnings: string[]): Paise {
  const statedAmount = amounts.get('NET_DISBURSED_AMOUNT')
  if (statedAmount === undefined) warnings.push('the quote states no NET_DISBURSED_AMOUNT; it was computed')
  else if (statedAmount !== computed)
    warnings.push(`NET_DISBURSED_AMOUNT is ${rupees(statedAmount)}, computed ${rupees(computed)}`)
  return statedAmount ?? computed
}

/** Throws `invalid` with the path for a text that is no amount of rupees. */
export function money(value: string | number, path: string): Paise {
  const paise = moneyOf(value)
  if (paise === null) throw invalid({ path, message: 'must be an amount of rupees' })
  return paise
}
