// Checks every case with dues once per business day, within the bank's hours, and resumes stuck debits.

import { enqueue, noTenantId, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { isAutopilotOn } from '#partner/case/autopilot-switch.ts'
import type { Context } from '#partner/context.ts'
import { collect } from './collect.ts'
import { enqueuePresent } from './enqueue-present.ts'
import { isWithinHours } from './hours.ts'
import { casesToCollect, stuckDebits } from './store.ts'

const dueKind = 'collect-due'
const caseKind = 'collect-case'
const batchSize = 200
/** Maximum seconds between two scans. */
const maxScanSeconds = 60
/** Seconds after which a debit without presentation or result is resumed. Its job or result may be lost. */
const stuckAfterSeconds = { presenting: 3600, result: 86_400 }

export async function queueDueScan({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind: dueKind, key: dueKind, payload: {}, dueAt: clock() }))
}

export const dueScanWorker = (ctx: Context): Worker =>
  work<Record<string, never>>({
    kind: dueKind,
    ...ctx,
    async handle() {
      if (await isAutopilotOn(ctx.db, ctx.config)) await collectDue(ctx)
      throw new RetryLater(Math.min(maxScanSeconds, 3 * ctx.config.BANK_POLL_SECONDS), 'all due cases are queued')
    },
  })

export const caseCollectionWorker = (ctx: Context): Worker =>
  work<{ caseRef: string }>({
    kind: caseKind,
    ...ctx,
    handle: async ({ payload }) => void (await collect(ctx, payload.caseRef, ctx.clock())),
  })

/**
 * Queues one job per case with dues that was not checked today, so that a failing case does not affect other cases.
 * Returns the number of queued cases; 0 outside the bank's hours.
 */
export async function collectDue(ctx: Pick<Context, 'db' | 'clock' | 'config'>): Promise<number> {
  const { db, clock } = ctx
  const at = clock()
  await resumeStuckDebits(ctx, at)
  if (!isWithinHours(ctx, at)) return 0
  const on = businessDate(at)
  for (let [after, queued] = ['', 0]; ; ) {
    const cases = await casesToCollect(db, on, after, batchSize)
    if (cases.length > 0)
      await db.tx(async (tx) => {
        for (const { caseRef } of cases)
          await enqueue(tx, { tenantId: noTenantId, kind: caseKind, key: caseRef, payload: { caseRef }, dueAt: at })
      })
    queued += cases.length
    const last = cases.at(-1)
    if (!last || cases.length < batchSize) return queued
    after = last.caseRef
  }
}

async function resumeStuckDebits({ db }: Pick<Context, 'db'>, at: Date): Promise<void> {
  const { presenting, result } = stuckAfterSeconds
  const before = { presenting: secondsAfter(at, -presenting), result: secondsAfter(at, -result) }
  const stuck = await stuckDebits(db, before, batchSize)
  if (stuck.length === 0) return
  await db.tx(async (tx) => {
    for (const payment of stuck) await enqueuePresent(tx, payment, at)
  })
}
