// Opens the page on which a payment is made that was asked for, unless the loan does not allow it (FIS12 §11.1).

import type { NetworkError } from '#contract/network/context.ts'
import { nackCodes } from '#contract/network/errors.ts'
import type { PaymentUpdate } from '#contract/network/v203/update.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { daysAfter, secondsAfter } from '#kit/runtime/clock.ts'
import type { ProductRequest } from '#sandbox/lender/core/product.ts'
import { duesFor, type PlanRow } from './account.ts'
import { hasLapsed, statusOf } from './loan-state.ts'
import { keepPayment, keepRows, openPayment, paymentsOf } from './store.ts'

const shortPaymentSeconds = 5

/**
 * Returns the error when there is no page; null when it is open. An open payment of this kind is reused: a repeated
 * request gives the same page.
 */
export async function openPaymentPage(
  tx: Tx,
  buyerRequest: ProductRequest,
  requested: PaymentUpdate,
): Promise<NetworkError | null> {
  const { policy, conversation, at } = buyerRequest
  const failed = (code: string, message: string): NetworkError => ({ code, message })
  if (conversation.disbursedAt === null) return failed('40001', 'the loan is not disbursed')
  if (conversation.scenario === 'no-payment-page') return failed('80212', 'no payment page could be made')
  await dropLapsed(tx, conversation.conversationId, at)
  if (conversation.scenario === 'missed-when-asked' && requested.label === 'MISSED_EMI_PAYMENT')
    await markMissed(tx, buyerRequest)
  const { rows, payments, policy: settings } = await statusOf(tx, policy, conversation, at)
  const wanted = 'amount' in requested ? requested.amount : null
  if (!payments.some(({ label, status }) => label === requested.label && status === 'OPEN')) {
    const dues = duesFor({ label: requested.label, wanted }, rows, settings, at)
    if (!dues) return failed(nackCodes.BPP.sequence, `${requested.label} is not possible for this loan now`)
    const paymentId = uuidv7(at.getTime())
    const short = conversation.scenario === 'short-payment'
    await openPayment(tx, {
      ...dues,
      paymentId,
      conversationId: conversation.conversationId,
      status: 'OPEN',
      attempt: 0,
      openedAt: at,
      lapsesAt: short ? secondsAfter(at, shortPaymentSeconds) : daysAfter(at, 1),
      paidAt: null,
      transactionId: null,
    })
  }
  return null
}

/** As in the network's own flows: only the answer reports that an instalment was missed (FIS12 §18.5). */
async function markMissed(tx: Tx, { policy, conversation, at }: ProductRequest): Promise<void> {
  const { rows, payments } = await statusOf(tx, policy, conversation, at)
  const first = rows.find(({ status }) => status === 'NOT-PAID')
  if (!first || rows.some(({ status }) => status === 'DELAYED')) return
  if (payments.some(({ label, status }) => label === 'MISSED_EMI_PAYMENT' && status === 'PAID')) return
  const marked = rows.map((row): PlanRow => (row === first ? { ...row, status: 'DELAYED' } : row))
  await keepRows(tx, conversation.conversationId, marked)
}

/** What it would settle has changed by tomorrow, so a page that was not used is dropped. */
async function dropLapsed(tx: Tx, conversationId: string, at: Date): Promise<void> {
  for (const payment of await paymentsOf(tx, conversationId))
    if (hasLapsed(payment, at)) await keepPayment(tx, { ...payment, status: 'DROPPED' })
}
