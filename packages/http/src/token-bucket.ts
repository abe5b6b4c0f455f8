// Limits rates with token buckets: a caller may send a burst, and then a number of requests per second.

import { cache } from '@lendloom/foundation/cache'

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
  /** Whole tokens that remain; none in debt. */
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
    left: Math.max(0, Math.floor(bucket.tokens + roundingError)),
    secondsUntilFull: (limit.burst - bucket.tokens) / limit.perSecond,
    secondsUntilNext: Math.max(0, 1 - bucket.tokens) / limit.perSecond,
  }
}

/** Clocks of processes differ by less, and requests overtake each other by less; a larger step sets the clock back. */
export const clockToleranceMs = 10_000

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

  get size(): number {
    return this.#byCaller.size
  }

  /** Draws a token from the bucket of a caller at `at`, in milliseconds. */
  draw(caller: string, limit: Limit, at: number): DrawResult {
    return draw(this.bucketOf(caller, limit, at), limit, at)
  }

  /** Returns the bucket of a caller, which is full if it is new. */
  bucketOf(caller: string, limit: Limit, at: number): TokenBucket {
    if (Math.abs(at - this.#sweptAt) > sweepMs) this.#sweep(limit, at)
    const known = this.#byCaller.get(caller)
    const bucket = known ?? fullBucket(limit, at)
    if (!known) this.#byCaller.set(caller, bucket)
    return bucket
  }

  #sweep(limit: Limit, at: number): void {
    for (const [caller, bucket] of this.#byCaller.entries())
      if (isFull(bucket, limit, at)) this.#byCaller.delete(caller)
    this.#sweptAt = at
  }
}

/** Whether a bucket is full and equals a new one, so that it may be evicted. */
export function isFull(bucket: TokenBucket, limit: Limit, at: number): boolean {
  refill(bucket, limit, at)
  return bucket.tokens === limit.burst
}

/** Adds the tokens since the last refill; none if the clock was set back. */
function refill(bucket: TokenBucket, { perSecond, burst }: Limit, at: number): void {
  if (at < bucket.at && bucket.at - at < clockToleranceMs) return
  const seconds = Math.max(0, at - bucket.at) / 1000
  bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond)
  bucket.at = at
}
