// Finds the cases with dues on each business day and prepares their debits until the bank accepts them; resumes stuck
// debits.

import { secondsAfter } from '@lendloom/foundation/clock'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { rails } from '#partner/bank/rail/rails.ts'
import type { Context } from '#partner/context.ts'
import { isAutopilotOn } from '#partner/origination/case/autopilot-switch.ts'
import { stuckDebits } from '#partner/servicing/collection/payment-store.ts'
import { enqueuePresentation } from './enqueue-presentation.ts'
import { enqueueNotice } from './notice/send-debit-notices.ts'
import { casesToNotify } from './notice/store.ts'
import { mayPassToday, prepareDebit } from './prepare-debit.ts'
import { casesToCollect } from './store.ts'

const scanKind = 'collect-due'
const caseKind = 'collect-case'
/** Cases per transaction, so that no transaction is long. */
const batchSize = 200
/** Maximum seconds between two scans. Dues change once a day, so scans are rarer than polls of the bank. */
const maxScanSeconds = 60
/** Pause until the next check of a case whose debit the bank does not accept now. */
const bankClosedSeconds = 900
/** Seconds after which a debit that was not presented is resumed. Its job may be lost. */
const stuckAfterSeconds = 3600

/** Queues the recurring scan when the program starts. */
export async function queueDueScan({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind: scanKind, key: scanKind, payload: {}, dueAt: clock() }))
}

/** Scans for dues while the autopilot is on; otherwise an officer starts a scan. */
export const dueScanWorker = (ctx: Context): Worker =>
  work<Record<string, never>>({
    kind: scanKind,
    ...ctx,
    async handle() {
      if (await isAutopilotOn(ctx.db, ctx.config)) await collectDue(ctx)
      throw new RetryLater(Math.min(maxScanSeconds, 3 * ctx.config.BANK_POLL_SECONDS), 'all due cases are queued')
    },
  })

/** Prepares the debit of one case, and tries again later while the bank accepts none. */
export const caseCollectionWorker = (ctx: Context): Worker =>
  work<{ caseRef: string }>({
    kind: caseKind,
    ...ctx,
    async handle({ payload }) {
      if (mayPassToday(await prepareDebit(ctx, payload.caseRef, ctx.clock())))
        throw new RetryLater(bankClosedSeconds, 'the bank accepts no debit now')
    },
  })

/**
 * Queues one job per case with dues that was not checked today, so that a failing case does not affect other cases, and
 * the notices of tomorrow's debits. Returns the number of queued cases, without the notices.
 */
export async function collectDue(ctx: Pick<Context, 'db' | 'clock' | 'config'>): Promise<number> {
  const { db, clock } = ctx
  const at = clock()
  await resumeStuckDebits(ctx, at)
  const on = businessDate(at)
  await notifyDue(ctx, at)
  return queueCases(db, {
    next: (after) => casesToCollect(db, on, after, batchSize),
    queue: (tx, caseRef) =>
      enqueue(tx, { tenantId: noTenantId, kind: caseKind, key: caseRef, payload: { caseRef }, dueAt: at }),
  })
}

/** Queues the notices of tomorrow's debits, on rails whose bank sends a notice of each debit. */
async function notifyDue({ db }: Pick<Context, 'db'>, at: Date): Promise<void> {
  const methods = rails.filter(({ isNotifiedByBank }) => isNotifiedByBank).map(({ method }) => method)
  const collectionOn = plusDays(businessDate(at), 1)
  await queueCases(db, {
    next: (after) => casesToNotify(db, { methods, on: collectionOn, after, limit: batchSize }),
    queue: (tx, caseRef) => enqueueNotice(tx, { caseRef, collectionOn }, at),
  })
}

interface CaseQueue {
  /** Returns the next cases after a case reference, at most `batchSize`. */
  next(after: string): Promise<{ caseRef: string }[]>
  queue(tx: Tx, caseRef: string): Promise<void>
}

/** Queues all cases, batch by batch. Returns their number. */
async function queueCases(db: Context['db'], { next, queue }: CaseQueue): Promise<number> {
  let after = ''
  let queued = 0
  for (;;) {
    const cases = await next(after)
    if (cases.length > 0)
      await db.tx(async (tx) => {
        for (const { caseRef } of cases) await queue(tx, caseRef)
      })
    queued += cases.length
    const last = cases.at(-1)
    if (!last || cases.length < batchSize) return queued
    after = last.caseRef
  }
}

/**
 * Presents debits again whose job or result may be lost. Presenting first asks the bank for a debit that it may have.
 */
async function resumeStuckDebits({ db }: Pick<Context, 'db'>, at: Date): Promise<void> {
  const presenting = secondsAfter(at, -stuckAfterSeconds)
  const results = rails.map(({ method, resultHours }) => ({ method, before: secondsAfter(at, -3600 * resultHours) }))
  const stuck = await stuckDebits(db, { presenting, results }, batchSize)
  if (stuck.length === 0) return
  await db.tx(async (tx) => {
    for (const payment of stuck) await enqueuePresentation(tx, payment, at)
  })
}
