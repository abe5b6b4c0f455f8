// Finds in the figures which lenders receive applications for a product. The borrower sees them before the consents.

import { type Cache, cache, perDatabase, shareRunning } from '@lendloom/foundation/cache'
import type { ProductId } from '@lendloom/lending/product/products'
import type { Db } from '@lendloom/postgres/sql'
import {
  type LenderKey,
  lenderKeyText,
  listLenderNames,
  listSwitches,
  type NamedLender,
} from '#platform/lending/lender/switch/store.ts'
import { dayMs, halfHourAfter } from '#platform/records/figures/half-hours.ts'
import { sumBySubject } from './store.ts'
import { timeSlicesOf } from './window.ts'

/** A lender is known if it received an offer request in these days. */
const recentDays = 30
/** Maximum number of known lenders; the lenders with the most offer requests are returned. */
const maxLenders = 50

interface KnownLenders {
  /** Lenders that recently received offer requests for the product. */
  lenders: NamedLender[]
  /** Whether the tenant has switched off requests to a lender. */
  isOff(lender: LenderKey): boolean
}

type FindKnownLenders = (tenantId: string, product: ProductId, at: Date) => Promise<KnownLenders>

/** Finds the known lenders of a tenant and product. The result is cached for a minute. */
export const knownLendersOf = perDatabase(({ db }: { db: Db }): FindKnownLenders => {
  const cached: Cache<KnownLenders> = cache({
    name: 'known-lenders',
    maxBytes: 4_000_000,
    lifetimeMs: 60_000,
    weigh: ({ lenders }) => 500 * (lenders.length + 1),
  })
  // After the cached value has expired, concurrent requests share one query.
  const shareQuery = shareRunning<KnownLenders>()
  return async (tenantId, product, at) => {
    const key = `${tenantId}:${product}`
    const cachedLenders = cached.get(key)
    if (cachedLenders) return cachedLenders
    const loaded = await shareQuery(key, () => knownLenders(db, { tenantId, product, at }))
    cached.set(key, loaded)
    return loaded
  }
})

interface LendersQuery {
  tenantId: string
  product: ProductId
  at: Date
}

async function knownLenders(db: Db, { tenantId, product, at }: LendersQuery): Promise<KnownLenders> {
  const slices = timeSlicesOf({ from: new Date(at.getTime() - recentDays * dayMs), until: halfHourAfter(at) })
  const [rows, switches] = await Promise.all([
    sumBySubject(db, { tenantId, applicationId: null, product }, 'offer', slices),
    listSwitches(db, tenantId),
  ])
  const frequentIds = rows
    .filter(({ outcome }) => outcome === 'REQUESTED')
    .sort((a, b) => b.count - a.count)
    .slice(0, maxLenders)
    .map(({ subject }) => subject)
  const lenders = frequentIds.length > 0 ? await listLenderNames(db, tenantId, frequentIds) : []
  const switchedOff = new Set(switches.map(lenderKeyText))
  return { lenders, isOff: (lender) => switchedOff.has(lenderKeyText(lender)) }
}
