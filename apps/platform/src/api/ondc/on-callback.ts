// POST /ondc/on_{action}: verifies, stores and acknowledges a callback, which a worker applies later (FIS12 §3, §5).

import { required } from '@lendloom/foundation/required'
import { ack, dialectIn } from '@lendloom/wire/network/context'
import { type Callback, callbacks } from '@lendloom/wire/network/sequence'
import { route } from '#platform/context.ts'
import { acceptedDialect, dialectReaders } from '#platform/lenders/network/dialect.ts'
import { type ReceiveResult, receiveCallback } from '#platform/lenders/network/receive-callback.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import {
  evidenceHeaders,
  lenderAuth,
  receiveSigned,
  type VerifiedCallback,
  validateCallback,
} from './verified-callback.ts'

export const onCallbacks = callbacks.map((action) =>
  route({
    method: 'POST',
    path: `/ondc/${action}`,
    section: 'FIS12 §3.1',
    summary: `Receives a lender's ${action}`,
    auth: lenderAuth,
    accepts: 'raw',
    maxBytes: 1 << 20,
    hidden: true,
    async handle({ who: sender, ...arrival }, ctx) {
      await receiveSigned(ctx, action, { sender, arrival }, (verified) => receiveLoanCallback(action, verified))
      return ack
    },
  }),
)

async function receiveLoanCallback(action: Callback, verified: VerifiedCallback): Promise<ReceiveResult> {
  const { ctx, sender, body, arrival } = verified
  const { context, message, journey } = validateCallback(verified, (journey) =>
    // Without a journey the message is judged in its own version, so that the fault is named and not the version.
    dialectReaders[journey ? acceptedDialect(journey, body) : dialectIn(body)].bodyFaults(action, body),
  )
  const receipt = await ctx.db.tx(async (tx) => {
    const lockedJourney = required(
      await lockJourney(tx, journey.tenantId, journey.journeyId),
      'the journey of a callback',
    )
    const { raw, at } = arrival
    return receiveCallback({ ...ctx, tx, at }, lockedJourney, {
      action,
      context,
      message,
      raw,
      headers: evidenceHeaders(arrival),
    })
  })
  if (receipt === 'late') ctx.log.warn({ party: sender, action, code: '80214' }, 'a callback arrived after its ttl')
  return receipt
}
