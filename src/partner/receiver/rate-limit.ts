// How often one platform may call: a bucket for each, told in every answer; beyond it 429 RATE_LIMITED (D3 §7, §8).

import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival } from '#kit/http/server.ts'
import { Buckets } from '#kit/http/token-bucket.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import type { Config } from '#kit/runtime/config.ts'
import { number } from '#kit/runtime/config.ts'

export const limitSettings = {
  PARTNER_REQUESTS_PER_SECOND: number(
    'Requests a second that one platform may make, which each process counts for itself; 0 for no limit',
    0,
    0,
    1_000_000,
  ),
  PARTNER_BURST: number('Requests that one platform may make at once', 200, 1, 1_000_000),
}

interface Limited {
  db: object
  config: Config<typeof limitSettings>
}

const requestCounts = perDatabase((_: Limited) => new Buckets())

/** Counts a request; refused as `rate-limited` when it comes too soon. */
export function limitClient(ctx: Limited, { at, answerHeaders }: Arrival, sender: string): void {
  const { PARTNER_REQUESTS_PER_SECOND: perSecond, PARTNER_BURST: burst } = ctx.config
  if (perSecond === 0) return
  const drawn = requestCounts(ctx).draw(sender, { perSecond, burst }, at.getTime())
  answerHeaders['ratelimit-policy'] = `"platform";q=${burst};w=${Math.ceil(burst / perSecond)}`
  answerHeaders.ratelimit = `"platform";r=${drawn.left};t=${Math.ceil(drawn.secondsUntilFull)}`
  if (drawn.allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(drawn.secondsUntilNext))
  throw new Refusal('rate-limited', `too many requests; try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}
