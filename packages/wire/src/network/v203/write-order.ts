// Writes the order of a lender's messages (FIS12 §7, §8.3); read-order.ts reads it.

import type { Agent, Branch, Lender } from '@lendloom/lending/lender'
import type { LoanDocument, Terms } from '@lendloom/lending/terms'
import { omitUndefined } from '#wire/network/context.ts'
import { type Contract, writeContract } from '#wire/network/contract-terms.ts'
import { tagGroup } from '#wire/network/tags.ts'
import { fulfillmentAgentOf, locationOf, providerOf } from './lender.ts'
import { loanInfoOf, priceOf, quoteOf, type Repayment, repaymentQuoteOf } from './offer-terms.ts'
import {
  type Installment,
  type Payout,
  type ServicingPayment,
  type SingleRepayment,
  writeInstallment,
  writePayout,
  writeServicingPayment,
  writeSingleRepayment,
} from './payments.ts'
import { itemCode } from './search.ts'
import { type LenderSettlement, lenderPayment } from './settlement.ts'
import { type ProgressDraft, writeStops } from './stops.ts'
import { type CatalogProduct, type Variant, variant203 } from './variant.ts'
import { type FormResult, type NewPage, pageInput, resultInput } from './xinput.ts'

/** The fulfilment states of the network (FIS12 §7.6). */
export const fulfillmentStates = [
  'INITIATED',
  'SANCTIONED',
  'DISBURSED',
  'PENDING',
  'REJECTED',
  'COMPLETED',
  'CONSENT_REQUIRED',
  'APPROVED',
  'ACCEPTED',
  'CANCELLED',
] as const
export type FulfillmentState = (typeof fulfillmentStates)[number]

export const orderStatuses = ['ACTIVE', 'COMPLETED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export interface LoanItem {
  id: string
  name: string
  product: CatalogProduct
}

export const writeItemDescriptor = ({ name, product }: LoanItem) => ({ code: itemCode[product], name })

export interface Customer {
  name: string
  /** In the network's format: `+91-9876500001`. */
  phone: string
  email: string | null
}

/** The exit fee, as a percentage text per state, and the lender's explanation (FIS12 §11.3). */
export interface CancellationTerms {
  fees: { state: string; percentage: string }[]
  link: string | null
}

/** The content of a lender's messages about one loan. Each action uses a part of this content. */
export interface OrderDraft {
  lender: Lender
  item: LoanItem
  terms: Terms
  /** The gold branches; after the borrower's choice only the chosen branch (FIS12 §9.1). */
  branches?: Branch[]
  agent?: Agent
  visitAt?: Date
  /** The monitoring consent to be approved at the account aggregator (FIS12 §7.8). */
  consentHandle?: string
  page?: NewPage
  result?: FormResult
  orderId?: string
  customer?: Customer
  state?: FulfillmentState
  /** The name of the state, sent in addition to its code. */
  stateName?: string
  /** Set for a loan that is completed offline, such as every gold loan. */
  fulfillmentType?: 'LOAN'
  /** The progress that a lender with stops tells (FIS12 §26). */
  progress?: ProgressDraft
  /** The terms in the order of a loan with stops. */
  contract?: Contract
  /** The payout of a loan with stops, which has no settlement. */
  payout?: Payout
  settlement?: LenderSettlement
  installments?: Installment[]
  /** The repayment of a loan with stops that has no instalments. */
  singleRepayment?: SingleRepayment
  /** Payments requested after disbursal. */
  servicing?: ServicingPayment[]
  /** The repaid and outstanding amounts; if set, the quote states them instead of the offer. */
  repayment?: Repayment
  cancellationTerms?: CancellationTerms
  documents?: LoanDocument[]
  createdAt?: Date
  updatedAt?: Date
  variant?: Variant
}

export type DraftWith<Part extends keyof OrderDraft> = Pick<OrderDraft, 'lender' | 'item' | 'terms'> &
  Required<Pick<OrderDraft, Part>>

