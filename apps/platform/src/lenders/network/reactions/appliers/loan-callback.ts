// Applies the lender's messages on_init, on_status, on_confirm, on_update and on_cancel to the journey (FIS12 §8.1).

import { required } from '@lendloom/foundation/required'
import type { StepReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import type { TxContext } from '#platform/context.ts'
import { recordConsentRefused, recordConsentUsed } from '#platform/lenders/network/consent/consent-request.ts'
import { type Conversation, hasStops, isServiced } from '#platform/lenders/network/conversation.ts'
import { isSecured, type LenderOrder } from '#platform/lenders/network/dialect.ts'
import { creditLinePollSeconds, scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import { type InboundMessage, reportsPayout } from '#platform/lenders/network/inbound/inbound-message.ts'
import { isPaidOut } from '#platform/lenders/network/inbound/move-of-callback.ts'
import { sendConfirm, sendInit } from '#platform/lenders/network/lender-requests.ts'
import { endConversation } from '#platform/lenders/network/open-conversation.ts'
import { applyLoanMessage, failServicing } from '#platform/lenders/network/servicing/apply-loan-message.ts'
import type { ConversationStage, InboundMove } from '#platform/lenders/network/stage.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import { recordClosedLoan } from '#platform/lending/journey/closed-loan.ts'
import { isLive, type Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { recordVisitBooked } from '#platform/lending/offer/branch-visit.ts'
import { storeDocuments } from '#platform/lending/offer/loan-documents.ts'
import { storeLine } from '#platform/lending/offer/pledge.ts'
import { setPayoutReference } from '#platform/lending/offer/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { finalTermsOf } from '#platform/lending/step/final-terms.ts'
import {
  endAsRejected,
  recordDisbursal,
  recordSanction,
  storeInstallments,
} from '#platform/lending/step/lender-decision.ts'
import {
  countRetry,
  markStepFailed,
  markStepReady,
  markStepSucceeded,
  moveStep,
  skipSteps,
  skipStepsDoneAtBranch,
} from '#platform/lending/step/move-step.ts'
import { noPage, type StepName } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { askAboutLoan, installmentsFrom, onDisbursedLoanCallback } from './disbursed-loan.ts'
import { applyLenderError, endRejected } from './lender-error.ts'
import { completePageStep, onPageReport, onPaidOut } from './page-progress.ts'
import { onMonitoringAccepted, onMonitoringRequested } from './select-answer.ts'
import { completePassedSteps } from './unreported-page.ts'

type LoanCallback = InboundMessage<'on_init' | 'on_status' | 'on_confirm' | 'on_update' | 'on_cancel'>

export async function onLoanCallback(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  callback: LoanCallback,
): Promise<void> {
  const { tx, at } = ctx
  // A payout counts even if the journey has expired meanwhile.
  if (!conversation || (!isLive(journey) && !reportsPayout(callback))) return
  if (journey.status === 'DISBURSED') return onDisbursedLoanCallback(ctx, journey, conversation, callback)
  if (callback.error && isPaymentOfLine(conversation, callback))
    return failServicing(ctx, journey, conversation, { code: callback.error.code, action: 'update' })
  if (callback.error) return onOrderError(ctx, journey, conversation, callback)
  const { order, move } = callback
  if (!order || move === null) return
  await Promise.all([
    storeInstallments(tx, journey, installmentsFrom(order), at),
    storeDocuments(ctx, journey, order.documents),
  ])
  if (order.payoutReference) await setPayoutReference(tx, journey, order.payoutReference)
  if (move === 'cancelled') return onLoanCancelled(ctx, journey, conversation)
  // `pageFailed` gives a more specific reason than the rejected order.
  if (order.state === 'REJECTED' && move !== 'pageFailed' && !isPaidOut(conversation))
    return endRejected(ctx, journey, conversation, {
      because: 'the lender rejected the order',
      reason: 'APPLICATION_REJECTED',
    })
  if (placedStages.includes(conversation.stage)) {
    // A placed order implies that the borrower has signed, even if the lender never reported the signature.
    await completeStep(tx, journey, 'loanAgreement', at)
    await updateLine(tx, journey, order, at)
  }
  if (callback.type === 'on_update') await onMonitoringAccepted(ctx, journey, conversation, move)
  await effects[move]?.(ctx, journey, conversation, order)
  if (order.secured?.line && placedStages.includes(conversation.stage))
    await applyLoanMessage(ctx, journey, conversation, {
      order,
      installments: [],
      isStatusAnswer: callback.type === 'on_status' && callback.solicited,
      isUnsolicited: !callback.solicited,
    })
  if (placedStages.includes(conversation.stage)) await askAboutLoan(ctx, journey, conversation)
}

/** Whether the answer is about a payment of an open credit line, which nothing needs to be drawn on before (FIS12 §27.4). */
const isPaymentOfLine = (conversation: Conversation, { type, solicited }: LoanCallback): boolean =>
  type === 'on_update' && solicited && isServiced(conversation)

/** Stages in which the order is placed. */
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

/** The lender does not know the order. */
const unknownOrderCode = '30018'
/** Codes which say that the status is unavailable, not that the loan is rejected (FIS12 §11.2). */
const statusUnavailableCodes = [unknownOrderCode, '40001']

async function onOrderError(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { type, error, solicited }: LoanCallback,
): Promise<void> {
  const { tx, at } = ctx
  const { code } = required(error, 'the error in place of an order')
  if (type !== 'on_status' || !solicited || !statusUnavailableCodes.includes(code))
    return applyLenderError(ctx, journey, conversation, { code, solicited })
  // The lender never received the confirmation, so the platform sends it again.
  if (code === unknownOrderCode && conversation.stage === 'CONFIRM_SENT')
    return void (await sendConfirm(ctx, conversation, await finalTermsOf(tx, ctx, journey)))
  await scheduleFollowUp(tx, conversation, at)
}

type MoveEffect = (ctx: TxContext, journey: Journey, conversation: Conversation, order: LenderOrder) => Promise<unknown>

/** The effect of each transition on the journey. A transition without an entry changes nothing. */
const effects: Partial<Record<InboundMove, MoveEffect>> = {
  kycRequested: async (ctx, journey, conversation, order) => {
    const { tx, at } = ctx
    await onPageRequested('kyc')(ctx, journey, conversation, order)
    if (!order.secured?.offline) return
    await skipStepsDoneAtBranch(tx, journey, at)
    // The offer already records the mode. The journey records it from now on.
    if (journey.lenderMode !== 'OFFLINE') await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
  },
  bankRequested: onPageRequested('bankMandate'),
  // Pledging units and setting up the mandate are two pages of one step (FIS12 §13.3).
  lienRequested: onPageRequested('eMandate'),
  mandateRequested: onPageRequested('eMandate'),
  agreementRequested: async (ctx, journey, conversation, order) => {
    const { tx, at } = ctx
    // A lender that never requested the account or the mandate has handled them itself (FIS12 §19.3).
    if (!isSecured(conversation)) await skipUnrequestedSteps(tx, journey, ['bankMandate', 'eMandate'], at)
    await onPageRequested('loanAgreement')(ctx, journey, conversation, order)
  },
  pageDone: onPageDone,
  pageFailed: onPageFailed,
  pageWaiting: onVisitBooked,
  refreshed: onPageReport,
  paidOut: onPaidOut,
  sanctioned: async (ctx, journey, conversation, _) => {
    const { tx, at } = ctx
    await skipUnrequestedSteps(tx, journey, ['bankMandate', 'eMandate', 'loanAgreement'], at)
    await recordSanction(tx, journey, at)
    await sendConfirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  },
  allSigned: async (ctx, journey, conversation, _) => {
    const { tx } = ctx
    return sendConfirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  },
  confirmed: async (ctx, journey, conversation, { secured }) => {
    const { tx, at } = ctx
    await recordSanction(tx, journey, at)
    // The first drawdown of an open credit line has no date, so the lender is polled less often (FIS12 §17.5).
    await scheduleFollowUp(tx, conversation, at, secured?.line ? creditLinePollSeconds : ctx.config.STATUS_POLL_SECONDS)
  },
  ordered: async (ctx, journey, conversation, order) => {
    await effects.confirmed?.(ctx, await completePageStep(ctx, journey), conversation, order)
  },
  notConfirmed: async (ctx, journey, conversation, _) => {
    const { tx } = ctx
    return sendConfirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  },
  consentRequested: onMonitoringRequested,
  disbursed: async (ctx, journey, conversation, _) => {
    const { tx, at } = ctx
    await recordConsentUsed(tx, journey, conversation, at)
    await recordDisbursal(ctx, journey)
  },
  completed: async ({ tx, at }, journey, __, { secured }) => {
    // A credit line is closed with the payments that its order reports.
    if (!secured?.line) await recordClosedLoan(tx, journey, at)
  },
}

/** Makes a step's page due. A request for any other page implies that the bank account is verified. */
function onPageRequested(name: StepName): MoveEffect {
  return async (ctx, journey, conversation, order) => {
    const { tx, at } = ctx
    if (conversation.extras.pages?.passed !== undefined) await completePassedSteps(tx, journey, name, at)
    if (name !== 'bankMandate') await completeStep(tx, journey, 'bankMandate', at)
    const { form } = order
    if (form)
      await markStepReady(ctx, journey, {
        name,
        page: { url: form.mimeType === 'application/html' ? form.url : null, formId: form.id, heading: form.heading },
        at,
      })
  }
}

/** Completes a step that the lender has not reported but that its next message implies (FIS12 §13.3). */
async function completeStep(tx: Tx, journey: Journey, name: StepName, at: Date): Promise<void> {
  const step = await findStep(tx, journey, name)
  if (step.status !== 'SUCCESS' && step.status !== 'NOT_REQUIRED') await markStepSucceeded(tx, journey, step, at)
}

/** Skips steps that the lender never requested. The mode of a lender without an account request becomes OFFLINE. */
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

async function onPageDone(ctx: TxContext, journey: Journey, conversation: Conversation, _: LenderOrder): Promise<void> {
  const { tx, at } = ctx
  const name = stepOfStage[conversation.stage]
  if (conversation.stage === 'LIEN_DONE') {
    await moveStep(tx, journey, {
      step: 'eMandate',
      move: 'begun',
      change: { ...noPage, diagnostics: null, attempts: 0 },
      at,
    })
    await sendInit(ctx, conversation, await finalTermsOf(tx, ctx, journey))
  }
  if (!name) return
  const step = await countRetry(tx, journey, name, at)
  await markStepSucceeded(tx, journey, step, at)
  // A borrower who opened the page without our link still counts as redirected (D1 §3).
  const current =
    name === 'kyc' && journey.status === 'OFFER_ACCEPTED' ? await advance(ctx, journey, 'redirected') : journey
  const finalTerms = await finalTermsOf(tx, ctx, current)
  // For a loan against mutual funds, `init` also follows the signature (FIS12 §10.2 row 11).
  if (name === 'loanAgreement' && !isSecured(conversation)) await sendConfirm(ctx, conversation, finalTerms)
  else await sendInit(ctx, conversation, finalTerms)
}

/** Records a booked visit. Polls the lender, which need not report the visit's outcome (FIS12 §9.1 rows 5–6). */
async function onVisitBooked(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { formResponse, visitAt }: LenderOrder,
): Promise<void> {
  const { tx, at } = ctx
  if (formResponse?.status !== 'OFFLINE_PENDING' || conversation.stage !== 'FINAL_TERMS') return
  const step = await findStep(tx, journey, 'kyc')
  const change = { attempts: step.attempts + 1 }
  if (step.status !== 'IN_PROGRESS') await moveStep(tx, journey, { step, move: 'begun', change, at })
  await recordVisitBooked({ tx, at }, journey, conversation.conversationId, visitAt)
  if (journey.status === 'OFFER_ACCEPTED') await advance(ctx, journey, 'redirected')
  await scheduleFollowUp(tx, conversation, at)
}

const pageFailureReasons: Partial<Record<StepName, StepReason>> = {
  kyc: 'IDENTITY_NOT_VERIFIED',
  eMandate: 'MANDATE_MISSING',
  loanAgreement: 'AGREEMENT_MISSING',
}

function pageFailureReasonOf(
  journey: Journey,
  conversation: Conversation,
  { secured, formResponse }: LenderOrder,
  name: StepName | undefined,
): StepReason {
  const { failedVisitReason } = productOf(journey)
  if (failedVisitReason !== null) return failedVisitReason
  // Such a page has several steps, and the borrower may have said no on it: nobody knows which was refused, or by whom.
  const { stage, formHeading } = conversation
  const isOnePage = secured?.offline || formHeading === 'JOURNEY_OFFLINE' || hasStops(conversation)
  if (isOnePage) return formResponse?.status === 'REJECTED' ? 'LENDER_PAGE_REFUSED' : 'LENDER_PAGE_NOT_DONE'
  if (stage === 'LIEN_REQUESTED') return 'UNITS_NOT_PLEDGED'
  return (name && pageFailureReasons[name]) ?? 'LENDER_CANNOT_GO_ON'
}

/** Ends the loan after a page was rejected or has expired (FIS12 §7.7, §13.1). */
async function onPageFailed(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  order: LenderOrder,
): Promise<void> {
  const { tx, at } = ctx
  const name = stepOfStage[conversation.stage]
  const reason = pageFailureReasonOf(journey, conversation, order, name)
  if (name) {
    await countRetry(tx, journey, name, at)
    await markStepFailed(tx, journey, { name, problem: reason, retryable: false, at })
  }
  await endConversation(tx, conversation, 'a page was rejected or has expired', at)
  await endAsRejected(ctx, journey, reason)
}

/** Ends a sanctioned loan that the lender has cancelled (FIS12 §11.3). */
async function onLoanCancelled(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  const reason = 'LOAN_CANCELLED'
  await recordConsentRefused(ctx, journey, conversation, reason)
  const { status } = await findStep(tx, journey, 'disbursal')
  if (status === 'IN_PROGRESS')
    await markStepFailed(tx, journey, { name: 'disbursal', problem: reason, retryable: false, at })
  await endAsRejected(ctx, journey, reason)
}
