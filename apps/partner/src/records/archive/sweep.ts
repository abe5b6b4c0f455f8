// Moves the events of loans out of the database ninety days after they were applied.
import {
  archiveDays,
  archiveDue,
  archiveSweeper,
  type DueOwner,
  type SweepOptions,
  type SweepResult,
} from '@lendloom/archive/archive-sweep'
import { daysAfter } from '@lendloom/foundation/clock'
import { businessDate } from '@lendloom/lending/calendar'
import type { Worker } from '@lendloom/queue/queue'
import type { Context } from '#partner/context.ts'
import { addKeys, archivableRows, listDue, ownerOf } from './store.ts'

const batchSize = 200

export const archiveWorker = (ctx: Context): Worker =>
  archiveSweeper(ctx, (at, options) => archiveSettled(ctx, at, options))

/** Archives everything that is due at `at`. */
export async function archiveSettled(
  ctx: Pick<Context, 'db' | 'seal' | 'log' | 'archive'>,
  at: Date,
  options: SweepOptions = {},
): Promise<SweepResult> {
  const { db, seal, archive } = ctx
  const before = daysAfter(at, -archiveDays)
  const keyed = { before: businessDate(before), at, limit: batchSize }
  while ((await addKeys(db, seal, keyed)) === batchSize);
  const listOwners = async (): Promise<DueOwner[]> =>
    (await listDue(db, at, before, batchSize)).map(({ caseRef, isEnded }) => ({
      ...ownerOf(caseRef),
      isEnded,
      readTables: async () => archivableRows(caseRef, before),
    }))
  return archiveDue({ ...ctx, objects: archive }, at, listOwners, options)
}
