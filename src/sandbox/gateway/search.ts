// POST /gateway/search: takes a broadcast search over from a buyer app and sees to it that every lender gets it.

import {
  ack,
  contextFaults,
  dialectIn,
  expiresAt,
  type MessageContext,
  requireContext,
} from '#contract/network/context.ts'
import { nackCodes } from '#contract/network/errors.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { readJson } from '#kit/http/body.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { enqueue } from '#kit/messaging/queue.ts'
import { fieldsOf } from '#kit/runtime/narrow.ts'
import { route } from '#sandbox/core/context.ts'
import { isCurrent, networkDomain } from '#sandbox/registry/participant.ts'
import { findParticipants } from '#sandbox/registry/store.ts'
import { verifySender } from '#sandbox/registry/verify-sender.ts'
import { forwardKind } from './forward.ts'
import { keepBroadcast } from './store.ts'

export const search = route({
  method: 'POST',
  path: '/gateway/search',
  section: 'FIS12 §2',
  summary: 'Sends a signed search on to every lender of the domain',
  accepts: 'raw',
  async handle({ raw, headers, at }, { db }) {
    const context = searchContext(readJson(raw))
    const claim = { raw, header: headers.authorization, at, sender: context.bap_id, role: 'BAP' as const }
    const sender = await verifySender(db, claim)
    if ('fault' in sender) throw new Refusal('bad-credential', `the signature is not valid: ${sender.fault}`)
    const until = expiresAt(context)
    if (until <= at) {
      const why = `the search is stale: its ttl ended at ${until.toISOString()}`
      throw new Refusal('wrong-state', why, { code: nackCodes.BG.stale, field: 'context.ttl' })
    }

    const lenders = await findParticipants(db, { type: 'BPP', domain: networkDomain })
    await db.tx(async (tx) => {
      const broadcastId = uuidv7(at.getTime())
      const fresh = await keepBroadcast(tx, {
        broadcastId,
        bapId: context.bap_id,
        transactionId: context.transaction_id,
        messageId: context.message_id,
        authorizationHeader: String(headers.authorization),
        body: raw,
        expiresAt: until,
        receivedAt: at,
      })
      if (!fresh) return
      for (const lender of lenders.filter((each) => isCurrent(each, at))) {
        const { subscriberId, subscriberUrl } = lender
        const payload = { broadcastId, subscriberUrl }
        await enqueue(tx, { tenantId: broadcastId, kind: forwardKind(subscriberId), payload, dueAt: at })
      }
    })
    return ack
  },
})

/** The context of a broadcast, in the dialect that it names: a search that names no lender. */
function searchContext(body: unknown): MessageContext {
  const [first, ...more] = contextFaults(fieldsOf(body).context, 'context', dialectIn(body))
  if (first) throw invalid(first, ...more)
  const context = requireContext(body)
  if (context.action !== 'search') throw invalid({ path: 'context.action', message: 'must be search' })
  return context
}
