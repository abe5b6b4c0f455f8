// The account of a credit line with stops: what is free to draw, and payments of a part or of all that is drawn (FIS12 §27.4, §27.5).

import { required } from '@lendloom/foundation/required'
import { interestOnDays } from '@lendloom/lending/annuity'
import { businessDate, daysBetween } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import { writeConversation } from '#sandbox/lender/core/store.ts'
import { amountOf, type Dues, type PaymentRequest } from '#sandbox/lender/servicing/loan-account.ts'
import type { PaymentTerms } from '#sandbox/lender/servicing/open-payment-page.ts'
import { dropPayments, paymentsOf, type ServicePayment } from '#sandbox/lender/servicing/store.ts'
import { agreedDrawdowns } from './store.ts'

/** What of the limit is neither drawn nor agreed to be drawn. The line is locked. */
export const freeOf = async (tx: Tx, line: Conversation): Promise<Paise> =>
  limitOf(line) - drawnOf(line) - (await agreedDrawdowns(tx, line.conversationId))

const limitOf = ({ principal, conversationId }: Conversation): Paise =>
  required(principal, `limit of line ${conversationId}`)
const drawnOf = ({ drawn }: Conversation): Paise => drawn ?? 0n

/** Whether a payment has closed its line. */
export const hasClosed = ({ label, status }: ServicePayment): boolean => label === 'FORECLOSURE' && status === 'PAID'

/** Whether the line is repaid and closed. */
export async function isClosed(db: Run, { conversationId }: Conversation): Promise<boolean> {
  return (await paymentsOf(db, conversationId)).some(hasClosed)
}

/** Drops an open payment that would close the line: it does not have the amount that is drawn now. */
export const dropClosing = (tx: Tx, { conversationId }: Conversation): Promise<void> =>
  dropPayments(tx, conversationId, ({ label, status }) => label === 'FORECLOSURE' && status === 'OPEN')

/** Payments of a line: the amount that the borrower names is all of it, first the interest and then the principal. */
export const linePayments: PaymentTerms = {
  daysOpen: 15,
  askedAmount: amountOf,
  dues: (tx, { conversation, at }, request) => lineDues(tx, conversation, request, at),
}

/** The parts of a payment of the line; null when it is not possible now. */
export async function lineDues(
  tx: Tx,
  line: Conversation,
  { label, prepayAmount }: PaymentRequest,
  at: Date,
): Promise<Dues | null> {
  if (await isClosed(tx, line)) return null
  const drawn = drawnOf(line)
  const due = interestOf(line, at)
  const parts = { lateFee: 0n, charge: 0n, number: null }
  if (label === 'FORECLOSURE') {
    // Money that is on its way out would be owed on a closed line.
    if ((await agreedDrawdowns(tx, line.conversationId)) > 0n) return null
    return { ...parts, label, principal: drawn, interest: due }
  }
  if (label !== 'PRE_PART_PAYMENT' || prepayAmount === null) return null
  const interest = due < prepayAmount ? due : prepayAmount
  const principal = prepayAmount - interest
  // The network's published flow pays a part of a line that was never drawn on.
  if (drawn > 0n && principal > drawn) return null
  return { ...parts, label, principal, interest }
}

/** The interest since the drawn amount last changed; autopay debits what is due for full months. */
function interestOf(line: Conversation, at: Date): Paise {
  const { drawnAt, annualBps, conversationId } = line
  if (drawnAt === null) return 0n
  const days = BigInt(daysBetween(businessDate(drawnAt), businessDate(at)))
  return interestOnDays(drawnOf(line) * days, required(annualBps, `rate of line ${conversationId}`), 100n)
}

/** The drawn part of the line falls by the paid principal. */
export function repayLine(tx: Tx, line: Conversation, payment: ServicePayment, at: Date): Promise<Conversation> {
  const { status } = line
  const drawn = drawnOf(line)
  const left = payment.principal < drawn ? drawn - payment.principal : 0n
  return writeConversation(tx, line, { status, drawn: left, drawnAt: at }, at)
}
