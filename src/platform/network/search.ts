// Asks the whole network for lenders: one broadcast through the gateway, and a window in which they may answer (FIS12 §2).

import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'
import { hasTaken } from './archive/store.ts'
import { ask } from './ask.ts'
import { dialectOf } from './dialect.ts'
import { buyerTerms, finderFee } from './identity.ts'
import { note } from './inbound/store.ts'

/**
 * Broadcasts the search of a journey. What follows are `on_search` inbound messages, one for each lender, and at the end of
 * the window `search_closed`; or `nacked`, or `unanswered` when the gateway could not be reached in that time.
 */
export async function search(ctx: TxContext, journey: Journey): Promise<void> {
  const { config } = ctx
  const gateway = config.NETWORK_GATEWAY_URL
  await ask(
    ctx,
    {
      tenantId: journey.tenantId,
      journeyId: journey.journeyId,
      transactionId: journey.networkTransactionId,
      conversationId: null,
      party: new URL(gateway).hostname,
      uri: gateway,
      dialect: dialectOf(journey),
    },
    {
      action: 'search',
      message: productOf(journey).network.search({ fee: finderFee(config), terms: buyerTerms(config) }),
      ttl: config.NETWORK_SEARCH_TTL,
    },
  )
}

/**
 * Repeats a search without a decision. Lenders that answered are asked again for what was impossible then, because a
 * transaction allows no second search after an answer (FIS12 §4.1; 2.3.0 allows it). Without any answer, the search
 * itself is repeated.
 */
export async function searchAgain(ctx: TxContext, journey: Journey): Promise<void> {
  const { tx, at } = ctx
  // An answer that waits to be read counts: the lender has answered.
  const isAnswered = await hasTaken(tx, journey, 'on_search')
  if (!isAnswered || dialectOf(journey) === '2.3.0') return search(ctx, journey)
  const attempt = uuidv7(at.getTime(), bucketOf(journey.journeyId))
  await note(ctx, journey, { type: 'profile_resent' }, { conversationId: null, key: `profile_resent:${attempt}` })
  await note(ctx, journey, { type: 'search_closed' }, { conversationId: null, key: `search_closed:${attempt}` })
}
