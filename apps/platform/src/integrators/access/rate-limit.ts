// Request limits: a bucket per tenant, borrower session and lending partner, reported in every response (D2 §7, D3 §7).

import { perDatabase } from '@lendloom/foundation/cache'
import { type Config, flag, number } from '@lendloom/foundation/config'
import type { Log } from '@lendloom/foundation/log'
import type { Arrival } from '@lendloom/http/server'
import { limitRequest, type Quota, sharedLimiter } from '@lendloom/http/shared-limit'
import { noTenant } from '@lendloom/identity/person'
import type { Db } from '@lendloom/postgres/sql'

export const rateLimitSettings = {
  RATE_LIMITS: flag('Whether the limits below apply, over all processes', 'on'),
  TENANT_REQUESTS_PER_SECOND: number('Requests a second that one tenant may make with its API keys', 100, 1, 1_000_000),
  TENANT_BURST: number('Requests that one tenant may make at once', 200, 1, 1_000_000),
  BORROWER_REQUESTS_PER_SECOND: number('Requests a second that one session of a borrower may make', 5, 1, 1_000_000),
  BORROWER_BURST: number('Requests that one session of a borrower may make at once', 20, 1, 1_000_000),
  PARTNER_EVENTS_PER_SECOND: number('Events a second that the lending partner may send', 1000, 1, 1_000_000),
  PARTNER_EVENTS_BURST: number('Events that the lending partner may send at once', 5000, 1, 1_000_000),
}

interface LimitContext {
  db: Db
  log: Log
  config: Config<typeof rateLimitSettings>
}

/** Counts a tenant's request; throws `rate-limited` (429) above the limit. */
export function limitTenant(ctx: LimitContext, arrival: Arrival, tenantId: string): Promise<void> {
  const { TENANT_REQUESTS_PER_SECOND: perSecond, TENANT_BURST: burst } = ctx.config
  return limit(ctx, arrival, { policy: 'tenant', tenantId, caller: '', limit: { perSecond, burst } })
}

/** Counts a request of a borrower's session; throws `rate-limited` (429) above the limit. */
export function limitBorrower(
  ctx: LimitContext,
  arrival: Arrival,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
): Promise<void> {
  const { BORROWER_REQUESTS_PER_SECOND: perSecond, BORROWER_BURST: burst } = ctx.config
  return limit(ctx, arrival, { policy: 'borrower', tenantId, caller: sessionId, limit: { perSecond, burst } })
}

/** Counts a lending partner's event; throws `rate-limited` (429) above the limit. */
export function limitPartner(ctx: LimitContext, arrival: Arrival, sender: string): Promise<void> {
  const { PARTNER_EVENTS_PER_SECOND: perSecond, PARTNER_EVENTS_BURST: burst } = ctx.config
  return limit(ctx, arrival, { policy: 'partner', tenantId: noTenant, caller: sender, limit: { perSecond, burst } })
}

const limitersOf = perDatabase(({ db: { background: db }, log }: LimitContext) => ({
  tenant: sharedLimiter({ db, log }),
  borrower: sharedLimiter({ db, log }),
  partner: sharedLimiter({ db, log }),
}))

async function limit(
  ctx: LimitContext,
  arrival: Arrival,
  quota: Quota & { policy: keyof ReturnType<typeof limitersOf> },
): Promise<void> {
  if (ctx.config.RATE_LIMITS) await limitRequest(limitersOf(ctx)[quota.policy], arrival, quota)
}
