// Searches the network for lenders with a broadcast through the gateway, and limits the time for answers (FIS12 §2).

import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { dialectOf, searchFor, searchWays } from './dialect.ts'
import { recordInternalEvent } from './inbound/store.ts'
import { hasAccepted } from './messages/store.ts'
import { queueRequest } from './queue-request.ts'

/**
 * Broadcasts a journey's search, once per version and domain. Inbound messages follow: an `on_search` per lender, and `search_closed`
 * when the time for answers ends. A gateway that rejects the search in the journey's own version leads to `nacked`, an
 * unreachable gateway to `unanswered`.
 */
export async function searchNetwork(ctx: TxContext, journey: Journey): Promise<void> {
  const { config, at } = ctx
  const gateway = config.NETWORK_GATEWAY_URL
  for (const [i, { dialect, domain }] of searchWays(journey, config).entries())
    await queueRequest(
      ctx,
      {
        tenantId: journey.tenantId,
        journeyId: journey.journeyId,
        transactionId: journey.networkTransactionId,
        conversationId: null,
        party: new URL(gateway).hostname,
        uri: gateway,
        dialect,
        domain,
      },
      {
        action: 'search',
        message: searchFor(journey, config, dialect),
        ttl: config.NETWORK_SEARCH_TTL,
        timestamp: new Date(at.getTime() + i),
        isTimed: i === 0,
      },
    )
}

/**
 * Repeats an unsuccessful search. After an answer in dialect 2.0.3, only sends the profile again, because this dialect
 * forbids a second search (FIS12 §4.1).
 */
export async function searchNetworkAgain(ctx: TxContext, journey: Journey): Promise<void> {
  const { tx, at } = ctx
  // The archive also contains answers that have not been applied yet.
  const isAnswered = await hasAccepted(tx, journey, 'on_search')
  if (!isAnswered || dialectOf(journey) === '2.3.0') return searchNetwork(ctx, journey)
  const attempt = uuidv7(at.getTime(), bucketOf(journey.journeyId))
  await recordInternalEvent(
    ctx,
    journey,
    { type: 'profile_resent' },
    { conversationId: null, key: `profile_resent:${attempt}` },
  )
  await recordInternalEvent(
    ctx,
    journey,
    { type: 'search_closed' },
    { conversationId: null, key: `search_closed:${attempt}` },
  )
}
