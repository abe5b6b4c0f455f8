// Applies on_init, on_status, on_confirm, on_update and on_cancel: due and completed pages, sanction, disbursal (FIS12 §8.1).

import type { StepReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { required } from '#kit/runtime/record.ts'
import { recordConsentRefused, recordConsentUsed } from '#platform/aa/require.ts'
import { creditLinePollSeconds, scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { TxContext } from '#platform/context.ts'
import { advance } from '#platform/journey/advance.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { confirm, init } from '#platform/network/ask-lender.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { isSecured, type LenderOrder } from '#platform/network/dialect.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import type { ConversationStage, InboundMove } from '#platform/network/stage.ts'
import { storeDocuments } from '#platform/offer/documents.ts'
import { storeLine } from '#platform/offer/pledge.ts'
import { recordVisitBooked } from '#platform/offer/visit.ts'
import { productOf } from '#platform/product/products.ts'
import { completeRefresh } from '#platform/servicing/request.ts'
import {
  countRetry,
  endAsRejected,
  markStepFailed,
  markStepReady,
  markStepSucceeded,
  moveStep,
  recordDisbursal,
  recordSanction,
  skipSteps,
  skipStepsDoneAtBranch,
  storeInstallments,
} from '#platform/step/move.ts'
import { finalTermsOf, findStep, type StepName } from '#platform/step/store.ts'
import { applyLenderError } from './lender-error.ts'
import { onMonitoringAccepted, onMonitoringRequested } from './offered.ts'
import { installmentsFrom, onDisbursedLoanCallback } from './paid-out.ts'

type LoanCallback = InboundMessage<'on_init' | 'on_status' | 'on_confirm' | 'on_update' | 'on_cancel'>

export async function onLoanCallback(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  callback: LoanCallback,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation || !journey.active) return
  if (journey.status === 'DISBURSED') return onDisbursedLoanCallback(ctx, journey, conversation, callback)
  if (callback.error) return onOrderError(ctx, journey, conversation, callback)
  const { order, move } = callback
  if (!order || move === null) return
  await storeInstallments(tx, journey, installmentsFrom(order), at)
  await storeDocuments(ctx, journey, order.documents)
  if (move === 'cancelled') return loanCancelled(ctx, journey, conversation)
  // A failed page is more specific than the state that follows from it.
  if (order.state === 'REJECTED' && move !== 'pageFailed') return orderRejected(ctx, journey, conversation)
  if (placedStages.includes(conversation.stage)) {
    // The placed order implies the signature, even if the lender never reported it.
    await completeStep(tx, journey, 'loanAgreement', at)
    await updateLine(tx, journey, order, at)
  }
  if (callback.type === 'on_update') await onMonitoringAccepted(ctx, journey, conversation, move)
  await effects[move]?.(ctx, journey, conversation, order)
  if (order.secured?.line && callback.type === 'on_status' && callback.solicited) await completeRefresh(tx, journey, at)
}

/** Stages in which the order is placed, so that reports about its credit line apply. */
const placedStages: ConversationStage[] = [
  'CONFIRMED',
  'MONITORING_REQUESTED',
  'MONITORING_GIVEN',
  'DISBURSED',
  'ENDED',
]

async function updateLine(tx: Tx, journey: Journey, { secured }: LenderOrder, at: Date): Promise<void> {
  if (secured?.line) await storeLine(tx, journey, secured.line, at)
}

/** These codes say that the status is unavailable, not that the loan is rejected (FIS12 §11.2). */
const unknownOrder = '30018'
const statusUnavailable = [unknownOrder, '40001']

async function onOrderError(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { type, error, solicited }: LoanCallback,
): Promise<void> {
  const { tx, at } = ctx
  const { code } = required(error, 'the error in place of an order')
  if (type !== 'on_status' || !solicited || !statusUnavailable.includes(code))
    return applyLenderError(ctx, journey, conversation, { code, solicited })
  // The lender never received the confirmation.
  if (code === unknownOrder && conversation.stage === 'CONFIRM_SENT')
    return void (await confirm(ctx, conversation, await finalTermsOf(tx, ctx, journey)))
  await scheduleFollowUp(tx, conversation, at)
}

type MoveEffect = (ctx: TxContext, journey: Journey, conversation: Conversation, order: LenderOrder) => Promise<unknown>

/** The effect of each move on the journey; a move without an entry changes nothing. */
const effects: Partial<Record<InboundMove, MoveEffect>> = {
  kycRequested: async (ctx, journey, conversation, order) => {
    const { tx, at } = ctx
    await pageRequested('kyc')(ctx, journey, conversation, order)
    if (!order.secured?.offline) return
    await skipStepsDoneAtBranch(tx, journey, at)
    // Already recorded on the offer; recorded on the journey from now on.
    if (journey.lenderMode !== 'OFFLINE') await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
  },
  bankRequested: pageRequested('bankMandate'),
  // Pledging units and setting up the mandate are two pages of one step (FIS12 §13.3).
  lienRequested: pageRequested('eMandate'),
  mandateRequested: pageRequested('eMandate'),
  agreementRequested: async (ctx, journey, conversation, order) => {
    const { tx, at } = ctx
    // The lender did not request account or mandate, so it handled them itself (FIS12 §19.3).
    if (!isSecured(conversation)) await skipUnrequestedSteps(tx, journey, ['bankMandate', 'eMandate'], at)
    await pageRequested('loanAgreement')(ctx, journey, conversation, order)
  },
  pageDone,
  pageFailed,
  pageWaiting: onVisitBooked,
  sanctioned: async (ctx, journey, conversation, _) => {
    const { tx, at } = ctx
    await skipUnrequestedSteps(tx, journey, ['bankMandate', 'eMandate', 'loanAgreement'], at)
    await recordSanction(tx, journey, at)
    await confirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  },
  allSigned: async (ctx, journey, conversation, _) => {
    const { tx } = ctx
    return confirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  },
  confirmed: async (ctx, journey, conversation, { secured }) => {
    const { tx, at } = ctx
    await recordSanction(tx, journey, at)
    // A credit line is open and its first drawdown has no date, so nothing is awaited (FIS12 §17.5).
    await scheduleFollowUp(tx, conversation, at, secured?.line ? creditLinePollSeconds : ctx.config.STATUS_POLL_SECONDS)
  },
  notConfirmed: async (ctx, journey, conversation, _) => {
    const { tx } = ctx
    return confirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  },
  consentRequested: onMonitoringRequested,
  disbursed: async (ctx, journey, conversation, _) => {
    const { tx, at } = ctx
    await recordConsentUsed(tx, journey, conversation, at)
    await recordDisbursal(ctx, journey)
  },
  completed: async ({ tx, at }, journey, __, ___) => updateJourney(tx, journey, { active: false, closedAt: at }, at),
}

/** Makes a page due. A request for a later page implies that the account was verified. */
function pageRequested(name: StepName): MoveEffect {
  return async ({ tx, at }, journey, __, order) => {
    if (name !== 'bankMandate') await completeStep(tx, journey, 'bankMandate', at)
    const { form } = order
    if (form)
      await markStepReady(tx, journey, {
        name,
        page: { url: form.mimeType === 'application/html' ? form.url : null, formId: form.id, heading: form.heading },
        at,
      })
  }
}

/** Completes a step that lenders do not report, such as the account: the next page implies it (FIS12 §13.3). */
async function completeStep(tx: Tx, journey: Journey, name: StepName, at: Date): Promise<void> {
  const { status } = await findStep(tx, journey, name)
  if (status !== 'SUCCESS' && status !== 'NOT_REQUIRED') await markStepSucceeded(tx, journey, name, at)
}

/**
 * Skips steps that the lender never requested. A lender that did not request the account has recorded it outside the
 * app.
 */
async function skipUnrequestedSteps(tx: Tx, journey: Journey, names: StepName[], at: Date): Promise<void> {
  const skipped = await skipSteps(tx, journey, names, at)
  if (skipped.includes('bankMandate') && journey.lenderMode !== 'OFFLINE')
    await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
}

/** The step of a page, by the conversation's stage before and after the message. */
const stepOfStage: Partial<Record<ConversationStage, StepName>> = {
  FINAL_TERMS: 'kyc',
  KYC_DONE: 'kyc',
  LIEN_REQUESTED: 'eMandate',
  MANDATE_REQUESTED: 'eMandate',
  MANDATE_DONE: 'eMandate',
  AGREEMENT_REQUESTED: 'loanAgreement',
  AGREEMENT_DONE: 'loanAgreement',
}

async function pageDone(ctx: TxContext, journey: Journey, conversation: Conversation, _: LenderOrder): Promise<void> {
  const { tx, at } = ctx
  const name = stepOfStage[conversation.stage]
  if (conversation.stage === 'LIEN_DONE') {
    await moveStep(tx, journey, {
      name: 'eMandate',
      move: 'begun',
      change: { resourceUrl: null, diagnostics: null, attempts: 0 },
      at,
    })
    await init(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  }
  if (!name) return
  await countRetry(tx, journey, name, at)
  await markStepSucceeded(tx, journey, name, at)
  // A borrower who opened the page without our link also counts as redirected (D1 §3).
  const journeyNow =
    name === 'kyc' && journey.status === 'OFFER_ACCEPTED' ? await advance(ctx, journey, 'redirected') : journey
  const finalTerms = await finalTermsOf(tx, ctx, journeyNow)
  // In a loan against mutual funds, the signature is one more page that is reported as done (FIS12 §10.2 row 11).
  if (name === 'loanAgreement' && !isSecured(conversation)) await confirm(ctx, conversation, finalTerms)
  else await init(ctx, conversation, finalTerms)
}

/** The visit is booked. The lender is not obliged to report its outcome, so it is polled (FIS12 §9.1 rows 5–6). */
async function onVisitBooked(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { formResponse }: LenderOrder,
): Promise<void> {
  const { tx, at } = ctx
  if (formResponse?.status !== 'OFFLINE_PENDING' || conversation.stage !== 'FINAL_TERMS') return
  const { status, attempts } = await findStep(tx, journey, 'kyc')
  if (status !== 'IN_PROGRESS')
    await moveStep(tx, journey, { name: 'kyc', move: 'begun', change: { attempts: attempts + 1 }, at })
  await recordVisitBooked(tx, journey, conversation.conversationId, at)
  if (journey.status === 'OFFER_ACCEPTED') await advance(ctx, journey, 'redirected')
  await scheduleFollowUp(tx, conversation, at)
}

const failureReasons: Partial<Record<StepName, StepReason>> = {
  kyc: 'IDENTITY_NOT_VERIFIED',
  eMandate: 'MANDATE_MISSING',
  loanAgreement: 'AGREEMENT_MISSING',
}

function failureOf(
  journey: Journey,
  { stage, formHeading }: Conversation,
  { secured }: LenderOrder,
  name: StepName | undefined,
): StepReason {
  const { failedVisitReason } = productOf(journey)
  if (failedVisitReason !== null) return failedVisitReason
  if (secured?.offline || formHeading === 'JOURNEY_OFFLINE') return 'LENDER_PAGE_NOT_DONE'
  if (stage === 'LIEN_REQUESTED') return 'UNITS_NOT_PLEDGED'
  return (name && failureReasons[name]) ?? 'LENDER_CANNOT_GO_ON'
}

/** A page that ended REJECTED or EXPIRED stops the flow (FIS12 §7.7, §13.1). */
async function pageFailed(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  order: LenderOrder,
): Promise<void> {
  const { tx, at } = ctx
  const name = stepOfStage[conversation.stage]
  const reason = failureOf(journey, conversation, order, name)
  if (name) {
    await countRetry(tx, journey, name, at)
    await markStepFailed(tx, journey, { name, problem: reason, retryable: false, at })
  }
  await endConversation(tx, conversation, 'a page was rejected or has expired', at)
  await endAsRejected(ctx, journey, reason)
}

async function orderRejected(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  await endConversation(tx, conversation, 'the lender rejected the order', at)
  await endAsRejected(ctx, journey, 'APPLICATION_REJECTED')
}

/** The lender cancels a sanctioned loan, which ends it (FIS12 §11.3). */
async function loanCancelled(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  const reason = 'LOAN_CANCELLED'
  await recordConsentRefused(ctx, journey, conversation, reason)
  const { status } = await findStep(tx, journey, 'disbursal')
  if (status === 'IN_PROGRESS')
    await markStepFailed(tx, journey, { name: 'disbursal', problem: reason, retryable: false, at })
  await endAsRejected(ctx, journey, reason)
}
