// The nightly archive: moves what ended ninety days ago, and deletes the objects of erased journeys.
import {
  archiveDays,
  archiveDue,
  archiveSweeper,
  type DueOwner,
  type SweepOptions,
  type SweepResult,
} from '@lendloom/archive/archive-sweep'
import type { ObjectBackend } from '@lendloom/files/object-store'
import { daysAfter } from '@lendloom/foundation/clock'
import { type Worker, work } from '@lendloom/queue/queue'
import type { Context } from '#platform/context.ts'
import { isLive } from '#platform/lending/journey/journey.ts'
import { archivableRows } from './archivable-rows.ts'
import { addKeys, listDue, listTenants, newestKeyOf, ownerOf, type RemovalJob, removalKind } from './store.ts'

const batchSize = 200

type ArchiveContext = Pick<Context, 'db' | 'seal' | 'log'> & { archive: ObjectBackend }

/** Without a configured archive everything stays in the database. */
export function archiveWorkers(ctx: Context): Worker[] {
  const { db, clock, log, archive } = ctx
  if (archive === null) return []
  const sweeper = archiveSweeper(ctx, (at, options) => archiveEnded({ ...ctx, archive }, at, options))
  const remover = work<RemovalJob>({
    kind: removalKind,
    db,
    clock,
    log,
    async handle({ payload }) {
      for (const name of payload.objects) await archive.remove(name)
    },
  })
  return [sweeper, remover]
}

/** Archives everything that is due at `at`. */
export async function archiveEnded(ctx: ArchiveContext, at: Date, options: SweepOptions = {}): Promise<SweepResult> {
  const { db, archive } = ctx
  const before = daysAfter(at, -archiveDays)
  await addDueKeys(ctx, before, at)
  const listOwners = async (): Promise<DueOwner[]> =>
    (await listDue(db, at, batchSize)).map((journey) => ({
      ...ownerOf(journey),
      isEnded: !isLive(journey) && journey.updatedAt < before,
      readTables: () => archivableRows(db, journey, before),
    }))
  return archiveDue({ ...ctx, objects: archive }, at, listOwners, options)
}

async function addDueKeys({ db, seal }: ArchiveContext, before: Date, at: Date): Promise<void> {
  for (const { tenantId } of await listTenants(db))
    for (let after: string | undefined = await newestKeyOf(db, tenantId); after !== undefined; ) {
      const read: string[] = await addKeys(db, seal, tenantId, { before, at, after, limit: batchSize })
      after = read.length < batchSize ? undefined : read.at(-1)
    }
}
