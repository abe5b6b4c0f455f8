// Removes files whose row was not stored, so that no borrower's file stays where no deletion finds it (DPDP §8(7)).

import { daysAfter } from '@lendloom/foundation/clock'
import type { Context } from '#partner/context.ts'
import { type CaseObject, deleteNote, isObjectStored, listUnrecorded } from './store.ts'

/** Much longer than an upload takes, and its repetitions after a failure. */
const lifetimeDays = 1
const batchSize = 100

type RemovalContext = Pick<Context, 'db' | 'store' | 'clock' | 'log'>

/** Removes the file of an upload whose row was refused. If the file store fails, a later run of the sweep removes the file. */
export async function removeRefused(ctx: RemovalContext, object: CaseObject, notedAt: Date): Promise<void> {
  try {
    await removeUnrecorded(ctx, object, notedAt)
  } catch (error) {
    ctx.log.warn({ err: error, ...object }, 'the file of a refused upload could not be removed; the sweep tries again')
  }
}

/** Removes the files whose upload failed more than a day ago; returns their number. A failure does not stop the others. */
export async function removeOldUnrecorded(ctx: RemovalContext): Promise<number> {
  const until = daysAfter(ctx.clock(), -lifetimeDays)
  let total = 0
  for (let after: CaseObject = { caseRef: '', objectName: '' }; ; ) {
    const objects = await listUnrecorded(ctx.db, until, after, batchSize)
    for (const object of objects) {
      try {
        if (await removeUnrecorded(ctx, object, until)) total++
      } catch (error) {
        ctx.log.error({ err: error, ...object }, 'a file without a row could not be removed; the next run tries again')
      }
    }
    const last = objects.at(-1)
    if (last === undefined || objects.length < batchSize) return total
    after = last
  }
}

/**
 * Removes a file that has no row, with its note; does nothing if an upload noted it after `until`. The note is locked until
 * the file is removed, so that a repeated request waits, and stores the file again.
 */
const removeUnrecorded = ({ db, store }: RemovalContext, object: CaseObject, until: Date): Promise<boolean> =>
  db.tx(async (tx) => {
    if (!(await deleteNote(tx, object, until)) || (await isObjectStored(tx, object))) return false
    await store.remove(object.objectName)
    return true
  })
