// Limits rates with token buckets: a caller may send a burst, and then a number of requests per second.

import { cache } from '#kit/runtime/cache.ts'
import { Refusal } from './refusal.ts'
import type { Arrival } from './route.ts'

export interface Limit {
  perSecond: number
  burst: number
}

export interface TokenBucket {
  tokens: number
  at: number
}

export interface DrawResult {
  allowed: boolean
  /** Whole tokens that remain. */
  left: number
  secondsUntilFull: number
  /** 0 if a token is available. */
  secondsUntilNext: number
}

export const fullBucket = ({ burst }: Limit, at: number): TokenBucket => ({ tokens: burst, at })

/** Tolerance for rounding errors when a bucket is refilled in several steps. */
const roundingError = 1e-9

/** Draws a token at `at`, in milliseconds. A refused request costs no token. */
export function draw(bucket: TokenBucket, limit: Limit, at: number): DrawResult {
  refill(bucket, limit, at)
  const allowed = bucket.tokens >= 1 - roundingError
  if (allowed) bucket.tokens -= 1
  return {
    allowed,
    left: Math.floor(bucket.tokens + roundingError),
    secondsUntilFull: (limit.burst - bucket.tokens) / limit.perSecond,
    secondsUntilNext: Math.max(0, 1 - bucket.tokens) / limit.perSecond,
  }
}

const sweepMs = 30_000

/** Memory limit of all buckets of one kind, in bytes. */
const maxBytes = 16 << 20

/**
 * The buckets of all callers. Full buckets are evicted regularly, so that one-time callers do not fill the memory.
 * Beyond `maxBytes` the least recently used buckets are evicted.
 */
export class Buckets {
  readonly #byCaller = cache<TokenBucket>({ name: 'rate-limits', maxBytes, lifetimeMs: Number.POSITIVE_INFINITY })
  #sweptAt = 0

  get bytes(): number {
    return this.#byCaller.bytes
  }

  /** The number of stored buckets. */
  get size(): number {
    return this.#byCaller.size
  }

  /** Draws a token from the bucket of a caller at `at`, in milliseconds. */
  draw(caller: string, limit: Limit, at: number): DrawResult {
    if (Math.abs(at - this.#sweptAt) > sweepMs) this.#sweep(limit, at)
    const known = this.#byCaller.get(caller)
    const bucket = known ?? fullBucket(limit, at)
    if (!known) this.#byCaller.set(caller, bucket)
    return draw(bucket, limit, at)
  }

  #sweep(limit: Limit, at: number): void {
    for (const [caller, bucket] of this.#byCaller.entries())
      if (isFull(bucket, limit, at)) this.#byCaller.delete(caller)
    this.#sweptAt = at
  }
}

/** The limit of a caller under a named policy. */
export interface Quota {
  policy: string
  caller: string
  limit: Limit
}

/**
 * Counts a request and reports the remaining quota. The headers follow draft-ietf-httpapi-ratelimit-headers: quota `q`,
 * window `w` seconds, `r` remaining, full again in `t` seconds. Refused as `rate-limited` (429) when the bucket is
 * empty.
 */
export function limitRequest(buckets: Buckets, { at, answerHeaders }: Arrival, { policy, caller, limit }: Quota): void {
  const drawn = buckets.draw(caller, limit, at.getTime())
  answerHeaders['ratelimit-policy'] = `"${policy}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`
  answerHeaders.ratelimit = `"${policy}";r=${drawn.left};t=${Math.ceil(drawn.secondsUntilFull)}`
  if (drawn.allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(drawn.secondsUntilNext))
  throw new Refusal('rate-limited', `too many requests; try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}

/** Whether a bucket is full and equals a new one, so that it may be evicted. */
export function isFull(bucket: TokenBucket, limit: Limit, at: number): boolean {
  refill(bucket, limit, at)
  return bucket.tokens === limit.burst
}

/** Adds the tokens since the last refill; none if the clock was set back. */
function refill(bucket: TokenBucket, { perSecond, burst }: Limit, at: number): void {
  const seconds = Math.max(0, at - bucket.at) / 1000
  bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond)
  bucket.at = at
}
