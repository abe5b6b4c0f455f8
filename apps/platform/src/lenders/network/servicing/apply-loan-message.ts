// Applies a lender's messages about a disbursed loan: payment pages, payments, the schedule and the end of the loan
// (FIS12 §11.1, §18).

import { rupees } from '@lendloom/lending/money'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import { effectOf, reasonOf } from '@lendloom/wire/network/errors'
import type { ServicingPayment } from '@lendloom/wire/network/v203/payments'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import type { TxContext } from '#platform/context.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { canSendRequest, requestLoanStatus } from '#platform/lenders/network/lender-requests.ts'
import { isOpen as isDrawing } from '#platform/lending/drawdown/drawdown.ts'
import { listDrawdowns, moveDrawdown } from '#platform/lending/drawdown/store.ts'
import { recordClosedLoan } from '#platform/lending/journey/closed-loan.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { findSelected, setInstallments } from '#platform/lending/offer/store.ts'
import {
  isOpen,
  newlyEndedMs,
  noPaymentPage,
  paymentUrlOf,
  type ServicingRow,
  sealedPaymentPage,
} from '#platform/lending/servicing/operation.ts'
import { scheduleServicingPoll } from '#platform/lending/servicing/poll-servicing.ts'
import {
  acceptedSchedule,
  deferUnpaid,
  interestSaved,
  isForeclosed,
  isRepaid,
  oldestUnpaid,
  scheduleBeforePayment,
} from '#platform/lending/servicing/repayment-schedule.ts'
import { newServicing } from '#platform/lending/servicing/request-servicing.ts'
import {
  endOperation,
  forgetPaid,
  insertServicing,
  listServicing,
  moveServicing,
  storeServicing,
} from '#platform/lending/servicing/store.ts'
import { recordExitRefused } from './exit-price.ts'
import { matchPayments, type PaymentMatch } from './match-payments.ts'
import { componentsOf } from './payment-components.ts'
import { sendNextOperation, sendOperation } from './send-operation.ts'

/** A lender's message about a disbursed loan. */
export interface LoanMessage {
  order: NetworkOrder
  /** The order's repayment schedule in our format. */
  installments: Installment[]
  isStatusAnswer: boolean
  /** Whether no request caused the message. */
  isUnsolicited: boolean
}

/** Applies a lender's order to a disbursed loan. The caller holds the journey's lock. */
export async function applyLoanMessage(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  message: LoanMessage,
): Promise<void> {
  const { tx, at } = ctx
  const { order, isUnsolicited } = message
  await storeUnsolicited(ctx, journey, order.servicing)
  const operations = await listServicing(tx, journey)
  const matches = matchPayments(order.servicing, operations, isUnsolicited)
  for (const match of matches) await applyPayment(ctx, journey, match, message)
  const paid = matches.filter(({ payment }) => payment.status === 'PAID')
  const { before, after } = await updateSchedule(ctx, journey, message, paid)
  if (operations.some(isPartPayment)) await storeSavings(ctx, journey, paid, { before, after })
  if (order.state === 'COMPLETED' || paid.some(isForeclosure) || isRepaid(after)) {
    const isPaidAtOnce = message.installments.length === 0 || isForeclosed(before, after)
    return closeLoan(tx, journey, paid.length === 0 && isPaidAtOnce, at)
  }
  const nextConversation = message.isStatusAnswer
    ? await closeOmitted(ctx, journey, conversation, matches)
    : await requestStatusIfUnclear(ctx, journey, conversation, { ...message, paid })
  await sendNextOperation(ctx, journey, nextConversation)
}

/**
 * Stores what the newest part payment saves, with the schedule that comes with its report or soon after it. Several
 * payments in one message, or another sum than the one that was asked for, are not told apart.
 */
async function storeSavings(
  { tx, at }: TxContext,
  journey: Journey,
  paid: PaymentMatch[],
  { before, after }: { before: Installment[]; after: Installment[] },
): Promise<void> {
  if (before === after || paid.length > 1 || !paid.every(({ operation }) => isPartPayment(operation))) return
  const operation = (await listServicing(tx, journey)).findLast(isPartPayment)
  if (operation?.status !== 'PAID' || operation.savedPaise !== null) return
  const { requestedPaise, amountPaise, paidPaise, updatedAt } = operation
  const isNew = at.getTime() - updatedAt.getTime() <= newlyEndedMs
  if (!isNew || requestedPaise === null || paidPaise !== amountPaise) return
  const savedPaise = interestSaved(before, after, requestedPaise)
  if (savedPaise !== null) await storeServicing(tx, { ...operation, savedPaise })
}

const isPartPayment = ({ kind }: ServicingRow): boolean => kind === 'PRE_PART_PAYMENT'

const isForeclosure = ({ payment }: PaymentMatch): boolean => payment.label === 'FORECLOSURE'

