// Writes the order of a lender's messages; each action says which parts of it must be there (FIS12 §8.3).
import { defined } from '#contract/network/defined.ts'
import { tagGroup } from '#contract/network/tags.ts'
import { type Agent, agentPart, type Branch, locationOf } from './branch.ts'
import { type Installment, installmentPayment } from './installment.ts'
import { type Lender, providerOf } from './lender.ts'
import { type FormResult, type NewPage, pageInput, resultInput } from './page.ts'
import { itemCode, type Product } from './product.ts'
import { type Repayment, repaymentQuoteOf } from './repayment.ts'
import { type ServicingPayment, servicingPayment } from './servicing.ts'
import { type LenderSettlement, lenderPayment } from './settlement.ts'
import { loanInfoOf, priceOf, quoteOf, type Terms } from './terms.ts'

/** Fulfilment states of the network (FIS12 §7.6). */
export const states = [
  'INITIATED',
  'SANCTIONED',
  'DISBURSED',
  'PENDING',
  'REJECTED',
  'COMPLETED',
  'CONSENT_REQUIRED',
  'APPROVED',
  'CANCELLED',
] as const
export type State = (typeof states)[number]

export interface LoanItem {
  id: string
  name: string
  product: Product
}

export const itemDescriptor = ({ name, product }: LoanItem) => ({ code: itemCode[product], name })

export interface Customer {
  name: string
  /** As the network writes it: `+91-9876500001`. */
  phone: string
  email: string | null
}

/** What leaving costs, as a percentage text per state, and where the lender explains it (FIS12 §11.3). */
export interface CancellationTerms {
  fees: { state: string; percentage: string }[]
  link: string | null
}

export interface LoanDocument {
  code: string
  name: string
  description: string
  mimeType: string
  url: string
}

/** Everything a lender may say about one loan; actions pick from it. */
export interface OrderDraft {
  lender: Lender
  item: LoanItem
  terms: Terms
  /** Where gold may be brought; once the borrower has chosen, that one alone (FIS12 §9.1). */
  branches?: Branch[]
  agent?: Agent
  /** The monitoring consent to be approved at the account aggregator (FIS12 §7.8). */
  consentHandle?: string
  page?: NewPage
  result?: FormResult
  orderId?: string
  customer?: Customer
  state?: State
  /** Where the state is named and not only coded. */
  stateName?: string
  /** A loan that is carried out offline only; every gold loan is. */
  fulfillmentType?: 'LOAN'
  settlement?: LenderSettlement
  installments?: Installment[]
  /** Payments that the borrower asked for after disbursal, and how much is repaid by then: it takes the quote's place. */
  servicing?: ServicingPayment[]
  repayment?: Repayment
  cancellationTerms?: CancellationTerms
  documents?: LoanDocument[]
  createdAt?: Date
  updatedAt?: Date
}

/** A draft in which the named parts are there. */
export type With<Part extends keyof OrderDraft> = Pick<OrderDraft, 'lender' | 'item' | 'terms'> &
  Required<Pick<OrderDraft, Part>>

export function lenderOrder(draft: OrderDraft) {
  const { lender, item, terms, page, result, settlement, installments = [] } = draft
  const { servicing = [], repayment, branches } = draft
  const xinput = page ? pageInput(page) : result && resultInput(result)
  const payments = [
    ...servicing.map(servicingPayment),
    ...(settlement ? [lenderPayment(settlement)] : []),
    ...installments.map(installmentPayment),
  ]
  return defined({
    id: draft.orderId,
    provider: defined({ ...providerOf(lender), locations: branches?.map(locationOf) }),
    items: [
      defined({
        id: item.id,
        descriptor: itemDescriptor(item),
        price: priceOf(terms),
        location_ids: branches?.map(({ id }) => id),
        tags: [loanInfoOf(terms), ...(draft.consentHandle ? [consentInfo(draft.consentHandle)] : [])],
        xinput,
      }),
    ],
    quote: repayment ? repaymentQuoteOf(terms, repayment) : quoteOf(terms),
    fulfillments: fulfillmentsOf(item, draft),
    payments: payments.length > 0 ? payments : undefined,
    cancellation_terms: draft.cancellationTerms && cancellationOf(draft.cancellationTerms),
    documents: draft.documents?.map(documentOf),
    created_at: draft.createdAt?.toISOString(),
    updated_at: draft.updatedAt?.toISOString(),
  })
}

/** A gold loan's is of type LOAN, and names who waits at the branch before it has a state (FIS12 §7.6). */
function fulfillmentsOf({ product }: LoanItem, { customer, agent, state, stateName, fulfillmentType }: OrderDraft) {
  const type = product === 'GOLD_LOAN' ? 'LOAN' : fulfillmentType
  if (customer && state)
    return [
      defined({
        type,
        customer: customerOf(customer),
        state: { descriptor: defined({ code: state, name: stateName }) },
      }),
    ]
  return type && agent && [{ type, agent: agentPart(agent) }]
}

export const consentInfo = (consentHandle: string) => tagGroup('CONSENT_INFO', { CONSENT_HANDLER: consentHandle })

export const customerOf = ({ name, phone, email }: Customer) => ({
  person: { name },
  contact: defined({ phone, email: email ?? undefined }),
})

export const cancellationOf = ({ fees, link }: CancellationTerms) => [
  ...fees.map(({ state, percentage }) => ({
    fulfillment_state: { descriptor: { code: state } },
    cancellation_fee: { percentage },
  })),
  ...(link === null ? [] : [{ external_ref: { mimetype: 'text/html', url: link } }]),
]

export const documentOf = ({ code, name, description, mimeType, url }: LoanDocument) => ({
  descriptor: { code, name, short_desc: description, long_desc: description },
  mime_type: mimeType,
  url,
})
