// The event that a conversation with a lender waits for. A follow-up asks the lender again until the event has come.

import { type Fragment, sql, type Tx } from '@lendloom/postgres/sql'
import type { Conversation } from '#platform/lenders/network/conversation.ts'
import { openSessionOf } from './require.ts'

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
      and s.state not in ('CONFIRMED', 'NOT_REQUIRED', 'FAILED', 'EXPIRED')
  where c.bucket = j.bucket and c.tenant_id = j.tenant_id and c.journey_id = j.journey_id and c.stage <> 'ENDED')`