async function applyPayment(
  ctx: TxContext,
  journey: Journey,
  { operation, payment: { id, label, status, amount, url, transactionId, breakup } }: PaymentMatch,
  { order: { outstanding, returnAccount }, installments }: LoanMessage,
): Promise<void> {
  const updated = { ...operation, paymentId: id }
  const requestedAmount = operation.amountPaise ?? amount
  if (status === 'PAID') {
    if (requestedAmount !== amount)
      ctx.log.warn(
        { journeyId: journey.journeyId, label, requested: rupees(requestedAmount), paid: rupees(amount) },
        'a lender reports a paid amount that differs from the requested one',
      )
    const change = { amountPaise: requestedAmount, paidPaise: amount, transactionId, ...noPaymentPage, reason: null }
    return moveServicing(ctx, journey, updated, { move: 'paid', ...change })
  }
  const components = componentsOf(operation, amount, { outstanding, installments, breakup })
  const corrected = { ...updated, ...components, amountPaise: amount }
  if (status === 'FAILED') return endOperation(ctx, journey, corrected, { move: 'failed', reason: reasonOf('80213') })
  if (status === 'DEFERRED')
    return endOperation(ctx, journey, corrected, { move: 'expired', reason: 'PAYMENT_PAGE_EXPIRED' })
  // A payment without a URL and an account has no page yet. The lender may send the page later.
  const isNewPage = paymentUrlOf(ctx.seal, operation) !== url
  if ((url !== null || returnAccount !== null) && (isNewPage || isChanged(operation, corrected)))
    await moveServicing(ctx, journey, corrected, { move: 'linked', ...sealedPaymentPage(ctx.seal, operation, url) })
}

const isChanged = (before: ServicingRow, after: ServicingRow): boolean =>
  before.status !== 'LINK_READY' || before.amountPaise !== after.amountPaise || before.paymentId !== after.paymentId

/** Stores the accepted part of a reported schedule (FIS12 §12.4.5). Returns the old and the new schedule. */
async function updateSchedule(
  ctx: TxContext,
  journey: Journey,
  { installments, order }: LoanMessage,
  paid: PaymentMatch[],
): Promise<{ before: Installment[]; after: Installment[] }> {
  const { tx, at } = ctx
  const offer = await findSelected(tx, journey)
  const before = offer?.installments ?? []
  if (!offer) return { before, after: before }
  const isPaid = paid.length > 0 || order.state === 'COMPLETED'
  // A cancelled loan has no instalments left, but the borrower owes the return (FIS12 §25).
  const isPaymentRequested =
    !isPaid &&
    (order.state === 'CANCELLED' ||
      (await listServicing(tx, journey)).some((each) => each.kind !== 'STATUS_REFRESH' && isOpen(each)))
  const accepted = installments.length === 0 ? before : acceptedSchedule(before, installments, isPaid)
  const allowed = isPaymentRequested ? scheduleBeforePayment(before, accepted) : accepted
  // After a foreclosure no instalment is due, even if the lender still reports one.
  const after = paid.some(isForeclosure) ? deferUnpaid(allowed) : allowed
  if (installments.length > 0 && JSON.stringify(after) !== JSON.stringify(installments))
    ctx.log.warn({ journeyId: journey.journeyId }, "a lender's schedule was accepted only in part")
  if (after !== before) await setInstallments(tx, offer, after, at)
  await forgetPaid(tx, journey, before, after)
  return { before, after }
}

/**
 * Requests the loan's status if an unsolicited message reports a payment that matches no operation while a payment page
 * is open. Returns the conversation.
 */
async function requestStatusIfUnclear(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { isUnsolicited, order, paid }: LoanMessage & { paid: PaymentMatch[] },
): Promise<Conversation> {
  const { tx } = ctx
  const isUnclear = isUnsolicited && paid.length === 0 && order.servicing.some((each) => each.status === 'PAID')
  if (!isUnclear || !(await listServicing(tx, journey)).some(({ status }) => status === 'LINK_READY'))
    return conversation
  return requestLoanStatus(ctx, conversation)
}

const maxRequests = 2

/**
 * Closes the open operations that a status answer does not mention. The answer describes the whole loan. An operation
 * with a payment page has therefore expired, and the request of any other operation was not received and is sent again.
 * Returns the conversation.
 */
async function closeOmitted(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  matches: PaymentMatch[],
): Promise<Conversation> {
  const { tx } = ctx
  let current = conversation
  const matchedIds = matches.map(({ operation }) => operation.operationId)
  for (const operation of (await listServicing(tx, journey)).filter(isOpen)) {
    const { kind, status, operationId, asks } = operation
    if (kind === 'STATUS_REFRESH') {
      if (asks > 0) await moveServicing(ctx, journey, operation, { move: 'answered' })
    } else if (status === 'LINK_READY') {
      if (!matchedIds.includes(operationId))
        await endOperation(ctx, journey, operation, { move: 'expired', reason: 'PAYMENT_PAGE_EXPIRED' })
    } else if (asks >= maxRequests)
      await endOperation(ctx, journey, operation, { move: 'failed', reason: 'LENDER_NOT_ANSWERING' })
    else if (asks > 0 && canSendRequest(current)) current = await sendOperation(ctx, current, operation)
    // The lender still has to answer another request, so this operation waits like one that was never sent.
    else if (asks > 0) await storeServicing(tx, { ...operation, asks: asks - 1, updatedAt: ctx.at })
  }
  return current
}

