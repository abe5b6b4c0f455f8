// The time window for offers. When it ends, lenders that have not answered are no longer awaited.

import { secondsAfter } from '@lendloom/foundation/clock'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { closeWindow } from './lender-answers.ts'

const kind = 'offer-window'

/** Schedules the end of the window that opens now. */
export const scheduleWindow = ({ tx, at, config }: TxContext, { tenantId, journeyId }: Journey): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    payload: { journeyId },
    isForLater: true,
    dueAt: secondsAfter(at, config.OFFER_WINDOW_SECONDS),
  })

/** Opens a new offer window for a lender that answered after its search had ended as unanswered. */
export async function reopenSearch(ctx: TxContext, journey: Journey): Promise<void> {
  const { tx, at } = ctx
  if (journey.search !== 'UNANSWERED') return
  await updateJourney(tx, journey, { search: 'CLOSED' }, at)
  await scheduleWindow(ctx, journey)
}

/** A delay in closing the window that is longer than this means that the platform was down. */
const downtimeSeconds = 10
/** Extension of the window after downtime, so that lenders can repeat their answers. */
const graceSeconds = 60

export const offerWindowWorker = (ctx: Context): Worker =>
  work<{ journeyId: string }>({
    kind,
    ...ctx,
    async handle(job) {
      if (job.attempt === 1 && endedDuringDowntime(ctx, job))
        throw new RetryLater(graceSeconds, 'the platform was down when the window ended')
      await ctx.db.tx(async (tx) => {
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        if (journey?.active) await closeWindow({ ...ctx, tx, at: ctx.clock() }, journey)
        await finish(tx, job)
      })
    },
  })

function endedDuringDowntime({ clock, config }: Context, { enqueuedAt }: Job): boolean {
  return clock() > secondsAfter(enqueuedAt, config.OFFER_WINDOW_SECONDS + downtimeSeconds)
}
