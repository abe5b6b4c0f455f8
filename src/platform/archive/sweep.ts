// The nightly archive: moves what was settled ninety days ago, and deletes the objects of erased journeys.
import { type ArchiveProgress, archiveDays, archiveDue, type DueOwner, type SweepResult } from '#kit/archive/sweep.ts'
import type { ObjectBackend } from '#kit/files/object-store.ts'
import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { enqueueRecurring } from '#kit/messaging/recurring-job.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import { archivableRows } from './rows.ts'
import { addKeys, listDue, listTenants, newestKeyOf, ownerOf, type RemovalJob, removalKind } from './store.ts'

const batchSize = 200
const kind = 'archive'
const secondsBetweenSweeps = 86_400
/** A sweep of many journeys takes longer than ten default leases. */
const leaseSeconds = 3600

type ArchiveContext = Pick<Context, 'db' | 'seal' | 'log'> & { archive: ObjectBackend }

/** Without a configured archive everything stays in the database. */
export function archiveWorkers(ctx: Context): Worker[] {
  const { db, clock, log, archive } = ctx
  if (archive === null) return []
  enqueueRecurring(ctx, kind, 'the archive could not be scheduled; the next start will')
  const sweeper = work({
    ...{ kind, db, clock, log, leaseSeconds },
    async handle() {
      await archiveSettled({ ...ctx, archive }, clock())
      throw new RetryLater(secondsBetweenSweeps, 'the next archive')
    },
  })
  const remover = work<RemovalJob>({
    ...{ kind: removalKind, db, clock, log },
    async handle({ payload }) {
      for (const name of payload.objects) await archive.remove(name)
    },
  })
  return [sweeper, remover]
}

/** Archives everything that is due at `at`. */
export async function archiveSettled(
  ctx: ArchiveContext,
  at: Date,
  onProgress: ArchiveProgress = () => {},
): Promise<SweepResult> {
  const { db, archive } = ctx
  const before = daysAfter(at, -archiveDays)
  await addDueKeys(ctx, before, at)
  const listOwners = async (): Promise<DueOwner[]> =>
    (await listDue(db, at, batchSize)).map((journey) => ({
      ...ownerOf(journey),
      isEnded: !journey.active && journey.updatedAt < before,
      readTables: () => archivableRows(db, journey, before),
    }))
  return archiveDue({ ...ctx, objects: archive }, at, listOwners, onProgress)
}

async function addDueKeys({ db, seal }: ArchiveContext, before: Date, at: Date): Promise<void> {
  for (const { tenantId } of await listTenants(db))
    for (let after: string | undefined = await newestKeyOf(db, tenantId); after !== undefined; ) {
      const read: string[] = await addKeys(db, seal, tenantId, { before, at, after, limit: batchSize })
      after = read.length < batchSize ? undefined : read.at(-1)
    }
}
