// A journey begins, whichever API it begins at: its row, profile, first event and deliveries are one thing (D1 §2.6, D2 §3).
import { detailsContext } from '#platform/borrower/details.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { type Beginning, beginning } from '#platform/journey/start.ts'
import { deliveries } from '#platform/webhook/delivery.ts'
import { insertOpening, type Opening } from './store.ts'

/** Everything that a new journey consists of, ready to be stored. */
export function openingOf(ctx: Context, given: Beginning, at: Date): Opening {
  const { row, event, delivery } = beginning(ctx, given, at)
  const profileSealed = ctx.seal.json(given.person, detailsContext(given.tenantId, row.journeyId))
  return { journey: row, profileSealed, event, delivery }
}

/** Opens a journey for a borrower who is known, whose lock the caller holds; gives its id. */
export async function openJourney(ctx: TxContext, given: Beginning): Promise<string> {
  const { tx, at } = ctx
  const opening = openingOf(ctx, given, at)
  await insertOpening(tx, given.borrowerId, opening)
  tx.wake(deliveries)
  return opening.journey.journeyId
}
