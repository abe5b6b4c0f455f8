// Writes the order of a lender's messages: checklist, contract terms, payout account, payments (FIS12 §7.1, §10.2, §10.3).

import type { Lender } from '@lendloom/lending/lender'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import type { Scheme } from '@lendloom/lending/pledge'
import type { LoanDocument } from '@lendloom/lending/terms'
import { omitUndefined } from '#wire/network/context.ts'
import { type TagGroup, tagGroup, tagsOf } from '#wire/network/tags.ts'
import { providerOf } from '#wire/network/v203/lender.ts'
import * as common from '#wire/network/v203/order.ts'
import {
  type CancellationTerms,
  type Customer,
  cancellationOf,
  customerOf,
  documentOf,
  type Installment,
  installmentPayment,
} from '#wire/network/v203/order.ts'
import { type FormResult, resultInput } from '#wire/network/v203/page.ts'
import { categoryIdsOf, type ItemCategories } from './categories.ts'
import { type NewPage, pageInput } from './page.ts'
import { schemeTags } from './pledge.ts'
import type { Payment } from './schema.ts'
import { loanInfoOf, priceOf, quoteOf, type Terms } from './terms.ts'

/** Fulfilment states. Rejection and repayment have no state (FIS12 §12.3). Our lenders do not send DELIVERED. */
export const states = ['INITIATED', 'SANCTIONED', 'DISBURSED', 'CONSENT_REQUIRED', 'DELIVERED'] as const
export type State = Exclude<(typeof states)[number], 'DELIVERED'>

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
  orderStatus?: common.OrderStatus
  customer?: Customer
  state?: State
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

export function lenderOrder(draft: OrderDraft) {
  const { lender, item, terms, page, result, disbursal, installments = [], servicing = [], customer, state } = draft
  const payments = [
    ...servicing.map(servicingPayment),
    ...(disbursal ? [disbursalPayment(disbursal)] : []),
    ...installments.map(installmentPayment),
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

export const checklistStates = ['PENDING', 'COMPLETED'] as const

/** A loan's progress (FIS12 §7.1, §7.6): the state of each step by its heading, in the lender's order. */
export type Checklist = Record<string, (typeof checklistStates)[number]>

export const fulfillmentTypes = ['ONLINE', 'SEMI_ONLINE', 'BASE_ORDER'] as const

/** SEMI_ONLINE: the borrower completes the loan on the lender's page or at a branch. */
export const fulfillmentOf = ({ id, offline, checklist }: { id: string; offline: boolean; checklist: Checklist }) => ({
  id,
  type: offline ? 'SEMI_ONLINE' : 'ONLINE',
  tags: [tagGroup('CHECKLISTS', checklist)],
})

/** Reads the checklist. An unknown state counts as PENDING and adds a warning. */
export function checklistOf(tags: readonly TagGroup[] | undefined, warnings: string[]): Checklist {
  const entries = Object.entries(tagsOf(tags, 'CHECKLISTS') ?? {}).map(([step, text]) => {
    const state = checklistStates.find((known) => known === text.toUpperCase())
    if (!state) warnings.push(`unknown checklist state ${text} of ${step}`)
    return [step, state ?? 'PENDING'] as const
  })
  return Object.fromEntries(entries)
}

/** The official (misspelt) label. */
export const disbursalLabel = 'LOAN_DISBURSMENT'

export interface SettlementAccount {
  accountNumber: string
  ifsc: string
  /** `savings` or `current`. */
  type: string
  holderName: string
  bankName: string | null
}

/** `paid` is set once the lender has paid, with the bank's reference. */
export interface Disbursal {
  paymentId: string
  account: SettlementAccount | null
  paid: { amount: Paise | null; transactionId: string | null } | null
}

/** The two payments of a catalogue: placeholders with the ids of later payments. */
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
  omitUndefined({
    type: 'ON_FULFILLMENT',
    id: paymentId,
    status: paid ? 'PAID' : 'NOT-PAID',
    collected_by: 'CONSUMER',
    time: { label: disbursalLabel },
    params:
      account || paid
        ? omitUndefined({
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

/** Returns the disbursal among the payments; its account is null unless both the number and the IFSC are given. */
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

/** Also accepts the correct English spelling. */
const isDisbursal = (label: string | undefined): boolean => label === disbursalLabel || label === 'LOAN_DISBURSEMENT'

/** The terms between platform and lender: BAP_TERMS and BPP_TERMS (FIS12 §7.1, §7.2). They do not concern the borrower. */
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

/** The lender's terms, which `confirm` repeats; null if missing. */
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

/** Returns the servicing payments. Throws `invalid` for an unreadable amount; omits an unreadable part. */
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
