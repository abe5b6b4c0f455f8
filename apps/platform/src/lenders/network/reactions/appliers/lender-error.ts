// Applies an error of the chosen lender to the borrower's current step (FIS12 §3.4, §13.3).

import { ownValue } from '@lendloom/foundation/record'
import type { EndReason, ErrorReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import { type ErrorEffect, effectOf, isAboutMessage, reasonOf } from '@lendloom/wire/network/errors'
import type { TxContext } from '#platform/context.ts'
import { recordConsentRefused } from '#platform/lenders/network/consent/consent-request.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { dialectOf } from '#platform/lenders/network/dialect.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import { isConfirmedUnsigned, isPaidOut } from '#platform/lenders/network/inbound/move-of-callback.ts'
import { endConversation, reopenPage } from '#platform/lenders/network/open-conversation.ts'
import { recoverFromConfirmationError } from '#platform/lenders/network/reactions/appliers/disbursed-loan.ts'
import { forgetReturn, recoverFromPassedPage } from '#platform/lenders/network/reactions/appliers/unreported-page.ts'
import { hasExhaustedRetries } from '#platform/lenders/network/reactions/follow-up-worker.ts'
import { isWithLender, type Journey } from '#platform/lending/journey/journey.ts'
import { recordVisitFailed } from '#platform/lending/offer/branch-visit.ts'
import { withdrawOffer } from '#platform/lending/offer/lender-answers.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { endAsRejected } from '#platform/lending/step/lender-decision.ts'
import { countRetry, markStepFailed, markStepRevoked } from '#platform/lending/step/move-step.ts'
import { isDoneOnPage, type JourneyStep, type StepName } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'

/** The step that the borrower may repeat after an error with this effect. */
const stepOfEffect: Partial<Record<ErrorEffect, StepName>> = {
  kycRetry: 'kyc',
  bankFailed: 'bankMandate',
  mandateFailed: 'eMandate',
  agreementFailed: 'loanAgreement',
}

/** The step of a lender's page, by the heading of the page's form. */
const stepOfHeading: Record<string, StepName> = {
  KYC: 'kyc',
  KYC_OFFLINE: 'kyc',
  JOURNEY_OFFLINE: 'kyc',
  SINGLE_REDIRECTION: 'kyc',
  EMANDATE: 'eMandate',
  LIEN_MARKING: 'eMandate',
  LOAN_AGREEMENT: 'loanAgreement',
}

/** Returns the step that an error is about. A form error is about the form that was submitted last. */
const stepOfError = ({ formHeading }: Conversation, effect: ErrorEffect): StepName | undefined =>
  effect === 'backToForm' ? (ownValue(stepOfHeading, formHeading ?? '') ?? 'bankMandate') : stepOfEffect[effect]

/** The reason for ending a loan that the borrower cannot continue by repeating a step. */
const reasonWithoutStep = reasonOf('40000')

/**
 * Returns the step to repeat. Steps done at the branch are repeated by a new visit, which is the `kyc` step (FIS12
 * §13.3). Returns null if the visit is already completed.
 */
async function stepToRepeat(tx: Tx, journey: Journey, name: StepName): Promise<JourneyStep | null> {
  const step = await findStep(tx, journey, name)
  if (!productOf(journey).visitsBranch && step.status !== 'NOT_REQUIRED') return step
  const visit = await findStep(tx, journey, 'kyc')
  return visit.status === 'SUCCESS' ? null : visit
}

/** An error of a lender. It is `solicited` if it answers a request of the platform. */
export interface LenderError {
  code: string
  solicited: boolean
}

export async function applyLenderError(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { code, solicited }: LenderError,
): Promise<void> {
  const { tx, at } = ctx
  // The borrower has the money: we ask the lender until it has recorded the loan.
  if (isPaidOut(conversation)) return scheduleFollowUp(tx, conversation, at)
  if (await recoverFromPassedPage(ctx, journey, conversation, { code, solicited })) return
  if (isConfirmedUnsigned(conversation) && (await recoverFromConfirmationError(ctx, journey, conversation, code)))
    return
  const effect = effectOf(code, 'after-offer', dialectOf(journey))
  if (conversation.stage === 'LIEN_REQUESTED' && effect === 'retry')
    return void (await markStepFailed(tx, journey, {
      name: 'eMandate',
      problem: 'LIEN_NOT_MARKED',
      retryable: true,
      at,
    }))
  const stepName = isWithLender(journey) ? stepOfError(conversation, effect) : undefined
  const step = stepName && (await stepToRepeat(tx, journey, stepName))
  const reason = step === null ? reasonWithoutStep : reasonOf(code, dialectOf(journey))
  if (step) return allowRetry(ctx, journey, conversation, { step, code, solicited, reason })
  if (effect === 'disbursalPending') await recordConsentRefused(ctx, journey, conversation, reason)
  if (solicited && isAboutMessage(code) && (await hasExhaustedRetries(tx, conversation)))
    return endRejected(ctx, journey, conversation, { because: `error ${code}`, reason: reasonWithoutStep })
  if (effect === 'retry' || effect === 'disbursalPending') return scheduleFollowUp(tx, conversation, at)
  if (effect === 'kycFailed') await failKyc(tx, journey, reason, at)
  await endRejected(ctx, journey, conversation, { because: `error ${code}`, reason })
}

/** An error about one of the borrower's steps. */
interface StepError extends LenderError {
  step: JourneyStep
  reason: ErrorReason
}

/** Lets the borrower repeat the step. Asks the lender for the page if the page has not arrived. */
async function allowRetry(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { step, code, solicited, reason }: StepError,
): Promise<void> {
  const { tx, at } = ctx
  const { name, status } = step
  if (status === 'SUCCESS') return revokeSuccess(ctx, journey, conversation, { step, code, solicited, reason })
  if (status === 'PENDING' || (name !== 'bankMandate' && !isDoneOnPage(step)))
    return scheduleFollowUp(tx, conversation, at)
  if (!solicited) await countRetry(tx, journey, name, at)
  await forgetReturn(tx, conversation, at)
  await markStepFailed(tx, journey, { name, problem: reason, retryable: true, at })
  if (name === 'kyc') await recordVisitFailed(tx, journey, conversation.conversationId, at)
}

/**
 * Handles an error about a step that the lender had reported as completed. Reopens the page if it was the last page and
 * the error answers the request that followed. Ignores an unsolicited error, which may be old. Otherwise ends the loan.
 */
async function revokeSuccess(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { step: { name }, code, solicited, reason }: StepError,
): Promise<void> {
  const { tx, at } = ctx
  const isAwaitingLender = conversation.stage === 'INITIATED' || conversation.stage === 'CONFIRM_SENT'
  if (!solicited || !isAwaitingLender)
    return ctx.log.warn({ party: conversation.bppId, code, step: name }, 'ignored an error about a completed step')
  const isLastPage = ownValue(stepOfHeading, conversation.formHeading ?? '') === name
  if (isLastPage && (await reopenPage(tx, conversation, at)))
    return void (await markStepRevoked(tx, journey, { name, problem: reason, retryable: true, at }))
  await endRejected(ctx, journey, conversation, { because: `error ${code}`, reason: reasonWithoutStep })
}

/** Fails KYC without a retry, even if the lender had reported KYC as completed. */
async function failKyc(tx: Tx, journey: Journey, reason: ErrorReason, at: Date): Promise<void> {
  const { status } = await findStep(tx, journey, 'kyc')
  await (status === 'SUCCESS' ? markStepRevoked : markStepFailed)(tx, journey, {
    name: 'kyc',
    problem: reason,
    retryable: false,
    at,
  })
}

interface Rejection {
  /** For operators. */
  because: string
  /** For the borrower. */
  reason: EndReason
}

/** Ends what a lender rejected: before the borrower's choice its offer, and later, or without another offer, the journey. */
export async function endRejected(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { because, reason }: Rejection,
): Promise<void> {
  const { tx, at } = ctx
  await endConversation(tx, conversation, because, at)
  if (await withdrawOffer(ctx, journey, conversation, 'NOT_TAKEN_FURTHER')) return
  await endAsRejected(ctx, journey, reason)
}
