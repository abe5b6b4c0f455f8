// A journey expires when its borrower has not acted for thirty days, or nothing is left to act on: without a lifecycle event.

import type { EndReason } from '#contract/reason/reason.ts'
import type { Tx } from '#kit/db/sql.ts'
import { RetryLater } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from './journey.ts'
import { idleJourneys, lockJourney, updateJourney } from './store.ts'

/** Closes a journey (D2 §2.2 EXPIRED), with the reason that the borrower is told. Its status stays: D1 knows no other. */
export const expire = (tx: Tx, journey: Journey, endReason: EndReason, at: Date): Promise<void> =>
  updateJourney(tx, journey, { active: false, endReason }, at)

const batch = 200
const secondsBetweenSweeps = 3600

/** Expires what has been idle for too long, a batch at a time, each journey in a transaction of its own; then comes back in an hour. */
export async function expireIdle(ctx: Context): Promise<never> {
  const before = daysAfter(ctx.clock(), -ctx.config.JOURNEY_IDLE_DAYS)
  const idle = await idleJourneys(ctx.db, before, batch)
  for (const { tenantId, journeyId } of idle) {
    await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (!journey?.active || journey.lastBorrowerActAt >= before) return
      await expire(tx, journey, 'NOT_CONTINUED', ctx.clock())
    })
  }
  throw new RetryLater(idle.length === batch ? 1 : secondsBetweenSweeps, 'the next sweep')
}
