// Applies the consent status that the aggregator's server reports to a session (D2 §2.2).

import { required } from '@lendloom/foundation/required'
import type { ConsentReason } from '@lendloom/lending/reason/reason'
import { reasonOf } from '@lendloom/wire/network/errors'
import type { TxContext } from '#platform/context.ts'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import { isNoAnswerPending, sendApproval, sendSelect } from '#platform/lenders/network/lender-requests.ts'
import { endConversation } from '#platform/lenders/network/open-conversation.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { scheduleLapse } from '#platform/lending/offer/journey-lapse.ts'
import { recordNoOffer } from '#platform/lending/offer/lender-answers.ts'
import type { ConsentStatusReport } from '#platform/providers/account-aggregator/port.ts'
import { type AaSession, type AaState, aaOutcomes, isOver, stateAfter } from './aa-session.ts'
import { changeAaSession } from './store.ts'

/** A consent session with its journey and its conversation with the lender. */
interface ConsentContext {
  journey: Journey
  session: AaSession
  conversation: Conversation
}

/** Applies a status report; the caller holds the journey's lock. Returns the session if it must be polled again. */
export async function applyConsentStatus(
  ctx: TxContext,
  journey: Journey,
  session: AaSession,
  report: ConsentStatusReport,
): Promise<AaSession | undefined> {
  const { tx, at } = ctx
  const stored = await readConversation(tx, journey.tenantId, journey.journeyId, session.conversationId)
  const conversation = required(stored, 'the conversation of a consent')
  const result = decisionOf(session, report)
  if (result.kind === 'approved') return void (await dispatchApproval(ctx, { journey, session, conversation }, report))
  const reason = 'reason' in result ? result.reason : session.reason
  const isChanged = result.state !== session.state || reason !== session.reason
  const updated = isChanged ? await changeAaSession(tx, session, { state: result.state, reason }, at) : session
  if (isChanged) await updateJourney(tx, journey, {}, at)
  if (!isOver(updated.state)) return updated
  await onConsentEnded(ctx, { journey, session, conversation }, reason ?? 'CONSENT_DECLINED')
  return undefined
}

type ConsentDecision =
  | { kind: 'approved' }
  | { kind: 'open'; state: AaState }
  | { kind: 'ended'; state: AaState; reason: ConsentReason }

/** Decides by the server's report. The browser's return matters only while the server reports PENDING. */
export function decisionOf(session: AaSession, { status, artefact }: ConsentStatusReport): ConsentDecision {
  const { state, returnedCode } = session
  const failed: ConsentDecision = { kind: 'ended', state: aaOutcomes.failed(state), reason: 'CONSENT_DECLINED' }
  if (status === 'REJECTED' || status === 'FAILED') return failed
  if (status === 'EXPIRED') return { kind: 'ended', state: aaOutcomes.expired(state), reason: 'CONSENT_TIME_OVER' }
  if (status === 'PENDING') return pendingDecision(state, returnedCode)
  if (artefact?.isSignatureValid && artefact.status === 'ACTIVE') return { kind: 'approved' }
  if (artefact?.isSignatureValid && artefact.status === 'REVOKED') return failed
  if (artefact?.isSignatureValid && artefact.status === 'EXPIRED')
    return { kind: 'ended', state: aaOutcomes.expired(state), reason: 'CONSENT_TIME_OVER' }
  return { kind: 'open', state: stateAfter(state, 'linkOpened', 'checkRequired') }
}

/** Decides by the error code of the browser's return: 5 means undecided, 0 approved, 1 rejected. */
function pendingDecision(state: AaState, returnedCode: number | null): ConsentDecision {
  if (state !== 'USER_RETURNED') return { kind: 'open', state }
  if (returnedCode === 5) return { kind: 'open', state: stateAfter(state, 'returnedUndecided') }
  if (returnedCode === 0) return { kind: 'open', state: stateAfter(state, 'checkRequired') }
  return {
    kind: 'ended',
    state: stateAfter(state, 'failed'),
    reason: returnedCode === 1 ? 'CONSENT_DECLINED' : reasonOf('80224'),
  }
}

/** Notifies the lender of a proven approval, unless the lender was already notified. */
async function dispatchApproval(
  ctx: TxContext,
  { journey, session, conversation }: ConsentContext,
  { consentId }: ConsentStatusReport,
): Promise<void> {
  const { tx, at } = ctx
  if (session.dispatchedAt !== null) return
  await notifyLender(ctx, session, conversation)
  const state = aaOutcomes.approved(session.state)
  await changeAaSession(tx, session, { state, consentId, dispatchedAt: at, reason: null }, at)
  await updateJourney(tx, journey, {}, at)
}

/** Sends the request that the purpose of the consent requires (FIS12 §7.8). */
const notifyLender = (ctx: TxContext, { purpose }: AaSession, conversation: Conversation): Promise<Conversation> =>
  (purpose === 'UNDERWRITING' ? sendSelect : sendApproval)(ctx, conversation)

/** Notifies the lender of the approval again, unless the lender's answer is awaited or has arrived. */
export async function resendApproval(ctx: TxContext, session: AaSession): Promise<void> {
  const { tx } = ctx
  const { tenantId, journeyId, conversationId } = session
  const conversation = await readConversation(tx, tenantId, journeyId, conversationId)
  if (conversation && (await isNoAnswerPending(tx, conversation))) await notifyLender(ctx, session, conversation)
}

/**
 * Ends the offer, which is impossible without bank data. A sanctioned loan waits for the lender, which may pay it out all
 * the same, request another consent or cancel it.
 */
async function onConsentEnded(
  ctx: TxContext,
  { journey, session, conversation }: ConsentContext,
  reason: ConsentReason,
): Promise<void> {
  const { tx, at } = ctx
  if (session.purpose === 'MONITORING') return scheduleFollowUp(tx, conversation, at)
  await endConversation(tx, conversation, 'the consent was not given', at)
  await recordNoOffer(ctx, journey, conversation, reason)
  // The journey ends if all other offers have expired.
  await scheduleLapse(ctx, journey, at)
}
