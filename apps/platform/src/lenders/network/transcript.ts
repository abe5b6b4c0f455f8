// The network messages of a journey in the order of their transfer, for auditors and conformance checks (FIS12 §12).

import { isAnyAction } from '@lendloom/wire/network/igm/actions'
import type { Context } from '#platform/context.ts'
import { readInbound } from './inbound/store.ts'
import { readMessages } from './messages/store.ts'

/** A network message. `body` is its raw text, and `outcome` the receiver's acknowledgement. */
export interface TranscriptMessage {
  at: Date
  direction: 'sent' | 'received'
  party: string
  action: string
  headers: Record<string, string>
  /** Empty when the message has moved to the archive. */
  body: string
  outcome: string | null
  /** Why an accepted message was not applied or not understood, or that it is archived; null otherwise. */
  note: string | null
  answer: { status: number; body: string } | null
  isArchived: boolean
}

/**
 * Returns all sent and received network messages, which excludes submitted forms. Received messages that we answered
 * with a NACK are included only if `includesRefused` is true.
 */
export async function transcriptOf(
  { db, seal }: Pick<Context, 'db' | 'seal'>,
  tenantId: string,
  journeyId: string,
  includesRefused = false,
): Promise<TranscriptMessage[]> {
  const messages = await readMessages(db, seal, tenantId, journeyId)
  const inbound = await readInbound(db, tenantId, journeyId)
  const notes = new Map(inbound.map(({ messageKey, note }) => [messageKey, note]))
  return messages.flatMap(
    ({ messageKey, at, direction, party, action, headers, body, isArchived, outcome, answer }) => {
      if (!isAnyAction(action) || (headers === null && !isArchived)) return []
      if (direction === 'received' && outcome?.startsWith('NACK') && !includesRefused) return []
      return [
        {
          at,
          direction,
          party,
          action,
          headers: headers ?? {},
          body: body.toString('utf8'),
          outcome,
          note: notes.get(messageKey) ?? (isArchived ? 'archived' : null),
          answer,
          isArchived,
        },
      ]
    },
  )
}
