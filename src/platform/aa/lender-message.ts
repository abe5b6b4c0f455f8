// What a lender's word means for a session: it went on, it will not, or it says nothing (D2 §2.2, FIS12 §13.4).
import type { ConsentReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { type AaSession, after, isOver, outcomes } from './session.ts'
import { type AaChange, changeAaSession, listStoredAaSessions } from './store.ts'

/** The session of a conversation that is not over; there is at most one. */
export async function openSessionOf(
  tx: Tx,
  journey: Pick<Journey, 'tenantId' | 'journeyId'>,
  { conversationId }: Pick<Conversation, 'conversationId'>,
): Promise<AaSession | undefined> {
  const sessions = await listStoredAaSessions(tx, journey, conversationId)
  return sessions.find(({ state }) => !isOver(state))
}

/** The lender went on: with the approval that it was told of, or without waiting for one. */
export const consentTaken = (tx: Tx, journey: Journey, conversation: Conversation, at: Date): Promise<void> =>
  change({ tx, at }, journey, conversation, ({ state, dispatchedAt }) => ({
    state: after(state, dispatchedAt ? 'confirmed' : 'spared'),
  }))

/** The lender will not go on with this consent; `reason` is told to the borrower. Called before its conversation ends. */
export const consentRefused = (
  ctx: Write,
  journey: Journey,
  conversation: Conversation,
  reason: ConsentReason,
): Promise<void> => change(ctx, journey, conversation, ({ state }) => ({ state: outcomes.failed(state), reason }))

/** The lender was told and does not answer. */
export const consentUnanswered = (tx: Tx, journey: Journey, conversation: Conversation, at: Date): Promise<void> =>
  change({ tx, at }, journey, conversation, ({ state, dispatchedAt }) =>
    dispatchedAt ? { state: outcomes.doubted(state) } : {},
  )

async function change(
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
