// Applies a lender's messages about a drawdown: its terms, the order, the payout, and refusals (FIS12 §27.5).

import { durationMs, secondsAfter } from '@lendloom/foundation/clock'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import { effectOf, reasonOf } from '@lendloom/wire/network/errors'
import { type AwaitedRequest, type Callback, requestOf } from '@lendloom/wire/network/sequence'
import type { DrawdownOrder, DrawdownPayout, DrawdownTerms } from '@lendloom/wire/network/v230/drawdown'
import type { TxContext } from '#platform/context.ts'
import { type Conversation, noAwaitedAnswer } from '#platform/lenders/network/conversation.ts'
import type { LenderOrder } from '#platform/lenders/network/dialect.ts'
import { hastenFollowUp, scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/lenders/network/open-conversation.ts'
import { changeConversation, readConversation } from '#platform/lenders/network/store.ts'
import { type Drawdown, isOpen, mayBeAgreedTo } from '#platform/lending/drawdown/drawdown.ts'
import { findDrawdown, moveDrawdown } from '#platform/lending/drawdown/store.ts'
import { isLive, type Journey } from '#platform/lending/journey/journey.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { recordDisbursal } from '#platform/lending/step/lender-decision.ts'
import { sendAgreement } from './send-drawdown.ts'

/** The lender never received the agreement. */
const unknownOrderCode = '30018'

/** How long the terms stand if the lender does not say it. */
const usualTermsMs = 86_400_000

/** A drawdown, and the conversation about it. */
interface Subject {
  journey: Journey
  conversation: Conversation
  drawdown: Drawdown
}

/** Applies a message, a rejection or a missing answer. The caller holds the journey's lock. */
export async function onDrawdownMessage(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  inbound: InboundMessage,
): Promise<void> {
  const drawdown = await findDrawdown(ctx.tx, journey, conversation.conversationId)
  if (!drawdown) return
  const subject = { journey, conversation, drawdown }
  if (inbound.type === 'unanswered') return onSilence(ctx, subject)
  if (inbound.type === 'nacked') return onError(ctx, subject, { code: inbound.error.code, of: inbound.action })
  if (!('order' in inbound)) return
  const { type, order, solicited, error } = inbound
  if (error) return onError(ctx, subject, { code: error.code, of: solicited ? requestOf(type) : null })
  if (!order?.drawdown) return
  await onOrder(ctx, subject, { ...order, type, solicited, of: order.drawdown })
  await keepAsking(ctx, subject)
}

interface ReportedOrder extends Pick<LenderOrder, 'orderId' | 'state' | 'updatedAt'> {
  type: Callback
  solicited: boolean
  of: DrawdownOrder
}

/** What the lender's order says of the drawdown. The most advanced part decides, because lenders repeat the others. */
async function onOrder(
  ctx: TxContext,
  { journey, conversation, drawdown }: Subject,
  { orderId, state, updatedAt, type, solicited, of: order }: ReportedOrder,
): Promise<void> {
  const { tx, at } = ctx
  const isPlaced = orderId !== null && drawdown.agreedAt !== null
  const isRenamed = isPlaced && conversation.orderId !== null && orderId !== conversation.orderId
  if (isRenamed)
    ctx.log.error(
      { journeyId: journey.journeyId, orderId },
      'a lender gives a drawdown another order, perhaps a second one',
    )
  if (order.lineOrderId !== conversation.extras.drawdown?.lineOrderId) {
    ctx.log.warn({ journeyId: journey.journeyId, orderId }, 'ignored the order of another credit line')
    return isAnswerToInit(drawdown, type, solicited)
      ? end(ctx, { journey, conversation, drawdown }, 'NOT_POSSIBLE_NOW')
      : undefined
  }
  const change = isPlaced ? { orderId } : {}
  const current = { journey, drawdown, conversation: await changeConversation(tx, conversation, change, at) }
  const { payout } = order
  if (payout?.hasFailed || state === 'CANCELLED' || order.status === 'CANCELLED')
    return drawdown.status === 'PAID_OUT' ? onReturned(ctx, current, updatedAt) : end(ctx, current, 'DRAWDOWN_REFUSED')
  const isDone = order.status === 'COMPLETED' && state === 'DISBURSED'
  if ((payout?.paid || isDone) && payout?.amount !== 0n) return onPaidOut(ctx, current, { payout, updatedAt })
  if (order.approval === 'REJECTED' || state === 'REJECTED') return end(ctx, current, 'DRAWDOWN_REFUSED')
  if (isPlaced) return onPlaced(ctx, current, order)
  // A status without an order answers our question whether the agreement has arrived.
  if (drawdown.status === 'AGREED') {
    const isUnknown = type === 'on_status' && solicited && order.consent?.state !== 'APPROVED'
    return isUnknown ? confirmAgain(ctx, current, order.terms) : undefined
  }
  await onTerms(ctx, current, order)
}

const isAnswerToInit = ({ status }: Drawdown, type: Callback, solicited: boolean): boolean =>
  status === 'REQUESTED' && type === 'on_init' && solicited

/** After the agreement the lender owes the payout: whatever else it says, it is asked again. */
async function keepAsking(
  { tx, at }: TxContext,
  { journey, conversation: { conversationId } }: Subject,
): Promise<void> {
  const drawdown = await findDrawdown(tx, journey, conversationId)
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, conversationId)
  if (drawdown?.status === 'AGREED' && conversation?.awaitedMessageId === null)
    await scheduleFollowUp(tx, conversation, at)
}

