// Applies a lender's messages about a disbursed loan (FIS12 §11.1), and the borrower's visits to the agreement page
// (FIS12 §19.3).

import { secondsAfter } from '@lendloom/foundation/clock'
import { effectOf, reasonOf } from '@lendloom/wire/network/errors'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import { support, track } from '@lendloom/wire/network/v203/update-and-status'
import type { TxContext } from '#platform/context.ts'
import { type Conversation, hasAgreedTo } from '#platform/lenders/network/conversation.ts'
import { hastenFollowUp, scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { reopenPage } from '#platform/lenders/network/open-conversation.ts'
import { askAside } from '#platform/lenders/network/queue-request.ts'
import { applyLoanMessage, failServicing } from '#platform/lenders/network/servicing/apply-loan-message.ts'
import { recordExitPrice } from '#platform/lenders/network/servicing/exit-price.ts'
import { changeConversation, readConversation } from '#platform/lenders/network/store.ts'
import type { Installment } from '#platform/lending/journey/installment.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { storeDocuments } from '#platform/lending/offer/loan-documents.ts'
import { storeLine } from '#platform/lending/offer/pledge.ts'
import { setPayoutReference } from '#platform/lending/offer/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { markStepFailed } from '#platform/lending/step/move-step.ts'

/** The request that a callback about a disbursed loan answers. */
const requestedActions = {
  on_init: 'update',
  on_confirm: 'update',
  on_update: 'update',
  on_status: 'status',
  on_cancel: 'cancel',
} as const

/** Applies a callback about a disbursed loan: its papers, line and instalments, and the price of leaving. */
export async function onDisbursedLoanCallback(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { type, order, error, solicited }: InboundMessage<'on_init' | 'on_status' | 'on_confirm' | 'on_update' | 'on_cancel'>,
): Promise<void> {
  const { tx, at } = ctx
  if (error) {
    const action = solicited ? requestedActions[type] : null
    return failServicing(ctx, journey, conversation, { code: error.code, action })
  }
  if (!order) return
  await storeDocuments(ctx, journey, order.documents)
  if (order.payoutReference) await setPayoutReference(tx, journey, order.payoutReference)
  if (order.secured?.line) await storeLine(tx, journey, order.secured.line, at)
  const isStatusAnswer = type === 'on_status' && solicited
  const { status: exit } = conversation.extras.cancellation ?? {}
  const isReturn = order.servicing.some(({ label }) => label === 'FORECLOSURE')
  // The lender does not cancel the loan, although it answers.
  if (type === 'on_cancel' && solicited && exit === 'CONFIRMED' && !isReturn && order.state !== 'CANCELLED')
    return failServicing(ctx, journey, conversation, { code: '40001', action: 'cancel' })
  const isPriced = type === 'on_cancel' || (exit === 'CONFIRMED' && order.returnAccount !== null)
  const current = isPriced ? await recordExitPrice(ctx, conversation, order) : conversation
  // The borrower has not requested the payment of a stated price.
  const isQuote = type === 'on_cancel' && exit === 'ASKED'
  await applyLoanMessage(ctx, journey, current, {
    order: isQuote ? { ...order, servicing: [] } : order,
    installments: installmentsFrom(order),
    isStatusAnswer,
    isUnsolicited: !solicited,
  })
}

/** Uses the end of an instalment's period as its due date, because the network states no due date (FIS12 §13.5). */
export const installmentsFrom = ({ installments }: NetworkOrder): Installment[] =>
  installments.map(({ amount, status, startsAt, endsAt }, i) => ({
    serialNumber: i + 1,
    amount: amount.toString(),
    status,
    startsAt: startsAt.toISOString(),
    dueAt: endsAt.toISOString(),
  }))

/** Time after which a borrower who has not returned from the agreement page is assumed to have signed. */
const signingSeconds = 120
/** Time that the lender has to report the signature after the borrower has returned. */
const reportSeconds = 5

export async function onAgreementVisited(
  { tx, at }: TxContext,
  _: Journey,
  conversation: Conversation | null,
  { isBack }: InboundMessage<'agreement_visited'>,
): Promise<void> {
  if (!conversation) return
  await scheduleFollowUp(tx, conversation, at, signingSeconds)
  if (isBack) await hastenFollowUp(tx, conversation, secondsAfter(at, reportSeconds))
}

/**
 * Handles the lender's error about a confirmation that was sent before the lender reported the signature. Reopens the
 * agreement page, and confirms the loan later. Returns false for a final rejection, or if no page can be reopened.
 */
export async function recoverFromConfirmationError(
  { tx, at }: TxContext,
  journey: Journey,
  conversation: Conversation,
  code: string,
): Promise<boolean> {
  const effect = effectOf(code, 'after-offer')
  const isFinal = effect === 'kycFailed' || (effect === 'rejected' && /^(?:80|40003)/.test(code))
  const reopened = isFinal ? undefined : await reopenPage(tx, conversation, at)
  if (!reopened) return false
  if (effect === 'agreementFailed')
    await markStepFailed(tx, journey, { name: 'loanAgreement', problem: reasonOf(code), retryable: true, at })
  await scheduleFollowUp(tx, reopened, at, signingSeconds)
  return true
}

/** Asks one question; the next one follows with the lender's next message, because messages must arrive in order. */
export async function askAboutLoan(
  ctx: TxContext,
  journey: Journey,
  { bppId, conversationId }: Pick<Conversation, 'bppId' | 'conversationId'>,
): Promise<void> {
  const { tx, at, config } = ctx
  const spoken = (['support', 'track'] as const).filter((action) => hasAgreedTo(config, bppId, action))
  if (spoken.length === 0) return
  // The caller's effects may have changed the conversation.
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, conversationId)
  const { orderId = null, stage, extras } = conversation ?? {}
  const { requested = [] } = extras ?? {}
  const action = spoken.find((each) => !requested.includes(each) && !(each === 'track' && stage === 'DISBURSED'))
  if (!conversation || orderId === null || action === undefined) return
  const message = action === 'track' ? track(orderId) : await supportMessage(ctx, journey, orderId)
  const request = { action, message, ttl: config.NETWORK_CALL_TTL }
  const { conversation: current } = await askAside(ctx, conversation, request)
  await changeConversation(tx, current, { extras: { ...current.extras, requested: [...requested, action] } }, at)
}

async function supportMessage(ctx: TxContext, journey: Journey, orderId: string) {
  const { personal } = (await readProfile(ctx.tx, ctx, journey)).person
  return support(orderId, { phone: `+91${personal.mobile}`, email: personal.personalEmail })
}
