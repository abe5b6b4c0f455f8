// Applies on_select: a lender requests a consent, makes an offer, sends the final terms of the chosen offer, or reports
// an error (FIS12 §8.1, §3.2).

import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import { effectOf, isTransient, reasonOf } from '@lendloom/wire/network/errors'
import type { NetworkOrder } from '@lendloom/wire/network/v203/read-order'
import { customerFormHeading, type FormPage } from '@lendloom/wire/network/v203/xinput'
import type { TxContext } from '#platform/context.ts'
import {
  handleOf,
  recordConsentRefused,
  recordConsentUnanswered,
  recordConsentUsed,
  requestAaHandle,
  requireConsent,
} from '#platform/lenders/network/consent/consent-request.ts'
import { type Conversation, hasStops, profileFormUrlOf } from '#platform/lenders/network/conversation.ts'
import { dialectOf, dialectOfConversation, domainOfConversation, isSecured } from '#platform/lenders/network/dialect.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { sendSelect } from '#platform/lenders/network/lender-requests.ts'
import { endConversation, openConversation } from '#platform/lenders/network/open-conversation.ts'
import { customerAnswers } from '#platform/lenders/network/profile-answers.ts'
import type { InboundMove } from '#platform/lenders/network/stage.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { submitForm } from '#platform/lenders/network/submit-form.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { readLender } from '#platform/lending/lender/store.ts'
import { isSwitchedOff } from '#platform/lending/lender/switch/store.ts'
import { storeBranches } from '#platform/lending/offer/branch-visit.ts'
import { awaitSecondOffer, recordNoOffer, recordTerms } from '#platform/lending/offer/lender-answers.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { recordSanction } from '#platform/lending/step/lender-decision.ts'
import { markStepReady, skipStepsDoneAtBranch } from '#platform/lending/step/move-step.ts'
import { applyLenderError } from './lender-error.ts'
import { goOnWithOffer, makePageDue } from './page-progress.ts'
import { applyAfterCheck } from './submit-profile-form.ts'

/** A lender with stops places the order by itself (FIS12 §27.2): we ask for it only after so long. */
const orderSeconds = 60

export async function onSelect(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { order, error, move, solicited }: InboundMessage<'on_select'>,
): Promise<void> {
  const { tx, at } = ctx
  if (!conversation || !journey.active) return
  const isChosen = journey.status !== 'STARTED' && journey.status !== 'PROFILED' && journey.status !== 'OFFERED'
  if (error && conversation.stage === 'DEDUPE_SENT') return applyAfterCheck(ctx, journey, conversation)
  if (error) {
    if (isChosen) return applyLenderError(ctx, journey, conversation, { code: error.code, solicited })
    if (isTransient(error.code)) return retryUnavailableLender(tx, journey, conversation, at)
    const effect = effectOf(error.code, 'before-offer', dialectOf(journey))
    if (effect === 'aaIdNeeded' && (await requestAaHandle(ctx, journey, conversation))) return
    const isUnreachable = effect === 'retry'
    if (isUnreachable) ctx.log.warn({ party: conversation.bppId, code: error.code }, 'a lender could not answer')
    const reason = isUnreachable ? 'LENDER_UNREACHABLE' : reasonOf(error.code)
    await recordConsentRefused(ctx, journey, conversation, reason)
    await endConversation(tx, conversation, `error ${error.code}`, at)
    await recordNoOffer(ctx, journey, conversation, reason)
    return
  }
  if (move === 'borrowerTaken') return applyAfterCheck(ctx, journey, conversation)
  if (move === 'borrowerNotTaken') return void (await recordNoOffer(ctx, journey, conversation, 'LENDER_POLICY'))
  if (move === 'consentRequested')
    return onConsentRequested(ctx, journey, conversation, {
      ...required(order, 'the order that requests a consent'),
      purpose: 'UNDERWRITING',
    })
  if (move === 'pageTaken') return scheduleFollowUp(tx, conversation, at, orderSeconds)
  if (!order?.terms) return
  const mayHaveSecondOffer = move === 'offered' && conversation.formHeading === customerFormHeading
  if (mayHaveSecondOffer && !(await isSwitchedOff(tx, conversation)))
    await requestSecondOffer(ctx, journey, conversation)
  await recordConsentUsed(tx, journey, conversation, at)
  await storeBranches(ctx, journey, conversation.conversationId, order)
  await recordTerms(
    ctx,
    journey,
    { ...conversation, isFixed: hasStops(conversation) && !isSecured(conversation) },
    order.terms,
  )
  // For a loan against mutual funds, the bank account is submitted before the first page (FIS12 §10.2 row 5).
  if (move === 'pledgeTerms')
    await markStepReady(ctx, journey, {
      name: 'bankMandate',
      page: { url: null, formId: required(conversation.formId, 'the form that the terms answer') },
      at,
    })
  if (!isChosen || !order.form) return
  if (hasStops(conversation)) return makePageDue(ctx, journey, conversation)
  await markStepReady(ctx, journey, { name: 'kyc', page: { url: order.form.url, formId: order.form.id }, at })
  if (order.form.heading === 'JOURNEY_OFFLINE') await skipStepsDoneAtBranch(tx, journey, at)
  // Only the heading of the page tells that the lender continues outside the app (FIS12 §13.1, §19.3).
  if (isOffline(order.form) && journey.lenderMode !== 'OFFLINE')
    await updateJourney(tx, journey, { lenderMode: 'OFFLINE' }, at)
}

