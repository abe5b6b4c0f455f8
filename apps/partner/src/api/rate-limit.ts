// Limits the requests of each platform with a token bucket; a request above the limit gets 429 (D3 §7, §8).

import { perDatabase } from '@lendloom/foundation/cache'
import { type Config, number } from '@lendloom/foundation/config'
import type { Log } from '@lendloom/foundation/log'
import type { Arrival } from '@lendloom/http/server'
import { limitRequest, sharedLimiter } from '@lendloom/http/shared-limit'
import { noTenant } from '@lendloom/identity/person'
import type { Db } from '@lendloom/postgres/sql'

export const limitSettings = {
  PARTNER_REQUESTS_PER_SECOND: number('Requests per second of one platform; 0 for no limit', 0, 0, 1_000_000),
  PARTNER_BURST: number('Requests that one platform may make in a burst', 200, 1, 1_000_000),
}

interface LimitContext {
  db: Db
  log: Log
  config: Config<typeof limitSettings>
}

const limiterOf = perDatabase(({ db, log }: LimitContext) => sharedLimiter({ db: db.background, log }))

/** Counts a request. Throws `rate-limited` above the limit. */
export async function limitClient(ctx: LimitContext, arrival: Arrival, sender: string): Promise<void> {
  const { PARTNER_REQUESTS_PER_SECOND: perSecond, PARTNER_BURST: burst } = ctx.config
  if (perSecond === 0) return
  const quota = { policy: 'platform', tenantId: noTenant, caller: sender, limit: { perSecond, burst } }
  await limitRequest(limiterOf(ctx), arrival, quota)
}
