// An error from the lender that holds the journey: what the network's code means for the step at hand (FIS12 §3.4, §13.3).

import { type ErrorEffect, effectOf, isAboutMessage, reasonOf } from '#contract/network/errors.ts'
import type { ErrorReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { consentRefused } from '#platform/aa/require.ts'
import { isRefusedForGood, scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { dialectOf } from '#platform/network/dialect.ts'
import { isConfirmedUnsigned } from '#platform/network/interpret-callback.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { reopenPage } from '#platform/network/reopen-page.ts'
import { visitFailed } from '#platform/offer/visit.ts'
import { productOf } from '#platform/product/products.ts'
import { countRetry, lenderRejected, stepFailed, stepTakenBack } from '#platform/step/move.ts'
import { findStep, type JourneyStep, type StepName } from '#platform/step/store.ts'
import { confirmationRefused } from './paid-out.ts'

/** Effects that let the borrower try a step again. */
const repeatable: Partial<Record<ErrorEffect, StepName>> = {
  kycRetry: 'kyc',
  bankFailed: 'bankMandate',
  mandateFailed: 'eMandate',
  agreementFailed: 'loanAgreement',
}

/** Which step a page of the lender belongs to. */
const stepOfHeading: Record<string, StepName> = {
  KYC: 'kyc',
  KYC_OFFLINE: 'kyc',
  JOURNEY_OFFLINE: 'kyc',
  EMANDATE: 'eMandate',
  LIEN_MARKING: 'eMandate',
  LOAN_AGREEMENT: 'loanAgreement',
}

/** A form error concerns the form that was answered last. */
const stepMeant = ({ formHeading }: Conversation, effect: ErrorEffect): StepName | undefined =>
  effect === 'backToForm' ? (ownValue(stepOfHeading, formHeading ?? '') ?? 'bankMandate') : repeatable[effect]

/** The error code asks for a retry, but no step is left. */
const overWithoutStep = reasonOf('40000')

/** The step to repeat: one that a visit covers at the branch is the step `kyc` (FIS12 §13.3). Null after the visit. */
async function placeOf(tx: Tx, journey: Journey, name: StepName): Promise<JourneyStep | null> {
  const step = await findStep(tx, journey, name)
  if (!productOf(journey).visitsBranch && step.status !== 'NOT_REQUIRED') return step
  const visit = await findStep(tx, journey, 'kyc')
  return visit.status === 'SUCCESS' ? null : visit
}

/** An error in place of an answer, or unasked. */
export interface LenderError {
  code: string
  solicited: boolean
}

export async function lenderError(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { code, solicited }: LenderError,
): Promise<void> {
  const { tx, at } = ctx
  if (isConfirmedUnsigned(conversation) && (await confirmationRefused(ctx, journey, conversation, code))) return
  const effect = effectOf(code, 'after-offer', dialectOf(journey))
  if (conversation.stage === 'LIEN_REQUESTED' && effect === 'retry')
    return void (await stepFailed(tx, journey, { name: 'eMandate', problem: 'LIEN_NOT_MARKED', retryable: true, at }))
  const isUnderWay = journey.status === 'LENDER_REDIRECTED' || journey.status === 'OFFER_ACCEPTED'
  const wanted = isUnderWay ? stepMeant(conversation, effect) : undefined
  const step = wanted && (await placeOf(tx, journey, wanted))
  const reason = step === null ? overWithoutStep : reasonOf(code, dialectOf(journey))
  if (step) return repeat(ctx, journey, conversation, { step, code, solicited, reason })
  if (effect === 'disbursalPending') await consentRefused(ctx, journey, conversation, reason)
  if (solicited && isAboutMessage(code) && (await isRefusedForGood(tx, conversation)))
    return rejected(ctx, journey, conversation, { code, reason: overWithoutStep })
  if (effect === 'retry' || effect === 'disbursalPending') return scheduleFollowUp(tx, conversation, at)
  if (effect === 'kycFailed') await kycFailed(tx, journey, reason, at)
  await rejected(ctx, journey, conversation, { code, reason })
}

/** An error about a step of the borrower's. */
interface StepError extends LenderError {
  step: JourneyStep
  reason: ErrorReason
}

/** The borrower does a step again, where that is possible. */
async function repeat(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { step, code, solicited, reason }: StepError,
): Promise<void> {
  const { tx, at } = ctx
  const { name, status, resourceUrl } = step
  if (status === 'SUCCESS') return takeBack(ctx, journey, conversation, { step, code, solicited, reason })
  // A page that has not arrived cannot be reopened: the lender is asked for it.
  if (status === 'PENDING' || (name !== 'bankMandate' && resourceUrl === null))
    return scheduleFollowUp(tx, conversation, at)
  if (!solicited) await countRetry(tx, journey, name, at)
  await stepFailed(tx, journey, { name, problem: reason, retryable: true, at })
  if (name === 'kyc') await visitFailed(tx, journey, conversation.conversationId, at)
}

/**
 * The lender had reported a step as completed. If the error answers the following request, its page is due again; an
 * unsolicited error may be old, and the current step continues. A lender that refuses because of an earlier step has
 * ended the loan.
 */
async function takeBack(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { step: { name }, code, solicited, reason }: StepError,
): Promise<void> {
  const { tx, at } = ctx
  const isWaiting = conversation.stage === 'INITIATED' || conversation.stage === 'CONFIRM_SENT'
  if (!solicited || !isWaiting)
    return ctx.log.warn({ party: conversation.bppId, code, step: name }, 'an error about a step that is done')
  const isLast = ownValue(stepOfHeading, conversation.formHeading ?? '') === name
  if (isLast && (await reopenPage(tx, conversation, at)))
    return void (await stepTakenBack(tx, journey, { name, problem: reason, retryable: true, at }))
  await rejected(ctx, journey, conversation, { code, reason: overWithoutStep })
}

/** Final, regardless of what the page reported. */
async function kycFailed(tx: Tx, journey: Journey, reason: ErrorReason, at: Date): Promise<void> {
  const { status } = await findStep(tx, journey, 'kyc')
  await (status === 'SUCCESS' ? stepTakenBack : stepFailed)(tx, journey, {
    name: 'kyc',
    problem: reason,
    retryable: false,
    at,
  })
}

async function rejected(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { code, reason }: { code: string; reason: ErrorReason },
): Promise<void> {
  const { tx, at } = ctx
  await endConversation(tx, conversation, `error ${code}`, at)
  await lenderRejected(ctx, journey, reason)
}
