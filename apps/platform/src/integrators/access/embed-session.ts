// Authentication of the hosted page: a single-use token in the URL fragment, exchanged for a session (D1 §5).

import { lookupCache } from '@lendloom/foundation/cache'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Arrival, Auth } from '@lendloom/http/server'
import { bucketOf, randomOctets } from '@lendloom/seal/id'
import { bearer, mintToken, readToken, sameDigest } from '@lendloom/seal/token'
import type { Context, TxContext } from '#platform/context.ts'
import { findLinkEnd } from './journey-link/store.ts'
import { limitBorrower } from './rate-limit.ts'
import {
  type EmbedSessionRow,
  findEmbedSession,
  insertEmbedSession,
  insertEmbedToken,
  type NewEmbedToken,
  useEmbedToken,
} from './store.ts'

/** The borrower of a hosted page, with access to one journey. */
export interface SessionBorrower {
  tenantId: string
  journeyId: string
  /** The link through which the page was opened, which ends all sessions that come of it; null for an embed URL. */
  linkId?: string | null
  /** The id of the page load; null if the page sent none. */
  pageId?: string | null
}

/** Returns the id of the page load; null if it is missing. Only the newest open page of a journey may act. */
export function pageIdOf({ 'x-page-id': pageId }: Arrival['headers']): string | null {
  return typeof pageId === 'string' && /^[0-9a-f]{32}$/.test(pageId) ? pageId : null
}

/** Creates a token for a journey and returns the token with the row to store. A token of a link ends with the link. */
export function mintEmbedToken(
  ctx: Context,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  at: Date,
  linkId: string | null = null,
): { token: string; row: NewEmbedToken } {
  const { token, tokenId, digest } = mintToken('bt', { tenantId, bucket: bucketOf(journeyId) }, randomOctets)
  return {
    token,
    row: { tenantId, journeyId, tokenId, digest, expiresAt: secondsAfter(at, ctx.config.EMBED_TOKEN_SECONDS), linkId },
  }
}

/** Creates and stores a token for a journey. */
export async function issueEmbedToken(
  ctx: TxContext,
  journey: { tenantId: string; journeyId: string },
  linkId: string | null = null,
): Promise<string> {
  const { token, row } = mintEmbedToken(ctx, journey, ctx.at, linkId)
  await insertEmbedToken(ctx.tx, row)
  return token
}

/** Parses the token of a URL fragment; null when it is malformed. */
export const readEmbedToken = (token: string) => readToken(token, ['bt'])

/** Exchanges the token of a fragment for a session; throws `bad-session` for a used, expired or unknown token. */
export async function exchangeEmbedToken(
  ctx: TxContext,
  token: string,
): Promise<SessionBorrower & { sessionToken: string; expiresAt: Date }> {
  const { tx, at } = ctx
  const parsed = readEmbedToken(token)
  const used =
    parsed &&
    (await useEmbedToken(tx, { tenantId: parsed.tenantId, tokenId: parsed.tokenId, digest: parsed.digest, at }))
  const linkEnd = parsed && used?.linkId ? await findLinkEnd(tx, { ...parsed, linkId: used.linkId }) : null
  if (!parsed || !used || (used.linkId !== null && (linkEnd === null || linkEnd <= at)))
    throw new Refusal('bad-session', 'this link was already used or has expired; request a new one')
  const { tenantId } = parsed
  const { journeyId, linkId } = used
  const minted = mintToken('st', { tenantId, bucket: bucketOf(journeyId) }, randomOctets)
  const fullEnd = secondsAfter(at, ctx.config.EMBED_SESSION_SECONDS)
  const expiresAt = linkEnd !== null && linkEnd < fullEnd ? linkEnd : fullEnd
  await insertEmbedSession(tx, {
    tenantId,
    sessionId: minted.tokenId,
    digest: minted.digest,
    journeyId,
    createdAt: at,
    expiresAt,
    linkId,
  })
  return { tenantId, journeyId, sessionToken: minted.token, expiresAt }
}

const sessions = lookupCache<EmbedSessionRow>('embed-sessions')

/** Authenticates the session token of a hosted page; throws `bad-session` (401) or `rate-limited` (429). */
export const embedSession: Auth<Context, SessionBorrower> = {
  scheme: 'embedSession',
  noCookie: true,
  // The page chooses its id.
  nameOf: ({ tenantId, journeyId }) => `${tenantId} ${journeyId}`,
  bodiesAtOnce: 4,
  async check(arrival, ctx) {
    const token = bearer(arrival.headers)
    const parsed = token === null ? null : readToken(token, ['st'])
    const row = parsed && (await findSession(ctx, parsed, arrival.at))
    if (!parsed || !row || !sameDigest(row.digest, parsed.digest) || row.expiresAt <= arrival.at)
      throw new Refusal('bad-session', 'the session is unknown or has expired; request a new link')
    await limitBorrower(ctx, arrival, { tenantId: parsed.tenantId, sessionId: parsed.tokenId })
    const { journeyId, linkId } = row
    return { tenantId: parsed.tenantId, journeyId, linkId, pageId: pageIdOf(arrival.headers) }
  },
}

function findSession({ db }: Context, { tenantId, tokenId }: { tenantId: string; tokenId: string }, at: Date) {
  return sessions.find(db, `${tenantId} ${tokenId}`, at, () => findEmbedSession(db, tenantId, tokenId))
}
