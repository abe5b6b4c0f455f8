// A journey without an act of its borrower for thirty days expires: it is closed quietly, without a lifecycle event.
import { daysAfter } from '#kit/clock.ts'
import { Later } from '#kit/queue.ts'
import type { World } from '#platform/world.ts'
import { idleJourneys, lockJourney, updateJourney } from './store.ts'

const batch = 200
const secondsBetweenSweeps = 3600

/** Expires what has been idle for too long, a batch at a time, each journey in a transaction of its own; then comes back in an hour. */
export async function expireIdle(world: World): Promise<never> {
  const before = daysAfter(world.clock(), -world.config.JOURNEY_IDLE_DAYS)
  const idle = await idleJourneys(world.db, before, batch)
  for (const { tenantId, journeyId } of idle) {
    await world.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (!journey?.active || journey.lastBorrowerActAt >= before) return
      await updateJourney(
        tx,
        journey,
        { active: false, endReason: 'This application was not continued for a long time and has expired.' },
        world.clock(),
      )
    })
  }
  throw new Later(idle.length === batch ? 1 : secondsBetweenSweeps, 'the next sweep')
}
