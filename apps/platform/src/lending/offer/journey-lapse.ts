// Expiry of journeys. An offer is valid until the lender's quote expires. A journey without a valid offer expires
// without an event, because D1 has no status for the expiry.

import { secondsAfter } from '@lendloom/foundation/clock'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import { expireJourney } from '#platform/lending/journey/advance.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { outlookOf } from './offer.ts'
import { listOffers } from './store.ts'

const kind = 'offer-lapse'
const secondsBetweenChecks = 10

/** Schedules a check at the expiry of a quote. The check ends the journey if it has no valid offer. */
export function scheduleLapse(
  { tx, at }: TxContext,
  { tenantId, journeyId }: Journey,
  validUntil: Date,
): Promise<void> {
  const isForLater = validUntil > secondsAfter(at, 1)
  return enqueue(tx, { tenantId, kind, payload: { journeyId }, dueAt: validUntil, isForLater })
}

export const lapseWorker = (ctx: Context): Worker =>
  work<{ journeyId: string }>({
    kind,
    ...ctx,
    async handle(job) {
      const isOfferAwaited = await ctx.db.tx((tx) => lapse(tx, ctx, job))
      if (isOfferAwaited) throw new RetryLater(secondsBetweenChecks, 'a lender may still offer')
    },
  })

/** Ends the journey when no valid offer is left. Returns true to repeat the check, as a lender may still offer. */
async function lapse(tx: Tx, ctx: Context, job: Job<{ journeyId: string }>): Promise<boolean> {
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
  const outlook = journey?.active ? outlookOf(journey, await listOffers(tx, journey), at) : 'valid'
  if (outlook === 'awaited') return true
  if (journey && outlook === 'lapsed') {
    for (const channel of Object.values(ctx.channels)) await channel.lapse({ ...ctx, tx, at }, journey)
    await expireJourney(tx, journey, 'OFFERS_EXPIRED', at)
  }
  await finish(tx, job)
  return false
}
