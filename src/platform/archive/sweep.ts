// The nightly archive: moves what was settled ninety days ago, and deletes the objects of erased journeys.
import { archiveRows } from '#kit/archive/archive.ts'
import type { ObjectBackend } from '#kit/files/object-store.ts'
import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { enqueueRecurring } from '#kit/messaging/recurring-job.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import type { JourneyKey } from '#platform/journey/journey.ts'
import { archivableRows } from './rows.ts'
import {
  addKeys,
  countDue,
  listDue,
  listTenants,
  newestKeyOf,
  ownerOf,
  type RemovalJob,
  removalKind,
  setDue,
} from './store.ts'

/** After this many days what is settled moves to the archive. */
export const archiveDays = 90
/** A running loan is archived once in this many days. */
const daysBetweenParts = 30
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

/** Archives everything that is due at `at`; returns the numbers of journeys and rows. `onProgress` gets those done and due. */
export async function archiveSettled(
  ctx: ArchiveContext,
  at: Date,
  onProgress: (done: number, due: number) => void = () => {},
): Promise<{ journeys: number; rows: number }> {
  const { db, log } = ctx
  await addDueKeys(ctx, at)
  const due = await countDue(db, at)
  const sum = { journeys: 0, rows: 0 }
  for (;;) {
    const journeys = await listDue(db, at, batchSize)
    if (journeys.length === 0) return sum
    for (const journey of journeys) {
      const rows = await archiveJourney(ctx, journey, at).catch(async (error: unknown) => {
        const { tenantId, journeyId } = journey
        log.error({ err: error, tenantId, journeyId }, 'a journey could not be archived; the next day tries again')
        await setDue(db, journey, daysAfter(at, 1))
        return 0
      })
      sum.journeys++
      sum.rows += rows
      onProgress(sum.journeys, due)
    }
  }
}

async function addDueKeys({ db, seal }: ArchiveContext, at: Date): Promise<void> {
  const before = daysAfter(at, -archiveDays)
  for (const { tenantId } of await listTenants(db))
    for (let after: string | undefined = await newestKeyOf(db, tenantId); after !== undefined; ) {
      const read: string[] = await addKeys(db, seal, tenantId, { before, at, after, limit: batchSize })
      after = read.length < batchSize ? undefined : read.at(-1)
    }
}

/** Moves the rows of a journey in parts, and sets when its next part is due. Returns their number. */
async function archiveJourney(
  { db, seal, archive }: ArchiveContext,
  journey: JourneyKey & { active: boolean; updatedAt: Date },
  at: Date,
): Promise<number> {
  const before = daysAfter(at, -archiveDays)
  const tables = await archivableRows(db, journey, before)
  let rows = 0
  for (let part = 1; part <= maxParts; part++) {
    const deps = { db, seal, objects: archive }
    const result = await archiveRows(deps, ownerOf(journey), tables, at)
    rows += result.rows
    if (result.isComplete) break
  }
  const isDone = !journey.active && journey.updatedAt < before
  await setDue(db, journey, isDone ? null : daysAfter(at, daysBetweenParts))
  return rows
}

/** Stops a journey whose rows change again and again. */
const maxParts = 20
