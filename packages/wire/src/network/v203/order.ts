// Writes and reads the order of a lender's messages, with instalments and servicing payments (FIS12 §7.4, §7.5, §8.3).

import { isOneOf } from '@lendloom/foundation/record'
import { invalid } from '@lendloom/foundation/refusal'
import type { Static } from '@lendloom/foundation/schema'
import type { Agent, Branch, Lender } from '@lendloom/lending/lender'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import type { LoanDocument, Terms } from '@lendloom/lending/terms'
import { omitUndefined } from '#wire/network/context.ts'
import { tagGroup } from '#wire/network/tags.ts'
import { fulfillmentAgentOf, locationOf, providerOf } from './lender.ts'
import { type FormResult, type NewPage, pageInput, resultInput } from './page.ts'
import type { Payment } from './schema.ts'
import { itemCode } from './search.ts'
import { type LenderSettlement, lenderPayment } from './settlement.ts'
import { loanInfoOf, priceOf, quoteOf, type Repayment, repaymentQuoteOf } from './terms.ts'
import { type CatalogProduct, type Variant, variant203 } from './variant.ts'

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

export const orderStatuses = ['ACTIVE', 'COMPLETED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

export interface LoanItem {
  id: string
  name: string
  product: CatalogProduct
}

export const itemDescriptor = ({ name, product }: LoanItem) => ({ code: itemCode[product], name })

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
  state?: State
  /** The name of the state, sent in addition to its code. */
  stateName?: string
  /** Set for a loan that is completed offline, such as every gold loan. */
  fulfillmentType?: 'LOAN'
  settlement?: LenderSettlement
  installments?: Installment[]
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

export function lenderOrder(draft: OrderDraft) {
  const { lender, item, page, result, repayment, variant = variant203 } = draft
  const { isDated, hasBranch } = variant.placedOrder
  const isPlaced = draft.orderId !== undefined
  const branches = isPlaced && !hasBranch ? undefined : draft.branches
  const terms = spelledTerms(draft.terms, variant)
  const xinput = page ? pageInput(page, variant) : result && reportOf(result, variant)
  const payments = paymentsOf(draft, variant)
  return omitUndefined({
    id: draft.orderId,
    provider: omitUndefined({ ...providerOf(lender), locations: branches?.map(locationOf) }),
    items: [
      omitUndefined({
        id: item.id,
        descriptor: itemDescriptor(item),
        price: priceOf(terms),
        location_ids: branches?.map(({ id }) => id),
        tags: [loanInfoOf(terms), ...(draft.consentHandle ? [consentInfo(draft.consentHandle)] : [])],
        xinput,
      }),
    ],
    quote: repayment ? repaymentQuoteOf(terms, repayment) : quoteOf(terms),
    fulfillments: fulfillmentsOf(item, draft, isPlaced ? variant.placedOrder.goldType : 'LOAN'),
    payments: payments.length > 0 ? payments : undefined,
    cancellation_terms: draft.cancellationTerms && cancellationOf(draft.cancellationTerms),
    documents: draft.documents?.map(documentOf),
    created_at: isDated ? draft.createdAt?.toISOString() : undefined,
    updated_at: isDated ? draft.updatedAt?.toISOString() : undefined,
  })
}

function spelledTerms(terms: Terms, { dayPrefix }: Variant): Terms {
  const spelled = (duration: string | null) => duration?.replace(/^P(?=\d+D$)/, dayPrefix) ?? null
  return { ...terms, quoteTtl: spelled(terms.quoteTtl), coolOffPeriod: spelled(terms.coolOffPeriod) }
}

function reportOf(result: FormResult, { reportsFormId }: Variant) {
  const { form, ...report } = resultInput(result)
  return reportsFormId ? { form, ...report } : report
}

function paymentsOf({ item, settlement, servicing = [], installments = [] }: OrderDraft, variant: Variant) {
  const sharedId = variant.sharesPaymentId ? settlement?.paymentId : undefined
  const installmentId = variant.sharesInstallmentId ? `INSTALLMENT_ID_${item.product}` : undefined
  return [
    ...servicing.map((payment) => servicingPayment({ ...payment, id: sharedId ?? payment.id })),
    ...(settlement ? [lenderPayment(settlement)] : []),
    ...installments.map((payment) => installmentPayment({ ...payment, id: installmentId ?? payment.id })),
  ]
}

/** A gold loan's fulfilment has a type and names the agent at the branch until the loan has a state (FIS12 §7.6). */
function fulfillmentsOf({ product }: LoanItem, draft: OrderDraft, goldType: string) {
  const { customer, agent, visitAt, state, stateName, fulfillmentType } = draft
  const type = product === 'GOLD_LOAN' ? goldType : fulfillmentType
  if (customer && state)
    return [
      omitUndefined({
        type,
        customer: customerOf(customer),
        state: { descriptor: omitUndefined({ code: state, name: stateName }) },
      }),
    ]
  const stops = visitAt && [{ type: 'START', time: { timestamp: visitAt.toISOString() } }]
  return type && agent && [omitUndefined({ type, agent: fulfillmentAgentOf(agent), stops })]
}

export const consentInfo = (consentHandle: string) => tagGroup('CONSENT_INFO', { CONSENT_HANDLER: consentHandle })

export const customerOf = ({ name, phone, email }: Customer) => ({
  person: { name },
  contact: omitUndefined({ phone, email: email ?? undefined }),
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

/** DELAYED: overdue · DEFERRED: no longer due, because another payment covers it. */
export const paymentStatuses = ['NOT-PAID', 'PAID', 'FAILED', 'DELAYED', 'DEFERRED'] as const
type PaymentStatus = (typeof paymentStatuses)[number]

/** Reads a status in any case and with either separator; null for an unknown one. */
export function paymentStatusOf({ status: text }: { status?: string }): PaymentStatus | null {
  const status = text?.toUpperCase().replace('_', '-')
  return isOneOf(paymentStatuses, status) ? status : null
}

/** An instalment. `startsAt` and `endsAt` delimit its month. */
export interface Installment {
  id: string
  amount: Paise
  status: PaymentStatus
  startsAt: Date
  endsAt: Date
}

export const installmentPayment = ({ id, amount, status, startsAt, endsAt }: Installment) => ({
  id,
  type: 'POST_FULFILLMENT',
  status,
  params: { amount: rupees(amount), currency: 'INR' },
  time: { label: 'INSTALLMENT', range: { start: startsAt.toISOString(), end: endsAt.toISOString() } },
})

/** Returns the instalments by month, or in the lender's order if a month repeats (FIS12 §18.1). Throws `invalid`. */
export function installmentsOf(payments: Static<typeof Payment>[] | undefined, path: string): Installment[] {
  const read = (payments ?? []).flatMap((payment, i) =>
    isInstallment(payment) ? [installmentOf(payment, i, `${path}.${i}`)] : [],
  )
  const months = new Set(read.map(({ startsAt }) => startsAt.getTime()))
  return months.size < read.length ? read : read.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}

/** A payment without a label is an instalment (FIS12 §18.3). A payment without amount and month is a placeholder. */
function isInstallment({ type, time, params }: Static<typeof Payment>): boolean {
  if (params?.amount === undefined && !time?.range) return false
  if (time?.label === undefined) return type === 'POST_FULFILLMENT' && params?.amount !== undefined && !!time?.range
  return time.label === 'INSTALLMENT'
}

function installmentOf(payment: Static<typeof Payment>, position: number, path: string): Installment {
  const { start, end } = payment.time?.range ?? {}
  const amount = payment.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  const status = paymentStatusOf(payment)
  if (amount === null) throw invalid({ path: `${path}.params.amount`, message: 'must be an amount of rupees' })
  if (!start || !end) throw invalid({ path: `${path}.time.range`, message: 'must have start and end' })
  if (status === null)
    throw invalid({ path: `${path}.status`, message: `must be one of ${paymentStatuses.join(', ')}` })
  return { id: payment.id ?? String(position), amount, status, startsAt: new Date(start), endsAt: new Date(end) }
}

/** The kinds of payments that are requested after disbursal (FIS12 §7.4, §7.5, §11.1). */
export const servicingLabels = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'] as const
export type ServicingLabel = (typeof servicingLabels)[number]

export const isServicingLabel = (text: string): text is ServicingLabel => isOneOf(servicingLabels, text)

/** A requested payment. Until payment `url` is the payment page; then `transactionId` is the bank's reference. */
export interface ServicingPayment {
  id: string
  label: ServicingLabel
  status: PaymentStatus
  amount: Paise
  url: string | null
  transactionId: string | null
  /** The month of a missed instalment. */
  month: { startsAt: Date; endsAt: Date } | null
}

export const servicingPayment = ({ id, label, status, amount, url, transactionId, month }: ServicingPayment) =>
  omitUndefined({
    id,
    type: 'POST_FULFILLMENT',
    status,
    url: url ?? undefined,
    params: omitUndefined({ amount: rupees(amount), currency: 'INR', transaction_id: transactionId ?? undefined }),
    time: omitUndefined({
      label,
      range: month ? { start: month.startsAt.toISOString(), end: month.endsAt.toISOString() } : undefined,
    }),
  })

export const servicingPaymentsOf = (payments: Static<typeof Payment>[] | undefined, path: string): ServicingPayment[] =>
  (payments ?? []).flatMap((payment, i) => {
    const label = payment.time?.label
    return label && isServicingLabel(label) ? [servicingPaymentOf(payment, label, `${path}.${i}`)] : []
  })

function servicingPaymentOf(payment: Static<typeof Payment>, label: ServicingLabel, path: string): ServicingPayment {
  const amount = payment.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  const status = paymentStatusOf(payment)
  if (amount === null || amount < 0n)
    throw invalid({ path: `${path}.params.amount`, message: 'must be an amount of rupees' })
  if (status === null)
    throw invalid({ path: `${path}.status`, message: `must be one of ${paymentStatuses.join(', ')}` })
  const { start, end } = payment.time?.range ?? {}
  return {
    id: payment.id ?? label,
    label,
    status,
    amount,
    url: payment.url ?? null,
    transactionId: payment.params?.transaction_id || null,
    month: start && end ? { startsAt: new Date(start), endsAt: new Date(end) } : null,
  }
}
