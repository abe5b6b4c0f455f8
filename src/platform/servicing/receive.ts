// What a lender says about a loan that is paid out: payment pages, payments made, the schedule as it stands, the end (FIS12 §11.1).
import { effectOf, reasonOf } from '#contract/network/errors.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { ServicingPayment } from '#contract/network/v203/servicing.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Installment } from '#platform/journey/terms.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { findSelected, setInstallments } from '#platform/offer/store.ts'
import type { World } from '#platform/world.ts'
import { giveUp, moveServicing } from './move.ts'
import { put, sendWaiting } from './send.ts'
import { beforePayment, isOpen, isRepaid, operationOf, type Servicing } from './servicing.ts'
import { listServicing } from './store.ts'

/** The lender's word, as the applier has it. `answersStatus` when it was asked how the loan stands. */
export interface LoanWord {
  order: NetworkOrder
  /** The schedule of that order as an offer keeps it. */
  installments: Installment[]
  answersStatus: boolean
}

/** Applies a lender's order to a disbursed loan. The caller holds the journey's lock. */
export async function receiveLoan(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation,
  word: LoanWord,
  at: Date,
): Promise<void> {
  const { order } = word
  const paid = await receivePayments(tx, world, journey, order, at)
  const schedule = await keepSchedule(tx, world, journey, word, paid, at)
  if (order.state === 'COMPLETED' || isRepaid(schedule)) return close(tx, journey, at)
  const asked = word.answersStatus ? await settleUnnamed(tx, world, journey, conversation, order, at) : conversation
  await sendWaiting(tx, world, journey, asked, at)
}

/** Gives whether a payment was made with this word: only then may it change the schedule (FIS12 §12.4.5). */
async function receivePayments(
  tx: Tx,
  world: World,
  journey: Journey,
  { servicing }: NetworkOrder,
  at: Date,
): Promise<boolean> {
  let paid = false
  for (const payment of servicing) {
    const operation = operationOf(payment, await listServicing(tx, journey))
    if (!operation) {
      world.log.debug(
        { journeyId: journey.journeyId, label: payment.label },
        'a payment was settled or arranged before',
      )
      continue
    }
    await receivePayment(tx, journey, operation, payment, at)
    paid ||= payment.status === 'PAID'
  }
  return paid
}

async function receivePayment(
  tx: Tx,
  journey: Journey,
  operation: Servicing,
  { id, status, amount, url, transactionId }: ServicingPayment,
  at: Date,
): Promise<void> {
  const known = { ...operation, paymentId: id, amountPaise: amount }
  if (status === 'PAID')
    return moveServicing(tx, journey, known, 'paid', { transactionId, url: null, reason: null }, at)
  if (status === 'FAILED') return giveUp(tx, journey, known, 'failed', reasonOf('80213'), at)
  if (status === 'DEFERRED') return giveUp(tx, journey, known, 'expired', noLongerValid, at)
  // A page that cannot be opened is none; the lender may still send it.
  if (url !== null && isChanged(operation, known, url)) await moveServicing(tx, journey, known, 'linked', { url }, at)
}

const isChanged = (before: Servicing, now: Servicing, url: string): boolean =>
  before.status !== 'LINK_READY' || before.url !== url || before.amountPaise !== now.amountPaise

const noLongerValid = 'The payment page is no longer valid. Please ask for it again: the amount may have changed.'
const notHeard = 'The lender has not answered. Please try again later.'

/** The schedule as it is kept afterwards. */
async function keepSchedule(
  tx: Tx,
  world: World,
  journey: Journey,
  { installments }: LoanWord,
  paid: boolean,
  at: Date,
): Promise<Installment[]> {
  const offer = await findSelected(tx, journey)
  if (!offer) return []
  if (installments.length === 0) return offer.installments
  const asked =
    !paid && (await listServicing(tx, journey)).some((each) => each.kind !== 'STATUS_REFRESH' && isOpen(each))
  const schedule = asked ? beforePayment(offer.installments, installments) : installments
  if (asked && JSON.stringify(schedule) !== JSON.stringify(installments))
    world.log.warn({ journeyId: journey.journeyId }, 'a lender changed the schedule before it was paid')
  await setInstallments(tx, offer, schedule, at)
  return schedule
}

const mostAsks = 2

/**
 * What the lender did not name. The answer to a status is the whole loan: a page that is gone from it has expired, and a
 * request of which it knows nothing was not heard, so it is made once more.
 */
async function settleUnnamed(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation,
  order: NetworkOrder,
  at: Date,
): Promise<Conversation> {
  let asked = conversation
  const named = order.servicing.map(({ id }) => id)
  for (const operation of (await listServicing(tx, journey)).filter(isOpen)) {
    const { kind, status, paymentId, asks } = operation
    if (kind === 'STATUS_REFRESH') {
      if (asks > 0) await moveServicing(tx, journey, operation, 'answered', {}, at)
    } else if (status === 'LINK_READY') {
      if (!named.includes(paymentId!)) await giveUp(tx, journey, operation, 'expired', noLongerValid, at)
    } else if (asks >= mostAsks) await giveUp(tx, journey, operation, 'failed', notHeard, at)
    else if (asks > 0) asked = await put(tx, world, asked, operation, at)
  }
  return asked
}

/** The loan is repaid (D2 §2.2 CLOSED): no lifecycle event, as D1 knows none after DISBURSED. */
async function close(tx: Tx, journey: Journey, at: Date): Promise<void> {
  for (const operation of (await listServicing(tx, journey)).filter(isOpen))
    if (operation.kind === 'STATUS_REFRESH') await moveServicing(tx, journey, operation, 'answered', {}, at)
    else await giveUp(tx, journey, operation, 'expired', 'The loan is repaid: nothing is left to pay.', at)
  await updateJourney(tx, journey, { active: false, closedAt: at }, at)
}

/**
 * The lender, or the network on the way to it, says no. `action` is what was asked, null when nothing was: then it is the
 * payment on the lender's page that failed.
 */
export async function servicingFailed(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation,
  { code, action }: { code: string; action: 'update' | 'status' | null },
  at: Date,
): Promise<void> {
  const open = (await listServicing(tx, journey)).filter(isOpen)
  const asked = open.filter(({ asks, status }) => status === 'REQUESTED' && asks > 0)
  const operation =
    action === 'status'
      ? asked.find(({ kind }) => kind === 'STATUS_REFRESH')
      : action === 'update'
        ? asked.find(({ kind }) => kind !== 'STATUS_REFRESH')
        : open.findLast(({ status }) => status === 'LINK_READY')
  const isMeant = effectOf(code, 'after-offer') === 'servicingFailed'
  const reason = isMeant ? reasonOf(code) : 'The lender cannot do this at the moment. Please try again later.'
  if (operation) await giveUp(tx, journey, operation, 'failed', reason, at)
  await sendWaiting(tx, world, journey, conversation, at)
}
