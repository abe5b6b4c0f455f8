// An integrator's server proves itself with its API key: `Authorization: Bearer sk_…` (D1 §5).
import { randomBytes } from 'node:crypto'
import type { Auth } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Run } from '#kit/sql.ts'
import type { World } from '#platform/world.ts'
import { limitTenant } from './rate-limit.ts'
import { findKey, insertKey, type KeyRow, touchKey } from './store.ts'
import { bearer, mintToken, readToken, sameDigest } from './token.ts'

export const scopes = ['sessions', 'webhooks', 'sandbox'] as const
export type Scope = (typeof scopes)[number]

/** Who called, as far as a key can say. */
export interface Integrator {
  tenantId: string
  applicationId: string
  keyId: string
  scopes: string[]
}

/** The key of the request, checked and allowed `scope`; refusals `bad-api-key` (401), `rate-limited` (429), `forbidden` (403). */
export const apiKey = (scope: Scope): Auth<World, Integrator> => ({
  scheme: 'apiKey',
  async check(arrival, world) {
    const integrator = await integratorOf(bearer(arrival.headers), world, arrival.at)
    limitTenant(world, arrival, integrator.tenantId)
    if (!integrator.scopes.includes(scope))
      throw new Refusal('forbidden', `this API key does not have the scope ${scope}`, { scope })
    return integrator
  },
})

const unknown = () => new Refusal('bad-api-key', 'the API key is missing, unknown, expired or revoked')

/** A key that was looked up is believed for this long: a revoked one works no longer than that in any process. */
const believedMs = 5000
const believed = new WeakMap<Run, Map<string, { row: KeyRow; since: number }>>()

async function integratorOf(token: string | null, world: World, at: Date): Promise<Integrator> {
  const read = token === null ? null : readToken(token)
  if (!read?.prefix.startsWith('sk_')) throw unknown()
  const { tenantId, tokenId, digest } = read
  const row = await keyRow(world.db, tenantId, tokenId, at)
  if (!row || !sameDigest(row.digest, digest)) throw unknown()
  if (row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= at)) throw unknown()
  const today = at.toISOString().slice(0, 10)
  if (row.lastUsedOn !== today) {
    row.lastUsedOn = today
    await touchKey(world.db, tenantId, tokenId, today)
  }
  return { tenantId, applicationId: row.applicationId, keyId: tokenId, scopes: row.scopes }
}

async function keyRow(db: Run, tenantId: string, keyId: string, at: Date): Promise<KeyRow | undefined> {
  const cache = believed.get(db) ?? new Map<string, { row: KeyRow; since: number }>()
  believed.set(db, cache)
  const key = `${tenantId} ${keyId}`
  const known = cache.get(key)
  // A clock that was set back must not prolong it.
  if (known && Math.abs(at.getTime() - known.since) < believedMs) return known.row
  const row = await findKey(db, tenantId, keyId)
  if (row) cache.set(key, { row, since: at.getTime() })
  else cache.delete(key)
  return row
}

export interface NewKey {
  tenantId: string
  applicationId: string
  label: string
  scopes: Scope[]
  live: boolean
  expiresAt: Date | null
}

/** Makes a key and gives its text, which nobody can see again. */
export async function issueKey(
  tx: Run,
  { live, ...key }: NewKey,
  at: Date,
): Promise<{ keyId: string; apiKey: string }> {
  const { token, tokenId, digest } = mintToken(live ? 'sk_live' : 'sk_test', key.tenantId, randomBytes)
  await insertKey(tx, { ...key, keyId: tokenId, digest, createdAt: at })
  return { keyId: tokenId, apiKey: token }
}
