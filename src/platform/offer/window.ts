// The product's own patience: lenders that were asked and have not answered by then are not waited for any longer.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, finish, type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/journey/store.ts'
import { closeWindow } from './receive.ts'

const kind = 'offer-window'

export const scheduleWindow = (
  tx: Tx,
  { config }: Context,
  { tenantId, journeyId }: Journey,
  at: Date,
): Promise<void> =>
  enqueue(tx, { tenantId, kind, payload: { journeyId }, dueAt: secondsAfter(at, config.OFFER_WINDOW_SECONDS) })

/** A lender answered a search that had been given up: its offer is waited for like any other. */
export async function reopenSearch(tx: Tx, ctx: Context, journey: Journey, at: Date): Promise<void> {
  if (journey.search !== 'UNANSWERED') return
  await updateJourney(tx, journey, { search: 'CLOSED' }, at)
  await scheduleWindow(tx, ctx, journey, at)
}

/** Beyond this a window did not end late by chance: nobody was here to hear what lenders said. */
const lateSeconds = 10
/** How long their answers, which they repeat until somebody takes them, may then still take to arrive. */
const graceSeconds = 60

export const closingWindows = (ctx: Context): Worker =>
  work<{ journeyId: string }>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    async handle(job) {
      if (job.attempt === 1 && endedWhileAway(ctx, job)) throw new RetryLater(graceSeconds, 'we were away')
      await ctx.db.tx(async (tx) => {
        const journey = await lockJourney(tx, job.tenantId, job.payload.journeyId)
        if (journey?.active) await closeWindow(tx, ctx, journey, ctx.clock())
        await finish(tx, job)
      })
    },
  })

function endedWhileAway({ clock, config }: Context, { enqueuedAt }: Job): boolean {
  return clock() > secondsAfter(enqueuedAt, config.OFFER_WINDOW_SECONDS + lateSeconds)
}
