// Known lenders of a loan product, from the figures, for display before the consents.
import type { ProductId } from '#contract/product/products.ts'
import type { Db } from '#kit/db/sql.ts'
import { type Cache, cache, perDatabase, shareRunning } from '#kit/runtime/cache.ts'
import { dayMs, halfHourAfter } from '#platform/figures/figure.ts'
import { type LenderName, listSwitches, type NamedLender, namedLenders } from '#platform/lender/switch/store.ts'
import { bySubject } from './store.ts'
import { piecesOf } from './window.ts'

/** Lenders with an offer request within this many days, at most the 50 most frequent. */
const [days, most] = [30, 50]

interface KnownLenders {
  /** Network lenders, and partner lenders that had requests for this product before. */
  lenders: NamedLender[]
  /** Whether the tenant sends no new requests to a lender. */
  isOff(lender: LenderName): boolean
}

type FindKnownLenders = (tenantId: string, product: ProductId, at: Date) => Promise<KnownLenders>

/** For a tenant and a product; cached for a minute. */
export const knownLendersOf = perDatabase(({ db }: { db: Db }): FindKnownLenders => {
  const cached: Cache<KnownLenders> = cache({
    name: 'known-lenders',
    maxBytes: 4_000_000,
    forMs: 60_000,
    weigh: ({ lenders }) => 500 * (lenders.length + 1),
  })
  // Concurrent requests after an expiry share one read.
  const reading = shareRunning<KnownLenders>()
  return async (tenantId, product, at) => {
    const key = `${tenantId}:${product}`
    const known = cached.get(key)
    if (known) return known
    const loaded = await reading(key, () => knownLenders(db, { tenantId, product, at }))
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
  const pieces = piecesOf({ from: new Date(at.getTime() - days * dayMs), until: halfHourAfter(at) })
  const [rows, switches] = await Promise.all([
    bySubject(db, { tenantId, applicationId: null, product }, 'offer', pieces),
    listSwitches(db, tenantId),
  ])
  const often = rows
    .filter(({ outcome }) => outcome === 'REQUESTED')
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ subject }) => subject)
  const lenders = often.length > 0 ? await namedLenders(db, tenantId, often) : []
  const off = new Set(switches.map(nameIn))
  return { lenders, isOff: (lender) => off.has(nameIn(lender)) }
}

const nameIn = ({ bppId, providerId }: LenderName): string => JSON.stringify([bppId, providerId])
