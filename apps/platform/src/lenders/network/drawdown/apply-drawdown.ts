// Applies a lender's messages about a drawdown: its terms, the order, the payout, and refusals (FIS12 §27.5).

import { durationMs } from '@lendloom/foundation/clock'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import { effectOf, reasonOf } from '@lendloom/wire/network/errors'
import type { DrawdownOrder, DrawdownPayout } from '@lendloom/wire/network/v230/drawdown'
import type { TxContext } from '#platform/context.ts'
import { type Conversation, noAwaitedAnswer } from '#platform/lenders/network/conversation.ts'
import type { LenderOrder } from '#platform/lenders/network/dialect.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/lenders/network/open-conversation.ts'
import { changeConversation, readConversation } from '#platform/lenders/network/store.ts'
import { type Drawdown, isOpen, mayBeAgreedTo } from '#platform/lending/drawdown/drawdown.ts'
import { findDrawdown, moveDrawdown } from '#platform/lending/drawdown/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
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
  if (inbound.type === 'nacked') return onError(ctx, subject, inbound.error.code)
  if (!('order' in inbound)) return
  if (inbound.error) return onError(ctx, subject, inbound.error.code)
  const { order, solicited } = inbound
  if (order?.drawdown) await onOrder(ctx, subject, { ...order, solicited, of: order.drawdown })
}

interface ReportedOrder extends Pick<LenderOrder, 'orderId' | 'state'> {
  solicited: boolean
  of: DrawdownOrder
}

/** What the lender's order says of the drawdown. The most advanced part decides, because lenders repeat the others. */
async function onOrder(
  ctx: TxContext,
  { journey, conversation, drawdown }: Subject,
  { orderId, state, solicited, of: order }: ReportedOrder,
): Promise<void> {
  const { tx, at } = ctx
  const isOther = conversation.orderId !== null && orderId !== null && orderId !== conversation.orderId
  if (isOther || order.lineOrderId !== conversation.extras.drawdown?.lineOrderId)
    return ctx.log.warn({ journeyId: journey.journeyId, orderId }, 'ignored the order of another drawdown')
  const change = orderId === null ? {} : { orderId }
  const current = { journey, drawdown, conversation: await changeConversation(tx, conversation, change, at) }
  const { payout } = order
  if (payout?.hasFailed || state === 'CANCELLED')
    return end(ctx, current, drawdown.status === 'PAID_OUT' ? 'DRAWDOWN_RETURNED' : 'DRAWDOWN_REFUSED')
  if (payout?.paid) return onPaidOut(ctx, current, payout)
  if (order.approval === 'REJECTED' || state === 'REJECTED') return end(ctx, current, 'DRAWDOWN_REFUSED')
  if (orderId !== null) return onPlaced(ctx, current)
  // A status without an order answers our question whether the agreement has arrived.
  if (drawdown.status === 'AGREED') return solicited ? confirmAgain(ctx, current) : undefined
  await onTerms(ctx, current, order)
}

/** The lender's terms, also changed ones, until the borrower has agreed. */
async function onTerms(
  ctx: TxContext,
  { journey, conversation, drawdown }: Subject,
  { lineOrderId, terms, consent, payout, itemId, parentItemId, fulfillmentId }: DrawdownOrder,
): Promise<void> {
  const { tx, at } = ctx
  if (!terms || !consent) return
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
async function onPlaced({ tx, at, config }: TxContext, { conversation, drawdown }: Subject): Promise<void> {
  if (drawdown.status !== 'AGREED') return
  const placed = await changeConversation(tx, conversation, { ...noAwaitedAnswer, stage: 'CONFIRMED' }, at)
  await scheduleFollowUp(tx, placed, at, config.STATUS_POLL_SECONDS)
}

/** The first payout is the disbursal of the journey (D1 DISBURSED); later ones are no event of D1. */
async function onPaidOut(
  ctx: TxContext,
  { journey, conversation, drawdown }: Subject,
  { amount, account, paid }: DrawdownPayout,
): Promise<void> {
  const { tx, at } = ctx
  const after = await moveDrawdown(ctx, journey, drawdown, {
    move: 'paidOut',
    paidOutAt: at,
    paidPaise: amount,
    payoutReference: paid?.transactionId ?? null,
    accountEnding: endingOf(account) ?? drawdown.accountEnding,
    reason: null,
  })
  if (!after) return
  if (drawdown.agreedAt === null || drawdown.principalPaise === null || amount > drawdown.principalPaise)
    ctx.log.warn({ journeyId: journey.journeyId }, 'a lender paid out what the borrower had not agreed to')
  await changeConversation(tx, conversation, { ...noAwaitedAnswer, stage: 'DISBURSED' }, at)
  const offer = await findSelected(tx, journey)
  const line = offer && (await readConversation(tx, offer.tenantId, offer.journeyId, offer.conversationId))
  if (line?.stage === 'CONFIRMED') await changeConversation(tx, line, { stage: 'DISBURSED' }, at)
  await recordDisbursal(ctx, journey)
}

/** No answer: without an agreement the drawdown has failed; with one the lender may pay out, so it is asked again. */
async function onSilence(ctx: TxContext, subject: Subject): Promise<void> {
  const { conversation, drawdown } = subject
  if (drawdown.status === 'AGREED') return scheduleFollowUp(ctx.tx, conversation, ctx.at)
  if (isOpen(drawdown)) await end(ctx, subject, 'LENDER_NOT_ANSWERING')
}

async function onError(ctx: TxContext, subject: Subject, code: string): Promise<void> {
  const { conversation, drawdown } = subject
  if (!isOpen(drawdown)) return
  const { tx, at } = ctx
  if (drawdown.status === 'AGREED') {
    if (code === unknownOrderCode && conversation.stage === 'CONFIRM_SENT') return confirmAgain(ctx, subject)
    if (conversation.stage === 'CONFIRMED' || effectOf(code, 'after-offer', '2.3.0') === 'retry')
      return scheduleFollowUp(tx, conversation, at)
  }
  await end(ctx, subject, reasonFor(code))
}

/** An unpublished code, and one about an application, say nothing to the borrower. */
function reasonFor(code: string): PaymentReason {
  const reason = reasonOf(code, '2.3.0')
  return reason === 'NOT_TAKEN_FURTHER' || reason === 'OFFER_GONE' || reason === 'NO_OFFER_POSSIBLE'
    ? 'DRAWDOWN_REFUSED'
    : reason
}

/** The lender has no order: the agreement is sent again while the terms stand, for which the borrower gave it. */
async function confirmAgain(ctx: TxContext, subject: Subject): Promise<void> {
  const { conversation, drawdown } = subject
  if (mayBeAgreedTo({ ...drawdown, status: 'TERMS_READY' }, ctx.at)) await sendAgreement(ctx, conversation)
  else await end(ctx, subject, 'LENDER_NOT_ANSWERING')
}

async function end(ctx: TxContext, { journey, conversation, drawdown }: Subject, reason: PaymentReason): Promise<void> {
  const { tx, at } = ctx
  const failed = await moveDrawdown(ctx, journey, drawdown, { move: 'failed', reason })
  if (!failed) return
  // After the agreement, a payout that is reported late still counts.
  if (failed.agreedAt) await changeConversation(tx, conversation, noAwaitedAnswer, at)
  else await endConversation(tx, conversation, `the drawdown has failed: ${reason}`, at)
}
