// How the borrower pays to cancel a loan, for the mails about the request, and the payment that was received.

import { businessDate, startOf } from '@lendloom/lending/calendar'
import { checkedPaise, inr, type Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import { listPartners } from '#platform/lenders/partner/directory/store.ts'
import { partnerIn, repaymentAccountIn } from '#platform/lenders/partner/partner-look-ups.ts'
import { loanSnapshotOf } from '#platform/lenders/partner/status-snapshot.ts'
import {
  exitTransfers,
  heldTransfers,
  paidAfter,
  paidSum,
  transfersForExit,
} from '#platform/lenders/partner/transfers.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { PaidSum } from '#platform/lending/offer/cooling-off-exit.ts'
import { coolingOffExitOf } from '#platform/lending/offer/cooling-off-exit.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { listServicing } from '#platform/lending/servicing/store.ts'
import { findStep } from '#platform/lending/step/store.ts'
import type { Complaint } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { loanOf } from './lender-store.ts'
import type { ExitNotice } from './send-mails.ts'
import { dayText } from './text.ts'

/** How to pay for a requested exit, or what has arrived and when; null when the lender states the price itself. */
export async function exitNoticeFor(
  ctx: { tx: Run; seal: Seal },
  { category, language, receivedAt }: Complaint,
  journey: Journey | null,
): Promise<ExitNotice | null> {
  const { tx, seal } = ctx
  const offer = category === 'COOLING_OFF' && journey && (await findSelected(tx, journey))
  if (!offer) return null
  const { updatedAt } = await findStep(tx, journey, 'disbursal')
  const snapshot = await loanSnapshotOf(tx, ctx, journey)
  const exitOn = (day: Date, paid?: PaidSum) =>
    coolingOffExitOf(offer, updatedAt, day, { requestedAt: receivedAt, ...(paid && { paid }) })
  const { payBy } = exitOn(receivedAt) ?? {}
  if (!payBy) return null
  const received = paidSum(snapshot)
  const notice = { payBy, received: received.sum, paidLateOn: null }
  const { held, booked } = transfersForExit(snapshot, (day, paidBefore) => exitOn(startOf(day), paidBefore)?.price)
  if (held !== null) return { text: 'acknowledgedPaid', values: { payment: inr(held) }, ...notice }
  if (booked !== null) return { text: 'acknowledgedBooked', values: { payment: inr(booked) }, ...notice }
  const lastDay = dayText(language, startOf(payBy))
  const late = paidAfter(snapshot, payBy)
  if (late)
    return { ...notice, text: 'unpaid', values: { payment: inr(late.sum), payBy: lastDay }, paidLateOn: late.on }
  const loan = await loanOf(tx, journey)
  const partners = (await listPartners(tx)).map((row) => partnerIn(seal, row))
  const account = repaymentAccountIn(partners, loan)
  const cost = exitOn(receivedAt, paidSum(snapshot, payBy))?.cost ?? exitOn(receivedAt, received)?.cost
  if (!cost || !account || !loan?.loanId) return null
  const values = { amount: inr(cost.total), account, loan: loan.loanId, payBy: lastDay }
  return { ...notice, text: 'acknowledgedExit', values }
}

/** The amounts and bank references of what the borrower paid for an exit; null if nothing has arrived. */
export async function exitPaymentText(
  ctx: ActContext,
  journey: Journey,
  { receivedAt }: Complaint,
): Promise<string | null> {
  const { tx } = ctx
  const textOf = (amount: Paise, reference: string | null) => [inr(amount), reference].filter(Boolean).join(' · ')
  const operation = (await listServicing(tx, journey)).findLast(
    ({ kind, status }) => kind === 'FORECLOSURE' && status === 'PAID',
  )
  const paid = operation?.paidPaise ?? operation?.amountPaise
  if (operation && paid) return textOf(paid, operation.transactionId)
  const snapshot = await loanSnapshotOf(tx, ctx, journey)
  const held = heldTransfers(snapshot)
  const transfers = held.length > 0 ? held : exitTransfers(snapshot, businessDate(receivedAt))
  return transfers.map((each) => textOf(checkedPaise(each.amount), each.bank_reference)).join(', ') || null
}
