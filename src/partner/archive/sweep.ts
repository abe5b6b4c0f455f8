// Moves the events of loans out of the database ninety days after they were settled.
import { archiveDays, archiveDue, type DueOwner, type SweepResult } from '#kit/archive/sweep.ts'
import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { enqueueRecurring } from '#kit/messaging/recurring-job.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#partner/context.ts'
import { addKeys, archivableRows, listDue, ownerOf } from './store.ts'

const kind = 'archive'
const batchSize = 200
const secondsBetweenSweeps = 86_400
/** A sweep of many loans takes longer than ten default leases. */
const leaseSeconds = 3600

export function archiveWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  enqueueRecurring(ctx, kind, 'the archive could not be scheduled; the next start will')
  return work({
    ...{ kind, db, clock, log, leaseSeconds },
    async handle() {
      await archiveSettled(ctx, clock())
      throw new RetryLater(secondsBetweenSweeps, 'the next archive')
    },
  })
}

/** Archives everything that is due at `at`. */
export async function archiveSettled(
  ctx: Pick<Context, 'db' | 'seal' | 'log' | 'archive'>,
  at: Date,
  onProgress: Parameters<typeof archiveDue>[3] = () => {},
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
  return archiveDue({ ...ctx, objects: archive }, at, listOwners, onProgress)
}
