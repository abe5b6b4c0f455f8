// The product's own patience: lenders that were asked and have not answered by then are not waited for any longer.
import { secondsAfter } from '#kit/clock.ts'
import { enqueue, finish, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { World } from '#platform/world.ts'
import { closeWindow } from './receive.ts'

const kind = 'offer-window'

export const scheduleWindow = (tx: Tx, { config }: World, { tenantId, journeyId }: Journey, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind, payload: { journeyId }, dueAt: secondsAfter(at, config.OFFER_WINDOW_SECONDS) })

export const closingWindows = (world: World): Worker =>
  work<{ journeyId: string }>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) =>
      world.db.tx(async (tx) => {
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        if (journey?.active) await closeWindow(tx, world, journey, world.clock())
        await finish(tx, job)
      }),
  })
