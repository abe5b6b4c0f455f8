// Journeys of new borrowers that are opened at the same time are committed together, those of one tenant.
import { type Cache, cache } from '#kit/cache.ts'
import { groupStatements } from '#kit/group-commit.ts'
import type { Db } from '#kit/sql.ts'
import type { NewBorrower } from '#platform/borrower/store.ts'
import { type HostedOpening, openForNewBorrower } from './store.ts'

interface Stranger {
  borrower: NewBorrower
  opening: HostedOpening
}

type Open = (stranger: Stranger) => Promise<boolean>

/** Two commits under way keep the disk busy; a larger group would let its first one wait for too many others. */
const gathering = { lanes: 2, most: 16 }

const known = new WeakMap<Db, Cache<Open>>()
/** One that is forgotten while it works finishes its group; the next session begins another. */
const ofTenants = { name: 'session-groups', mostBytes: 4 << 20, forMs: 600_000, weigh: () => 2000 }

/** Opens as `openForNewBorrower` does, false when the borrower is known. A transaction stays within one tenant. */
export function openTogether(db: Db, tenantId: string): Open {
  const byTenant = known.get(db) ?? cache<Open>(ofTenants)
  known.set(db, byTenant)
  const open =
    byTenant.get(tenantId) ??
    groupStatements(db, (run, { borrower, opening }: Stranger) => openForNewBorrower(run, borrower, opening), gathering)
  byTenant.set(tenantId, open)
  return open
}
