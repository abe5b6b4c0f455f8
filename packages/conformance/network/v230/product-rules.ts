// Required and forbidden fields of credit lines and term loans, by category: FIS12 §12.2 with §17.2.

import { isOneOf } from '@lendloom/foundation/record'
import {
  type Condition,
  each,
  group,
  is,
  type MessageRule,
  not,
  positionsAt,
  present,
  requiredCode,
  when,
} from '@lendloom/wire/network/rule-combinators'
import { categoryCodesOf, productOf } from '@lendloom/wire/network/v230/categories'
import { limitTitles, lineTitles, quoteTitles } from '@lendloom/wire/network/v230/offer-terms'
import { objectsIn } from '#conformance/network/v203/rules.ts'

export const schemeCodes = ['RTA', 'AMC_CODE', 'SCHEME_CODE', 'FOLIO_ID', 'UNITS_REQUIRED', 'LTV_PERCENT']
export const lineInfoCodes = [
  'MARGIN_CALL',
  'INTEREST_RATE',
  'TERM',
  'INTEREST_RATE_TYPE',
  'APPLICATION_FEE',
  'FORECLOSURE_FEE',
  'INTEREST_RATE_CONVERSION_CHARGE',
  'DELAY_PENALTY_FEE',
  'OTHER_PENALTY_FEE',
  'RATE_ANNUALISED_PENAL_CHARGES',
  'ANNUAL_PERCENTAGE_RATE',
  'REPAYMENT_FREQUENCY',
  'TNC_LINK',
  'COOL_OFF_PERIOD',
  'INSTALLMENT_AMOUNT',
  'KFS_LINK',
]
const loanInfoCodes = [...lineInfoCodes, 'NUMBER_OF_INSTALLMENTS']
/** With stops, LOAN_INFO has the loan to value of all schemes (FIS12 §27.3). */
const withLoanToValue = (codes: string[]): string[] => [...codes, 'LTV_PERCENT']
const validity = 'OFFER_VALIDITY'

/** A line is identified by its category (FIS12 §17.1). */
const isLine: Condition = ({ category_ids: ids }) =>
  productOf(categoryCodesOf(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [])) === 'CREDIT_LINE'
const byProduct = (line: MessageRule[], term: MessageRule[]): MessageRule[] => [
  when(isLine, ...line),
  when(not(isLine), ...term),
]
export const loanInfo = byProduct(
  [group('LOAN_INFO', { codes: lineInfoCodes })],
  [group('LOAN_INFO', { codes: loanInfoCodes, required: ['NUMBER_OF_INSTALLMENTS'] })],
)
export const loanInfoWithStops = byProduct(
  [group('LOAN_INFO', { codes: withLoanToValue(lineInfoCodes) })],
  [group('LOAN_INFO', { codes: withLoanToValue(loanInfoCodes), required: ['NUMBER_OF_INSTALLMENTS'] })],
)

/** At least one position of the path has one of these codes. */
export const someValueIs =
  (path: string, ...words: readonly string[]): MessageRule =>
  (position) =>
    positionsAt(position, path).some(({ value }) => isOneOf(words, value))
      ? []
      : [{ path: `${position.path}.${path}`, message: `must be ${words.join(' or ')} once` }]
const oneLimit = (path: string): MessageRule => someValueIs(path, ...limitTitles)
const isOffer = is('descriptor.code', 'LOAN_OFFER')

/** LOAN_OFFER of an item. A line's limit requires a pledge (FIS12 §17.2). */
const amountsWith = (lineAmounts: string[]): MessageRule[] =>
  byProduct(
    [
      group('LOAN_OFFER', { codes: [...lineTitles, validity], required: lineAmounts }),
      group('PLEDGE_REQUIREMENTS', { codes: schemeCodes }),
      each('tags[*]', when(isOffer, oneLimit('list[*].descriptor.code'))),
    ],
    [group('LOAN_OFFER', { codes: [...quoteTitles, validity], required: ['PRINCIPAL_AMOUNT', 'INTEREST_AMOUNT'] })],
  )
export const amounts = amountsWith(['INTEREST_AMOUNT', 'CURRENT_UTILIZATION'])
/** With stops, a line states no interest (FIS12 §27.3). */
export const amountsWithStops = amountsWith(['CURRENT_UTILIZATION'])

/** The row with the offer's validity is not an amount (FIS12 §17.2). */
const isMoney = not(is('title', validity))
const quoteWith = (titles: readonly string[]): MessageRule[] => [
  present('id', 'price.value', 'price.currency', 'breakup[*].price.value', 'ttl'),
  each('breakup[*]', when(isMoney, present('price.currency'))),
  requiredCode('breakup[*].title', [...titles, validity]),
]
const isLineOrder: Condition = ({ items }) => objectsIn(items).some(isLine)
export const quote: MessageRule[] = [
  when(
    isLineOrder,
    each(
      'quote',
      ...quoteWith(lineTitles),
      oneLimit('breakup[*].title'),
      someValueIs('breakup[*].title', 'CURRENT_UTILIZATION'),
    ),
  ),
  when(not(isLineOrder), each('quote', ...quoteWith(quoteTitles))),
]
