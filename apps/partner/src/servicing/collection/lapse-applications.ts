// Ends accepted applications whose borrower's steps or whose disbursement misses its deadline.

import { daysAfter } from '@lendloom/foundation/clock'
import { loop, type Worker } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { findUndisbursedCases, findUnfinishedCases } from '#partner/origination/case/lapse/store.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { stopCase } from './stop-case.ts'

/** Late cases per deadline and round; the rest follows in the next round. */
const casesPerRound = 100

/** The deadlines of an accepted application, each with the query that finds late cases and the setting of its days. */
const deadlines = [
  { reasonCode: 'STEPS_NOT_FINISHED', find: findUnfinishedCases, days: 'PARTNER_STEPS_DAYS' },
  { reasonCode: 'PAYOUT_NOT_MADE', find: findUndisbursedCases, days: 'PARTNER_PAYOUT_DAYS' },
] as const

/**
 * Ends accepted applications that missed the deadline for the borrower's steps or for ordering the disbursement. Checks
 * each case again once it is locked. Returns the number of cases found before that check.
 */
export async function lapseApplications(ctx: Context, at: Date): Promise<number> {
  let found = 0
  for (const { reasonCode, find, days } of deadlines) {
    const before = daysAfter(at, -ctx.config[days])
    const due = await find(ctx.db, before, casesPerRound)
    for (const { caseRef } of due)
      await ctx.db.tx(async (tx) => {
        const loanCase = await lockCase(tx, caseRef)
        const dueNow = await find(tx, before, casesPerRound, caseRef)
        if (dueNow.length === 0) return
        const lapse = { cause: 'TIME', reasonCode, reasonMessage: null, stoppedBy: 'time' } as const
        await stopCase({ ...ctx, tx, at }, loanCase, lapse)
      })
    found += due.length
  }
  return found
}

const pollMs = 60_000

/** Looks for late cases every minute, and again at once after a round that found some. */
export function lapseWorker(ctx: Context): Worker {
  const { db, log, clock } = ctx
  return loop<null>({
    queue: 'lapse-steps',
    db,
    log,
    pollMs,
    concurrency: 1,
    claim: async () => ((await lapseApplications(ctx, clock())) > 0 ? [null] : []),
    handle: async () => {},
  })
}
