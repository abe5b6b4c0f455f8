// Archives all owners whose next part is due, and sets when the part after it is.
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { type ArchiveDeps, type ArchiveOwner, archiveRows, countDue, setDue } from './archive.ts'
import type { ArchivableRows } from './row.ts'

/** After this many days what is settled moves to the archive. */
export const archiveDays = 90
/** What still changes is archived once in this many days. */
const daysBetweenParts = 30
/** Stops an owner whose rows change again and again. */
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

/** Gets the numbers of owners that are done and due. */
export type ArchiveProgress = (done: number, due: number) => void

/** Repeats `listDue` until it is empty. A failure is logged and postponed by a day, so that one owner does not stop others. */
export async function archiveDue(
  deps: SweepDeps,
  at: Date,
  listDue: () => Promise<DueOwner[]>,
  onProgress: ArchiveProgress,
): Promise<SweepResult> {
  const { db, log } = deps
  const due = await countDue(db, at)
  const sum: SweepResult = { owners: 0, rows: 0 }
  for (;;) {
    const owners = await listDue()
    if (owners.length === 0) return sum
    for (const owner of owners) {
      sum.rows += await archiveOwner(deps, owner, at).catch(async (error: unknown) => {
        log.error({ err: error, owner: owner.context }, 'old messages could not be archived; the next day tries again')
        await setDue(db, owner, daysAfter(at, 1))
        return 0
      })
      onProgress(++sum.owners, due)
    }
  }
}

/** Moves the rows of an owner in parts; returns their number. */
async function archiveOwner(deps: ArchiveDeps, owner: DueOwner, at: Date): Promise<number> {
  const tables = await owner.readTables()
  let rows = 0
  for (let part = 1; part <= maxParts; part++) {
    const result = await archiveRows(deps, owner, tables, at)
    rows += result.rows
    if (result.isComplete) break
  }
  await setDue(deps.db, owner, owner.isEnded ? null : daysAfter(at, daysBetweenParts))
  return rows
}
