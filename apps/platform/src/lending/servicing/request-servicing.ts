// Sends a borrower's request for a payment page or the loan's status. The lender answers later (D2 §4, FIS12 §11.1).

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { type Paise, rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { TxContext } from '#platform/context.ts'
import { isAwaited } from '#platform/lending/drawdown/drawdown.ts'
import { listDrawdowns, moveDrawdown } from '#platform/lending/drawdown/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { rulesOf } from '#platform/lending/lender/channel-rules.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { type OpenLine, openLine } from '#platform/lending/offer/pledge.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import {
  isClaimed,
  isJustPaid,
  isOpen,
  isPayable,
  noPaymentPage,
  type ServicingRow,
  sealedPaymentPage,
} from './operation.ts'
import { scheduleServicingPoll, startPaymentChecks } from './poll-servicing.ts'
import { unpaidSum } from './repayment-schedule.ts'
import {
  askedAgain,
  countAsk,
  endOperation,
  insertServicing,
  listServicing,
  moveServicing,
  type ServicingKind,
} from './store.ts'

export interface PaymentRequest {
  amount?: Paise
  /** The serial number of a missed instalment in the offer. */
  installmentId?: string
}

type PaymentKind = Exclude<ServicingKind, 'STATUS_REFRESH'>

/**
 * Requests the page for a foreclosure, a part payment or a missed instalment. If the lender decides which instalments
 * are missed, sends the request even if the platform knows of no overdue instalment (FIS12 §18.5). Throws `wrong-state`
 * if the loan is not disbursed, is repaid or does not allow this payment. Throws `pending` while a request of this kind
 * is open, and `invalid` for an invalid request.
 */
export async function requestServicing(
  ctx: TxContext,
  journey: Journey,
  kind: PaymentKind,
  requested: PaymentRequest,
): Promise<ServicingRow> {
  const { offer, serialNumber } = await requirePayable(ctx, journey, kind, requested)
  if (offer.creditLine && kind === 'FORECLOSURE') await leaveDrawdowns(ctx, journey, offer)
  return openOperation(ctx, journey, offer, { kind, requestedPaise: requested.amount ?? null, serialNumber })
}

/** Whoever closes a line does not want the drawdown whose terms still wait for an answer. */
async function leaveDrawdowns(ctx: TxContext, journey: Journey, offer: Offer): Promise<void> {
  const waiting = (await listDrawdowns(ctx.tx, journey)).filter(({ status }) => status === 'TERMS_READY')
  for (const drawdown of waiting) {
    await moveDrawdown(ctx, journey, drawdown, { move: 'cancelled' })
    await ctx.channels[offer.channel].drawdowns?.leave(ctx, offer, drawdown)
  }
}

/**
 * Requests a part payment. A page that waits for another part payment is no longer offered, because the borrower has
 * changed the amount; if it is paid all the same, the payment counts. Throws as `requestServicing`.
 */
export async function requestPartPayment(ctx: TxContext, journey: Journey, amount: Paise): Promise<ServicingRow> {
  const kind = 'PRE_PART_PAYMENT'
  const waiting = (await listServicing(ctx.tx, journey)).find(
    (each) => each.kind === kind && isPayable(each) && each.requestedPaise !== amount && !isClaimed(each),
  )
  if (waiting) await endOperation(ctx, journey, waiting, { move: 'expired', reason: 'PAYMENT_AMOUNT_CHANGED' })
  return requestServicing(ctx, journey, kind, { amount })
}

