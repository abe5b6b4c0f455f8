// Request limits: a bucket per tenant, borrower session and lending partner, reported in every response (D2 §7, D3 §7).

import type { Arrival } from '#kit/http/server.ts'
import { Buckets, limitRequest, type Quota } from '#kit/http/token-bucket.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { type Config, flag, number } from '#kit/runtime/config.ts'

export const rateLimitSettings = {
  RATE_LIMITS: flag('Whether the limits below apply; each process counts separately', 'on'),
  TENANT_REQUESTS_PER_SECOND: number('Requests a second that one tenant may make with its API keys', 100, 1, 1_000_000),
  TENANT_BURST: number('Requests that one tenant may make at once', 200, 1, 1_000_000),
  BORROWER_REQUESTS_PER_SECOND: number('Requests a second that one session of a borrower may make', 5, 1, 1_000_000),
  BORROWER_BURST: number('Requests that one session of a borrower may make at once', 20, 1, 1_000_000),
  PARTNER_EVENTS_PER_SECOND: number('Events a second that the lending partner may send', 1000, 1, 1_000_000),
  PARTNER_EVENTS_BURST: number('Events that the lending partner may send at once', 5000, 1, 1_000_000),
}

interface LimitContext {
  db: object
  config: Config<typeof rateLimitSettings>
}

/** Counts a tenant's request; throws `rate-limited` (429) above the limit. */
export function limitTenant(ctx: LimitContext, arrival: Arrival, tenantId: string): void {
  const { TENANT_REQUESTS_PER_SECOND: perSecond, TENANT_BURST: burst } = ctx.config
  limit(ctx, arrival, { policy: 'tenant', caller: tenantId, limit: { perSecond, burst } })
}

/** Counts a request of a borrower's session; throws `rate-limited` (429) above the limit. */
export function limitBorrower(ctx: LimitContext, arrival: Arrival, sessionId: string): void {
  const { BORROWER_REQUESTS_PER_SECOND: perSecond, BORROWER_BURST: burst } = ctx.config
  limit(ctx, arrival, { policy: 'borrower', caller: sessionId, limit: { perSecond, burst } })
}

/** Counts a lending partner's event; throws `rate-limited` (429) above the limit. */
export function limitPartner(ctx: LimitContext, arrival: Arrival, sender: string): void {
  const { PARTNER_EVENTS_PER_SECOND: perSecond, PARTNER_EVENTS_BURST: burst } = ctx.config
  limit(ctx, arrival, { policy: 'partner', caller: sender, limit: { perSecond, burst } })
}

type LimitPolicy = 'tenant' | 'borrower' | 'partner'

/** The buckets of this process. */
const requestCounts = perDatabase(
  (_: LimitContext): Record<LimitPolicy, Buckets> => ({
    tenant: new Buckets(),
    borrower: new Buckets(),
    partner: new Buckets(),
  }),
)

function limit(ctx: LimitContext, arrival: Arrival, quota: Quota & { policy: LimitPolicy }): void {
  if (ctx.config.RATE_LIMITS) limitRequest(requestCounts(ctx)[quota.policy], arrival, quota)
}
