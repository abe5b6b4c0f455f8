// Writes the order of a lender's messages (FIS12 §7.1, §10.2, §10.3); read-order.ts reads it.

import type { Lender } from '@lendloom/lending/lender'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'
import type { LoanDocument } from '@lendloom/lending/terms'
import { omitUndefined } from '#wire/network/context.ts'
import { type Contract, type ContractTerms, writeContract, writeLenderTerms } from '#wire/network/contract-terms.ts'
import { type TagGroup, tagGroup } from '#wire/network/tags.ts'
import { providerOf } from '#wire/network/v203/lender.ts'
import type { ProgressDraft } from '#wire/network/v203/stops.ts'
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
import { loanInfoOf, priceOf, quoteOf, type Terms, withoutLineInterest } from './offer-terms.ts'
import {
  type Disbursal,
  type InstallmentWithParts,
  type ServicingPayment,
  writeDisbursal,
  writeInstallmentWithParts,
  writeServicingPayment,
} from './payments.ts'
import { portfolioTags, schemeTags } from './pledge.ts'
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
  /** Only of a lender with stops (FIS12 §27). */
  stops?: StopsParts
  page?: NewPage
  result?: FormResult
  orderId?: string
  orderStatus?: OrderStatus
  customer?: Customer
  state?: FulfillmentState
  disbursal?: Disbursal
  /** The drawn part of a line, in paise; zero by default. */
  utilization?: Paise
  installments?: InstallmentWithParts[]
  /** Payments requested after disbursal; the network has not confirmed their shape. */
  servicing?: ServicingPayment[]
  cancellationTerms?: CancellationTerms
  contractTerms?: ContractTerms
  documents?: LoanDocument[]
  createdAt?: Date
  updatedAt?: Date
}

/** What a lender with stops states beside or instead of the usual parts. */
export interface StopsParts {
  progress: ProgressDraft
  loanToValue: string
  /** Both parties' terms, which a placed order repeats. */
  contract: Contract | null
}

/** A draft with the named parts present. */
export type DraftWith<Part extends keyof OrderDraft> = Pick<
  OrderDraft,
  'lender' | 'item' | 'terms' | 'schemes' | 'checklist'
> &
  Required<Pick<OrderDraft, Part>>

export function writeLenderOrder(draft: OrderDraft) {
  const { lender, item, terms, page, result, disbursal, installments = [], servicing = [], customer, state } = draft
  const { stops, checklist } = draft
  const { progress } = stops ?? {}
  const quote = quoteOf(terms, item.product, draft.utilization)
  const payments = [
    ...servicing.map(writeServicingPayment),
    ...(disbursal ? [writeDisbursal(disbursal)] : []),
    ...installments.map(writeInstallmentWithParts),
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
        fulfillment_ids: [progress?.id ?? item.fulfillmentId],
        price: priceOf(terms, item.product),
        tags: [loanInfoOf(terms, stops?.loanToValue), ...schemeTags(draft.schemes)],
        xinput: page ? pageInput(page) : result && resultInput(result),
      }),
    ],
    fulfillments: [
      omitUndefined({
        ...writeFulfillment({ id: item.fulfillmentId, offline: item.offline, checklist, progress }),
        customer: customer && writeCustomer(customer),
        state: state && { descriptor: { code: state } },
      }),
    ],
    quote: stops ? withoutLineInterest(quote, item.product) : quote,
    payments: payments.length > 0 ? payments : undefined,
    cancellation_terms: draft.cancellationTerms && writeCancellationTerms(draft.cancellationTerms),
    tags: orderTags(draft),
    documents: draft.documents?.map(writeDocument),
    created_at: draft.createdAt?.toISOString(),
    updated_at: draft.updatedAt?.toISOString(),
  })
}

/** The tags of an order: the lender's terms; of a placed order with stops also what is drawn and pledged, and our terms. */
function orderTags({ stops, contractTerms, ...draft }: OrderDraft): TagGroup[] | undefined {
  if (draft.orderId === undefined || !stops?.contract) return contractTerms && [writeLenderTerms(contractTerms)]
  return [
    ...(draft.item.product === 'CREDIT_LINE' ? [summaryOf(draft, stops.loanToValue)] : []),
    ...portfolioTags(draft.schemes),
    ...writeContract(stops.contract),
  ]
}

const summaryOf = (
  { terms: { principal }, utilization = 0n }: Pick<OrderDraft, 'terms' | 'utilization'>,
  loanToValue: string,
): TagGroup =>
  tagGroup(
    'ACCOUNT_SUMMARY',
    {
      OVERDRAFT_LIMIT: rupees(principal),
      UTILISED_AMOUNT: rupees(utilization),
      AVAILABLE_LIMIT: rupees(principal - utilization),
      OVERDUE_AMOUNT: rupees(0n),
      SHORTFALL_AMOUNT: rupees(0n),
      LTV_PERCENT: loanToValue.replace('%', ' %'),
    },
    { name: 'Account Summary' },
  )