/**
 * Closes a repaid loan (D2 §2.2 CLOSED). Sends no lifecycle event, because D1 has none after DISBURSED. `isForeclosed`:
 * the whole remaining loan was paid, but the lender reported no payment. A foreclosure with an open page is then paid.
 */
async function closeLoan(tx: Tx, journey: Journey, isForeclosed: boolean, at: Date): Promise<void> {
  for (const operation of (await listServicing(tx, journey)).filter(isOpen))
    if (operation.kind === 'STATUS_REFRESH') await moveServicing({ tx, at }, journey, operation, { move: 'answered' })
    else if (isForeclosed && operation.kind === 'FORECLOSURE' && operation.status === 'LINK_READY')
      await moveServicing({ tx, at }, journey, operation, {
        move: 'paid',
        paidPaise: operation.amountPaise,
        ...noPaymentPage,
      })
    else await endOperation({ tx, at }, journey, operation, { move: 'expired', reason: 'LOAN_REPAID' })
  // Nothing is drawn from a closed line; a payout that is reported all the same counts.
  for (const drawdown of (await listDrawdowns(tx, journey)).filter(isDrawing))
    await moveDrawdown({ tx, at }, journey, drawdown, { move: 'failed', reason: 'LOAN_REPAID' })
  await recordClosedLoan(tx, journey, at)
}

/**
 * Fails an operation that the lender or the network rejected. `action` is the action of the rejected request; null if
 * the payment on the lender's page failed.
 */
export async function failServicing(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { code, action }: { code: string; action: 'update' | 'status' | 'cancel' | null },
): Promise<void> {
  const { tx, at } = ctx
  const open = (await listServicing(tx, journey)).filter(isOpen)
  const requested = open.filter(({ asks, status }) => status === 'REQUESTED' && asks > 0)
  if (action === 'cancel') {
    // The lender does not cancel the loan, so the same operation is sent again, as a foreclosure (FIS12 §25).
    for (const operation of requested.filter(({ kind }) => kind === 'FORECLOSURE'))
      await storeServicing(tx, { ...operation, asks: 0, updatedAt: at })
    return sendNextOperation(ctx, journey, await recordExitRefused(ctx, conversation))
  }
  const failedOperation = {
    status: () => requested.find(({ kind }) => kind === 'STATUS_REFRESH'),
    update: () => requested.find(({ kind }) => kind !== 'STATUS_REFRESH'),
    payment: () => open.findLast(({ status }) => status === 'LINK_READY'),
  }
  const operation = failedOperation[action ?? 'payment']()
  if (operation) await endOperation(ctx, journey, operation, { move: 'failed', reason: reasonFor(operation, code) })
  await sendNextOperation(ctx, journey, conversation)
}

/** Returns the reason for the borrower. 40001 for a missed instalment: no instalment is overdue (FIS12 §18.5). */
function reasonFor({ kind }: ServicingRow, code: string): PaymentReason {
  if (kind === 'MISSED_EMI_PAYMENT' && code === '40001') return 'NO_INSTALMENT_OVERDUE'
  const isServicingError = effectOf(code, 'after-offer') === 'servicingFailed'
  return isServicingError ? reasonOf(code) : 'NOT_POSSIBLE_NOW'
}

/**
 * Stores the page for a missed instalment that a lender sent without a request, so that the borrower can pay there
 * (FIS12 §18.5). Ignores a page that is already stored, and any page while a request for a missed instalment is open.
 */
export async function storeUnsolicited(
  ctx: TxContext,
  journey: Journey,
  payments: readonly ServicingPayment[],
): Promise<void> {
  const { tx, at } = ctx
  const kind = 'MISSED_EMI_PAYMENT'
  const page = payments.find(({ label, status, url }) => label === kind && status !== 'PAID' && url !== null)
  if (!page) return
  const existing = (await listServicing(tx, journey)).filter((each) => each.kind === kind)
  if (existing.some((each) => isOpen(each) || each.paymentId === page.id)) return
  const { id: paymentId, amount: amountPaise, url } = page
  const linked = { status: 'LINK_READY', paymentId, amountPaise, asks: 1 } as const
  const offer = await findSelected(tx, journey)
  const serialNumber = (offer && oldestUnpaid(offer.installments, at)?.serialNumber) ?? null
  const created = newServicing(journey, { kind, requestedPaise: null, serialNumber }, at)
  const operation = { ...created, ...linked, ...sealedPaymentPage(ctx.seal, created, url) }
  await insertServicing(tx, operation)
  await updateJourney(tx, journey, {}, at)
  await scheduleServicingPoll(ctx, operation, 1)
}
