// How the borrower pays to cancel a loan, for the mail that acknowledges the request, and the payment that was received.

import { businessDate, startOf } from '#kit/money/calendar.ts'
import { checkedPaise, inr, type Paise } from '#kit/money/money.ts'
import { listPartners } from '#platform/exchange/partner/store.ts'
import { partnerIn, repaymentAccountIn } from '#platform/exchange/partners.ts'
import { loanSnapshotOf } from '#platform/exchange/status.ts'
import { exitTransfers, heldTransfers } from '#platform/exchange/transfers.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { coolingOffExitOf } from '#platform/offer/documents.ts'
import { findSelected } from '#platform/offer/store.ts'
import { listServicing } from '#platform/servicing/store.ts'
import { findStep } from '#platform/step/store.ts'
import type { Complaint } from './complaint.ts'
import type { ActContext } from './complaint-context.ts'
import { loanOf } from './officer/store.ts'
import { dayText } from './text.ts'

export async function exitPriceValues(
  { tx, seal }: ActContext,
  { category, route, language, receivedAt }: Complaint,
  journey: Journey | null,
): Promise<Record<string, string> | null> {
  const offer = category === 'COOLING_OFF' && route !== 'PLATFORM' && journey && (await findSelected(tx, journey))
  if (!offer) return null
  const { updatedAt } = await findStep(tx, journey, 'disbursal')
  const exit = coolingOffExitOf(offer, updatedAt, receivedAt, receivedAt)
  const loan = await loanOf(tx, journey)
  const partners = (await listPartners(tx)).map((row) => partnerIn(seal, row))
  const account = repaymentAccountIn(partners, loan)
  if (!exit?.cost || !exit.payBy || !account || !loan?.loanId) return null
  const payBy = dayText(language, startOf(exit.payBy))
  return { amount: inr(exit.cost.total), account, loan: loan.loanId, payBy }
}

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
