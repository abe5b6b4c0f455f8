// The event that a conversation with a lender waits for, and the follow-up that asks the lender again until it has come.

import { secondsAfter } from '@lendloom/foundation/clock'
import { pauseSeconds, schedule } from '@lendloom/foundation/schedule'
import { type Fragment, sql, type Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, makeDueNow } from '@lendloom/queue/queue'
import { isOverSession, openSessionOf } from './consent/store.ts'
import type { Conversation } from './conversation.ts'

export const followUpKind = 'lender-follow-up'

/** Identifies what the journey waits for: a notified lender to act on a consent, or the end of the current stage. */
export async function awaitedEventKey(tx: Tx, conversation: Conversation): Promise<string> {
  const consent = await unusedNotifiedConsent(tx, conversation)
  // The form that is submitted again keeps its follow-up, whose pauses grow.
  const stage = conversation.stage === 'AMOUNT_SENT' ? 'OFFERED' : conversation.stage
  return consent?.aaSessionId ?? `${stage}:${conversation.formId}`
}

/** The consent that the lender was notified of and has not acted on. */
export async function unusedNotifiedConsent(tx: Tx, conversation: Conversation) {
  const session = await openSessionOf(tx, conversation, conversation)
  return session?.dispatchedAt ? session : undefined
}

/** The key of the job that asks the lender again, until the event of this key has come. */
export const followUpKeyOf = (conversationId: string, eventKey: string): string => `${conversationId}:${eventKey}`

/**
 * SQL: the keys of the follow-ups that journey `j` may have now, by `followUpKeyOf` and `awaitedEventKey`. A follow-up
 * with another key does nothing when it runs.
 */
export const followUpKeys: Fragment = sql`array(
  select c.conversation_id || ':' || coalesce(s.aa_session_id::text,
    case c.stage when 'AMOUNT_SENT' then 'OFFERED' else c.stage end || ':' || coalesce(c.form_id, 'null'))
  from conversation c left join aa_session s
    on s.bucket = c.bucket and s.tenant_id = c.tenant_id and s.journey_id = c.journey_id
      and s.conversation_id = c.conversation_id and s.dispatched_at is not null
      and not ${isOverSession}
  where c.bucket = j.bucket and c.tenant_id = j.tenant_id and c.journey_id = j.journey_id and c.stage <> 'ENDED')`

export interface FollowUp {
  journeyId: string
  conversationId: string
  /** The `awaitedEventKey` at scheduling. When the key changes, the follow-up is obsolete. */
  wait: string
  /** Counts from 1. */
  round: number
}

/** Pauses between follow-up rounds. */
export const followUpSchedule = schedule(['PT10S', 'PT20S', 'PT1M', 'PT5M', 'PT30M', 'PT2H', 'PT6H'], 'repeat')

/** Pause between polls about an open credit line, which may be drawn on for years. */
export const creditLinePollSeconds = 86_400

/** Schedules the first follow-up unless follow-ups are already scheduled. */
export const scheduleFollowUp = async (
  tx: Tx,
  conversation: Conversation,
  at: Date,
  seconds = pauseSeconds(followUpSchedule, 1),
): Promise<void> =>
  scheduleRound({ tx, at }, conversation, { wait: await awaitedEventKey(tx, conversation), round: 1 }, seconds)

export const scheduleRound = (
  { tx, at }: Write,
  { tenantId, journeyId, conversationId }: Conversation,
  { wait, round }: Pick<FollowUp, 'wait' | 'round'>,
  seconds: number,
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind: followUpKind,
    key: followUpKeyOf(conversationId, wait),
    payload: { journeyId, conversationId, wait, round } satisfies FollowUp,
    dueAt: secondsAfter(at, seconds),
  })

/** Makes the scheduled follow-up, if any, due at `at`. */
export const hastenFollowUp = async (tx: Tx, conversation: Conversation, at: Date): Promise<void> =>
  makeDueNow(
    tx,
    {
      tenantId: conversation.tenantId,
      kind: followUpKind,
      key: followUpKeyOf(conversation.conversationId, await awaitedEventKey(tx, conversation)),
    },
    at,
  )
