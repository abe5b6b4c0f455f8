// The lending partners as one process knows them, and the case of a reference: read whole or together, believed for a few seconds.
import type { ProductId } from '#contract/product/products.ts'
import { isUuid } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { cachedLookup, loader } from '#kit/db/loader.ts'
import type { Db, Run } from '#kit/db/sql.ts'
import { cache, perDatabase } from '#kit/runtime/cache.ts'
import type { Context } from '#platform/context.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { type Credentials, listPartners, type Partner, type PartnerRow, partnerContext } from './partner/store.ts'
import { type CasePlace, placesOf } from './store.ts'

/** Each look-up gets the transaction that it belongs to, so that no holder of a connection waits for a second one. */
interface Partners {
  all(db: Run): Promise<Partner[]>
  find(db: Run, partnerId: string): Promise<Partner | undefined>
  /** In this process what was changed is felt at once, in others within five seconds. */
  forget(): void
}

const believedMs = 5000
/** Far more than there may be partners. */
const mostBytes = 8 << 20

/** The partners as this process knows them. */
export const partnersOf = perDatabase(({ seal }: Pick<Context, 'db' | 'seal'>): Partners => {
  const known = cache<Partner[]>({ name: 'lending-partners', mostBytes, forMs: believedMs })
  const key = 'all'
  async function all(db: Run): Promise<Partner[]> {
    const before = known.get(key)
    if (before) return before
    const partners = (await listPartners(db)).map((row) => partnerIn(seal, row))
    known.set(key, partners)
    return partners
  }
  return {
    all,
    find: async (db, partnerId) => (await all(db)).find((partner) => partner.partnerId === partnerId),
    forget: () => known.delete(key),
  }
})

export function partnerIn(seal: Seal, { credentialsSealed, ...row }: PartnerRow): Partner {
  const credentials = seal.openJson<Credentials>(
    credentialsSealed,
    partnerContext({ tenantId: platformTenant, partnerId: row.partnerId }),
  )
  return { ...row, credentials }
}

export const rowOf = (seal: Seal, { credentials, ...partner }: Partner): PartnerRow => ({
  ...partner,
  credentialsSealed: seal.json(credentials, partnerContext({ tenantId: platformTenant, partnerId: partner.partnerId })),
})

/** The partners with a product. */
export const lendingPartners = async (
  ctx: Pick<Context, 'db' | 'seal'>,
  run: Run,
  product: ProductId,
): Promise<Partner[]> => (await partnersOf(ctx).all(run)).filter(({ products }) => products.includes(product))

const placeFinder = perDatabase(({ db }: { db: Db }) =>
  cachedLookup(
    loader((refs: string[]) => findCases(db, refs)),
    { name: 'known-cases' },
  ),
)

/**
 * The case of a reference. Every incoming event needs it, so look-ups are batched and, as it never changes, cached.
 * Undefined for an unknown reference.
 */
export async function placeOfCase(ctx: { db: Db }, caseRef: string): Promise<CasePlace | undefined> {
  return isUuid(caseRef) ? placeFinder(ctx)(caseRef) : undefined
}

async function findCases(db: Db, refs: string[]): Promise<(CasePlace | undefined)[]> {
  const found = new Map((await placesOf(db, refs)).map((place) => [place.caseRef, place]))
  return refs.map((ref) => found.get(ref.toLowerCase()))
}