/** Returns the loan's offer, and the missed instalment that would be paid. Throws as `requestServicing`. */
export async function requirePayable(
  ctx: TxContext,
  journey: Journey,
  kind: PaymentKind,
  requested: PaymentRequest,
): Promise<{ offer: Offer; serialNumber: number | null }> {
  const { tx, at } = ctx
  const offer = await findLoanOffer(tx, journey)
  const { name } = productOf(journey)
  if (!(await ctx.channels[offer.channel].takesPayments(ctx, journey, offer)))
    throw new Refusal(
      'wrong-state',
      `a ${offer.creditLine ? 'credit line' : name} is repaid at the lender itself; please contact the lender`,
      { journeyType: journey.type },
    )
  if (!rulesOf(offer).payments.includes(kind))
    throw new Refusal('wrong-state', 'this lender does not quote a foreclosure here; please contact the lender')
  if (offer.creditLine && kind === 'MISSED_EMI_PAYMENT')
    throw new Refusal('wrong-state', 'a credit line has no instalments', { journeyType: journey.type })
  await requireNoneOpen(tx, journey, kind)
  if (
    offer.creditLine &&
    kind === 'FORECLOSURE' &&
    (await listDrawdowns(tx, journey)).some((each) => isAwaited(each, at))
  )
    throw new Refusal('pending', 'a drawdown is not settled yet, so the lender cannot tell what closing costs')
  if (kind === 'PRE_PART_PAYMENT') requirePartOf(offer, requested.amount ?? 0n)
  const serialNumber =
    kind === 'MISSED_EMI_PAYMENT' ? await missedInstalment(ctx, journey, offer, requested.installmentId) : null
  return { offer, serialNumber }
}

/** No part is as large as all that the schedule has left to pay. A lender may still refuse a smaller amount. */
function requirePartOf(offer: Offer, amount: Paise): void {
  if (amount <= 0n) throw invalid({ path: 'amount', message: 'must be an amount above zero' })
  const line = openLine(offer)
  if (line) requirePartOfLine(line, amount)
  const unpaid = unpaidSum(offer.installments)
  if (unpaid > 0n && amount >= unpaid)
    throw invalid({ path: 'amount', message: `must be less than ${rupees(unpaid)}, which is all that is left to pay` })
}

/**
 * The whole of what is drawn may be repaid: the line stays open. A lender whose report has nothing drawn may be behind, and
 * decides itself, up to the limit.
 */
function requirePartOfLine({ limit, utilised }: OpenLine, amount: Paise): void {
  const most = utilised > 0n ? utilised : limit
  if (amount > most)
    throw invalid({
      path: 'amount',
      message: `must be at most ${rupees(most)}, which is ${utilised > 0n ? 'what is drawn' : 'the limit'}`,
    })
}

/**
 * Requests the status of a loan or an open credit line. If a request is pending, returns it and sends no other. While a
 * payment page is open, the lender is asked about it again soon: from its answer on, it reports a payment only in answer
 * to the next `status` (FIS12 §4.1).
 */
export async function requestStatusRefresh(ctx: TxContext, journey: Journey): Promise<ServicingRow> {
  const { tx, at } = ctx
  const offer = await findLoanOffer(tx, journey)
  const operations = await listServicing(tx, journey)
  if (rulesOf(offer).hasPaymentPages)
    for (const operation of operations.filter(isPayable)) await startPaymentChecks(ctx, operation)
  const pending = operations.find((each) => each.kind === 'STATUS_REFRESH' && isOpen(each))
  if (!pending)
    return openOperation(ctx, journey, offer, { kind: 'STATUS_REFRESH', requestedPaise: null, serialNumber: null })
  await askedAgain(tx, pending, at)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  return pending
}

/** Returns the offer of a running loan or an open credit line. Throws `wrong-state` before disbursal and after repayment. */
export async function findLoanOffer(tx: Tx, journey: Journey): Promise<Offer> {
  if (journey.closedAt !== null)
    throw new Refusal('wrong-state', 'the loan is already repaid', { closedAt: journey.closedAt })
  const offer = await findSelected(tx, journey)
  if (journey.status !== 'DISBURSED' && !(offer && openLine(offer)))
    throw new Refusal('wrong-state', `the journey is ${journey.status}: the loan is not disbursed`, {
      status: journey.status,
    })
  if (!offer) throw new Error(`journey ${journey.journeyId} is disbursed without a chosen offer`)
  return offer
}

async function requireNoneOpen(tx: Tx, journey: Journey, kind: PaymentKind): Promise<void> {
  const open = (await listServicing(tx, journey)).find((each) => each.kind === kind && isOpen(each))
  if (open)
    throw new Refusal('pending', 'an earlier request of this kind is not settled yet', {
      operationID: open.operationId,
    })
}

