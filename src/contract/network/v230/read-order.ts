// Reads the order of any lender's message into plain words: as in 2.0.3, and what this product adds (FIS12 §7, §10, §14).
import { tagsOf } from '#contract/network/tags.ts'
import { type NetworkOrder as CommonOrder, readOrder as readCommonOrder } from '#contract/network/v203/read-order.ts'
import { parse } from '#kit/schema.ts'
import { categoryCodesOf, type Portfolio, type Product, portfolioOf, productOf } from './categories.ts'
import { type Checklist, checklistOf } from './checklist.ts'
import { type ContractTerms, lenderTermsOf } from './contract-terms.ts'
import { type Disbursal, disbursalOf } from './disbursal.ts'
import { type OrderStatus, orderStatuses } from './order.ts'
import { consentHandleOf, pageOf } from './page.ts'
import { type Scheme, schemesOf } from './pledge.ts'
import { LenderMessage, type Order } from './schema.ts'
import { type ServicingPayment, servicingPaymentsOf } from './servicing.ts'
import { lamfTerms, quoteIn203, type Terms } from './terms.ts'

/** What a loan against mutual funds lacks: a settlement on the order, and branches. */
type NotHere = 'settlementPaymentId' | 'settlementPaid' | 'branches' | 'agent'

/** A lender's word on one loan. What it did not say is null or empty. */
export interface NetworkOrder extends Omit<CommonOrder, NotHere | 'terms' | 'servicing'> {
  orderStatus: OrderStatus | null
  parentItemId: string | null
  portfolio: Portfolio | null
  product: Product | null
  /** The borrower finishes on the lender's own page. */
  offline: boolean
  fulfillmentId: string | null
  terms: Terms | null
  /** What is to be pledged, or has been. */
  schemes: Scheme[]
  checklist: Checklist
  disbursal: Disbursal | null
  contractTerms: ContractTerms | null
  /** In a shape that is not confirmed (FIS12 §10.3). */
  servicing: ServicingPayment[]
}

/**
 * Reads the `message` of on_select, on_init, on_confirm, on_status and on_update. Throws a `Refusal` of kind `invalid`
 * naming the path when the shape is wrong, when money or units do not parse, or when an offer lacks what must be shown.
 */
export function readOrder(message: unknown): NetworkOrder {
  const { order } = parse(LenderMessage, message, 'message')
  const item = order.items[0]!
  const read = readCommonOrder({ order: orderIn203(order) })
  const { settlementPaymentId, settlementPaid, branches, agent, ...common } = read
  const { warnings } = common
  const fulfillment = order.fulfillments?.[0]
  const codes = categoryCodesOf(item.category_ids)
  const form = pageOf(item.xinput, warnings)
  return {
    ...common,
    orderStatus: statusOf(order, warnings),
    parentItemId: item.parent_item_id ?? null,
    portfolio: portfolioOf(codes),
    product: productOf(codes),
    offline: fulfillment?.type?.toUpperCase() === 'SEMI_ONLINE' || form?.heading === 'JOURNEY_OFFLINE',
    fulfillmentId: fulfillment?.id ?? item.fulfillment_ids?.[0] ?? null,
    terms: common.terms && lamfTerms(common.terms, tagsOf(item.tags, 'LOAN_INFO') ?? {}),
    form,
    consentHandle: consentHandleOf(item.xinput) ?? common.consentHandle,
    schemes: schemesOf(item.tags, 'message.order.items.0.tags'),
    checklist: checklistOf(fulfillment?.tags, warnings),
    disbursal: disbursalOf(order.payments),
    contractTerms: lenderTermsOf(order.tags),
    servicing: servicingPaymentsOf(order.payments, 'message.order.payments'),
    warnings,
  }
}

/** The order in the words of 2.0.3; a page is read here, so only the answer to it goes along. */
function orderIn203({ quote, items, ...order }: Order) {
  return {
    ...order,
    ...(quote && { quote: quoteIn203(quote) }),
    items: items.map(({ xinput, ...item }) => ({
      ...item,
      ...(xinput?.form_response && {
        xinput: { form: xinput.form && { id: xinput.form.id }, form_response: xinput.form_response },
      }),
    })),
  }
}

function statusOf({ status }: Order, warnings: string[]): OrderStatus | null {
  if (status === undefined) return null
  const known = orderStatuses.find((each) => each === status.toUpperCase())
  if (!known) warnings.push(`unknown order status ${status}`)
  return known ?? null
}
