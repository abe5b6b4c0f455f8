// Asks the whole network for lenders: one broadcast through the gateway, and a window in which they may answer (FIS12 §2).
import { search as searchMessage } from '#contract/network/v203/search.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { World } from '#platform/world.ts'
import { ask } from './ask.ts'
import { productOf } from './product.ts'
import { buyerTerms, finderFee } from './us.ts'

/**
 * Broadcasts the search of a journey. What follows are `on_search` happenings, one for each lender, and at the end of
 * the window `search_closed`; or `nacked`, or `unanswered` when the gateway could not be reached in that time.
 */
export async function search(tx: Tx, world: World, journey: Journey, at: Date): Promise<void> {
  const { config } = world
  const gateway = config.NETWORK_GATEWAY_URL
  await ask(
    tx,
    world,
    {
      tenantId: journey.tenantId,
      journeyId: journey.journeyId,
      transactionId: journey.networkTransactionId,
      conversationId: null,
      party: new URL(gateway).hostname,
      uri: gateway,
    },
    {
      action: 'search',
      message: searchMessage({ product: productOf(journey), fee: finderFee(config), terms: buyerTerms(config) }),
      ttl: config.NETWORK_SEARCH_TTL,
    },
    at,
  )
}