const isOffline = ({ heading }: FormPage): boolean => heading === 'JOURNEY_OFFLINE' || heading === 'KYC_OFFLINE'

/** Retries a lender that is temporarily unavailable, until the offer window closes or the borrower has chosen. */
export async function retryUnavailableLender(
  tx: Tx,
  journey: Journey,
  conversation: Conversation,
  at: Date,
): Promise<void> {
  await recordConsentUnanswered(tx, journey, conversation, at)
  await scheduleFollowUp(tx, conversation, at)
}

/** Asks the borrower for the consent. Schedules a new notification if the lender was already notified of it. */
async function onConsentRequested(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { consentHandle, purpose }: Pick<NetworkOrder, 'consentHandle'> & { purpose: 'UNDERWRITING' | 'MONITORING' },
): Promise<void> {
  const handle = required(consentHandle, 'the handle of the requested consent')
  if (await requireConsent(ctx, journey, conversation, { handle, purpose }))
    await scheduleFollowUp(ctx.tx, conversation, ctx.at)
}

/**
 * Requests the lender's second offer, once, with the submitted profile form. The first offer remains valid. Must run
 * before the terms of the first offer are stored.
 */
async function requestSecondOffer(ctx: TxContext, journey: Journey, first: Conversation): Promise<void> {
  const { tx, at } = ctx
  const { secondItemId, profileFormId, profileSubmissionId, bppId, bppUri, lastMessageAt, lenderId, providerId } = first
  const lender = await readLender(tx, journey.tenantId, lenderId)
  if (secondItemId === null || profileFormId === null || profileSubmissionId === null || !lender) return
  const sender = {
    bppId,
    bppUri,
    sentAt: lastMessageAt ?? at,
    version: dialectOfConversation(first),
    domain: domainOfConversation(first),
  }
  const form = { id: profileFormId, url: profileFormUrlOf(ctx.seal, first), heading: null }
  const subject = { lender, providerId, itemId: secondItemId, form, fulfillmentId: null }
  const opened = await openConversation(ctx, journey, sender, subject)
  if (!opened) return
  await awaitSecondOffer(tx, journey, { first: first.conversationId, second: opened.conversationId }, at)
  const answered = { submissionId: profileSubmissionId, profileSubmissionId, formReceived: true } as const
  await sendSelect(ctx, await changeConversation(tx, opened, { stage: 'PROFILED', ...answered }, at))
}

/** Submits the form that follows the choice of an offer, with the borrower's profile and chosen amount. */
export async function onFormDue(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  { answers }: InboundMessage<'form_due'>,
): Promise<void> {
  const { tx } = ctx
  if (conversation?.stage !== 'OFFERED' || journey.status !== 'OFFER_SELECTED') return
  if (hasStops(conversation)) return goOnWithOffer(ctx, journey, conversation)
  const { person } = await readProfile(tx, ctx, journey)
  const profileAnswers = customerAnswers(person, journey, handleOf(ctx, journey, conversation, person))
  await submitForm(ctx, conversation, 'AMOUNT', { ...profileAnswers, ...answers })
}

/** Applies a sanction with which the lender requests a consent to monitoring before the disbursal. */
export async function onMonitoringRequested(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { consentHandle }: NetworkOrder,
): Promise<void> {
  await recordSanction(ctx.tx, journey, ctx.at)
  await onConsentRequested(ctx, journey, conversation, { consentHandle, purpose: 'MONITORING' })
}

/** Records that the lender accepted the consent to monitoring, and polls for the disbursal. */
export async function onMonitoringAccepted(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  move: InboundMove,
): Promise<void> {
  const { tx, at } = ctx
  if (conversation.stage !== 'MONITORING_GIVEN' || move !== 'refreshed') return
  await recordConsentUsed(tx, journey, conversation, at)
  await scheduleFollowUp(tx, conversation, at, ctx.config.STATUS_POLL_SECONDS)
}
