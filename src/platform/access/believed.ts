// Who was looked up is believed for a few seconds: what was revoked works no longer than that in any process.
import type { Run } from '#kit/sql.ts'

const believedMs = 5000
/** Beyond this many callers in five seconds everybody is looked up once more. */
const mostBelieved = 20_000

interface Believed<Row> {
  row: Row
  since: number
}

/** Remembers rows of one kind, for each database on its own. What is not there is not remembered. */
export function believing<Row>() {
  const byDb = new WeakMap<Run, Map<string, Believed<Row>>>()

  function rowsOf(db: Run): Map<string, Believed<Row>> {
    const rows = byDb.get(db) ?? new Map<string, Believed<Row>>()
    byDb.set(db, rows)
    return rows
  }

  return {
    async find(db: Run, key: string, at: Date, look: () => Promise<Row | undefined>): Promise<Row | undefined> {
      const rows = rowsOf(db)
      const known = rows.get(key)
      // A clock that was set back must not prolong it.
      if (known && Math.abs(at.getTime() - known.since) < believedMs) return known.row
      const row = await look()
      if (rows.size >= mostBelieved) rows.clear()
      if (row) rows.set(key, { row, since: at.getTime() })
      else rows.delete(key)
      return row
    },
    /** Forgets whatever `isIt` recognizes: in this process the change is felt at once. */
    forget(db: Run, isIt: (row: Row) => boolean): void {
      const rows = rowsOf(db)
      for (const [key, { row }] of rows) if (isIt(row)) rows.delete(key)
    },
  }
}
