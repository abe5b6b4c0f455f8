// A lender's reports on a disbursed loan: payment pages, payments, the schedule, the end (FIS12 §11.1, §18).
import { effectOf, reasonOf } from '#contract/network/errors.ts'
import type { ServicingPayment } from '#contract/network/v203/order.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { PaymentReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { rupees } from '#kit/money/money.ts'
import type { TxContext } from '#platform/context.ts'
import type { Installment, Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { isFree, status } from '#platform/network/ask-lender.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { findSelected, setInstallments } from '#platform/offer/store.ts'
import { put, sendWaiting, takeUnsolicited } from './request.ts'
import { beforePayment, isForeclosed, isRepaid, paidOff, takenSchedule } from './schedule.ts'
import { giveUp, isOpen, listServicing, moveServicing, type ServicingRow, storeServicing } from './store.ts'

/** The lender's word, as the applier has it. */
export interface LoanMessage {
  order: NetworkOrder
  /** The schedule of that order as an offer keeps it. */
  installments: Installment[]
  /** Whether the lender was asked for the loan's state; and whether it was asked anything. */
  answersStatus: boolean
  isUnsolicited: boolean
}

/** Applies a lender's order to a disbursed loan. The caller holds the journey's lock. */
export async function receiveLoan(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  word: LoanMessage,
): Promise<void> {
  const { tx, at } = ctx
  const { order, isUnsolicited } = word
  await takeUnsolicited(ctx, journey, order.servicing)
  const matches = correlate(order.servicing, await listServicing(tx, journey), isUnsolicited)
  for (const match of matches) await receivePayment(ctx, journey, match)
  const paid = matches.filter(({ payment }) => payment.status === 'PAID')
  const { before, after } = await keepSchedule(ctx, journey, word, paid)
  if (order.state === 'COMPLETED' || paid.some(isForeclosure) || isRepaid(after)) {
    const isPaidAtOnce = word.installments.length === 0 || isForeclosed(before, after)
    return close(tx, journey, paid.length === 0 && isPaidAtOnce, at)
  }
  const requested = word.answersStatus
    ? await settleUnnamed(ctx, journey, conversation, matches)
    : await askWhatItMeans(ctx, journey, conversation, { ...word, paid })
  await sendWaiting(ctx, journey, requested)
}

const isForeclosure = ({ payment }: Match): boolean => payment.label === 'FORECLOSURE'

async function receivePayment(
  ctx: TxContext,
  journey: Journey,
  { operation, payment: { id, label, status, amount, url, transactionId } }: Match,
): Promise<void> {
  const known = { ...operation, paymentId: id }
  const due = operation.amountPaise ?? amount
  if (status === 'PAID') {
    if (due !== amount)
      ctx.log.warn(
        { journeyId: journey.journeyId, label, requested: rupees(due), paid: rupees(amount) },
        'a lender says that another amount was paid than it had asked for',
      )
    const change = { amountPaise: due, paidPaise: amount, transactionId, url: null, reason: null }
    return moveServicing(ctx, journey, known, { move: 'paid', ...change })
  }
  const corrected = { ...known, amountPaise: amount }
  if (status === 'FAILED') return giveUp(ctx, journey, corrected, { move: 'failed', reason: reasonOf('80213') })
  if (status === 'DEFERRED') return giveUp(ctx, journey, corrected, { move: 'expired', reason: 'PAYMENT_PAGE_EXPIRED' })
  // A page that cannot be opened is none; the lender may still send it.
  if (url !== null && isChanged(operation, corrected, url))
    await moveServicing(ctx, journey, corrected, { move: 'linked', url })
}

const isChanged = (before: ServicingRow, now: ServicingRow, url: string): boolean =>
  before.status !== 'LINK_READY' ||
  before.url !== url ||
  before.amountPaise !== now.amountPaise ||
  before.paymentId !== now.paymentId

/** The schedule as it was and as it is kept afterwards: only a payment that was made may change it (FIS12 §12.4.5). */
async function keepSchedule(
  ctx: TxContext,
  journey: Journey,
  { installments, order }: LoanMessage,
  paid: Match[],
): Promise<{ before: Installment[]; after: Installment[] }> {
  const { tx, at } = ctx
  const offer = await findSelected(tx, journey)
  const before = offer?.installments ?? []
  if (!offer) return { before, after: before }
  const isPaid = paid.length > 0 || order.state === 'COMPLETED'
  const isRequested =
    !isPaid && (await listServicing(tx, journey)).some((each) => each.kind !== 'STATUS_REFRESH' && isOpen(each))
  const taken = installments.length === 0 ? before : takenSchedule(before, installments, isPaid)
  const allowed = isRequested ? beforePayment(before, taken) : taken
  // After a foreclosure no instalment is due, whatever else the lender reports.
  const after = paid.some(isForeclosure) ? paidOff(allowed) : allowed
  if (installments.length > 0 && JSON.stringify(after) !== JSON.stringify(installments))
    ctx.log.warn({ journeyId: journey.journeyId }, 'what a lender says of the schedule was taken in part only')
  if (after !== before) await setInstallments(tx, offer, after, at)
  return { before, after }
}

/**
 * A lender that sends an unsolicited message without a payment while a payment page is open is asked for the loan's
 * state.
 */
async function askWhatItMeans(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { isUnsolicited, order, paid }: LoanMessage & { paid: Match[] },
): Promise<Conversation> {
  const { tx } = ctx
  const isUnclear = isUnsolicited && paid.length === 0 && order.servicing.some((each) => each.status === 'PAID')
  if (!isUnclear || !(await listServicing(tx, journey)).some(({ status }) => status === 'LINK_READY'))
    return conversation
  return status(ctx, conversation)
}

const mostAsks = 2

/**
 * Operations that the lender omitted. A status describes the whole loan: a missing page has expired, and a missing
 * request was not received and is repeated.
 */
async function settleUnnamed(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  matches: Match[],
): Promise<Conversation> {
  const { tx } = ctx
  let current = conversation
  const named = matches.map(({ operation }) => operation.operationId)
  for (const operation of (await listServicing(tx, journey)).filter(isOpen)) {
    const { kind, status, operationId, asks } = operation
    if (kind === 'STATUS_REFRESH') {
      if (asks > 0) await moveServicing(ctx, journey, operation, { move: 'answered' })
    } else if (status === 'LINK_READY') {
      if (!named.includes(operationId))
        await giveUp(ctx, journey, operation, { move: 'expired', reason: 'PAYMENT_PAGE_EXPIRED' })
    } else if (asks >= mostAsks)
      await giveUp(ctx, journey, operation, { move: 'failed', reason: 'LENDER_NOT_ANSWERING' })
    else if (asks > 0 && isFree(current)) current = await put(ctx, current, operation)
    // The lender owes the answer to an older request: this one waits for its turn again.
    else if (asks > 0) await storeServicing(tx, { ...operation, asks: asks - 1, updatedAt: ctx.at })
  }
  return current
}

/**
 * The loan is repaid (D2 §2.2 CLOSED): no lifecycle event, as D1 knows none after DISBURSED. With `isForeclosed` its rest was
 * paid at once and no payment was named: a foreclosure whose page stood open is what paid it.
 */
async function close(tx: Tx, journey: Journey, isForeclosed: boolean, at: Date): Promise<void> {
  for (const operation of (await listServicing(tx, journey)).filter(isOpen))
    if (operation.kind === 'STATUS_REFRESH') await moveServicing({ tx, at }, journey, operation, { move: 'answered' })
    else if (isForeclosed && operation.kind === 'FORECLOSURE' && operation.status === 'LINK_READY')
      await moveServicing({ tx, at }, journey, operation, { move: 'paid', paidPaise: operation.amountPaise, url: null })
    else await giveUp({ tx, at }, journey, operation, { move: 'expired', reason: 'LOAN_REPAID' })
  await updateJourney(tx, journey, { active: false, closedAt: at }, at)
}

/**
 * A rejection by the lender, or by the network on the way. `action` is the rejected request's; null when the payment on
 * the lender's page failed.
 */
export async function servicingFailed(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { code, action }: { code: string; action: 'update' | 'status' | null },
): Promise<void> {
  const { tx } = ctx
  const open = (await listServicing(tx, journey)).filter(isOpen)
  const requested = open.filter(({ asks, status }) => status === 'REQUESTED' && asks > 0)
  const operation =
    action === 'status'
      ? requested.find(({ kind }) => kind === 'STATUS_REFRESH')
      : action === 'update'
        ? requested.find(({ kind }) => kind !== 'STATUS_REFRESH')
        : open.findLast(({ status }) => status === 'LINK_READY')
  if (operation) await giveUp(ctx, journey, operation, { move: 'failed', reason: reasonFor(operation, code) })
  await sendWaiting(ctx, journey, conversation)
}

/** 40001 in answer to a missed instalment: the lender knows of none (FIS12 §18.5). */
function reasonFor({ kind }: ServicingRow, code: string): PaymentReason {
  if (kind === 'MISSED_EMI_PAYMENT' && code === '40001') return 'NO_INSTALMENT_OVERDUE'
  const isMeant = effectOf(code, 'after-offer') === 'servicingFailed'
  return isMeant ? reasonOf(code) : 'NOT_POSSIBLE_NOW'
}

/**
 * Matches a lender's payment to an operation: the open one with the same label, regardless of id and amount (FIS12
 * §18.1); pure.
 */
export interface Match {
  payment: ServicingPayment
  operation: ServicingRow
}

/**
 * Pairs the payments of one message with operations of the loan. `isUnsolicited`: the lender sent it on its own, as
 * after a payment. Leaves out payments that were settled before, or arranged elsewhere. Neither ids nor amounts are
 * stable between the payment page and the payment: a lender may reuse the id of the order's first payment, or send one
 * amount for every payment of a label. But only one action per label is open at a time.
 */
export function correlate(payments: ServicingPayment[], operations: ServicingRow[], isUnsolicited: boolean): Match[] {
  const matches: Match[] = []
  const isTaken = (operation: ServicingRow) => matches.some((match) => match.operation === operation)
  const take = (
    wanted: ServicingPayment[],
    find: (payment: ServicingPayment, free: ServicingRow[]) => ServicingRow | undefined,
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
const isWaiting = (operation: ServicingRow): boolean => isOpen(operation) && operation.asks > 0

/** Money that arrives after all is money. */
const isGivenUp = ({ status, asks }: ServicingRow): boolean => (status === 'FAILED' || status === 'EXPIRED') && asks > 0

function byId({ id, status }: ServicingPayment, free: ServicingRow[]): ServicingRow | undefined {
  const known = free.filter(({ paymentId }) => paymentId === id)
  return known.find(isOpen) ?? (status === 'PAID' ? known.find(isGivenUp) : undefined)
}

function isRepeated(payment: ServicingPayment, operation: ServicingRow, isUnsolicited: boolean): boolean {
  const { status, paymentId, paidPaise, amountPaise, transactionId } = operation
  if (status !== 'PAID') return false
  const isSameTransfer = payment.transactionId !== null && payment.transactionId === transactionId
  const isOtherTransfer = payment.transactionId !== null && transactionId !== null && !isSameTransfer
  const isAlike = !isOtherTransfer && payment.amount === (paidPaise ?? amountPaise)
  return isSameTransfer || (isAlike && (paymentId === payment.id || !isUnsolicited))
}
