// Writes the order of a lender's messages: checklist, settlement terms, payout account, payments (FIS12 §7.1, §10.2,
// §10.3).
import { defined } from '#contract/network/context.ts'
import { type TagGroup, tagGroup, tagsOf } from '#contract/network/tags.ts'
import { type Lender, providerOf } from '#contract/network/v203/lender.ts'
import * as common from '#contract/network/v203/order.ts'
import {
  type CancellationTerms,
  type Customer,
  cancellationOf,
  customerOf,
  documentOf,
  type Installment,
  installmentPayment,
  type LoanDocument,
} from '#contract/network/v203/order.ts'
import { type FormResult, resultInput } from '#contract/network/v203/page.ts'
import { moneyOf, type Paise, rupees } from '#kit/money/money.ts'
import { categoryIdsOf, type ItemCategories } from './categories.ts'
import { type NewPage, pageInput } from './page.ts'
import { type Scheme, schemeTags } from './pledge.ts'
import type { Payment } from './schema.ts'
import { loanInfoOf, priceOf, quoteOf, type Terms } from './terms.ts'

/** Fulfilment states of this dialect: a refusal is an error or a rejected page, the end an order COMPLETED (FIS12 §12.3). */
export const states = ['INITIATED', 'SANCTIONED', 'DISBURSED', 'CONSENT_REQUIRED', 'DELIVERED'] as const
export type State = Exclude<(typeof states)[number], 'DELIVERED'>

