// Cached look-ups of the lending partners, and of the keys of a case by its reference.

import { cache, perDatabase } from '@lendloom/foundation/cache'
import { isUuid } from '@lendloom/foundation/uuid'
import type { ProductId } from '@lendloom/lending/product/products'
import { cachedLookup, loader } from '@lendloom/postgres/batch-loader'
import type { Db, Run } from '@lendloom/postgres/sql'
import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#platform/context.ts'
import { platformTenant } from '#platform/people/person.ts'
import { type Credentials, type Partner, partnerContext } from './directory/lending-partner.ts'
import { listPartners, type PartnerRow } from './directory/store.ts'
import { type CaseKeys, keysOfCases } from './store.ts'

/** Cached partners. Look-ups use the caller's transaction, so that no caller needs a second connection. */
interface Partners {
  all(db: Run): Promise<Partner[]>
  find(db: Run, partnerId: string): Promise<Partner | undefined>
  /** Clears this process's cache after a change; other processes see the change within five seconds. */
  forget(): void
}

const cacheMs = 5000
/** Much more than all partners need. */
const maxCacheBytes = 8 << 20

export const partnersOf = perDatabase(({ seal }: Pick<Context, 'db' | 'seal'>): Partners => {
  const cached = cache<Partner[]>({ name: 'lending-partners', maxBytes: maxCacheBytes, lifetimeMs: cacheMs })
  const key = 'all'
  async function all(db: Run): Promise<Partner[]> {
    const before = cached.get(key)
    if (before) return before
    const partners = (await listPartners(db)).map((row) => partnerIn(seal, row))
    cached.set(key, partners)
    return partners
  }
  return {
    all,
    find: async (db, partnerId) => (await all(db)).find((partner) => partner.partnerId === partnerId),
    forget: () => cached.delete(key),
  }
})

/** Opens a stored row. A row from before repayment accounts has none. */
export function partnerIn(seal: Seal, { credentialsSealed, ...row }: PartnerRow): Partner {
  const credentials = seal.openJson<Credentials>(
    credentialsSealed,
    partnerContext({ tenantId: platformTenant, partnerId: row.partnerId }),
  )
  return { ...row, contact: { ...row.contact, repaymentAccount: row.contact.repaymentAccount ?? '' }, credentials }
}

/** Inverse of `partnerIn`. */
export const rowOf = (seal: Seal, { credentials, ...partner }: Partner): PartnerRow => ({
  ...partner,
  credentialsSealed: seal.json(credentials, partnerContext({ tenantId: platformTenant, partnerId: partner.partnerId })),
})

/** The partners that lend a product. */
export const lendingFor = (partners: Partner[], product: ProductId): Partner[] =>
  partners.filter(({ products }) => products.includes(product))

/** Looks up the partners that lend a product. */
export const lendingPartners = async (
  ctx: Pick<Context, 'db' | 'seal'>,
  run: Run,
  product: ProductId,
): Promise<Partner[]> => lendingFor(await partnersOf(ctx).all(run), product)

/** The account to which the borrower of a partner's loan transfers repayments; null if it is unknown. */
export const repaymentAccountIn = (
  partners: Partner[],
  loan: { partnerId: string | null } | undefined,
): string | null =>
  partners.find(({ partnerId }) => partnerId === loan?.partnerId)?.contact.repaymentAccount.trim() || null

const caseKeysLookup = perDatabase(({ db }: { db: Db }) =>
  cachedLookup(
    loader((refs: string[]) => findKeysOfCases(db, refs)),
    { name: 'known-cases' },
  ),
)

/**
 * Returns the immutable keys of a case; undefined for an unknown reference. Every incoming event needs the keys, so
 * look-ups are batched and cached.
 */
export async function keysOfCase(ctx: { db: Db }, caseRef: string): Promise<CaseKeys | undefined> {
  return isUuid(caseRef) ? caseKeysLookup(ctx)(caseRef) : undefined
}

async function findKeysOfCases(db: Db, refs: string[]): Promise<(CaseKeys | undefined)[]> {
  const found = new Map((await keysOfCases(db, refs)).map((keys) => [keys.caseRef, keys]))
  return refs.map((ref) => found.get(ref.toLowerCase()))
}
