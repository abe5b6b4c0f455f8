// Authentication of the headless API: a key opens sessions, a session runs journeys, either token of a pair refreshes
// it (D2 §5).

import { latestVersion, requestedVersion, versionHeader } from '#contract/headless/session.ts'
import { bearer, readToken, sameDigest } from '#kit/crypto/token.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival, Auth } from '#kit/http/server.ts'
import { lookupCache } from '#kit/runtime/cache.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import {
  calledBy,
  findIntegrator,
  type Integrator,
  keyPrefixes,
  needScope,
  pinKey,
  unknownKey,
} from '#platform/access/api-key.ts'
import { limitBorrower, limitTenant } from '#platform/access/rate-limit.ts'
import type { Context } from '#platform/context.ts'
import type { BorrowerOfApplication } from './borrower.ts'
import { findByRefresh, findSession, type SessionRow } from './store.ts'

export type { BorrowerOfApplication } from './borrower.ts'

/** A borrower whose runtime has a session. */
export interface HeadlessBorrower extends BorrowerOfApplication {
  /** The products that are switched on for the application. */
  products: string[]
}

/** A server with an API key, and the version that it speaks from its first call on. */
export interface Bootstrapper extends Integrator {
  apiVersion: string
}

/** `sk_…` alone; refusals `bad-api-key` (401), `forbidden` (403) for a token of a borrower, `rate-limited` (429). */
export const headlessKey: Auth<Context, Bootstrapper> = {
  scheme: 'apiKey',
  async check(arrival, ctx) {
    const { integrator, pair } = await presented(arrival, ctx)
    if (!integrator) throw pair?.inUse ? wrongKind('an API key') : unknownKey()
    calledBy(arrival, integrator)
    limitTenant(ctx, arrival, integrator.tenantId)
    needScope(integrator, 'sessions')
    const requested = requestedVersion(arrival.headers)
    const pinned = integrator.apiVersion ?? requested ?? latestVersion
    if (integrator.apiVersion === null) await pinKey(ctx, integrator, pinned)
    return { ...integrator, apiVersion: withVersionHeader(arrival, pinned) }
  },
}

/** `st_…` alone; refusals `bad-session` (401), `forbidden` (403) for other tokens that are valid, `rate-limited` (429). */
export const borrowerSession: Auth<Context, HeadlessBorrower> = {
  scheme: 'sessionToken',
  async check(arrival, ctx) {
    const { integrator, pair } = await presented(arrival, ctx)
    if (integrator || (pair?.inUse && pair.kind === 'refresh')) throw wrongKind('a session token')
    if (!pair?.inUse) throw ended()
    calledBySession(arrival, pair.row)
    limitBorrower(ctx, arrival, pair.row.sessionId)
    withVersionHeader(arrival, pair.row.apiVersion)
    const { tenantId, applicationId, borrowerId, products } = pair.row
    return { tenantId, applicationId, borrowerId, products }
  },
}

/** Either token of a pair, including a rotated one, so that its reuse is detected. Refusals as above. */
export const tokenPair: Auth<Context, SessionRow & { kind: 'session' | 'refresh' }> = {
  scheme: 'refreshToken',
  async check(arrival, ctx) {
    const { integrator, pair } = await presented(arrival, ctx, true)
    if (integrator) throw wrongKind('a session token or a refresh token')
    if (!pair || pair.row.revokedAt !== null) throw ended()
    calledBySession(arrival, pair.row)
    limitBorrower(ctx, arrival, pair.row.sessionId)
    withVersionHeader(arrival, pair.row.apiVersion)
    return { ...pair.row, kind: pair.kind }
  },
}

function calledBySession(arrival: Arrival, { tenantId, applicationId }: SessionRow): void {
  arrival.caller = { tenantId, applicationId, keyId: null }
}

export const ended = () => new Refusal('bad-session', 'the session is unknown or has ended; open or refresh one')

const wrongKind = (needed: string) => new Refusal('forbidden', `this needs ${needed}`, { needed })

interface PresentedCredentials {
  integrator: Integrator | null
  pair: { row: SessionRow; kind: 'session' | 'refresh'; inUse: boolean } | null
}
const nobody: PresentedCredentials = { integrator: null, pair: null }

const sessions = lookupCache<SessionRow>('sessions')

/** A pair that was traded opens nothing more in this process, and within five seconds in every other. */
export const forgetPair = ({ db }: Context, tenantId: string, familyId: string): void =>
  sessions.forget(db, (row) => row.familyId === familyId && row.tenantId === tenantId)

/**
 * The owner of the token, or null when it has expired; a rotated token is not in use. For a rotation the pair is read
 * without the cache.
 */
async function presented({ headers, at }: Arrival, ctx: Context, isTrading = false): Promise<PresentedCredentials> {
  const token = bearer(headers)
  const read = token === null ? null : readToken(token, [...keyPrefixes, 'st', 'rt'])
  if (!read) return nobody
  if (isOneOf(keyPrefixes, read.prefix)) return { ...nobody, integrator: await findIntegrator(token, ctx, at) }
  const kind = read.prefix === 'st' ? 'session' : 'refresh'
  const { tenantId, tokenId } = read
  const findCaller = () => (kind === 'session' ? findSession : findByRefresh)(ctx.db, tenantId, tokenId)
  const row = await (isTrading ? findCaller() : sessions.find(ctx.db, `${kind} ${tenantId} ${tokenId}`, at, findCaller))
  if (!row || !sameDigest(row[`${kind}Digest`], read.digest) || row[`${kind}ExpiresAt`] <= at) return nobody
  return { integrator: null, pair: { row, kind, inUse: row.rotatedAt === null && row.revokedAt === null } }
}

/** The version of this answer: the one that was asked for, else the pinned one. */
function withVersionHeader({ headers, answerHeaders }: Arrival, pinned: string): string {
  const version = requestedVersion(headers) ?? pinned
  answerHeaders[versionHeader] = version
  return version
}
