// An integrator's server proves itself with its API key: `Authorization: Bearer sk_…` (D1 §5).

import { randomBytes } from 'node:crypto'
import { bearer, mintToken, readToken, sameDigest } from '#kit/crypto/token.ts'
import type { Run } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival, Auth } from '#kit/http/server.ts'
import { lookupCache } from '#kit/runtime/cache.ts'
import { isWithin } from '#kit/runtime/config.ts'
import type { Context } from '#platform/context.ts'
import { limitTenant } from './rate-limit.ts'
import { findKey, insertKey, type KeyRow, pinVersion, touchKey } from './store.ts'

export const scopes = ['sessions', 'webhooks', 'sandbox'] as const
export type KeyScope = (typeof scopes)[number]

/** How keys begin. */
export const keyPrefixes = ['sk_live', 'sk_test'] as const

/** The caller, as identified by an API key. */
export interface Integrator {
  tenantId: string
  applicationId: string
  keyId: string
  scopes: string[]
  /** The version of the headless API that the key speaks; null until it has spoken it. */
  apiVersion: string | null
  /** The products that are switched on for the application. */
  products: string[]
  /** Networks that it may be used from; everywhere while there are none. */
  addresses: string[]
}

/** The key of the request, checked and allowed `scope`; refusals `bad-api-key` (401), `rate-limited` (429), `forbidden` (403). */
export const apiKey = (scope: KeyScope): Auth<Context, Integrator> => ({
  scheme: 'apiKey',
  async check(arrival, ctx) {
    const integrator = await findIntegrator(bearer(arrival.headers), ctx, arrival.at)
    if (!integrator) throw unknownKey()
    calledBy(arrival, integrator)
    limitTenant(ctx, arrival, integrator.tenantId)
    needScope(integrator, scope)
    return integrator
  },
})

/** Notes who called, for the log of requests; refused as `forbidden` where the key may not be used from that address. */
export function calledBy(arrival: Arrival, { tenantId, applicationId, keyId, addresses }: Integrator): void {
  arrival.caller = { tenantId, applicationId, keyId }
  if (addresses.length > 0 && !isWithin(arrival.ip, addresses))
    throw new Refusal('forbidden', `this API key may not be used from ${arrival.ip}`, { address: arrival.ip })
}

export const unknownKey = () => new Refusal('bad-api-key', 'the API key is missing, unknown, expired or revoked')

export function needScope({ scopes }: Integrator, scope: KeyScope): void {
  if (!scopes.includes(scope))
    throw new Refusal('forbidden', `this API key does not have the scope ${scope}`, { scope })
}

const keys = lookupCache<KeyRow>('api-keys')

/**
 * The owner of an API key; null when it is not a valid key. A test key is refused as `bad-api-key` outside the sandbox.
 */
export async function findIntegrator(token: string | null, ctx: Context, at: Date): Promise<Integrator | null> {
  const read = token === null ? null : readToken(token, keyPrefixes)
  if (!read) return null
  if (read.prefix === 'sk_test' && !ctx.config.SANDBOX)
    throw new Refusal('bad-api-key', 'a test key (sk_test_…) opens nothing outside the sandbox; use a live one')
  const { tenantId, tokenId, digest } = read
  const row = await keys.find(ctx.db, `${tenantId} ${tokenId}`, at, () => findKey(ctx.db, tenantId, tokenId))
  if (!row || !sameDigest(row.digest, digest)) return null
  if (row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= at)) return null
  const today = at.toISOString().slice(0, 10)
  if (row.lastUsedOn !== today) {
    row.lastUsedOn = today
    await touchKey(ctx.db, tenantId, tokenId, today)
  }
  const { applicationId, scopes, apiVersion, products, addresses } = row
  return { tenantId, applicationId, keyId: tokenId, scopes, apiVersion, products, addresses }
}

/** Pins the key to this version unless it has one, and evicts it from the cache. */
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
  live: boolean
  expiresAt: Date | null
  /** Networks that it may be used from, as `10.0.0.0/8` or an address; everywhere when there are none. */
  addresses?: string[] | undefined
}

/** Creates a key and returns its text, which is not stored. */
export async function issueKey(
  tx: Run,
  { live, addresses = [], ...key }: NewKey,
  at: Date,
): Promise<{ keyId: string; apiKey: string }> {
  const { token, tokenId, digest } = mintToken(live ? 'sk_live' : 'sk_test', { tenantId: key.tenantId }, randomBytes)
  await insertKey(tx, { ...key, addresses, keyId: tokenId, digest, createdAt: at })
  return { keyId: tokenId, apiKey: token }
}

/**
 * Refused as `forbidden` when the product is switched off for the application. Applies to new journeys only; journeys
 * in progress continue.
 */
export function needProduct({ products }: { products: string[] }, type: string): void {
  if (!products.includes(type))
    throw new Refusal('forbidden', `${type} is switched off for this application`, { product: type })
}
