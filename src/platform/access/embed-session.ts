// The hosted page's way in: a single-use token in the fragment of its address, traded for a session (D1 §5).

import { bucketOf, randomOctets } from '#kit/crypto/id.ts'
import { bearer, mintToken, readToken, sameDigest } from '#kit/crypto/token.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival, Auth } from '#kit/http/server.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { limitBorrower } from './rate-limit.ts'
import { findEmbedSession, insertEmbedSession, type NewEmbedToken, useEmbedToken } from './store.ts'

/** The borrower in front of a hosted page: one journey, nothing else. */
export interface SessionBorrower {
  tenantId: string
  journeyId: string
  /** Which page asks, as it named itself; null where it did not. */
  pageId?: string | null
}

/** Each load of a page has its own id, so that of two open pages of one journey only the newest may act. */
export function pageIdOf({ 'x-page-id': pageId }: Arrival['headers']): string | null {
  return typeof pageId === 'string' && /^[0-9a-f]{32}$/.test(pageId) ? pageId : null
}

/** A new token of a journey and the row to store for it. */
export function embedToken(
  ctx: Context,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  at: Date,
): { token: string; row: NewEmbedToken } {
  const { token, tokenId, digest } = mintToken('bt', { tenantId, bucket: bucketOf(journeyId) }, randomOctets)
  return {
    token,
    row: { tenantId, journeyId, tokenId, digest, expiresAt: secondsAfter(at, ctx.config.EMBED_TOKEN_SECONDS) },
  }
}

/** Parses the token of a URL fragment; null when it is malformed. */
export const readEmbedToken = (token: string) => readToken(token, ['bt'])

/** Trades the token of a fragment for a session. A token that was used, is too old or was never issued is refused. */
export async function tradeToken(
  ctx: TxContext,
  token: string,
): Promise<SessionBorrower & { sessionToken: string; expiresAt: Date }> {
  const { tx, at } = ctx
  const read = readEmbedToken(token)
  const journeyId =
    read && (await useEmbedToken(tx, { tenantId: read.tenantId, tokenId: read.tokenId, digest: read.digest, at }))
  if (!read || journeyId === null)
    throw new Refusal('bad-session', 'this link was used already or is too old; ask for a new one')
  const { tenantId } = read
  const minted = mintToken('st', { tenantId, bucket: bucketOf(journeyId) }, randomOctets)
  const expiresAt = secondsAfter(at, ctx.config.EMBED_SESSION_SECONDS)
  await insertEmbedSession(tx, {
    tenantId,
    sessionId: minted.tokenId,
    digest: minted.digest,
    journeyId,
    createdAt: at,
    expiresAt,
  })
  return { tenantId, journeyId, sessionToken: minted.token, expiresAt }
}

/** The borrower of the session token that a hosted page presents; refusals `bad-session` (401), `rate-limited` (429). */
export const embedSession: Auth<Context, SessionBorrower> = {
  scheme: 'embedSession',
  noCookie: true,
  async check(arrival, ctx) {
    const token = bearer(arrival.headers)
    const read = token === null ? null : readToken(token, ['st'])
    const row = read ? await findEmbedSession(ctx.db, read.tenantId, read.tokenId) : undefined
    if (!read || !row || !sameDigest(row.digest, read.digest) || row.expiresAt <= arrival.at)
      throw new Refusal('bad-session', 'the session is unknown or has ended; ask for a new link')
    limitBorrower(ctx, arrival, read.tokenId)
    return { tenantId: read.tenantId, journeyId: row.journeyId, pageId: pageIdOf(arrival.headers) }
  },
}