export function writeLenderOrder(draft: OrderDraft) {
  const { lender, item, page, result, repayment, variant = variant203 } = draft
  const { isDated, hasBranch } = variant.placedOrder
  const isPlaced = draft.orderId !== undefined
  const branches = isPlaced && !hasBranch ? undefined : draft.branches
  const terms = spelledTerms(draft.terms, variant)
  const xinput = page ? pageInput(page, variant) : result && reportOf(result, variant)
  const payments = writePayments(draft, variant)
  return omitUndefined({
    id: draft.orderId,
    status: isPlaced && draft.progress ? orderStatusOf(draft) : undefined,
    provider: omitUndefined({ ...providerOf(lender), locations: branches?.map(locationOf) }),
    items: [
      omitUndefined({
        id: item.id,
        descriptor: writeItemDescriptor(item),
        price: priceOf(terms),
        location_ids: branches?.map(({ id }) => id),
        fulfillment_ids: draft.progress && [draft.progress.id],
        tags: [loanInfoOf(terms), ...(draft.consentHandle ? [writeConsentInfo(draft.consentHandle)] : [])],
        xinput,
      }),
    ],
    quote: repayment ? repaymentQuoteOf(terms, repayment) : quoteOf(terms),
    fulfillments: writeFulfillments(item, draft),
    payments: payments.length > 0 ? payments : undefined,
    cancellation_terms: draft.cancellationTerms && writeCancellationTerms(draft.cancellationTerms),
    documents: draft.documents?.map(writeDocument),
    tags: draft.contract && writeContract(draft.contract),
    created_at: isDated ? draft.createdAt?.toISOString() : undefined,
    updated_at: isDated ? draft.updatedAt?.toISOString() : undefined,
  })
}

/** Only an order with stops has a status (FIS12 §26.5). */
const orderStatusOf = ({ state }: OrderDraft): OrderStatus => (state === 'COMPLETED' ? 'COMPLETED' : 'ACTIVE')

function spelledTerms(terms: Terms, { dayPrefix }: Variant): Terms {
  const spelled = (duration: string | null) => duration?.replace(/^P(?=\d+D$)/, dayPrefix) ?? null
  return { ...terms, quoteTtl: spelled(terms.quoteTtl), coolOffPeriod: spelled(terms.coolOffPeriod) }
}

function reportOf(result: FormResult, { reportsFormId }: Variant) {
  const { form, ...report } = resultInput(result)
  return reportsFormId ? { form, ...report } : report
}

function writePayments(draft: OrderDraft, variant: Variant) {
  const { item, settlement, payout, servicing = [], installments = [], singleRepayment } = draft
  const sharedId = variant.sharesPaymentId ? settlement?.paymentId : undefined
  const installmentId = variant.sharesInstallmentId ? `INSTALLMENT_ID_${item.product}` : undefined
  return [
    ...servicing.map((payment) => writeServicingPayment({ ...payment, id: sharedId ?? payment.id })),
    ...(settlement ? [lenderPayment(settlement)] : []),
    ...(payout ? [writePayout(payout)] : []),
    ...installments.map((payment) => writeInstallment({ ...payment, id: installmentId ?? payment.id })),
    ...(singleRepayment ? [writeSingleRepayment(singleRepayment)] : []),
  ]
}

/** A gold loan's fulfilment has a type and names the agent at the branch until the loan has a state (FIS12 §7.6). */
function writeFulfillments({ product }: LoanItem, draft: OrderDraft) {
  const { customer, agent, visitAt, state, stateName, fulfillmentType, progress } = draft
  if (progress) return [writeProgress(progress, draft)]
  const type = product === 'GOLD_LOAN' ? 'LOAN' : fulfillmentType
  if (customer && state)
    return [
      omitUndefined({
        type,
        customer: writeCustomer(customer),
        state: { descriptor: omitUndefined({ code: state, name: stateName }) },
      }),
    ]
  const stops = visitAt && [{ type: 'START', time: { timestamp: visitAt.toISOString() } }]
  return type && agent && [omitUndefined({ type, agent: fulfillmentAgentOf(agent), stops })]
}

/** Names the agent at the branch, or else the borrower. */
const writeProgress = ({ id, type, stops }: ProgressDraft, { customer, agent, state }: OrderDraft) =>
  omitUndefined({
    id,
    type,
    customer: customer && !agent ? writeCustomer(customer) : undefined,
    agent: agent && fulfillmentAgentOf(agent),
    state: state && { descriptor: { code: state } },
    stops: writeStops(stops),
  })

export const writeConsentInfo = (consentHandle: string) => tagGroup('CONSENT_INFO', { CONSENT_HANDLER: consentHandle })

export const writeCustomer = ({ name, phone, email }: Customer) => ({
  person: { name },
  contact: omitUndefined({ phone, email: email ?? undefined }),
})

export const writeCancellationTerms = ({ fees, link }: CancellationTerms) => [
  ...fees.map(({ state, percentage }) => ({
    fulfillment_state: { descriptor: { code: state } },
    cancellation_fee: { percentage },
  })),
  ...(link === null ? [] : [{ external_ref: { mimetype: 'text/html', url: link } }]),
]

export const writeDocument = ({ code, name, description, mimeType, url }: LoanDocument) => ({
  descriptor: { code, name, short_desc: description, long_desc: description },
  mime_type: mimeType,
  url,
})
