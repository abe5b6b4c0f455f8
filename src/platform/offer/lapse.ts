// An offer stands until its lender's quote lapses. A journey that is left with none has expired: quietly, as D1 has no status for it.
import { enqueue, finish, type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import { expire } from '#platform/journey/expire.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney } from '#platform/journey/store.ts'
import type { World } from '#platform/world.ts'
import { tellLapsed } from './lenders.ts'
import { standing } from './offer.ts'
import { listOffers } from './store.ts'

const kind = 'offer-lapse'
const secondsBetweenLooks = 10
/** The reason that is kept of a journey that ended so. */
export const offersLapsed = 'The offers for this application have expired.'

/** Every quote with an end has one of these: whichever comes last finds that nothing stands any more. */
export const scheduleLapse = (tx: Tx, { tenantId, journeyId }: Journey, validUntil: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind, payload: { journeyId }, dueAt: validUntil })

export const lapsing = (world: World): Worker =>
  work<{ journeyId: string }>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    async handle(job) {
      const waits = await world.db.tx((tx) => lapse(tx, world, job))
      if (waits) throw new Later(secondsBetweenLooks, 'a lender may still offer')
    },
  })

/** Whether it has to be looked at again. */
async function lapse(tx: Tx, world: World, job: Job<{ journeyId: string }>): Promise<boolean> {
  const at = world.clock()
  const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
  const found = journey?.active ? standing(journey, await listOffers(tx, journey), at) : 'stands'
  if (found === 'awaited') return true
  if (journey && found === 'lapsed') {
    await tellLapsed(tx, world, journey, at)
    await expire(tx, journey, offersLapsed, at)
  }
  await finish(tx, job)
  return false
}
