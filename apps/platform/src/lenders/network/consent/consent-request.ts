// Handles lenders' consent requests: opens a session, updates the session on the lender's answers, and requests another
// handle from the borrower (FIS12 §7.8, D2 §2.2 REQUIRED).

import { next } from '@lendloom/foundation/machine'
import { invalid } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { ConsentReason } from '@lendloom/lending/reason/reason'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { reasonOf } from '@lendloom/wire/network/errors'
import type { Context, TxContext } from '#platform/context.ts'
import { type Conversation, profileFormUrlOf, sealForm } from '#platform/lenders/network/conversation.ts'
import { profileAnswers } from '#platform/lenders/network/profile-answers.ts'
import { conversationStages } from '#platform/lenders/network/stage.ts'
import { changeConversation, readConversation } from '#platform/lenders/network/store.ts'
import { submitForm } from '#platform/lenders/network/submit-form.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { isSwitchedOff } from '#platform/lending/lender/switch/store.ts'
import { recordNoOffer } from '#platform/lending/offer/lender-answers.ts'
import { findByConversation } from '#platform/lending/offer/store.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { aggregatorNamed } from '#platform/providers/account-aggregator/adapters.ts'
import { adapterFor } from '#platform/providers/settings.ts'
import { type AaPurpose, type AaSession, aaIdOf, aaOutcomes, handleEnding, sealAaId, stateAfter } from './aa-session.ts'
import { scheduleReconcile } from './poll-consent-status.ts'
import { type AaChange, changeAaSession, insertAaSession, openSessionOf } from './store.ts'

/**
 * Opens a session for the consent handle that the lender requested. A request with another handle replaces the open
 * session. A request with the same handle retains it, because a notified lender may not have seen the approval yet. A
 * lender that is switched off gets no underwriting consent. Returns true if the lender must be notified again.
 */
export async function requireConsent(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  requested: RequestedConsent,
): Promise<boolean> {
  if (requested.purpose !== 'UNDERWRITING' || !(await isSwitchedOff(ctx.tx, conversation)))
    return openConsentSession(ctx, journey, conversation, requested)
  await recordConsentRefused(ctx, journey, conversation, 'LENDER_NOT_LENDING')
  await recordNoOffer(ctx, journey, conversation, 'LENDER_NOT_LENDING')
  return false
}

interface RequestedConsent {
  handle: string
  purpose: AaPurpose
}

async function openConsentSession(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { handle, purpose }: RequestedConsent,
): Promise<boolean> {
  const { tx, at } = ctx
  const current = await openSessionOf(tx, journey, conversation)
  if (current?.consentHandle === handle) {
    await changeAaSession(
      tx,
      current,
      current.dispatchedAt ? { state: aaOutcomes.checkRequired(current.state) } : {},
      at,
    )
    await updateJourney(tx, journey, {}, at)
    return current.dispatchedAt !== null
  }
  // The lender requests the consent for the borrower's new handle.
  if (current?.consentHandle === null) {
    await changeAaSession(tx, current, { consentHandle: handle, handleWanted: false, reason: null }, at)
    await updateJourney(tx, journey, {}, at)
    await scheduleReconcile(tx, current, { series: 0 }, at)
    return false
  }
  if (current) await recordConsentRefused(ctx, journey, conversation, 'CONSENT_REQUESTED_ANEW')
  const offer = await findByConversation(tx, journey, conversation.conversationId)
  if (!offer) throw new Error(`conversation ${conversation.conversationId} requests a consent, but has no offer`)
  const { person } = await readProfile(tx, ctx, journey)
  const { adapter, aggregatorId } = aggregatorFor(ctx, journey, conversation)
  const { tenantId, journeyId } = journey
  const sessionKey = { tenantId, journeyId, aaSessionId: uuidv7(at.getTime(), bucketOf(journeyId)) }
  const inserted = await insertAaSession(tx, {
    ...sessionKey,
    offerId: offer.offerId,
    conversationId: conversation.conversationId,
    purpose,
    adapter,
    aggregatorId,
    consentHandle: handle,
    handleWanted: false,
    aaIdSealed: sealAaId(ctx, sessionKey, handleOf(ctx, journey, conversation, person)),
    state: 'REQUIRED',
    createdAt: at,
    updatedAt: at,
  })
  if (inserted) {
    await updateJourney(tx, journey, {}, at)
    await scheduleReconcile(tx, sessionKey, { series: 0 }, at)
  }
  return false
}

/** Returns the aggregator that is configured for an application and a lender, by the lender's network id. */
function aggregatorFor(
  ctx: Pick<Context, 'config'>,
  { applicationId: application }: Pick<Journey, 'applicationId'>,
  { bppId: lender }: Pick<Conversation, 'bppId'>,
): { adapter: string; aggregatorId: string; handle: string } {
  const adapter = adapterFor(ctx.config, 'account-aggregator', { application, lender })
  return { adapter, ...aggregatorNamed(adapter).identityOf(ctx) }
}

/**
 * Returns the borrower's handle at the aggregator: the handle that the app sent if it belongs to this aggregator, or else
 * the mobile number with the aggregator's ending.
 */
export function handleOf(
  ctx: Pick<Context, 'config'>,
  journey: Pick<Journey, 'applicationId'>,
  lender: Pick<Conversation, 'bppId'>,
  { personal, gold }: BorrowerDetails,
): string {
  const { handle } = aggregatorFor(ctx, journey, lender)
  const [name, aggregator] = /^\s*([\w.-]{1,100})@([\w.-]+)\s*$/.exec(gold?.aaId ?? '')?.slice(1) ?? []
  return `${aggregator === handle ? name : personal.mobile}@${handle}`
}

