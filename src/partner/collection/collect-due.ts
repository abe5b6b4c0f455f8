// Each business day, within the bank's hours, cases with dues are checked once; stuck debits are resumed.

import { enqueue, nobody, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { isAutopilotOn } from '#partner/case/autopilot-switch.ts'
import type { Context } from '#partner/context.ts'
import { collect } from './collect.ts'
import { enqueuePresent } from './enqueue-present.ts'
import { isWithinHours } from './hours.ts'
import { casesToCollect, hangingDebits } from './store.ts'

const dueKind = 'collect-due'
const caseKind = 'collect-case'
const batch = 200
/** Between two looks: what is due is so for a whole day, so more seldom than the bank is asked. */
const mostSeconds = 60
/** A debit without progress for this time is checked, in case its job or result was lost. */
const hangingSeconds = { presenting: 3600, result: 86_400 }

export async function beginCollecting({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.tx((tx) => enqueue(tx, { tenantId: nobody, kind: dueKind, key: dueKind, payload: {}, dueAt: clock() }))
}

export const collectingDue = (ctx: Context): Worker =>
  work<Record<string, never>>({
    kind: dueKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    async handle() {
      if (await isAutopilotOn(ctx.db, ctx.config)) await collectDue(ctx)
      throw new RetryLater(Math.min(mostSeconds, 3 * ctx.config.BANK_POLL_SECONDS), 'looked through')
    },
  })

export const collectingCases = (ctx: Context): Worker =>
  work<{ caseRef: string }>({
    kind: caseKind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: async ({ payload }) => void (await collect(ctx, payload.caseRef, ctx.clock())),
  })

/**
 * Queues a job for every case with dues that was not checked today, so that a failing case does not stop others.
 * Returns how many. Runs about once a minute, or on a person's request.
 */
export async function collectDue(ctx: Pick<Context, 'db' | 'clock' | 'config'>): Promise<number> {
  const { db, clock } = ctx
  const at = clock()
  await takeUp(ctx, at)
  if (!isWithinHours(ctx, at)) return 0
  const on = businessDate(at)
  for (let [after, found] = ['', 0]; ; ) {
    const cases = await casesToCollect(db, on, after, batch)
    if (cases.length > 0)
      await db.tx(async (tx) => {
        for (const { caseRef } of cases)
          await enqueue(tx, { tenantId: nobody, kind: caseKind, key: caseRef, payload: { caseRef }, dueAt: at })
      })
    found += cases.length
    const last = cases.at(-1)
    if (!last || cases.length < batch) return found
    after = last.caseRef
  }
}

async function takeUp({ db }: Pick<Context, 'db'>, at: Date): Promise<void> {
  const { presenting, result } = hangingSeconds
  const before = { presenting: secondsAfter(at, -presenting), result: secondsAfter(at, -result) }
  const hanging = await hangingDebits(db, before, batch)
  if (hanging.length === 0) return
  await db.tx(async (tx) => {
    for (const payment of hanging) await enqueuePresent(tx, payment, at)
  })
}
