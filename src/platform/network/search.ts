// Asks the whole network for lenders: one broadcast through the gateway, and a window in which they may answer (FIS12 §2).

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { productOf } from '#platform/product/products.ts'
import { hasTaken } from './archive/store.ts'
import { ask } from './ask.ts'
import { dialectOf } from './dialect.ts'
import { buyerTerms, finderFee } from './identity.ts'
import { note } from './inbound/note.ts'

/**
 * Broadcasts the search of a journey. What follows are `on_search` inbound messages, one for each lender, and at the end of
 * the window `search_closed`; or `nacked`, or `unanswered` when the gateway could not be reached in that time.
 */
export async function search(tx: Tx, ctx: Context, journey: Journey, at: Date): Promise<void> {
  const { config } = ctx
  const gateway = config.NETWORK_GATEWAY_URL
  await ask(
    tx,
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
    at,
  )
}

/**
 * The borrower tries again after a search that brought no decision. Lenders that answered it are asked once more for what
 * they could not be asked then, because in one transaction no second search may follow their answer (FIS12 §4.1; 2.3.0
 * allows it). Where nobody answered, the search itself is repeated.
 */
export async function searchAgain(tx: Tx, ctx: Context, journey: Journey, at: Date): Promise<void> {
  // An answer that waits to be read counts: the lender has answered.
  const isAnswered = await hasTaken(tx, journey, 'on_search')
  if (!isAnswered || dialectOf(journey) === '2.3.0') return search(tx, ctx, journey, at)
  const attempt = uuidv7(at.getTime())
  await note(tx, ctx, journey, null, { type: 'asked_again' }, `asked_again:${attempt}`, at)
  await note(tx, ctx, journey, null, { type: 'search_closed' }, `search_closed:${attempt}`, at)
}
