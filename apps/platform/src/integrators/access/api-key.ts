// Authentication of an integrator's server by its API key: `Authorization: Bearer sk_…` (D1 §5).

import { randomBytes } from 'node:crypto'
import { lookupCache } from '@lendloom/foundation/cache'
import { isWithin } from '@lendloom/foundation/config'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Arrival, Auth } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import { bearer, mintToken, readToken, sameDigest } from '@lendloom/seal/token'
import type { Context } from '#platform/context.ts'
import { limitTenant } from './rate-limit.ts'
import { findKey, insertKey, type KeyRow, pinVersion, recordKeyUse } from './store.ts'

/** What a key may be used for: to open sessions, to manage webhooks, to steer the sandbox. */
export const scopes = ['sessions', 'webhooks', 'sandbox'] as const
export type KeyScope = (typeof scopes)[number]

/** The beginning of a live key, and of a test key, which works only in the sandbox. */
export const keyPrefixes = ['sk_live', 'sk_test'] as const

/** The caller, as identified by an API key. */
export interface Integrator {
  tenantId: string
  applicationId: string
  keyId: string
  scopes: string[]
  /** The pinned version of the headless API; null before the first call. */
  apiVersion: string | null
  /** The products that are enabled for the application. */
  products: string[]
  /** Networks from which the key may be used; empty means any network. */
  addresses: string[]
}

/** Authenticates the request's key for `scope`; throws `bad-api-key` (401), `rate-limited` (429) or `forbidden` (403). */
export const apiKey = (scope: KeyScope): Auth<Context, Integrator> => ({
  scheme: 'apiKey',
  async check(arrival, ctx) {
    const integrator = await findIntegrator(bearer(arrival.headers), ctx, arrival.at)
    if (!integrator) throw unknownKey()
    recordCaller(arrival, integrator)
    await limitTenant(ctx, arrival, integrator.tenantId)
    requireScope(integrator, scope)
    return integrator
  },
  nameOf: ({ tenantId }) => tenantId,
})

/** Records the caller for the request log; throws `forbidden` if the key may not be used from the caller's address. */
export function recordCaller(arrival: Arrival, { tenantId, applicationId, keyId, addresses }: Integrator): void {
  arrival.caller = { tenantId, applicationId, keyId }
  if (addresses.length > 0 && !isWithin(arrival.ip, addresses))
    throw new Refusal('forbidden', `this API key may not be used from ${arrival.ip}`, { address: arrival.ip })
}

export const unknownKey = () => new Refusal('bad-api-key', 'the API key is missing, unknown, expired or revoked')

/** Throws `forbidden` if the key was not issued for this scope. */
export function requireScope({ scopes }: Integrator, scope: KeyScope): void {
  if (!scopes.includes(scope))
    throw new Refusal('forbidden', `this API key does not have the scope ${scope}`, { scope })
}

const keys = lookupCache<KeyRow>('api-keys')

/** The owner of an API key; null for an invalid key. Throws `bad-api-key` for a test key outside the sandbox. */
export async function findIntegrator(token: string | null, ctx: Context, at: Date): Promise<Integrator | null> {
  const parsed = token === null ? null : readToken(token, keyPrefixes)
  if (!parsed) return null
  if (parsed.prefix === 'sk_test' && !ctx.config.SANDBOX)
    throw new Refusal('bad-api-key', 'a test key (sk_test_…) does not work outside the sandbox; use a live key')
  const { tenantId, tokenId, digest } = parsed
  const row = await keys.find(ctx.db, `${tenantId} ${tokenId}`, at, () => findKey(ctx.db, tenantId, tokenId))
  if (!row || !sameDigest(row.digest, digest)) return null
  if (row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= at)) return null
  // The day in India, as the console shows the creation.
  const today = businessDate(at)
  if (row.lastUsedOn !== today) {
    row.lastUsedOn = today
    await recordKeyUse(ctx.db, tenantId, tokenId, today)
  }
  const { applicationId, scopes, apiVersion, products, addresses } = row
  return { tenantId, applicationId, keyId: tokenId, scopes, apiVersion, products, addresses }
}

/** Pins the key to this API version unless it is already pinned, and evicts the cached keys that were not pinned. */
export async function pinKey({ db }: Context, integrator: Integrator, version: string): Promise<void> {
  const { tenantId, applicationId, keyId } = integrator
  await pinVersion(db, tenantId, keyId, version)
  keys.forget(db, (row) => row.apiVersion === null && row.applicationId === applicationId)
}

export interface NewKey {
  tenantId: string
  applicationId: string
  label: string
  scopes: KeyScope[]
  isLive: boolean
  expiresAt: Date | null
  /** Networks (such as `10.0.0.0/8`) or addresses from which the key may be used; empty means any. */
  addresses?: string[] | undefined
}

/** Creates a key and returns its full text, of which only a digest is stored. */
export async function issueKey(
  tx: Run,
  { isLive, addresses = [], ...key }: NewKey,
  at: Date,
): Promise<{ keyId: string; apiKey: string }> {
  const { token, tokenId, digest } = mintToken(isLive ? 'sk_live' : 'sk_test', { tenantId: key.tenantId }, randomBytes)
  await insertKey(tx, { ...key, addresses, keyId: tokenId, digest, createdAt: at })
  return { keyId: tokenId, apiKey: token }
}

/** Throws `forbidden` if the product is disabled for the application. Only new journeys need this check. */
export function requireProduct({ products }: { products: string[] }, type: string): void {
  if (!products.includes(type))
    throw new Refusal('forbidden', `${type} is disabled for this application`, { product: type })
}
