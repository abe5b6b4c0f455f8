// Writes the order of a lender's messages (FIS12 §7.1, §10.2, §10.3); read-order.ts reads it.

import type { Lender } from '@lendloom/lending/lender'
import type { Paise } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'
import type { LoanDocument } from '@lendloom/lending/terms'
import { omitUndefined } from '#wire/network/context.ts'
import { type ContractTerms, writeLenderTerms } from '#wire/network/contract-terms.ts'
import { providerOf } from '#wire/network/v203/lender.ts'
import { type Installment, writeInstallment } from '#wire/network/v203/payments.ts'
import {
  type CancellationTerms,
  type Customer,
  type OrderStatus,
  writeCancellationTerms,
  writeCustomer,
  writeDocument,
} from '#wire/network/v203/write-order.ts'
import { type FormResult, resultInput } from '#wire/network/v203/xinput.ts'
import { categoryIdsOf, type ItemCategories } from './categories.ts'
import { type Checklist, type FulfillmentState, writeFulfillment } from './fulfillment.ts'
import { loanInfoOf, priceOf, quoteOf, type Terms } from './offer-terms.ts'
import { type Disbursal, type ServicingPayment, writeDisbursal, writeServicingPayment } from './payments.ts'
import { schemeTags } from './pledge.ts'
import { type NewPage, pageInput } from './xinput.ts'

export interface LoanItem extends ItemCategories {
  id: string
  parentId: string
  name: string
  fulfillmentId: string
}

/** All content about one loan that a lender may send; actions use parts of it. */
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
  state?: FulfillmentState
  disbursal?: Disbursal
  /** The drawn part of a line, in paise; zero by default. */
  utilization?: Paise
  installments?: Installment[]
  /** Payments requested after disbursal; the network has not confirmed their shape. */
  servicing?: ServicingPayment[]
  cancellationTerms?: CancellationTerms
  contractTerms?: ContractTerms
  documents?: LoanDocument[]
  createdAt?: Date
  updatedAt?: Date
}

/** A draft with the named parts present. */
export type DraftWith<Part extends keyof OrderDraft> = Pick<
  OrderDraft,
  'lender' | 'item' | 'terms' | 'schemes' | 'checklist'
> &
  Required<Pick<OrderDraft, Part>>

export function writeLenderOrder(draft: OrderDraft) {
  const { lender, item, terms, page, result, disbursal, installments = [], servicing = [], customer, state } = draft
  const payments = [
    ...servicing.map(writeServicingPayment),
    ...(disbursal ? [writeDisbursal(disbursal)] : []),
    ...installments.map(writeInstallment),
  ]
  return omitUndefined({
    id: draft.orderId,
    status: draft.orderStatus,
    provider: providerOf(lender),
    items: [
      omitUndefined({
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
      omitUndefined({
        ...writeFulfillment({ id: item.fulfillmentId, offline: item.offline, checklist: draft.checklist }),
        customer: customer && writeCustomer(customer),
        state: state && { descriptor: { code: state } },
      }),
    ],
    quote: quoteOf(terms, item.product, draft.utilization),
    payments: payments.length > 0 ? payments : undefined,
    cancellation_terms: draft.cancellationTerms && writeCancellationTerms(draft.cancellationTerms),
    tags: draft.contractTerms && [writeLenderTerms(draft.contractTerms)],
    documents: draft.documents?.map(writeDocument),
    created_at: draft.createdAt?.toISOString(),
    updated_at: draft.updatedAt?.toISOString(),
  })
}
