// The messages of a journey in wire order, for auditors and for conformance checks (FIS12 §12).

import { isIgmAction } from '#contract/network/igm/actions.ts'
import { isAction } from '#contract/network/sequence.ts'
import type { Context } from '#platform/context.ts'
import { readMessages } from './archive/store.ts'
import { readInbound } from './inbound/store.ts'

/** A network message: `body` is the raw text, `outcome` the receiver's answer. */
export interface TranscriptMessage {
  at: Date
  direction: 'sent' | 'received'
  party: string
  action: string
  headers: Record<string, string>
  body: string
  outcome: string | null
  /** Why an accepted message was not applied or not understood; null otherwise. */
  note: string | null
  answer: { status: number; body: string } | null
}

/**
 * All sent and received network messages; forms are not network messages. Messages that we refused belong to no
 * conversation and are included only if `includesRefused`.
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
  return messages.flatMap(({ messageKey, at, direction, party, action, headers, body, outcome, answer }) => {
    if (!(isAction(action) || isIgmAction(action)) || headers === null) return []
    if (direction === 'received' && outcome?.startsWith('NACK') && !includesRefused) return []
    return [
      {
        at,
        direction,
        party,
        action,
        headers,
        body: body.toString('utf8'),
        outcome,
        note: notes.get(messageKey) ?? null,
        answer,
      },
    ]
  })
}