/** Returns the oldest missed instalment, which is the only valid one: the lender allocates the payment to it. */
async function missedInstalment(
  ctx: TxContext,
  journey: Journey,
  offer: Offer,
  installmentId: string | undefined,
): Promise<number | null> {
  const { tx, at } = ctx
  const { installments } = offer
  const { isMissedDecidedByLender } = rulesOf(offer)
  const oldest = await ctx.channels[offer.channel].missedInstalment(ctx, offer)
  if (!oldest) {
    if (isMissedDecidedByLender && installments.length === 0) return null
    throw new Refusal('wrong-state', 'no instalment is overdue')
  }
  const { serialNumber } = oldest
  if (isMissedDecidedByLender && isJustPaid(await listServicing(tx, journey), oldest, at))
    throw new Refusal('wrong-state', 'the instalment is paid, and the lender has not updated its schedule yet', {
      installmentID: String(serialNumber),
    })
  if (installmentId === undefined || installmentId === String(serialNumber)) return serialNumber
  if (installments.every(({ serialNumber }) => String(serialNumber) !== installmentId))
    throw invalid({ path: 'installmentID', message: 'is not an instalment of this loan' })
  throw new Refusal('wrong-state', 'an older instalment must be paid first', {
    installmentID: String(serialNumber),
  })
}

/** A request that is not sent yet. */
export const newServicing = (
  { tenantId, journeyId }: Journey,
  subject: Pick<ServicingRow, 'kind' | 'requestedPaise' | 'serialNumber'>,
  at: Date,
): ServicingRow => ({
  tenantId,
  journeyId,
  operationId: uuidv7(at.getTime(), bucketOf(journeyId)),
  ...subject,
  status: 'REQUESTED',
  amountPaise: null,
  interestPaise: null,
  chargesPaise: null,
  paidPaise: null,
  savedPaise: null,
  paymentId: null,
  ...noPaymentPage,
  transactionId: null,
  claimedOn: null,
  reason: null,
  asks: 0,
  requestedAt: at,
  updatedAt: at,
})

async function openOperation(
  ctx: TxContext,
  journey: Journey,
  offer: Offer,
  subject: Pick<ServicingRow, 'kind' | 'requestedPaise' | 'serialNumber'>,
): Promise<ServicingRow> {
  const { tx, at } = ctx
  const operation = newServicing(journey, subject, at)
  await insertServicing(tx, operation)
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await sendToChannel(ctx, journey, offer, operation)
  await scheduleServicingPoll(ctx, operation, 1)
  return operation
}

/** Sends a request through the lender's channel. A network lender gets the oldest unsent request, which may be another. */
async function sendToChannel(ctx: TxContext, journey: Journey, offer: Offer, operation: ServicingRow): Promise<void> {
  const { tx, at } = ctx
  const unsent = (await listServicing(tx, journey)).filter(isUnsent)
  const result = await ctx.channels[offer.channel].requestServicing(ctx, offer, operation, unsent)
  if (result.kind === 'requested') {
    const found = unsent.find(({ operationId }) => operationId === result.operationId)
    await countAsk(tx, required(found, 'the requested operation'), at)
  } else if (result.kind === 'transfer')
    await moveServicing(ctx, journey, operation, {
      move: 'linked',
      ...sealedPaymentPage(ctx.seal, operation, result.claimUrl),
      amountPaise: result.duePaise,
    })
}

/** Whether the request was not sent to the lender yet, or must be sent again. */
export const isUnsent = ({ status, asks }: ServicingRow): boolean => status === 'REQUESTED' && asks === 0

/** Completes the open requests for the loan's status, because the lender has reported the status. */
export async function completeRefresh(tx: Tx, journey: Journey, at: Date, operations?: ServicingRow[]): Promise<void> {
  for (const operation of operations ?? (await listServicing(tx, journey)))
    if (operation.kind === 'STATUS_REFRESH' && isOpen(operation))
      await moveServicing({ tx, at }, journey, operation, { move: 'answered' })
}
