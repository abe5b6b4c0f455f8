// Archives all owners whose next part is due, and sets when the part after it is.

import { daysAfter } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { RetryLater, type Worker, type WorkOptions, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import {
  type ArchiveDeps,
  type ArchiveOwner,
  type ArchiveResult,
  archiveRows,
  countDue,
  setDue,
  UnwritableArchive,
} from './archive.ts'
import type { ArchivableRows } from './archived-row.ts'

/** After this many days what is settled moves to the archive. */
export const archiveDays = 90
/** What still changes is archived once in this many days. */
const daysBetweenParts = 30
/** Stops an owner whose rows change again and again; a larger one continues the next day. */
const maxParts = 20

export interface DueOwner extends ArchiveOwner {
  /** Whether nothing more can come after this part. */
  isEnded: boolean
  readTables(): Promise<ArchivableRows[]>
}

export interface SweepDeps extends ArchiveDeps {
  log: Log
}

export interface SweepResult {
  owners: number
  rows: number
}

export interface SweepOptions {
  /** Gets the numbers of owners that are done and due. */
  onProgress?(done: number, due: number): void
  /** Ends the sweep after the current owner. */
  isStopping?(): boolean
}

const kind = 'archive'
const secondsBetweenSweeps = 86_400
/** A sweep of many owners takes longer than ten default leases. */
const leaseSeconds = 3600

/** Runs the sweep once a day. It may last for hours, so it ends early when the program stops, and another worker continues. */
export function archiveSweeper(
  ctx: Pick<WorkOptions<unknown>, 'db' | 'clock' | 'log'>,
  sweep: (at: Date, options: SweepOptions) => Promise<SweepResult>,
): Worker {
  const { db, clock, log } = ctx
  enqueueRecurring(ctx, kind, 'the archive could not be scheduled; the next start will')
  let isStopping = false
  const worker = work({
    kind,
    db,
    clock,
    log,
    leaseSeconds,
    async handle() {
      await sweep(clock(), { isStopping: () => isStopping })
      throw new RetryLater(isStopping ? 0 : secondsBetweenSweeps, 'the next archive')
    },
  })
  return {
    stop() {
      isStopping = true
      return worker.stop()
    },
  }
}

/**
 * Repeats `listDue` until it is empty. A failure is logged and postponed by a day, so that one owner does not stop others.
 * Throws `UnwritableArchive` when the store fails, and postpones nothing.
 */
export async function archiveDue(
  deps: SweepDeps,
  at: Date,
  listDue: () => Promise<DueOwner[]>,
  { onProgress = () => {}, isStopping = () => false }: SweepOptions,
): Promise<SweepResult> {
  const { db, log } = deps
  const due = await countDue(db, at)
  const sum: SweepResult = { owners: 0, rows: 0 }
  for (;;) {
    const owners = await listDue()
    if (owners.length === 0) return sum
    for (const owner of owners) {
      if (isStopping()) return sum
      const rows = await archiveOwner(deps, owner, at).catch(async (error: unknown) => {
        if (error instanceof UnwritableArchive) throw error
        log.error({ err: error, owner: owner.context }, 'old messages could not be archived; the next day tries again')
        await setDue(db, owner, daysAfter(at, 1))
        return 0
      })
      sum.rows += rows
      onProgress(++sum.owners, due)
    }
  }
}

/** Moves the rows of an owner in parts; returns their number. If rows are left, more is due the next day. */
async function archiveOwner(deps: SweepDeps, owner: DueOwner, at: Date): Promise<number> {
  const tables = await owner.readTables()
  let rows = 0
  let last: ArchiveResult | null = null
  for (let part = 1; part <= maxParts && !last?.isComplete; part++) {
    last = await archiveRows(deps, owner, tables, at)
    rows += last.rows
  }
  const damage = last?.damage ?? null
  if (damage) deps.log.error({ err: damage, owner: owner.context }, 'a value cannot be opened, so its row stays')
  const dueAfterEnd = owner.isEnded ? null : daysAfter(at, daysBetweenParts)
  await setDue(deps.db, owner, last?.isComplete && !damage ? dueAfterEnd : daysAfter(at, 1))
  return rows
}
