// Journeys of new borrowers that are opened at the same time are one statement and one commit, those of one tenant.

import { groupCommit } from '#kit/db/group-commit.ts'
import type { Db } from '#kit/db/sql.ts'
import { type Cache, cache } from '#kit/runtime/cache.ts'
import { pairs } from '#kit/runtime/pairs.ts'
import { type NewBorrowerOpening, openForNewBorrower, openForNewBorrowers } from './store.ts'

type Open = (asked: NewBorrowerOpening) => Promise<boolean>

/** Two commits under way keep the disk busy; a larger group would let its first one wait for too many others. */
const gathering = { concurrency: 2, most: 16 }

/** The groups of one process, by tenant. */
export type SessionGroups = Cache<Open>

/** One that is forgotten while it works finishes its group; the next session begins another. */
const ofTenants = { name: 'session-groups', mostBytes: 4 << 20, forMs: 600_000, weigh: () => 2000 }

export const sessionGroups = (): SessionGroups => cache<Open>(ofTenants)

/** Opens as `openForNewBorrowers` does, false when the borrower is known. A statement stays within one tenant. */
export function openTogether({ db, sessions }: { db: Db; sessions: SessionGroups }, tenantId: string): Open {
  const open =
    sessions.get(tenantId) ?? groupCommit((rows: NewBorrowerOpening[]) => openInOrder(db, tenantId, rows), gathering)
  sessions.set(tenantId, open)
  return open
}

/** Two statements that add the same identifiers do so in one order, so that neither waits for the other for ever. */
async function openInOrder(db: Db, tenantId: string, rows: NewBorrowerOpening[]): Promise<boolean[]> {
  const [first, ...others] = rows
  if (first && others.length === 0) return [await openForNewBorrower(db, first.borrower, first.opening)]
  const sorted = rows.toSorted((a, b) => (a.borrower.externalId < b.borrower.externalId ? -1 : 1))
  const begun = await openForNewBorrowers(db, tenantId, sorted)
  const outcomes = new Map(pairs(sorted, begun))
  return rows.map((row) => outcomes.get(row) === true)
}