/** The lender's terms, also changed ones, until the borrower has agreed. */
async function onTerms(
  ctx: TxContext,
  { journey, conversation, drawdown }: Subject,
  { lineOrderId, terms, consent, payout, itemId, parentItemId, fulfillmentId }: DrawdownOrder,
): Promise<void> {
  const { tx, at } = ctx
  if (!terms || !consent) return
  if (terms.principal !== drawdown.requestedPaise)
    return end(ctx, { journey, conversation, drawdown }, 'DRAWDOWN_TERMS_CHANGED')
  const termsMs = (terms.quoteTtl === null ? null : durationMs(terms.quoteTtl)) ?? usualTermsMs
  const stated = await moveDrawdown(ctx, journey, drawdown, {
    move: 'termsStated',
    principalPaise: terms.principal,
    interestPaise: terms.interest,
    chargesPaise: terms.charges,
    totalPaise: terms.total,
    interestRate: terms.interestRate,
    termsUntil: new Date(at.getTime() + termsMs),
    accountEnding: endingOf(payout?.account ?? null),
  })
  if (!stated) return
  const { id, parentId, name } = consent
  const extras = { ...conversation.extras, drawdown: { lineOrderId, consent: { id, parentId, name } } }
  const change = { offeredItemId: itemId, parentItemId, fulfillmentId, extras }
  await changeConversation(tx, conversation, { ...noAwaitedAnswer, stage: 'TERMS_GIVEN', ...change }, at)
}

/** Lenders write an account masked, in full, or only as a mask. We keep the digits by which the borrower knows it. */
const endingOf = (account: string | null): string | null => /\d{4}$/.exec(account ?? '')?.[0] ?? null

/** The lender has placed the order and owes the payout, for which it is asked until it reports it. */
async function onPlaced(
  { tx, at, config, log }: TxContext,
  { journey, conversation, drawdown }: Subject,
  { terms }: DrawdownOrder,
): Promise<void> {
  if (drawdown.status !== 'AGREED') return
  if (terms && !isAgreed(drawdown, terms))
    log.error(
      { journeyId: journey.journeyId },
      'a lender placed a drawdown on terms that the borrower had not agreed to',
    )
  const placed = await changeConversation(tx, conversation, { ...noAwaitedAnswer, stage: 'CONFIRMED' }, at)
  await scheduleFollowUp(tx, placed, at, config.STATUS_POLL_SECONDS)
}

const isAgreed = (
  { principalPaise, interestPaise, chargesPaise, totalPaise }: Drawdown,
  { principal, interest, charges, total }: DrawdownTerms,
): boolean =>
  principal === principalPaise && interest === interestPaise && charges === chargesPaise && total === totalPaise

interface Payment {
  /** Null if the lender only says that all is done. */
  payout: DrawdownPayout | null
  /** When the lender has last changed its order. */
  updatedAt: Date | null
}

/**
 * The first payout is the disbursal of the journey (D1 DISBURSED); later ones are no event of D1. A payout that came back
 * counts again with another reference of the bank, or in a report that is newer than that of the return.
 */
async function onPaidOut(
  ctx: TxContext,
  { journey, conversation, drawdown }: Subject,
  { payout, updatedAt }: Payment,
): Promise<void> {
  const { tx, at } = ctx
  const reference = payout?.paid?.transactionId ?? null
  const { returnedAt } = conversation.extras.drawdown ?? {}
  const isNewTransfer = reference !== null && reference !== drawdown.payoutReference
  const isNewer = returnedAt !== undefined && updatedAt !== null && updatedAt > new Date(returnedAt)
  if (drawdown.reason === 'DRAWDOWN_RETURNED' && !isNewTransfer && !isNewer) return
  const amount = payout?.amount ?? drawdown.principalPaise ?? drawdown.requestedPaise
  const after = await moveDrawdown(ctx, journey, drawdown, {
    move: 'paidOut',
    paidOutAt: at,
    paidPaise: amount,
    payoutReference: reference,
    paidAccountEnding: endingOf(payout?.account ?? null) ?? drawdown.accountEnding,
    reason: null,
  })
  if (!after) return
  const { agreedAt, principalPaise, accountEnding, paidAccountEnding } = after
  if (agreedAt === null || payout?.amount !== principalPaise || paidAccountEnding !== accountEnding)
    ctx.log.error({ journeyId: journey.journeyId }, 'a lender paid out otherwise than the borrower had agreed to')
  await changeConversation(tx, conversation, { ...noAwaitedAnswer, stage: 'DISBURSED' }, at)
  await askForLine(ctx, journey)
  if (isLive(journey)) await recordDisbursal(ctx, journey)
}

