// Promises of days that have ended are decided by what came in.

import { loop, type Worker } from '#kit/messaging/queue.ts'
import { businessDate, plusDays } from '#kit/money/calendar.ts'
import type { Context } from '#partner/context.ts'
import { decidePromises } from './store.ts'

/** Decides those of yesterday and before. Gives how many were kept and broken. */
export async function decideDue({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<{ kept: number; broken: number }> {
  const at = clock()
  return db.tx((tx) => decidePromises(tx, plusDays(businessDate(at), -1), at))
}

export const decidingPromises = (ctx: Context): Worker =>
  loop<{ kept: number; broken: number }>({
    queue: 'promises',
    db: ctx.db,
    log: ctx.log,
    pollMs: 60_000,
    concurrency: 1,
    async claim() {
      const decided = await decideDue(ctx)
      return decided.kept + decided.broken > 0 ? [decided] : []
    },
    handle: async (decided) => ctx.log.info(decided, 'promises to pay were decided'),
  })
