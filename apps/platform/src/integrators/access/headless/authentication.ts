// Authentication of the headless API. An API key creates sessions, a session token gives access to journeys, and either
// token of a pair refreshes the pair (D2 §5).

import { lookupCache } from '@lendloom/foundation/cache'
import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Arrival, Auth } from '@lendloom/http/server'
import { bearer, readToken, sameDigest } from '@lendloom/seal/token'
import { latestVersion, requestedVersion, versionHeader } from '@lendloom/wire/headless/session'
import type { Context } from '#platform/context.ts'
import {
  findIntegrator,
  type Integrator,
  keyPrefixes,
  pinKey,
  recordCaller,
  requireScope,
  unknownKey,
} from '#platform/integrators/access/api-key.ts'
import { limitBorrower, limitTenant } from '#platform/integrators/access/rate-limit.ts'
import { findByRefresh, findSession, type SessionRow } from './store.ts'

/** A borrower as known to one application; each application of a tenant has its own journeys. */
export interface BorrowerOfApplication {
  tenantId: string
  applicationId: string
  borrowerId: string
}

/** A borrower authenticated by a session token. */
export interface HeadlessBorrower extends BorrowerOfApplication {
  products: string[]
}

/** A server authenticated by an API key, with the API version of this call. */
export interface SessionCreator extends Integrator {
  apiVersion: string
}

/** Accepts only `sk_…`; throws `bad-api-key` (401), `forbidden` (403) for a borrower's token, or `rate-limited` (429). */
export const headlessKey: Auth<Context, SessionCreator> = {
  scheme: 'apiKey',
  async check(arrival, ctx) {
    const { integrator, pair } = await readCredentials(arrival, ctx)
    if (!integrator) throw pair?.isCurrent ? wrongTokenKind('an API key') : unknownKey()
    recordCaller(arrival, integrator)
    await limitTenant(ctx, arrival, integrator.tenantId)
    requireScope(integrator, 'sessions')
    const requested = requestedVersion(arrival.headers)
    const pinned = integrator.apiVersion ?? requested ?? latestVersion
    if (integrator.apiVersion === null) await pinKey(ctx, integrator, pinned)
    return { ...integrator, apiVersion: setVersionHeader(arrival, pinned) }
  },
  nameOf: ({ tenantId }) => tenantId,
}

/** Accepts only `st_…`; throws `bad-session` (401), `forbidden` (403) for another valid token, or `rate-limited` (429). */
export const borrowerSession: Auth<Context, HeadlessBorrower> = {
  scheme: 'sessionToken',
  bodiesAtOnce: 4,
  async check(arrival, ctx) {
    const { integrator, pair } = await readCredentials(arrival, ctx)
    if (integrator || (pair?.isCurrent && pair.kind === 'refresh')) throw wrongTokenKind('a session token')
    if (!pair?.isCurrent) throw sessionEnded()
    recordSessionCaller(arrival, pair.row)
    await limitBorrower(ctx, arrival, pair.row)
    setVersionHeader(arrival, pair.row.apiVersion)
    const { tenantId, applicationId, borrowerId, products } = pair.row
    return { tenantId, applicationId, borrowerId, products }
  },
}

/** Accepts either token of a pair, even of a rotated pair, so that reuse is detected. Throws like `borrowerSession`. */
export const tokenPair: Auth<Context, SessionRow & { kind: 'session' | 'refresh' }> = {
  scheme: 'refreshToken',
  bodiesAtOnce: 4,
  async check(arrival, ctx) {
    const { integrator, pair } = await readCredentials(arrival, ctx, true)
    if (integrator) throw wrongTokenKind('a session token or a refresh token')
    if (!pair || pair.row.revokedAt !== null) throw sessionEnded()
    recordSessionCaller(arrival, pair.row)
    await limitBorrower(ctx, arrival, pair.row)
    setVersionHeader(arrival, pair.row.apiVersion)
    return { ...pair.row, kind: pair.kind }
  },
}

function recordSessionCaller(arrival: Arrival, { tenantId, applicationId, borrowerId }: SessionRow): void {
  arrival.caller = { tenantId, applicationId, keyId: null, borrowerId }
}

/** The refusal of a token that is unknown, expired, rotated or revoked; it does not say which. */
export const sessionEnded = () => new Refusal('bad-session', 'the session is unknown or has ended; open or refresh one')

const wrongTokenKind = (requiredToken: string) =>
  new Refusal('forbidden', `this call requires ${requiredToken}`, { needed: requiredToken })

interface PresentedCredentials {
  integrator: Integrator | null
  pair: { row: SessionRow; kind: 'session' | 'refresh'; isCurrent: boolean } | null
}
const noCredentials: PresentedCredentials = { integrator: null, pair: null }

const sessions = lookupCache<SessionRow>('sessions')

/** Evicts a rotated pair from this process's cache. Other processes reject it within five seconds. */
export const evictPair = ({ db }: Context, tenantId: string, familyId: string): void =>
  sessions.forget(db, (row) => row.familyId === familyId && row.tenantId === tenantId)

/**
 * Returns the owner of the request's token, or `noCredentials` if the token is unknown or expired. `isCurrent` is
 * false for a rotated or revoked pair. With `isRotation`, the session is read from the database instead of the cache.
 */
async function readCredentials(
  { headers, at }: Arrival,
  ctx: Context,
  isRotation = false,
): Promise<PresentedCredentials> {
  const token = bearer(headers)
  const parsed = token === null ? null : readToken(token, [...keyPrefixes, 'st', 'rt'])
  if (!parsed) return noCredentials
  if (isOneOf(keyPrefixes, parsed.prefix)) return { ...noCredentials, integrator: await findIntegrator(token, ctx, at) }
  const kind = parsed.prefix === 'st' ? 'session' : 'refresh'
  const { tenantId, tokenId } = parsed
  const findCaller = () => (kind === 'session' ? findSession : findByRefresh)(ctx.db, tenantId, tokenId)
  const row = await (isRotation
    ? findCaller()
    : sessions.find(ctx.db, `${kind} ${tenantId} ${tokenId}`, at, findCaller))
  if (!row || !sameDigest(row[`${kind}Digest`], parsed.digest) || row[`${kind}ExpiresAt`] <= at) return noCredentials
  return { integrator: null, pair: { row, kind, isCurrent: row.rotatedAt === null && row.revokedAt === null } }
}

/** Sets the version header of the response, and returns the version: the requested version, or else the pinned one. */
function setVersionHeader({ headers, answerHeaders }: Arrival, pinned: string): string {
  const version = requestedVersion(headers) ?? pinned
  answerHeaders[versionHeader] = version
  return version
}
