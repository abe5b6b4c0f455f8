// Routes that exchange an embed token for a page session, and answer the page's polls.

import { fits, type Static, Type } from '@lendloom/foundation/schema'
import { type Arrival, answer, anyone } from '@lendloom/http/server'
import type { Tx } from '@lendloom/postgres/sql'
import { EmbedSessionReply, EmbedSessionRequest, EmbedViewQuery } from '@lendloom/wire/hosted/embed-requests'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { type Context, route } from '#platform/context.ts'
import {
  embedSession,
  exchangeEmbedToken,
  pageIdOf,
  readEmbedToken,
} from '#platform/integrators/access/embed-session.ts'
import { replaySeconds } from '#platform/integrators/access/headless/token-pair.ts'
import { idempotencyKey, runOnceForKey } from '#platform/integrators/access/idempotency.ts'
import { setPage, setPageSequence } from '#platform/lending/journey/store.ts'
import { pageViewOf } from './page-view.ts'
import { currentTag, viewStateOf, viewTag } from './page-view-tag.ts'

export const enterRoute = route({
  method: 'POST',
  path: '/api/embed/session',
  section: 'D1 §5',
  summary: 'Exchange the token of an embed URL for a page session',
  // No credential yet: the single-use token is in the body.
  auth: anyone,
  hidden: true,
  body: EmbedSessionRequest,
  reply: { 200: EmbedSessionReply },
  async handle({ body, headers, at }, ctx) {
    const { sessionToken, expiresAt, ...who } = await exchangeToken(ctx, body.token, headers, at)
    const pageId = pageIdOf(headers)
    if (pageId !== null) await setPage(ctx.db, who, pageId)
    return { sessionToken, expiresAt, view: await pageViewOf(ctx, { ...who, pageId }, null, at) }
  },
})

const EntryTokens = Type.Object({
  tenantId: Type.String(),
  journeyId: Type.String(),
  sessionToken: Type.String(),
  expiresAt: Type.String(),
})
type EntryTokens = Static<typeof EntryTokens>

/**
 * Exchanges the link's token. A page that was reloaded or lost the response may repeat the request with the same
 * Idempotency-Key, although the token can be used only once.
 */
async function exchangeToken(ctx: Context, token: string, headers: Arrival['headers'], at: Date): Promise<EntryTokens> {
  const exchange = async (tx: Tx): Promise<EntryTokens> => {
    const { expiresAt, ...session } = await exchangeEmbedToken({ ...ctx, tx, at }, token)
    return { ...session, expiresAt: expiresAt.toISOString() }
  }
  const key = idempotencyKey(headers)
  const parsedToken = readEmbedToken(token)
  if (key === null || !parsedToken) return ctx.db.tx(exchange)
  const { tenantId, tokenId } = parsedToken
  const operation = { tenantId, principal: `link:${tokenId}`, operation: 'POST /api/embed/session', key }
  const exchangeForReplay = async (tx: Tx) => answer(200, await exchange(tx))
  const { body } = await runOnceForKey(ctx, { ...operation, content: token, replaySeconds }, at, exchangeForReplay)
  if (!fits(EntryTokens, body)) throw new Error('the stored response does not contain session tokens')
  return body
}

export const readJourneyRoute = route({
  method: 'GET',
  path: '/api/embed/journey',
  section: 'D1 §6',
  summary: 'Get the view, with the lifecycle updates that the page has not yet sent to its app',
  auth: embedSession,
  hidden: true,
  query: EmbedViewQuery,
  reply: { 200: EmbedViewReply },
  async handle({ who, query, headers, at }, ctx) {
    const after = query.after === undefined ? null : Number(query.after)
    const before = await viewStateOf(ctx, { who, after })
    const claims = query.claim === '1'
    // The response with the tag has stored `after`.
    const tag = claims ? null : currentTag(before.state, headers, at)
    if (tag !== null) return answer(304, undefined, { etag: tag })
    const isAhead = after !== null && after > (before.pageSequence ?? 0)
    if (isAhead) await setPageSequence(ctx.db, who.tenantId, who.journeyId, after)
    if (claims && who.pageId) await setPage(ctx.db, who, who.pageId)
    const { state } = isAhead || claims ? await viewStateOf(ctx, { who, after }) : before
    const view = await pageViewOf(ctx, who, after, at)
    const etag = viewTag(state, view, at)
    return answer(200, { view }, etag === null ? {} : { etag })
  },
})
