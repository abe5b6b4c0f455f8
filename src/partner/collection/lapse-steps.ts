// Ends applications that were accepted and went no further in time: by steps of the borrower, or by a payout that nobody ordered.

import { loop, type Worker } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { unfinishedSince, unpaidSince } from '#partner/case/lapse/store.ts'
import { lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { stopCase } from './stop.ts'

const batch = 100

/** What ends an application by time, and from which setting its days come. */
const lapses = [
  { reasonCode: 'STEPS_NOT_FINISHED', find: unfinishedSince, days: 'PARTNER_STEPS_DAYS' },
  { reasonCode: 'PAYOUT_NOT_MADE', find: unpaidSince, days: 'PARTNER_PAYOUT_DAYS' },
] as const

/** Gives how many it found. Each is looked at again under its lock: what was finished, paid out or ended meanwhile is left alone. */
export async function lapseSteps(ctx: Context, at: Date): Promise<number> {
  let found = 0
  for (const { reasonCode, find, days } of lapses) {
    const before = daysAfter(at, -ctx.config[days])
    const due = await find(ctx.db, before, batch)
    for (const { caseRef } of due)
      await ctx.db.tx(async (tx) => {
        const loanCase = await lockCase(tx, caseRef)
        const still = await find(tx, before, batch, caseRef)
        if (still.length === 0) return
        const ended = { cause: 'TIME', reasonCode, reasonMessage: null, stoppedBy: 'time' } as const
        await stopCase({ ...ctx, tx, at }, loanCase, ended)
      })
    found += due.length
  }
  return found
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
