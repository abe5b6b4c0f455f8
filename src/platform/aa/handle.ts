// A lender does not know the borrower by the handle it was given: another one is named, and the lender is asked again with it (error 80230, FIS12 §3.4).

import { reasonOf } from '#contract/network/errors.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { invalid } from '#kit/http/refusal.ts'
import { next } from '#kit/runtime/machine.ts'
import { required } from '#kit/runtime/record.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { stages } from '#platform/network/stage.ts'
import { changeConversation, readConversation } from '#platform/network/store.ts'
import { submitForm } from '#platform/network/submit-form.ts'
import { findByConversation } from '#platform/offer/store.ts'
import { profileAnswers } from '#platform/profile/answers.ts'
import { readProfile } from '#platform/profile/edit.ts'
import { aggregatorFor, consentRefused, handleOf, openSessionOf } from './require.ts'
import { type AaSession, aaIdOf, handleEnding, sealedAaId } from './session.ts'
import { changeAaSession, insertAaSession } from './store.ts'

const refused = reasonOf('80230')

/**
 * The lender could not use the handle: the borrower is asked for another one, in a session that has no consent yet. Gives
 * false where the lender cannot be asked again, because its form is not there to be sent anew.
 */
export async function wantHandle(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<boolean> {
  const { tx, at } = ctx
  const { profileFormUrl, stage, conversationId } = conversation
  const offer = await findByConversation(tx, journey, conversationId)
  if (profileFormUrl === null || !offer || next(stages, stage, 'formSent') === undefined) return false
  const open = await openSessionOf(tx, journey, conversation)
  if (open?.consentHandle === null) {
    await changeAaSession(tx, open, { handleWanted: true, reason: refused }, at)
    await updateJourney(tx, journey, {}, at)
    return true
  }
  if (open) await consentRefused(ctx, journey, conversation, refused)
  const { person } = await readProfile(tx, ctx, journey)
  const { tenantId, journeyId } = journey
  const place = { tenantId, journeyId, aaSessionId: uuidv7(at.getTime(), bucketOf(journeyId)) }
  const { adapter, aggregatorId } = open ?? aggregatorFor(ctx, journey, conversation)
  const known = open ? aaIdOf(ctx, open) : handleOf(ctx, journey, conversation, person)
  const session = {
    ...place,
    offerId: offer.offerId,
    conversationId,
    purpose: 'UNDERWRITING',
    state: 'REQUIRED',
  } as const
  const wanted = { consentHandle: null, handleWanted: true, aaIdSealed: sealedAaId(ctx, place, known) }
  await insertAaSession(tx, { ...session, ...wanted, adapter, aggregatorId, createdAt: at, updatedAt: at })
  const fresh = required(await openSessionOf(tx, journey, conversation), 'the session that was begun')
  await changeAaSession(tx, fresh, { reason: refused }, at)
  await updateJourney(tx, journey, {}, at)
  return true
}

/**
 * Names another handle: the profile form goes to the lender once more with it, and the lender is asked again. Refused as
 * `invalid` at `aaID` when it is at another aggregator, which we cannot send anybody to, or the one that was refused.
 */
export async function nameHandle(
  ctx: TxContext,
  journey: Journey,
  session: AaSession,
  named: string,
): Promise<AaSession> {
  const { tx, at } = ctx
  const { tenantId, journeyId } = journey
  const aaId = named.trim()
  const ending = handleEnding(ctx, session)
  if (!aaId.endsWith(ending) || aaId.length === ending.length)
    throw invalid({ path: 'aaID', message: `must end with ${ending}` })
  if (aaId === aaIdOf(ctx, session))
    throw invalid({ path: 'aaID', message: 'must be another one than the lender could not use' })
  const conversation = required(
    await readConversation(tx, tenantId, journeyId, session.conversationId),
    'the conversation of a consent',
  )
  const { profileFormId, profileFormUrl } = conversation
  const { person } = await readProfile(tx, ctx, journey)
  const form = {
    formId: profileFormId,
    formUrl: profileFormUrl,
    formHeading: 'PERSONAL_INFORMATION',
    submissionId: null,
  }
  const open = await changeConversation(tx, conversation, form, at)
  await submitForm(ctx, open, 'PROFILE', profileAnswers(person, journey, aaId))
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  const change = { aaIdSealed: sealedAaId(ctx, session, aaId), handleWanted: false, reason: null }
  return changeAaSession(tx, session, change, at)
}

/** Whether a lender is being asked again with another handle, and has not answered. */
export async function isRequestedWithHandle(tx: Tx, journey: Journey, conversation: Conversation): Promise<boolean> {
  const open = await openSessionOf(tx, journey, conversation)
  return open?.consentHandle === null && !open.handleWanted
}
