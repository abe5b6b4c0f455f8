// The product's own patience: lenders that were asked and have not answered by then are not waited for any longer.
import { secondsAfter } from '#kit/clock.ts'
import { enqueue, finish, type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/journey/store.ts'
import type { World } from '#platform/world.ts'
import { closeWindow } from './receive.ts'

const kind = 'offer-window'

export const scheduleWindow = (tx: Tx, { config }: World, { tenantId, journeyId }: Journey, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind, payload: { journeyId }, dueAt: secondsAfter(at, config.OFFER_WINDOW_SECONDS) })

/** A lender answered a search that had been given up: its offer is waited for like any other. */
export async function reopenSearch(tx: Tx, world: World, journey: Journey, at: Date): Promise<void> {
  if (journey.search !== 'UNANSWERED') return
  await updateJourney(tx, journey, { search: 'CLOSED' }, at)
  await scheduleWindow(tx, world, journey, at)
}

/** Beyond this a window did not end late by chance: nobody was here to hear what lenders said. */
const lateSeconds = 10
/** How long their answers, which they repeat until somebody takes them, may then still take to arrive. */
const graceSeconds = 60

export const closingWindows = (world: World): Worker =>
  work<{ journeyId: string }>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    async handle(job) {
      if (job.attempt === 1 && endedWhileAway(world, job)) throw new Later(graceSeconds, 'we were away')
      await world.db.tx(async (tx) => {
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        if (journey?.active) await closeWindow(tx, world, journey, world.clock())
        await finish(tx, job)
      })
    },
  })

function endedWhileAway({ clock, config }: World, { enqueuedAt }: Job): boolean {
  return clock() > secondsAfter(enqueuedAt, config.OFFER_WINDOW_SECONDS + lateSeconds)
}
