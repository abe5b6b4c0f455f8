// The page's way in, and its way to ask how things are: trading the token of the fragment, and polling.
import { EmbedSessionReply, EmbedSessionRequest, EmbedViewQuery, EmbedViewReply } from '#contract/hosted/embed.ts'
import { embedSession, tradeToken } from '#platform/access/embed-session.ts'
import { setPageSequence } from '#platform/journey/store.ts'
import { route } from '#platform/world.ts'
import { viewOf } from './view.ts'

/** Who presents no credential yet: the token is in the body, since it works once. */
const nobody = { scheme: null, check: () => null }

export const enter = route({
  method: 'POST',
  path: '/api/embed/session',
  section: 'D1 §5',
  summary: 'Trade the token of an embed URL for a session of the page',
  auth: nobody,
  hidden: true,
  body: EmbedSessionRequest,
  reply: { 200: EmbedSessionReply },
  async handle({ body, at }, world) {
    const { sessionToken, expiresAt, ...who } = await world.db.tx((tx) => tradeToken(tx, world, body.token, at))
    return { sessionToken, expiresAt: expiresAt.toISOString(), view: await viewOf(world, who, null, at) }
  },
})

export const look = route({
  method: 'GET',
  path: '/api/embed/journey',
  section: 'D1 §6',
  summary: 'How the journey stands, and the lifecycle updates the page has not passed on',
  auth: embedSession,
  hidden: true,
  query: EmbedViewQuery,
  reply: { 200: EmbedViewReply },
  async handle({ who, query, at }, world) {
    const after = query.after === undefined ? null : Number(query.after)
    if (after !== null && after > 0) await setPageSequence(world.db, who.tenantId, who.journeyId, after)
    return { view: await viewOf(world, who, after, at) }
  },
})
