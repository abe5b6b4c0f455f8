// Opens the page for a requested payment, if the loan allows it (FIS12 §11.1).

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import type { Paise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { NetworkError } from '@lendloom/wire/network/context'
import { nackCodes } from '@lendloom/wire/network/errors'
import type { PaymentUpdate } from '@lendloom/wire/network/v203/update-and-status'
import type { ProductRequest } from '#sandbox/lender/core/product.ts'
import { type Dues, duesFor, type PaymentRequest, type PlanRow } from './loan-account.ts'
import { hasLapsed, loanStateAt } from './loan-state.ts'
import { dropPayments, openPayment, paymentsOf, type ServicePayment, storePlan } from './store.ts'

const shortPaymentSeconds = 5

/** What differs between payments of a loan with instalments and of a credit line. */
export interface PaymentTerms {
  daysOpen: number
  /** What the borrower asked to pay with an open part payment. */
  askedAmount(payment: ServicePayment): Paise
  /** The dues of the payment now; null when it is not possible. */
  dues(tx: Tx, buyerRequest: ProductRequest, request: PaymentRequest): Promise<Dues | null>
}

const installmentPayments: PaymentTerms = {
  daysOpen: 1,
  askedAmount: ({ principal }) => principal,
  async dues(tx, buyerRequest, request) {
    const { policy, conversation, at } = buyerRequest
    if (conversation.scenario === 'missed-when-asked' && request.label === 'MISSED_EMI_PAYMENT')
      await markMissed(tx, buyerRequest)
    const state = await loanStateAt(tx, policy, conversation, at)
    return duesFor(request, state.rows, state.policy, at)
  },
}

/** Opens the page of a loan with instalments. Returns null, or an error if the loan does not allow the payment. */
export const openPaymentPage = async (
  tx: Tx,
  buyerRequest: ProductRequest,
  request: PaymentUpdate,
): Promise<NetworkError | null> =>
  buyerRequest.conversation.disbursedAt === null
    ? errorOf('40001', 'the loan is not disbursed')
    : openPage(tx, buyerRequest, request, installmentPayments)

const errorOf = (code: string, message: string): NetworkError => ({ code, message })

/**
 * Returns null, or an error if the account does not allow the payment. Reuses an open payment of the same kind, so that a
 * repeated request opens the same page. A part payment of another amount replaces the open one.
 */
export async function openPage(
  tx: Tx,
  buyerRequest: ProductRequest,
  request: PaymentUpdate,
  terms: PaymentTerms,
): Promise<NetworkError | null> {
  const { conversation, at } = buyerRequest
  if (conversation.scenario === 'no-payment-page') return errorOf('80212', 'no payment page could be made')
  await dropLapsed(tx, conversation.conversationId, at)
  const prepayAmount = 'amount' in request ? request.amount : null
  if (prepayAmount !== null) await dropOtherAmount(tx, conversation.conversationId, prepayAmount, terms)
  const payments = await paymentsOf(tx, conversation.conversationId)
  if (!payments.some(({ label, status }) => label === request.label && status === 'OPEN')) {
    const dues = await terms.dues(tx, buyerRequest, { label: request.label, prepayAmount })
    if (!dues) return errorOf(nackCodes.BPP.sequence, `${request.label} is not possible for this loan now`)
    const paymentId = uuidv7(at.getTime())
    const isShort = conversation.scenario === 'short-payment'
    await openPayment(tx, {
      ...dues,
      paymentId,
      conversationId: conversation.conversationId,
      status: 'OPEN',
      attempt: 0,
      openedAt: at,
      lapsesAt: isShort ? secondsAfter(at, shortPaymentSeconds) : daysAfter(at, terms.daysOpen),
      paidAt: null,
      transactionId: null,
    })
  }
  return null
}

/** Drops the open part payment of another amount. */
async function dropOtherAmount(
  tx: Tx,
  conversationId: string,
  amount: Paise,
  { askedAmount }: PaymentTerms,
): Promise<void> {
  await dropPayments(
    tx,
    conversationId,
    (each) => each.label === 'PRE_PART_PAYMENT' && each.status === 'OPEN' && askedAmount(each) !== amount,
  )
}

/** Marks the next instalment as missed. As in the network's flows, only the answer reports it (FIS12 §18.5). */
async function markMissed(tx: Tx, { policy, conversation, at }: ProductRequest): Promise<void> {
  const { rows, payments } = await loanStateAt(tx, policy, conversation, at)
  const nextRow = rows.find(({ status }) => status === 'NOT-PAID')
  if (!nextRow || rows.some(({ status }) => status === 'DELAYED')) return
  if (payments.some(({ label, status }) => label === 'MISSED_EMI_PAYMENT' && status === 'PAID')) return
  const withMissedRow = rows.map((row): PlanRow => (row === nextRow ? { ...row, status: 'DELAYED' } : row))
  await storePlan(tx, conversation.conversationId, withMissedRow)
}

/** Drops expired payments: their dues are out of date. */
const dropLapsed = (tx: Tx, conversationId: string, at: Date): Promise<void> =>
  dropPayments(tx, conversationId, (each) => hasLapsed(each, at))
