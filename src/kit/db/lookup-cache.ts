// What was looked up is believed for a few seconds: what was revoked works no longer than that in any process.

import { type Cache, cache, withOwnBytes } from '#kit/runtime/cache.ts'
import type { Run } from './sql.ts'

const believedMs = 5000
/** About 20,000 callers in five seconds; beyond that the first of them are looked up once more. */
const mostBytes = 16 << 20

/** Remembers rows of one kind, for each database on its own. What is not there is not remembered. */
export function lookupCache<Row extends object>(name: string) {
  const byDb = new WeakMap<Run, Cache<Row>>()

  function rowsOf(db: Run): Cache<Row> {
    const rows = byDb.get(db) ?? cache<Row>({ name, mostBytes, forMs: believedMs })
    byDb.set(db, rows)
    return rows
  }

  return {
    async find(db: Run, key: string, at: Date, look: () => Promise<Row | undefined>): Promise<Row | undefined> {
      const rows = rowsOf(db)
      const known = rows.get(key, at.getTime())
      if (known) return known
      const row = await look()
      if (row) rows.set(key, withOwnBytes(row), at.getTime())
      else rows.delete(key)
      return row
    },
    /** Forgets whatever `isIt` recognizes: in this process the change is felt at once. */
    forget(db: Run, isIt: (row: Row) => boolean): void {
      const rows = rowsOf(db)
      for (const [key, row] of rows.entries()) if (isIt(row)) rows.delete(key)
    },
  }
}
