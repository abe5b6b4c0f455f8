// Matches the payments in a lender's message with the operations that requested them (FIS12 §18.1).

import type { ServicingPayment } from '@lendloom/wire/network/v203/payments'
import { isOpen, type ServicingRow } from '#platform/lending/servicing/operation.ts'

/** A payment in a lender's message, and the operation that requested the payment. */
export interface PaymentMatch {
  payment: ServicingPayment
  operation: ServicingRow
}

/**
 * Matches the payments of a message with operations of the loan (FIS12 §18.1). `isUnsolicited`: no request caused the
 * message. A payment that was applied before, or that no operation requested, has no match. Ids and amounts are not
 * reliable: a lender may reuse the id of the order's first payment, or send one amount for all payments with a label.
 * But only one operation per label is open at a time.
 */
export function matchPayments(
  payments: ServicingPayment[],
  operations: ServicingRow[],
  isUnsolicited: boolean,
): PaymentMatch[] {
  const matches: PaymentMatch[] = []
  const isMatched = (operation: ServicingRow) => matches.some((each) => each.operation === operation)
  const match = (
    candidates: ServicingPayment[],
    find: (payment: ServicingPayment, free: ServicingRow[]) => ServicingRow | undefined,
  ) => {
    for (const payment of candidates) {
      if (matches.some((each) => each.payment === payment)) continue
      const free = operations.filter((each) => each.kind === payment.label && !isMatched(each))
      const operation = find(payment, free)
      if (operation) matches.push({ payment, operation })
    }
  }
  const paid = payments.filter(({ status }) => status === 'PAID')
  const isOfChanged = (payment: ServicingPayment) => operations.some((each) => isOldAmount(payment, each))
  const unpaid = payments.filter((payment) => payment.status !== 'PAID' && !isOfChanged(payment))

  const isRepetition = (payment: ServicingPayment) =>
    operations.some((each) => each.kind === payment.label && isRepeated(payment, each, isUnsolicited))
  match(payments, (payment, free) => byId(payment, free, isRepetition(payment)))
  match(unpaid, (_, free) => free.find(isWaiting))
  match(paid, (payment, free) => {
    if (isRepetition(payment)) return undefined
    return free.find(isWaiting) ?? free.findLast(isEnded)
  })
  // No other payment explains the message: the repetition of an earlier payment is then a new payment.
  if (isUnsolicited && !matches.some(({ payment }) => payment.status === 'PAID'))
    match(paid, (_, free) => free.find(({ status }) => status === 'LINK_READY'))
  return matches
}

/** Whether the operation is open, and its request was sent to the lender. */
const isWaiting = (operation: ServicingRow): boolean => isOpen(operation) && operation.asks > 0

/** Whether the operation has failed or expired, so that only a late payment can still change it. */
const isEnded = ({ status, asks }: ServicingRow): boolean => (status === 'FAILED' || status === 'EXPIRED') && asks > 0

/** A payment that has settled another operation with its id is no late payment of an ended one. */
function byId({ id, status }: ServicingPayment, free: ServicingRow[], isRepetition: boolean): ServicingRow | undefined {
  const sameId = free.filter(({ paymentId }) => paymentId === id)
  return sameId.find(isOpen) ?? (status === 'PAID' && !isRepetition ? sameId.find(isEnded) : undefined)
}

/**
 * Whether the payment is of the page whose amount the borrower has changed: it is still in the lender's order, and only
 * its payment counts. A lender that reuses an id states another amount for the new request.
 */
const isOldAmount = ({ id, label, amount }: ServicingPayment, operation: ServicingRow): boolean =>
  operation.kind === label &&
  operation.reason === 'PAYMENT_AMOUNT_CHANGED' &&
  operation.paymentId === id &&
  operation.amountPaise === amount

/** Whether the payment is the one that has already paid the operation. */
function isRepeated(payment: ServicingPayment, operation: ServicingRow, isUnsolicited: boolean): boolean {
  const { status, paymentId, paidPaise, amountPaise, transactionId } = operation
  if (status !== 'PAID') return false
  const isSameTransfer = payment.transactionId !== null && payment.transactionId === transactionId
  const isOtherTransfer = payment.transactionId !== null && transactionId !== null && !isSameTransfer
  const isSameAmount = !isOtherTransfer && payment.amount === (paidPaise ?? amountPaise)
  return isSameTransfer || (isSameAmount && (paymentId === payment.id || !isUnsolicited))
}
