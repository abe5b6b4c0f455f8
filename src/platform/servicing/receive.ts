// What a lender says about a loan that is paid out: payment pages, payments made, the schedule as it stands, the end (FIS12 §11.1, §18).

import { effectOf, reasonOf } from '#contract/network/errors.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { PaymentReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { rupees } from '#kit/money/money.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Installment } from '#platform/journey/terms.ts'
import { status } from '#platform/network/ask-lender.ts'
import { isFree } from '#platform/network/ask-payment.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { findSelected, setInstallments } from '#platform/offer/store.ts'
import { correlate, type Match } from './correlate.ts'
import { giveUp, moveServicing } from './move.ts'
import { put, sendWaiting, takeUnsolicited } from './request.ts'
import { beforePayment, isForeclosed, isRepaid, paidOff, takenSchedule } from './schedule.ts'
import { isOpen, type Servicing } from './servicing.ts'
import { keepServicing, listServicing } from './store.ts'

/** The lender's word, as the applier has it. */
export interface LoanMessage {
  order: NetworkOrder
  /** The schedule of that order as an offer keeps it. */
  installments: Installment[]
  /** Whether the lender was asked how the loan stands; and whether it was asked nothing at all. */
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

const isChanged = (before: Servicing, now: Servicing, url: string): boolean =>
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
  // Whoever has repaid the whole loan owes no instalment, whatever else its lender says of them.
  const after = paid.some(isForeclosure) ? paidOff(allowed) : allowed
  if (installments.length > 0 && JSON.stringify(after) !== JSON.stringify(installments))
    ctx.log.warn({ journeyId: journey.journeyId }, 'what a lender says of the schedule was taken in part only')
  if (after !== before) await setInstallments(tx, offer, after, at)
  return { before, after }
}

/** A lender that tells something unasked while a payment page stands open, and no payment that is known: it is asked. */
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
 * What the lender did not name. The answer to a status is the whole loan: a page that is gone from it has expired, and a
 * request of which it knows nothing was not received, so it is made once more.
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
    else if (asks > 0) await keepServicing(tx, { ...operation, asks: asks - 1, updatedAt: ctx.at })
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
 * The lender, or the network on the way to it, says no. `action` is that of the request, null when there was none: then it is the
 * payment on the lender's page that failed.
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
function reasonFor({ kind }: Servicing, code: string): PaymentReason {
  if (kind === 'MISSED_EMI_PAYMENT' && code === '40001') return 'NO_INSTALMENT_OVERDUE'
  const isMeant = effectOf(code, 'after-offer') === 'servicingFailed'
  return isMeant ? reasonOf(code) : 'NOT_POSSIBLE_NOW'
}
