// How often one caller may call: a bucket for each tenant, borrower's session and lending partner, told in every answer (D2 §7, D3 §7).

import { Refusal } from '#kit/http/refusal.ts'
import type { Arrival } from '#kit/http/server.ts'
import { Buckets, type Limit } from '#kit/http/token-bucket.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { type Config, flag, number } from '#kit/runtime/config.ts'

export const rateLimitSettings = {
  RATE_LIMITS: flag('Whether callers are held to the limits below, which each process counts for itself', 'on'),
  TENANT_REQUESTS_PER_SECOND: number('Requests a second that one tenant may make with its API keys', 100, 1, 1_000_000),
  TENANT_BURST: number('Requests that one tenant may make at once', 200, 1, 1_000_000),
  BORROWER_REQUESTS_PER_SECOND: number('Requests a second that one session of a borrower may make', 5, 1, 1_000_000),
  BORROWER_BURST: number('Requests that one session of a borrower may make at once', 20, 1, 1_000_000),
  PARTNER_EVENTS_PER_SECOND: number('Events a second that the lending partner may send', 1000, 1, 1_000_000),
  PARTNER_EVENTS_BURST: number('Events that the lending partner may send at once', 5000, 1, 1_000_000),
}

interface Limited {
  db: object
  config: Config<typeof rateLimitSettings>
}

/** Counts a request of a tenant; refusal `rate-limited` (429) when it comes too soon. */
export function limitTenant(ctx: Limited, arrival: Arrival, tenantId: string): void {
  const { TENANT_REQUESTS_PER_SECOND: perSecond, TENANT_BURST: burst } = ctx.config
  limit(ctx, arrival, { policy: 'tenant', caller: tenantId, rule: { perSecond, burst } })
}

/** Counts a request of a borrower's session; refusal `rate-limited` (429) when it comes too soon. */
export function limitBorrower(ctx: Limited, arrival: Arrival, sessionId: string): void {
  const { BORROWER_REQUESTS_PER_SECOND: perSecond, BORROWER_BURST: burst } = ctx.config
  limit(ctx, arrival, { policy: 'borrower', caller: sessionId, rule: { perSecond, burst } })
}

/** Counts an event of the lending partner; refusal `rate-limited` (429) when it comes too soon. */
export function limitPartner(ctx: Limited, arrival: Arrival, sender: string): void {
  const { PARTNER_EVENTS_PER_SECOND: perSecond, PARTNER_EVENTS_BURST: burst } = ctx.config
  limit(ctx, arrival, { policy: 'partner', caller: sender, rule: { perSecond, burst } })
}

type Policy = 'tenant' | 'borrower' | 'partner'

/** How often callers of each kind have called this process. */
const requestCounts = perDatabase(
  (_: Limited): Record<Policy, Buckets> => ({ tenant: new Buckets(), borrower: new Buckets(), partner: new Buckets() }),
)

/**
 * The headers are those of draft-ietf-httpapi-ratelimit-headers: a quota `q` that comes back whole within `w` seconds, of
 * which `r` is left and `t` seconds are missing until it is whole.
 */
/** One caller of a kind, and how often it may call. */
interface Quota {
  policy: Policy
  caller: string
  rule: Limit
}

function limit(ctx: Limited, { at, answerHeaders }: Arrival, { policy, caller, rule }: Quota): void {
  if (!ctx.config.RATE_LIMITS) return
  const now = at.getTime()
  const drawn = requestCounts(ctx)[policy].draw(caller, rule, now)
  answerHeaders['ratelimit-policy'] = `"${policy}";q=${rule.burst};w=${Math.ceil(rule.burst / rule.perSecond)}`
  answerHeaders.ratelimit = `"${policy}";r=${drawn.left};t=${Math.ceil(drawn.secondsUntilFull)}`
  if (drawn.allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(drawn.secondsUntilNext))
  throw new Refusal('rate-limited', `too many requests; try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}