export const orderStatuses = ['ACTIVE', 'COMPLETED', 'CANCELLED'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** The offer that was selected. */
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
  state?: State
  disbursal?: Disbursal
  /** The drawn part of a line, in paise; zero by default. */
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

/** A draft with the named parts present. */
export type DraftWith<Part extends keyof OrderDraft> = Pick<
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

/** A loan's progress: the checklist of its fulfilment (FIS12 §7.1, §7.6). */
export const checklistStates = ['PENDING', 'COMPLETED'] as const

/** The state of each step by its heading, in the lender's order. */
export type Checklist = Record<string, (typeof checklistStates)[number]>

export const fulfillmentTypes = ['ONLINE', 'SEMI_ONLINE', 'BASE_ORDER'] as const

/** SEMI_ONLINE: the borrower finishes on the lender's own page or at a branch. */
export const fulfillmentOf = ({ id, offline, checklist }: { id: string; offline: boolean; checklist: Checklist }) => ({
  id,
  type: offline ? 'SEMI_ONLINE' : 'ONLINE',
  tags: [tagGroup('CHECKLISTS', checklist)],
})

/** Only COMPLETED is done; a word that is not in the list is a warning. */
export function checklistOf(tags: readonly TagGroup[] | undefined, warnings: string[]): Checklist {
  const entries = Object.entries(tagsOf(tags, 'CHECKLISTS') ?? {}).map(([step, text]) => {
    const state = checklistStates.find((known) => known === text.toUpperCase())
    if (!state) warnings.push(`unknown checklist state ${text} of ${step}`)
    return [step, state ?? 'PENDING'] as const
  })
  return Object.fromEntries(entries)
}

/** The official spelling. */
export const disbursalLabel = 'LOAN_DISBURSMENT'

export interface SettlementAccount {
  accountNumber: string
  ifsc: string
  /** `savings` or `current`. */
  type: string
  holderName: string
  bankName: string | null
}

/** `paid` once the money has left the lender, with the bank's reference. */
export interface Disbursal {
  paymentId: string
  account: SettlementAccount | null
  paid: { amount: Paise | null; transactionId: string | null } | null
}

/** Both payments of a catalogue are placeholders: their ids are those of later payments. */
export const placeholders = (ids: { installmentId: string; disbursalId: string }) => [
  {
    type: 'POST_FULFILLMENT',
    id: ids.installmentId,
    status: 'NOT-PAID',
    collected_by: 'BPP',
    time: { label: 'INSTALLMENT' },
  },
  disbursalPayment({ paymentId: ids.disbursalId, account: null, paid: null }),
]

export const disbursalPayment = ({ paymentId, account, paid }: Disbursal) =>
  defined({
    type: 'ON_FULFILLMENT',
    id: paymentId,
    status: paid ? 'PAID' : 'NOT-PAID',
    collected_by: 'CONSUMER',
    time: { label: disbursalLabel },
    params:
      account || paid
        ? defined({
            bank_account_number: account?.accountNumber,
            bank_code: account?.ifsc,
            amount: paid?.amount == null ? undefined : rupees(paid.amount),
            currency: paid ? 'INR' : undefined,
            transaction_id: paid?.transactionId ?? undefined,
          })
        : undefined,
    tags: account
      ? [
          tagGroup('ACCOUNT_DETAILS', {
            ACCOUNT_TYPE: account.type,
            ACCOUNT_HOLDER_NAME: account.holderName,
            BANK_NAME: account.bankName,
          }),
        ]
      : undefined,
  })

/** The disbursal among the payments; an account is one when it can be paid into. */
export function disbursalOf(payments: readonly Payment[] | undefined): Disbursal | null {
  const payment = payments?.find(({ time, type }) => isDisbursal(time?.label) || type === 'ON_FULFILLMENT')
  if (!payment) return null
  const { bank_account_number: accountNumber, bank_code: ifsc, amount, transaction_id } = payment.params ?? {}
  const details = tagsOf(payment.tags, 'ACCOUNT_DETAILS') ?? {}
  return {
    paymentId: payment.id ?? disbursalLabel,
    account:
      accountNumber && ifsc
        ? {
            accountNumber,
            ifsc,
            type: details.ACCOUNT_TYPE ?? 'savings',
            holderName: details.ACCOUNT_HOLDER_NAME ?? '',
            bankName: details.BANK_NAME ?? null,
          }
        : null,
    paid:
      payment.status?.toUpperCase() === 'PAID'
        ? { amount: amount === undefined ? null : moneyOf(amount), transactionId: transaction_id || null }
        : null,
  }
}

/** A lender may write it as English does. */
const isDisbursal = (label: string | undefined): boolean => label === disbursalLabel || label === 'LOAN_DISBURSEMENT'

/** The terms between platform and lender, which never concern the borrower: BAP_TERMS and BPP_TERMS (FIS12 §7.1, §7.2). */
export interface ContractTerms {
  staticTerms: string
  offlineContract: boolean
}

const termsTag =
  (code: 'BAP_TERMS' | 'BPP_TERMS') =>
  ({ staticTerms, offlineContract }: ContractTerms): TagGroup =>
    tagGroup(code, { STATIC_TERMS: staticTerms, OFFLINE_CONTRACT: String(offlineContract) })

export const buyerTerms = termsTag('BAP_TERMS')
export const lenderTerms = termsTag('BPP_TERMS')

/** The lender's, to be repeated to it; null when it did not state them. */
export function lenderTermsOf(tags: readonly TagGroup[] | undefined): ContractTerms | null {
  const terms = tagsOf(tags, 'BPP_TERMS')
  if (terms?.STATIC_TERMS === undefined) return null
  return { staticTerms: terms.STATIC_TERMS, offlineContract: terms.OFFLINE_CONTRACT?.toLowerCase() === 'true' }
}

/** The parts of a payment, each in paise. */
export type Breakup = Partial<Record<(typeof breakupCodes)[number], Paise>>
export const breakupCodes = ['PRINCIPAL_AMOUNT', 'INTEREST_AMOUNT', 'FORECLOSURE_CHARGES', 'LATE_FEE_AMOUNT'] as const

export interface ServicingPayment extends common.ServicingPayment {
  /** How long the payment page is open, an ISO 8601 duration. */
  duration: string | null
  breakup: Breakup
}

function servicingPayment({ duration, breakup, ...payment }: ServicingPayment) {
  const written = common.servicingPayment(payment)
  const parts = Object.entries(breakup).map(([code, amount]) => [code, `${rupees(amount)} INR`] as const)
  return {
    ...written,
    collected_by: 'BPP',
    time: { ...written.time, ...(duration !== null && { duration }) },
    ...(parts.length > 0 && { tags: [tagGroup('BREAKUP', Object.fromEntries(parts))] }),
  }
}

/** The servicing payments. Throws `invalid` for an unreadable amount; an unreadable part is omitted. */
export function servicingPaymentsOf(payments: readonly Payment[] = [], path: string): ServicingPayment[] {
  return payments.flatMap((payment, i) =>
    common.servicingPaymentsOf([payment], path).map((read) => {
      const tags = tagsOf(payment.tags, 'BREAKUP') ?? {}
      const parts = breakupCodes.map((code) => [code, tags[code] === undefined ? null : moneyOf(tags[code])] as const)
      return {
        ...read,
        id: payment.id ?? `${read.label}-${i}`,
        duration: payment.time?.duration ?? null,
        breakup: Object.fromEntries(parts.filter(([, amount]) => amount !== null)),
      }
    }),
  )
}
