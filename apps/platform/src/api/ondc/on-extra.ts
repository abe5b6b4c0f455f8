// POST /ondc/on_support, /on_track and /on_rating (FIS12 §25).

import { required } from '@lendloom/foundation/required'
import { ack, dialectIn } from '@lendloom/wire/network/context'
import { extraBodyFaults } from '@lendloom/wire/network/extra/extra-messages'
import { type ExtraCallback, extraCallbacks } from '@lendloom/wire/network/sequence'
import { route } from '#platform/context.ts'
import { acceptedDialect } from '#platform/lenders/network/dialect.ts'
import { askAboutLoan } from '#platform/lenders/network/reactions/appliers/disbursed-loan.ts'
import { receiveExtraCallback } from '#platform/lenders/network/receive-extra-callback.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import {
  evidenceHeaders,
  lenderAuth,
  receiveSigned,
  type VerifiedCallback,
  validateCallback,
} from './verified-callback.ts'

export const onExtras = extraCallbacks.map((action) =>
  route({
    method: 'POST',
    path: `/ondc/${action}`,
    section: 'FIS12 §25',
    summary: `Receives a lender's ${action}`,
    auth: lenderAuth,
    accepts: 'raw',
    maxBytes: 1 << 16,
    hidden: true,
    async handle({ who: sender, ...arrival }, ctx) {
      await receiveSigned(ctx, action, { sender, arrival }, (verified) => receiveExtra(action, verified))
      return ack
    },
  }),
)

async function receiveExtra(action: ExtraCallback, verified: VerifiedCallback): Promise<'fresh' | 'known'> {
  const { ctx, body, arrival } = verified
  const { context, message, journey } = validateCallback(verified, (journey) =>
    extraBodyFaults(action, body, journey ? acceptedDialect(journey, body) : dialectIn(body)),
  )
  const { raw, at } = arrival
  return ctx.db.tx(async (tx) => {
    const lockedJourney = required(
      await lockJourney(tx, journey.tenantId, journey.journeyId),
      'the journey of a callback',
    )
    const received = { action, context, message, raw, headers: evidenceHeaders(arrival) }
    const conversation = await receiveExtraCallback({ ...ctx, tx, at }, lockedJourney, received)
    if (conversation === 'known') return conversation
    if (action !== 'on_rating') await askAboutLoan({ ...ctx, tx, at }, lockedJourney, conversation)
    return 'fresh'
  })
}