/** The bank has returned the payout, or the lender takes it back. */
async function onReturned(ctx: TxContext, subject: Subject, updatedAt: Date | null): Promise<void> {
  const { tx, at } = ctx
  const { conversation } = subject
  const { drawdown: details, ...extras } = conversation.extras
  const returnedAt = (updatedAt ?? at).toISOString()
  const change = details ? { extras: { ...extras, drawdown: { ...details, returnedAt } } } : {}
  await end(
    ctx,
    { ...subject, conversation: await changeConversation(tx, conversation, change, at) },
    'DRAWDOWN_RETURNED',
  )
  await askForLine(ctx, subject.journey)
}

/** The lender is asked what is drawn now, and from then on once a day (FIS12 §17.5). */
async function askForLine({ tx, at, config }: TxContext, journey: Journey): Promise<void> {
  const offer = await findSelected(tx, journey)
  const line = offer && (await readConversation(tx, offer.tenantId, offer.journeyId, offer.conversationId))
  if (!line || line.stage === 'ENDED') return
  const drawn = line.stage === 'CONFIRMED' ? await changeConversation(tx, line, { stage: 'DISBURSED' }, at) : line
  await scheduleFollowUp(tx, drawn, at, config.STATUS_POLL_SECONDS)
  // The question of the day may be scheduled already.
  await hastenFollowUp(tx, drawn, secondsAfter(at, config.STATUS_POLL_SECONDS))
}

/** No answer: without an agreement the drawdown has failed; with one the lender may pay out, so it is asked again. */
async function onSilence(ctx: TxContext, subject: Subject): Promise<void> {
  const { conversation, drawdown } = subject
  if (drawdown.status === 'AGREED') return scheduleFollowUp(ctx.tx, conversation, ctx.at)
  if (isOpen(drawdown)) await end(ctx, subject, 'LENDER_NOT_ANSWERING')
}

/** An error, and the request that it answers; null for one that answers none. */
interface ErrorAnswer {
  code: string
  of: AwaitedRequest | 'form' | null
}

/**
 * An error ends a drawdown only as the answer to the request that would bring it on. After the agreement the money may be on
 * its way: an error about the status says nothing, except that there is no order.
 */
async function onError(ctx: TxContext, subject: Subject, { code, of }: ErrorAnswer): Promise<void> {
  const { conversation, drawdown } = subject
  const { tx, at } = ctx
  if (drawdown.status === 'REQUESTED' && of === 'init') return end(ctx, subject, reasonFor(code))
  if (drawdown.status !== 'AGREED') return
  if (of === 'status' && code === unknownOrderCode && conversation.stage === 'CONFIRM_SENT')
    return confirmAgain(ctx, subject, null)
  if (of === 'confirm' && effectOf(code, 'after-offer', '2.3.0') !== 'retry') return end(ctx, subject, reasonFor(code))
  await scheduleFollowUp(tx, conversation, at)
}

/** An unpublished code, and one about an application, say nothing to the borrower. */
function reasonFor(code: string): PaymentReason {
  const reason = reasonOf(code, '2.3.0')
  return reason === 'NOT_TAKEN_FURTHER' || reason === 'OFFER_GONE' || reason === 'NO_OFFER_POSSIBLE'
    ? 'DRAWDOWN_REFUSED'
    : reason
}

/** How often an agreement is sent; a lender that still has no order is only asked. */
const mostAgreements = 3

/**
 * The lender has no order: the agreement is sent again while the terms stand for which the borrower gave it. `stated` are
 * terms that the lender repeats with its answer.
 */
async function confirmAgain(ctx: TxContext, subject: Subject, stated: DrawdownTerms | null): Promise<void> {
  const { conversation, drawdown } = subject
  if (stated && !isAgreed(drawdown, stated)) return end(ctx, subject, 'DRAWDOWN_TERMS_CHANGED')
  if (!mayBeAgreedTo({ ...drawdown, status: 'TERMS_READY' }, ctx.at)) return end(ctx, subject, 'LENDER_NOT_ANSWERING')
  if ((conversation.extras.drawdown?.agreements ?? 0) >= mostAgreements)
    return scheduleFollowUp(ctx.tx, conversation, ctx.at)
  await sendAgreement(ctx, conversation)
}

async function end(ctx: TxContext, { journey, conversation, drawdown }: Subject, reason: PaymentReason): Promise<void> {
  const { tx, at } = ctx
  const failed = await moveDrawdown(ctx, journey, drawdown, { move: 'failed', reason })
  if (!failed) return
  // After the agreement, a payout that is reported late still counts.
  if (failed.agreedAt) await changeConversation(tx, conversation, noAwaitedAnswer, at)
  else await endConversation(tx, conversation, `the drawdown has failed: ${reason}`, at)
}
