// Parses the order of a lender's message; accepts known deviations (FIS12 §7, §14).

import { isOneOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { parse } from '@lendloom/foundation/schema'
import type { Agent, Branch, Lender } from '@lendloom/lending/lender'
import { moneyOf, type Paise } from '@lendloom/lending/money'
import type { LoanDocument, Terms } from '@lendloom/lending/terms'
import { storedIfscPattern } from '#wire/identifier.ts'
import { type ContractTerms, readLenderTerms } from '#wire/network/contract-terms.ts'
import { monthsOf, tagsOf } from '#wire/network/tags.ts'
import { agentOf, branchesOf, lenderOf, visitAtOf } from './lender.ts'
import { chargeTitles, foreclosureTitles, isForeign, offerFaultsOf, requireOneTerm, termsOf } from './offer-terms.ts'
import {
  type Installment,
  readInstallments,
  readPaymentStatus,
  readServicingPayments,
  readSingleRepayment,
  type ServicingLabel,
  type ServicingPayment,
} from './payments.ts'
import { LenderMessage, type Order } from './schema.ts'
import { type Stop, stopsOf } from './stops.ts'
import { type Variant, variant203 } from './variant.ts'
import { type CancellationTerms, type FulfillmentState, fulfillmentStates, orderStatuses } from './write-order.ts'
import { type FormPage, type FormResponse, pageOf, responseOf } from './xinput.ts'

/** The outstanding amounts in a lender's quote, and the charge of each kind of payment. */
export interface OutstandingDues {
  principal: Paise
  interest: Paise
  charges: Partial<Record<ServicingLabel, Paise>>
}

/** A lender's order of one loan. Missing values are null or empty. */
export interface NetworkOrder {
  /** Null before `on_confirm`. */
  orderId: string | null
  providerId: string
  itemId: string
  /** Null in a shortened order; the catalogue describes the lender. */
  lender: Lender | null
  /** Null without quote or LOAN_INFO, and after disbursal, when the quote states repaid amounts (FIS12 §7.4). */
  terms: Terms | null
  /** Why the terms cannot be an offer; empty for possible terms, and without terms. */
  offerFaults: FieldError[]
  form: FormPage | null
  formResponse: FormResponse | null
  /** The account-aggregator consent to be approved (FIS12 §7.8). */
  consentHandle: string | null
  state: FulfillmentState | null
  customerName: string | null
  /** Gold loans only: all branches, or the chosen branch. */
  branches: Branch[]
  /** The borrower's contact at the chosen branch. */
  agent: Agent | null
  visitAt: Date | null
  /** The lender's progress, from a lender with one page for all steps after its offer; else empty (FIS12 §26). */
  stops: Stop[]
  /** The lender's terms, which `confirm` repeats; null if the message has none. */
  lenderTerms: ContractTerms | null
  /** The id of the ON_ORDER payment, to be repeated in the next `init` and in `confirm`. */
  settlementPaymentId: string | null
  settlementPaid: boolean
  payoutReference: string | null
  /** After disbursal, what the borrower still owes; null if the quote does not state it. */
  outstanding: OutstandingDues | null
  installments: Installment[]
  /** Payments requested after disbursal: foreclosure, part payment, missed instalment (FIS12 §11.1). */
  servicing: ServicingPayment[]
  /** The account to which the borrower returns a loan that is being cancelled (FIS12 §25). */
  returnAccount: string | null
  documents: LoanDocument[]
  cancellationTerms: CancellationTerms | null
  createdAt: Date | null
  updatedAt: Date | null
  /** Warnings about unpublished states and form statuses, which do not make a message invalid (FIS12 §7.6). */
  unknownCodeWarnings: string[]
  /** Warnings about all accepted deviations, including unknown codes, for the log and the lender's operator. */
  warnings: string[]
}

/** Throws `invalid` with the path for a wrong shape, an unreadable amount, or an offer without a required field. */
export function readOrder(message: unknown, variant: Variant = variant203): NetworkOrder {
  const { order } = parse(LenderMessage, message, 'message')
  const warnings: string[] = []
  const payments = withReturnLabel(order)
  const unknownCodeWarnings: string[] = []
  const item = order.items[0]
  if (order.items.length > 1) warnings.push(`the order has ${order.items.length} items; the first is read`)
  const onOrder = order.payments?.find(({ type }) => type === 'ON_ORDER')
  return {
    orderId: order.id ?? null,
    providerId: order.provider.id,
    itemId: item.id,
    lender: lenderOf(order.provider),
    ...offeredTerms(order, warnings),
    form: pageOf(item.xinput, warnings, variant),
    formResponse: responseOf(item.xinput, unknownCodeWarnings),
    consentHandle: tagsOf(item.tags, 'CONSENT_INFO')?.CONSENT_HANDLER ?? null,
    state: stateOf(order, unknownCodeWarnings),
    customerName: order.fulfillments?.[0]?.customer?.person?.name || null,
    branches: branchesOf(order.provider),
    agent: agentOf(order),
    visitAt: visitAtOf(order),
    stops: order.fulfillments?.map(stopsOf).find(({ length }) => length > 0) ?? [],
    lenderTerms: readLenderTerms(order.tags),
    settlementPaymentId: onOrder?.id ?? null,
    settlementPaid: onOrder?.status === 'PAID',
    payoutReference: payoutReferenceOf(order),
    outstanding: outstandingDuesOf(order.quote?.breakup ?? []),
    installments: installmentsOf(order),
    servicing: readServicingPayments(payments, 'message.order.payments'),
    returnAccount: returnAccountOf(order, payments),
    documents: documentsOf(order),
    cancellationTerms: cancellationTermsOf(order),
    createdAt: order.created_at === undefined ? null : new Date(order.created_at),
    updatedAt: order.updated_at === undefined ? null : new Date(order.updated_at),
    unknownCodeWarnings,
    warnings: [...warnings, ...unknownCodeWarnings],
  }
}

function installmentsOf({ payments, items: [item] }: Order): Installment[] {
  const path = 'message.order.payments'
  const installments = readInstallments(payments, path)
  const termMonths = monthsOf(tagsOf(item.tags, 'LOAN_INFO')?.TERM ?? '')
  const single = installments.length === 0 ? readSingleRepayment({ payments, termMonths }, path) : null
  return single ? [single] : installments
}

/** Reads the ON_ORDER payment, in 2.3.0 ON_FULFILLMENT. Ignores any other text than a reference. */
function payoutReferenceOf({ payments = [] }: Order): string | null {
  const payout = payments.find(
    ({ type, status }) => (type === 'ON_ORDER' || type === 'ON_FULFILLMENT') && status?.toUpperCase() === 'PAID',
  )
  const reference = payout?.params?.transaction_id ?? ''
  return /^[A-Za-z0-9/-]{6,40}$/.test(reference) ? reference : null
}

const isCancelling = ({ status }: Order): boolean => isOneOf(['SOFT_CANCEL', 'CANCELLED'], status?.toUpperCase())

/** Of an order that is being cancelled, a payment without a label is what the borrower returns (FIS12 §25). */
const withReturnLabel = (order: Order): Order['payments'] =>
  order.payments?.map((payment) => {
    const { type, time, params } = payment
    const isInRupees = params?.amount !== undefined && (params.currency ?? 'INR') === 'INR'
    const isReadable = isInRupees && readPaymentStatus(payment) !== null
    const isReturned = isCancelling(order) && type === 'POST_FULFILLMENT' && !time && isReadable
    return isReturned ? { ...payment, time: { label: 'FORECLOSURE' } } : payment
  })

const ifscRule = new RegExp(storedIfscPattern)

function returnAccountOf(order: Order, payments: Order['payments']): string | null {
  const payment = isCancelling(order) ? payments?.find(({ time }) => time?.label === 'FORECLOSURE') : undefined
  const { bank_account_number: number = '', bank_code: ifsc = '' } = payment?.params ?? {}
  return /^\d{9,18}$/.test(number) && ifscRule.test(ifsc) ? `${number}, IFSC ${ifsc}` : null
}

function offeredTerms({ quote, items }: Order, warnings: string[]): Pick<NetworkOrder, 'terms' | 'offerFaults'> {
  const [item] = items
  const none = { terms: null, offerFaults: [] }
  if (!quote) {
    if (item.price) warnings.push('the item has a price, but there is no quote')
    return none
  }
  if (quote.breakup.some(({ title }) => title.startsWith('OUTSTANDING_'))) return none
  const info = tagsOf(item.tags, 'LOAN_INFO')
  if (!info) {
    warnings.push('the quote comes without LOAN_INFO')
    return none
  }
  const paths = { path: 'message.order.quote', tag: 'message.order.items.0.tags.LOAN_INFO' }
  requireOneTerm(item.tags, paths.tag)
  const offer = { quote, info, ...paths, isLine: false }
  const terms = termsOf(offer, warnings)
  if (item.price && moneyOf(item.price.value) !== moneyOf(quote.price.value))
    warnings.push(`the item's price is ${item.price.value}, the quote's ${quote.price.value}`)
  const priceFaults = isForeign(item.price?.currency)
    ? [{ path: 'message.order.items.0.price.currency', message: 'must be INR' }]
    : []
  return { terms, offerFaults: [...offerFaultsOf(offer, terms), ...priceFaults] }
}

function stateOf({ status, fulfillments }: Order, unknownCodeWarnings: string[]): FulfillmentState | null {
  const orderStatus = status?.toUpperCase()
  // A cancelled order's fulfilment may still have the previous state.
  if (orderStatus === 'CANCELLED') return 'CANCELLED'
  if (orderStatus !== undefined && !isOneOf([...orderStatuses, 'SOFT_CANCEL'], orderStatus))
    unknownCodeWarnings.push(`unknown order status ${orderStatus}`)
  // The published gold loan with stops ends as an order; its fulfilment stays DISBURSED (FIS12 §26.4).
  if (orderStatus === 'COMPLETED' && fulfillments?.some((each) => stopsOf(each).length > 0)) return 'COMPLETED'
  const stateCode = fulfillments?.find(({ state }) => state)?.state?.descriptor.code.toUpperCase()
  if (stateCode === undefined) return null
  // A template of the network has the spelling COMPLETE (FIS12 §18.3).
  const code = stateCode === 'COMPLETE' ? 'COMPLETED' : stateCode
  if (isOneOf(fulfillmentStates, code)) return code
  unknownCodeWarnings.push(`unknown fulfilment state ${code}`)
  return null
}

const documentsOf = ({ documents = [] }: Order): LoanDocument[] =>
  documents.flatMap(({ descriptor, mime_type: mimeType, url }) => {
    if (!url) return []
    const { code = 'OTHER', name = code, short_desc: description = '' } = descriptor ?? {}
    return [{ code, name, description, mimeType: mimeType ?? 'application/octet-stream', url }]
  })

function cancellationTermsOf({ cancellation_terms: termsOfOrder }: Order): CancellationTerms | null {
  if (!termsOfOrder) return null
  const fees = termsOfOrder.flatMap(({ fulfillment_state: at, cancellation_fee: fee }) =>
    at && fee?.percentage !== undefined ? [{ state: at.descriptor.code, percentage: String(fee.percentage) }] : [],
  )
  return { fees, link: termsOfOrder.find(({ external_ref: ref }) => ref?.url)?.external_ref?.url ?? null }
}

function outstandingDuesOf(
  breakup: readonly { title: string; price: { value: string | number } }[],
): OutstandingDues | null {
  const amountOf = (...titles: string[]) => {
    const row = breakup.find(({ title }) => titles.includes(title.toUpperCase()))
    return row === undefined ? null : moneyOf(row.price.value)
  }
  const principal = amountOf('OUTSTANDING_PRINCIPAL')
  const interest = amountOf('OUTSTANDING_INTEREST')
  if (principal === null || interest === null) return null
  return {
    principal,
    interest,
    charges: {
      FORECLOSURE: amountOf(...foreclosureTitles) ?? 0n,
      PRE_PART_PAYMENT: amountOf(chargeTitles.PRE_PART_PAYMENT) ?? 0n,
      MISSED_EMI_PAYMENT: amountOf(chargeTitles.MISSED_EMI_PAYMENT) ?? 0n,
    },
  }
}
