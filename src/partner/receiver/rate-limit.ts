// Limits the requests of each platform with a token bucket; a request above the limit gets 429 (D3 §7, §8).

import type { Arrival } from '#kit/http/server.ts'
import { Buckets, limitRequest } from '#kit/http/token-bucket.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { type Config, number } from '#kit/runtime/config.ts'

export const limitSettings = {
  PARTNER_REQUESTS_PER_SECOND: number(
    'Requests per second of one platform, counted by each process; 0 for no limit',
    0,
    0,
    1_000_000,
  ),
  PARTNER_BURST: number('Requests that one platform may make in a burst', 200, 1, 1_000_000),
}

interface LimitContext {
  db: object
  config: Config<typeof limitSettings>
}

const bucketsOf = perDatabase((_: LimitContext) => new Buckets())

/** Counts a request. Throws `rate-limited` above the limit. */
export function limitClient(ctx: LimitContext, arrival: Arrival, sender: string): void {
  const { PARTNER_REQUESTS_PER_SECOND: perSecond, PARTNER_BURST: burst } = ctx.config
  if (perSecond === 0) return
  limitRequest(bucketsOf(ctx), arrival, { policy: 'platform', caller: sender, limit: { perSecond, burst } })
}
