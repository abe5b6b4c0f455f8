// Reads the order of a lender's message: the parts of 2.0.3, and those of a loan against mutual funds (FIS12 §7, §10, §14).

import { parse } from '@lendloom/foundation/schema'
import { moneyOf } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'
import type { CreditLine } from '@lendloom/lending/terms'
import { type ContractTerms, readLenderTerms } from '#wire/network/contract-terms.ts'
import { requireOneTerm } from '#wire/network/v203/offer-terms.ts'
import { type NetworkOrder as CommonOrder, readOrder as readCommonOrder } from '#wire/network/v203/read-order.ts'
import { type OrderStatus, orderStatuses } from '#wire/network/v203/write-order.ts'
import {
  type CatalogProduct,
  categoryCodesOf,
  type OwnCategories,
  type Portfolio,
  portfolioOf,
  productOf,
} from './categories.ts'
import { type DrawdownOrder, isDrawdown, readDrawdown } from './drawdown.ts'
import { type Checklist, readChecklist } from './fulfillment.ts'
import { isLine, lineIn, loanInfoIn, offerFaultsOf, quoteIn203, type Terms, termsOf } from './offer-terms.ts'
import { type Disbursal, readDisbursal, readServicingPayments, type ServicingPayment } from './payments.ts'
import { schemesOf } from './pledge.ts'
import { LenderMessage, type Order } from './schema.ts'
import { consentHandleOf, pageOf } from './xinput.ts'

/** Parts that a loan against mutual funds lacks: a settlement on the order, and branches. */
type UnusedPart = 'settlementPaymentId' | 'settlementPaid' | 'branches' | 'agent'

/** A lender's order of one loan, or of one drawdown. Missing values are null or empty. */
export interface NetworkOrder extends Omit<CommonOrder, UnusedPart | 'terms' | 'servicing'> {
  /** Null for a drawdown: one that is paid out is COMPLETED, and a loan that is COMPLETED is repaid. */
  orderStatus: OrderStatus | null
  parentItemId: string | null
  portfolio: Portfolio | null
  product: CatalogProduct | null
  /** Whether the borrower completes the loan on the lender's page. */
  offline: boolean
  fulfillmentId: string | null
  terms: Terms | null
  /** The credit line's limit and utilisation in its quote; null without a quote, and for a term loan. */
  line: CreditLine | null
  /** The required or pledged units. */
  schemes: Scheme[]
  checklist: Checklist
  disbursal: Disbursal | null
  contractTerms: ContractTerms | null
  /** Their shape is not confirmed (FIS12 §10.3). */
  servicing: ServicingPayment[]
  /** Money drawn from a credit line, in an order of its own; then all that describes a loan is null or empty (FIS12 §27.5). */
  drawdown: DrawdownOrder | null
}

/**
 * Parses the `message` of on_select, on_init, on_confirm, on_status and on_update. Throws `invalid` with the path if the
 * schema does not match, an amount or units are unreadable, or an offer lacks a required field. `own` are the lender's own
 * categories from its catalogue.
 */
export function readOrder(message: unknown, own: OwnCategories = {}): NetworkOrder {
  const { order } = parse(LenderMessage, message, 'message')
  return isDrawdown(order) ? drawdownIn(order, own) : loanIn(order, own)
}

function loanIn(order: Order, own: OwnCategories): NetworkOrder {
  const item = order.items[0]
  const codes = categoryCodesOf(item.category_ids, own)
  const quote = order.quote && quoteIn203(order.quote)
  const isCreditLine = isLine(productOf(codes), quote?.breakup.map(({ title }) => title) ?? [])
  const read = readCommonOrder({ order: orderIn203(order, isCreditLine) })
  const { settlementPaymentId, settlementPaid, branches, agent, ...common } = read
  const { warnings } = common
  const fulfillment = order.fulfillments?.[0]
  const form = pageOf(item.xinput, warnings)
  return {
    ...common,
    orderStatus: statusOf(order),
    parentItemId: item.parent_item_id ?? null,
    portfolio: portfolioOf(codes),
    product: isCreditLine ? 'CREDIT_LINE' : productOf(codes),
    offline: fulfillment?.type?.toUpperCase() === 'SEMI_ONLINE' || form?.heading === 'JOURNEY_OFFLINE',
    fulfillmentId: fulfillment?.id ?? item.fulfillment_ids?.[0] ?? null,
    ...(isCreditLine || common.terms ? termsIn(order, isCreditLine, warnings) : noTerms),
    line: isCreditLine && quote ? lineIn(quote, 'message.order.quote') : null,
    form,
    consentHandle: consentHandleOf(item.xinput) ?? common.consentHandle,
    schemes: schemesOf(item.tags, 'message.order.items.0.tags'),
    checklist: readChecklist(fulfillment?.tags, warnings),
    disbursal: readDisbursal(order.payments),
    contractTerms: readLenderTerms(order.tags),
    servicing: readServicingPayments(order.payments, 'message.order.payments'),
    drawdown: null,
  }
}

/** What is left of the order are its parties, ids and times: its quote and payments are those of the drawdown. */
function drawdownIn(order: Order, own: OwnCategories): NetworkOrder {
  const drawdown = readDrawdown(order)
  const { quote, payments, status, items, ...rest } = order
  const [{ price, tags, xinput, ...item }] = items
  return {
    ...loanIn({ ...rest, items: [item] }, own),
    stops: [],
    offerFaults: drawdown.faults,
    drawdown,
  }
}

const noTerms = { terms: null, offerFaults: [] }

/** The terms in a quote with LOAN_INFO. Warnings about a term loan were already given by the 2.0.3 parser. */
function termsIn(
  { quote, items: [item] }: Order,
  isCreditLine: boolean,
  warnings: string[],
): Pick<NetworkOrder, 'terms' | 'offerFaults'> {
  const info = loanInfoIn(item.tags)
  if (!quote || !info) return noTerms
  if (isCreditLine && item.price && moneyOf(item.price.value) !== moneyOf(quote.price.value))
    warnings.push(`the item's price is ${item.price.value}, the quote's ${quote.price.value}`)
  const paths = { path: 'message.order.quote', tag: 'message.order.items.0.tags.LOAN_INFO' }
  requireOneTerm(item.tags, paths.tag)
  const offer = { quote: quoteIn203(quote), info, ...paths, isLine: isCreditLine }
  const terms = termsOf(offer, isCreditLine ? warnings : [])
  return { terms, offerFaults: offerFaultsOf(offer, terms) }
}

/** Converts the order to the shape of 2.0.3, without the page and a credit line's quote, which are parsed here. */
function orderIn203({ quote, items, ...order }: Order, isCreditLine: boolean) {
  return {
    ...order,
    ...(quote && !isCreditLine && { quote: quoteIn203(quote) }),
    items: items.map(({ xinput, price, ...item }) => ({
      ...item,
      ...(price && !isCreditLine && { price }),
      ...(xinput?.form_response && {
        xinput: { form: xinput.form && { id: xinput.form.id }, form_response: xinput.form_response },
      }),
    })),
  }
}

/** Null without a published status. */
const statusOf = ({ status }: Order): OrderStatus | null =>
  orderStatuses.find((each) => each === status?.toUpperCase()) ?? null
