// Ends applications that were accepted and whose KYC, mandate or signature the borrower has not finished in time.

import { loop, type Worker } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { lockCase, unfinishedSince } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { stopCase } from './stop.ts'

const batch = 100

/** Gives how many it found. Each is looked at again under its lock: what was finished or ended meanwhile is left alone. */
export async function lapseSteps(ctx: Context, at: Date): Promise<number> {
  const before = daysAfter(at, -ctx.config.PARTNER_STEPS_DAYS)
  const due = await unfinishedSince(ctx.db, before, batch)
  for (const { caseRef } of due)
    await ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const still = await unfinishedSince(tx, before, batch, caseRef)
      if (still.length === 0) return
      const ended = { cause: 'TIME', reasonCode: 'STEPS_NOT_FINISHED', reasonMessage: null, stoppedBy: 'time' } as const
      await stopCase({ ...ctx, tx, at }, loanCase, ended)
    })
  return due.length
}

const pollMs = 60_000

export function lapsingSteps(ctx: Context): Worker {
  const { db, log, clock } = ctx
  return loop<null>({
    queue: 'lapse-steps',
    db,
    log,
    pollMs,
    concurrency: 1,
    claim: async () => ((await lapseSteps(ctx, clock())) > 0 ? [null] : []),
    handle: async () => {},
  })
}
