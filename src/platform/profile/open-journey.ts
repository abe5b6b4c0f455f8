// A journey begins, whichever door it begins at: its row, profile, first event and deliveries are one thing (D1 §2.6, D2 §3).
import type { Tx } from '#kit/sql.ts'
import { personContext } from '#platform/borrower/person.ts'
import { type Beginning, beginning } from '#platform/journey/start.ts'
import { deliveries } from '#platform/webhook/send.ts'
import type { World } from '#platform/world.ts'
import { insertOpening, type Opening } from './store.ts'

/** Everything that a new journey consists of, ready to be stored. */
export function openingOf(world: World, given: Beginning, at: Date): Opening {
  const { row, event, delivery } = beginning(world, given, at)
  const profileSealed = world.seal.json(given.person, personContext(given.tenantId, row.journeyId))
  return { journey: row, profileSealed, event, delivery }
}

/** Opens a journey for a borrower who is known, whose lock the caller holds; gives its id. */
export async function openJourney(tx: Tx, world: World, given: Beginning, at: Date): Promise<string> {
  const opening = openingOf(world, given, at)
  await insertOpening(tx, given.borrowerId, opening)
  tx.wake(deliveries)
  return opening.journey.journeyId
}
