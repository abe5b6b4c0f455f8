// Deletes applications that ended without a loan, and checks without an application, after a year (DPDP Act 2023 §8(7)).

import { daysAfter } from '@lendloom/foundation/clock'
import { loop, type Worker } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { removeOldUnrecorded } from '#partner/origination/document/remove-unrecorded-files.ts'
import { deleteCase, deleteOldRows, listCases, listEnded, listObjects, listOldRefs, lockEnded } from './store.ts'

/** The records of a loan are books of account and are kept: eight years by the Companies Act 2013 §128(5). */
const retentionDays = 366
const batchSize = 100
/** Large, because most of the references that are read have a case. */
const refsAtOnce = 10_000
const pollMs = 3_600_000

/** Deletes what is due, once an hour. */
export const retentionWorker = (ctx: Context): Worker =>
  loop<null>({
    queue: 'retention',
    db: ctx.db,
    log: ctx.log,
    pollMs,
    concurrency: 1,
    async claim() {
      const count = await deleteEndedCases(ctx)
      if (count > 0) ctx.log.info({ count }, 'ended applications were deleted, because their retention period is over')
      const files = await removeOldUnrecorded(ctx)
      if (files > 0) ctx.log.info({ files }, 'files of failed uploads were removed')
      const refs = await deleteRowsWithoutCase(ctx)
      if (refs > 0)
        ctx.log.info(
          { refs },
          'checks and events without an application were deleted, because their retention period is over',
        )
      return []
    },
    handle: async () => {},
  })

type RetentionContext = Pick<Context, 'db' | 'store' | 'clock' | 'log'>

/**
 * Deletes ended applications, each in its own transaction; returns their number. Files are deleted before the commit: after a
 * crash, the next run deletes the rows. A failure is logged, so that one application does not stop the others.
 */
export async function deleteEndedCases(ctx: RetentionContext): Promise<number> {
  const before = daysAfter(ctx.clock(), -retentionDays)
  for (let total = 0; ; ) {
    const cases = await listEnded(ctx.db, before, batchSize)
    let deleted = 0
    for (const { caseRef } of cases) if (await deleteEnded(ctx, caseRef, before)) deleted++
    total += deleted
    if (deleted < batchSize) return total
  }
}

async function deleteEnded({ db, store, log }: RetentionContext, caseRef: string, before: Date): Promise<boolean> {
  try {
    return await db.tx(async (tx) => {
      if (!(await lockEnded(tx, caseRef, before))) return false
      for (const { objectName } of await listObjects(tx, caseRef)) await store.remove(objectName)
      await deleteCase(tx, caseRef)
      return true
    })
  } catch (error) {
    log.error({ err: error, caseRef }, 'an ended application could not be deleted; the next run tries again')
    return false
  }
}

/**
 * Deletes identity checks and refused events that no application followed, by case reference; returns the number of
 * references. A case may be created meanwhile, but needs none of its rows from so long ago.
 */
export async function deleteRowsWithoutCase({ db, clock, log }: RetentionContext): Promise<number> {
  const before = daysAfter(clock(), -retentionDays)
  let total = 0
  for (let after = ''; ; ) {
    const refs = (await listOldRefs(db, before, after, refsAtOnce)).map(({ caseRef }) => caseRef)
    const cases = new Set((await listCases(db, refs)).map(({ caseRef }) => caseRef))
    for (const caseRef of refs.filter((ref) => !cases.has(ref))) {
      try {
        await db.tx((tx) => deleteOldRows(tx, caseRef, before))
        total++
      } catch (error) {
        log.error(
          { err: error, caseRef },
          'a check without an application could not be deleted; the next run tries again',
        )
      }
    }
    const last = refs.at(-1)
    if (last === undefined || refs.length < refsAtOnce) return total
    after = last
  }
}
