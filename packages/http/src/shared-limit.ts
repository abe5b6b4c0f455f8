// Limits rates over all processes: each process decides by its own bucket, and counts its requests in the database in
// batches. The answer corrects its bucket by what the others counted.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@lendloom/foundation/log'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run } from '@lendloom/postgres/sql'
import { countRequests, type RequestCountKey } from './request-count.ts'
import type { Arrival } from './route.ts'
import { Buckets, clockToleranceMs, type DrawResult, draw, type Limit, type TokenBucket } from './token-bucket.ts'

/** The limit of a caller under a named policy. */
export interface Quota extends RequestCountKey {
  policy: string
  limit: Limit
}

export interface SharedLimiter {
  /** Draws a token for a request at `at`, in milliseconds. Waits only while a whole share is uncounted. */
  draw(quota: Quota, at: number): Promise<DrawResult>
}

/**
 * The requests of a caller that one process may allow before they are counted: a quarter of the burst. So n processes
 * allow at most `burst` + n shares at once, and over any period the rate and n shares more. Less than half a share is
 * forgotten when a bucket is full and evicted.
 */
export const shareOf = ({ burst }: Limit): number => Math.ceil(burst / 4)

/** The requests of a caller that this process allowed and did not count yet. */
interface UncountedRequests {
  bucket: TokenBucket
  requests: number
  /** Requests of the running count. */
  sent: number
  running: Promise<void> | null
  /** The running count is no longer awaited; until its end the process decides by its own bucket. */
  isSlow: boolean
}

interface LimiterDeps {
  db: Run
  log: Log
  count?: typeof countRequests
  /** How long requests wait for a running count. */
  patienceMs?: number
}

/** Returns the limiter of one policy. When the database fails, each process decides by its own bucket. */
export function sharedLimiter({ db, log, count = countRequests, patienceMs = 250 }: LimiterDeps): SharedLimiter {
  const buckets = new Buckets()
  const uncounted = new WeakMap<TokenBucket, UncountedRequests>()
  let isFailing = false

  async function runCount(state: UncountedRequests, { tenantId, policy, caller, limit }: Quota): Promise<void> {
    const { at } = state.bucket
    try {
      const batch = { requests: state.sent, limit, at: new Date(at) }
      correct(state, limit, at, await count(db, { tenantId, caller: `${policy} ${caller}` }, batch, clockToleranceMs))
      isFailing = false
    } catch (error) {
      // Its requests are forgotten, because the database may have counted them.
      if (!isFailing) log.warn({ err: error }, 'could not count requests in the database; this process counts alone')
      isFailing = true
    }
    if (state.isSlow) state.requests = Math.min(state.requests, shareOf(limit))
    Object.assign(state, { sent: 0, running: null, isSlow: false })
  }

  return {
    async draw(quota, at) {
      const { tenantId, caller, limit } = quota
      const bucket = buckets.bucketOf(`${tenantId} ${caller}`, limit, at)
      const state = uncounted.get(bucket) ?? { bucket, requests: 0, sent: 0, running: null, isSlow: false }
      uncounted.set(bucket, state)
      // Checked again after each wait, because other requests drew meanwhile.
      while (state.running && !state.isSlow && state.requests + state.sent >= shareOf(limit))
        await awaitCount(state, patienceMs)
      const drawn = draw(bucket, limit, at)
      if (drawn.allowed) state.requests++
      if (state.requests >= shareOf(limit) / 2 && !state.running) {
        Object.assign(state, { sent: state.requests, requests: 0 })
        state.running = runCount(state, quota)
      }
      return drawn
    },
  }
}

/** Lowers the bucket to what all processes left at `sentAt`, refilled since, less what this process allowed since. */
function correct({ bucket, requests }: UncountedRequests, { perSecond }: Limit, sentAt: number, tokens: number): void {
  const refilled = (Math.max(0, bucket.at - sentAt) / 1000) * perSecond
  bucket.tokens = Math.min(bucket.tokens, tokens + refilled - requests)
}

async function awaitCount(state: UncountedRequests, patienceMs: number): Promise<void> {
  const { running } = state
  const isLate = await Promise.race([running?.then(() => false), sleep(patienceMs, true, { ref: false })])
  if (isLate && state.running === running) state.isSlow = true
}

/**
 * Counts a request and reports the remaining quota, as far as this process knows it. The headers follow
 * draft-ietf-httpapi-ratelimit-headers: quota `q`, window `w` seconds, `r` remaining, full again in `t` seconds. Refused
 * as `rate-limited` (429) when the bucket is empty.
 */
export async function limitRequest(
  limiter: SharedLimiter,
  { at, answerHeaders }: Arrival,
  quota: Quota,
): Promise<void> {
  const { policy, limit } = quota
  const drawn = await limiter.draw(quota, at.getTime())
  answerHeaders['ratelimit-policy'] = `"${policy}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`
  answerHeaders.ratelimit = `"${policy}";r=${drawn.left};t=${Math.ceil(drawn.secondsUntilFull)}`
  if (drawn.allowed) return
  const retryAfterSeconds = Math.max(1, Math.ceil(drawn.secondsUntilNext))
  throw new Refusal('rate-limited', `too many requests; try again in ${retryAfterSeconds} s`, { retryAfterSeconds })
}