/** Records that the lender continued, either with the approval or without a consent. */
export const recordConsentUsed = (tx: Tx, journey: Journey, conversation: Conversation, at: Date): Promise<void> =>
  changeOpenSession({ tx, at }, journey, conversation, ({ state, dispatchedAt }) => ({
    state: stateAfter(state, dispatchedAt ? 'confirmed' : 'consentSkipped'),
  }))

/**
 * Records that the lender does not continue with this consent. The borrower sees `reason`. Call it before the
 * conversation ends.
 */
export const recordConsentRefused = (
  ctx: Write,
  journey: Journey,
  conversation: Conversation,
  reason: ConsentReason,
): Promise<void> =>
  changeOpenSession(ctx, journey, conversation, ({ state }) => ({ state: aaOutcomes.failed(state), reason }))

/** Records that a notified lender does not answer. */
export const recordConsentUnanswered = (
  tx: Tx,
  journey: Journey,
  conversation: Conversation,
  at: Date,
): Promise<void> =>
  changeOpenSession({ tx, at }, journey, conversation, ({ state, dispatchedAt }) =>
    dispatchedAt ? { state: aaOutcomes.checkRequired(state) } : {},
  )

async function changeOpenSession(
  { tx, at }: Write,
  journey: Journey,
  conversation: Conversation,
  changeOf: (session: AaSession) => AaChange,
): Promise<void> {
  const session = await openSessionOf(tx, journey, conversation)
  if (!session) return
  await changeAaSession(tx, session, changeOf(session), at)
  await updateJourney(tx, journey, {}, at)
}

const unknownHandleReason = reasonOf('80230')

/**
 * Requests another handle from the borrower, because the lender did not find the borrower by the earlier handle (error
 * 80230, FIS12 §3.4). Opens a session without a consent handle for the request. Returns false if the lender's form cannot
 * be submitted again.
 */
export async function requestAaHandle(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<boolean> {
  const { tx, at } = ctx
  const { stage, conversationId } = conversation
  const profileFormUrl = profileFormUrlOf(ctx.seal, conversation)
  const offer = await findByConversation(tx, journey, conversationId)
  if (profileFormUrl === null || !offer || next(conversationStages, stage, 'formSent') === undefined) return false
  const current = await openSessionOf(tx, journey, conversation)
  if (current?.consentHandle === null) {
    await changeAaSession(tx, current, { handleWanted: true, reason: unknownHandleReason }, at)
    await updateJourney(tx, journey, {}, at)
    return true
  }
  if (current) await recordConsentRefused(ctx, journey, conversation, unknownHandleReason)
  const { person } = await readProfile(tx, ctx, journey)
  const { tenantId, journeyId } = journey
  const sessionKey = { tenantId, journeyId, aaSessionId: uuidv7(at.getTime(), bucketOf(journeyId)) }
  const { adapter, aggregatorId } = current ?? aggregatorFor(ctx, journey, conversation)
  const previousHandle = current ? aaIdOf(ctx, current) : handleOf(ctx, journey, conversation, person)
  const session = {
    ...sessionKey,
    offerId: offer.offerId,
    conversationId,
    purpose: 'UNDERWRITING',
    state: 'REQUIRED',
  } as const
  const handleRequest = {
    consentHandle: null,
    handleWanted: true,
    aaIdSealed: sealAaId(ctx, sessionKey, previousHandle),
  }
  await insertAaSession(tx, { ...session, ...handleRequest, adapter, aggregatorId, createdAt: at, updatedAt: at })
  const inserted = required(await openSessionOf(tx, journey, conversation), 'the inserted session')
  await changeAaSession(tx, inserted, { reason: unknownHandleReason }, at)
  await updateJourney(tx, journey, {}, at)
  return true
}

/**
 * Stores the borrower's new handle and resubmits the profile form with the new handle. Throws `invalid` at `aaID` if the
 * handle belongs to another aggregator or equals the handle that the lender could not use.
 */
export async function setAaHandle(
  ctx: TxContext,
  journey: Journey,
  session: AaSession,
  newHandle: string,
): Promise<AaSession> {
  const { tx, at } = ctx
  const { tenantId, journeyId } = journey
  const aaId = newHandle.trim()
  const ending = handleEnding(ctx, session)
  if (!aaId.endsWith(ending) || aaId.length === ending.length)
    throw invalid({ path: 'aaID', message: `must end with ${ending}` })
  if (aaId === aaIdOf(ctx, session))
    throw invalid({ path: 'aaID', message: 'must differ from the handle that the lender could not use' })
  const conversation = required(
    await readConversation(tx, tenantId, journeyId, session.conversationId),
    'the conversation of a consent',
  )
  const { person } = await readProfile(tx, ctx, journey)
  const form = sealForm(ctx.seal, journey, {
    formId: conversation.profileFormId,
    formUrl: profileFormUrlOf(ctx.seal, conversation),
    formHeading: 'PERSONAL_INFORMATION',
    submissionId: null,
  })
  const updatedConversation = await changeConversation(tx, conversation, form, at)
  await submitForm(ctx, updatedConversation, 'PROFILE', profileAnswers(person, journey, aaId))
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  const change = { aaIdSealed: sealAaId(ctx, session, aaId), handleWanted: false, reason: null }
  return changeAaSession(tx, session, change, at)
}

/** Whether the profile was resubmitted with another handle and the lender has not answered. */
export async function isAnswerToNewHandleAwaited(
  tx: Tx,
  journey: Journey,
  conversation: Conversation,
): Promise<boolean> {
  const current = await openSessionOf(tx, journey, conversation)
  return current?.consentHandle === null && !current.handleWanted
}
