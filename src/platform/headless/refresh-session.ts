// POST /sessions/refresh: one pair of tokens is traded for another, once; a second try later means that somebody has a copy (D2 §5).
import { enveloped } from '#contract/headless/envelope.ts'
import { NoBody } from '#contract/headless/fields.ts'
import { RefreshResult } from '#contract/headless/session.ts'
import { answer } from '#kit/http/server.ts'
import { ended, forgetPair, tokenPair } from '#platform/access/headless/caller.ts'
import { replaySeconds, rotatePair } from '#platform/access/headless/pair.ts'
import { revokeFamily } from '#platform/access/headless/store.ts'
import { route } from '#platform/context.ts'
import { noStore, pairWire } from './create-session.ts'
import { base, onceFor } from './route.ts'

export const refreshSession = route({
  method: 'POST',
  path: `${base}/sessions/refresh`,
  section: 'D2 §5',
  summary: 'Trade a pair of tokens for a new one, with either of its tokens',
  auth: tokenPair,
  body: NoBody,
  reply: { 200: enveloped(RefreshResult) },
  async handle(call, ctx) {
    const { who, at } = call
    const { tenantId, familyId, sessionId, kind, rotatedAt } = who
    const operation = { tenantId, principal: `family:${familyId}`, operation: 'POST /sessions/refresh', replaySeconds }
    let isReused = false
    try {
      return await onceFor(ctx, { ...operation, more: { sessionId, kind } }, call, async (tx) => {
        const pair = await rotatePair(tx, who, at)
        if (pair) return answer(200, pairWire(pair), noStore)
        // Who loses a race came before the other was answered; a copy comes after.
        isReused = kind === 'refresh' && rotatedAt !== null
        throw ended()
      })
    } catch (error) {
      if (isReused) await revokeFamily(ctx.db, tenantId, familyId, at)
      throw error
    } finally {
      forgetPair(ctx, tenantId, familyId)
    }
  },
})
