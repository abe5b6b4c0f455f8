// Which operation a payment of the lender belongs to: the open one with the same label, whatever its id and amount (FIS12 §18.1); pure.
import type { ServicingPayment } from '#contract/network/v203/order.ts'
import { isOpen, type Servicing } from './servicing.ts'

export interface Match {
  payment: ServicingPayment
  operation: Servicing
}

/**
 * Pairs the payments of one message with operations of the loan. `isUnsolicited` says that the lender sent it unasked, as it
 * does when a payment was made. Left out is a payment that was settled before and is only told again, or was arranged elsewhere.
 *
 * Neither ids nor amounts hold from the payment page to the payment itself: a lender may give the paid payment the id of the
 * order's first one, and every payment of a label the same amount. But only one action with a given label is open at a time.
 */
export function correlate(payments: ServicingPayment[], operations: Servicing[], isUnsolicited: boolean): Match[] {
  const matches: Match[] = []
  const isTaken = (operation: Servicing) => matches.some((match) => match.operation === operation)
  const take = (
    wanted: ServicingPayment[],
    find: (payment: ServicingPayment, free: Servicing[]) => Servicing | undefined,
  ) => {
    for (const payment of wanted) {
      if (matches.some((match) => match.payment === payment)) continue
      const free = operations.filter((each) => each.kind === payment.label && !isTaken(each))
      const operation = find(payment, free)
      if (operation) matches.push({ payment, operation })
    }
  }
  const paid = payments.filter(({ status }) => status === 'PAID')
  const unpaid = payments.filter(({ status }) => status !== 'PAID')

  take(payments, byId)
  take(unpaid, (_, free) => free.find(isWaiting))
  take(paid, (payment, free) => {
    const own = operations.filter(({ kind }) => kind === payment.label)
    if (own.some((each) => isRepeated(payment, each, isUnsolicited))) return undefined
    return free.find(isWaiting) ?? free.findLast(isGivenUp)
  })
  // One that looks like an earlier payment in everything is the open one all the same, when nothing else explains the message.
  if (isUnsolicited && !matches.some(({ payment }) => payment.status === 'PAID'))
    take(paid, (_, free) => free.find(({ status }) => status === 'LINK_READY'))
  return matches
}

/** Asked for, and not settled. */
const isWaiting = (operation: Servicing): boolean => isOpen(operation) && operation.asks > 0

/** Money that arrives after all is money. */
const isGivenUp = ({ status, asks }: Servicing): boolean => (status === 'FAILED' || status === 'EXPIRED') && asks > 0

function byId({ id, status }: ServicingPayment, free: Servicing[]): Servicing | undefined {
  const known = free.filter(({ paymentId }) => paymentId === id)
  return known.find(isOpen) ?? (status === 'PAID' ? known.find(isGivenUp) : undefined)
}

function isRepeated(payment: ServicingPayment, operation: Servicing, isUnsolicited: boolean): boolean {
  const { status, paymentId, paidPaise, amountPaise, transactionId } = operation
  if (status !== 'PAID') return false
  const isSameTransfer = payment.transactionId !== null && payment.transactionId === transactionId
  const isOtherTransfer = payment.transactionId !== null && transactionId !== null && !isSameTransfer
  const isAlike = !isOtherTransfer && payment.amount === (paidPaise ?? amountPaise)
  return isSameTransfer || (isAlike && (paymentId === payment.id || !isUnsolicited))
}
