// Writes the order of a lender's messages; each action says which parts of it must be there (FIS12 §10.2, §10.3).
import { defined } from '#contract/network/defined.ts'
import { type Installment, installmentPayment } from '#contract/network/v203/installment.ts'
import { type Lender, providerOf } from '#contract/network/v203/lender.ts'
import {
  type CancellationTerms,
  type Customer,
  cancellationOf,
  customerOf,
  documentOf,
  type LoanDocument,
} from '#contract/network/v203/order.ts'
import { type FormResult, resultInput } from '#contract/network/v203/page.ts'
import type { Paise } from '#kit/money/money.ts'
import { categoryIdsOf, type Kind } from './categories.ts'
import { type Checklist, fulfillmentOf } from './checklist.ts'
import { type ContractTerms, lenderTerms } from './contract-terms.ts'
import { type Disbursal, disbursalPayment } from './disbursal.ts'
import { type NewPage, pageInput } from './page.ts'
import { type Scheme, schemeTags } from './pledge.ts'
import type { Terms } from './quote.ts'
import { type ServicingPayment, servicingPayment } from './servicing.ts'
import { loanInfoOf, priceOf, quoteOf } from './terms.ts'

/** Fulfilment states of this dialect: a refusal is an error or a rejected page, the end an order COMPLETED (FIS12 §12.3). */
export const states = ['INITIATED', 'SANCTIONED', 'DISBURSED', 'CONSENT_REQUIRED', 'DELIVERED'] as const
export type State = Exclude<(typeof states)[number], 'DELIVERED'>

export const orderStatuses = ['ACTIVE', 'COMPLETED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** The offer that was selected. */
export interface LoanItem extends Kind {
  id: string
  parentId: string
  name: string
  fulfillmentId: string
}

/** Everything a lender may say about one loan; actions pick from it. */
export interface OrderDraft {
  lender: Lender
  item: LoanItem
  terms: Terms
  schemes: Scheme[]
  checklist: Checklist
  page?: NewPage
  result?: FormResult
  orderId?: string
  orderStatus?: OrderStatus
  customer?: Customer
  state?: State
  disbursal?: Disbursal
  /** What of a line is drawn, in paise; nothing unless told. */
  utilization?: Paise
  installments?: Installment[]
  /** Payments that the borrower asked for after disbursal; their shape is not confirmed. */
  servicing?: ServicingPayment[]
  cancellationTerms?: CancellationTerms
  contractTerms?: ContractTerms
  documents?: LoanDocument[]
  createdAt?: Date
  updatedAt?: Date
}

/** A draft in which the named parts are there. */
export type With<Part extends keyof OrderDraft> = Pick<
  OrderDraft,
  'lender' | 'item' | 'terms' | 'schemes' | 'checklist'
> &
  Required<Pick<OrderDraft, Part>>

export function lenderOrder(draft: OrderDraft) {
  const { lender, item, terms, page, result, disbursal, installments = [], servicing = [], customer, state } = draft
  const payments = [
    ...servicing.map(servicingPayment),
    ...(disbursal ? [disbursalPayment(disbursal)] : []),
    ...installments.map(installmentPayment),
  ]
  return defined({
    id: draft.orderId,
    status: draft.orderStatus,
    provider: providerOf(lender),
    items: [
      defined({
        id: item.id,
        parent_item_id: item.parentId,
        descriptor: { code: 'LOAN', name: item.name },
        category_ids: categoryIdsOf(item),
        fulfillment_ids: [item.fulfillmentId],
        price: priceOf(terms, item.product),
        tags: [loanInfoOf(terms), ...schemeTags(draft.schemes)],
        xinput: page ? pageInput(page) : result && resultInput(result),
      }),
    ],
    fulfillments: [
      defined({
        ...fulfillmentOf({ id: item.fulfillmentId, offline: item.offline, checklist: draft.checklist }),
        customer: customer && customerOf(customer),
        state: state && { descriptor: { code: state } },
      }),
    ],
    quote: quoteOf(terms, item.product, draft.utilization),
    payments: payments.length > 0 ? payments : undefined,
    cancellation_terms: draft.cancellationTerms && cancellationOf(draft.cancellationTerms),
    tags: draft.contractTerms && [lenderTerms(draft.contractTerms)],
    documents: draft.documents?.map(documentOf),
    created_at: draft.createdAt?.toISOString(),
    updated_at: draft.updatedAt?.toISOString(),
  })
}
