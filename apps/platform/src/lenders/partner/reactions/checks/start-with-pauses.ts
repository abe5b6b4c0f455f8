// Starts checks ever more seldom while their provider fails, because the borrower's page reloads every two seconds.

import { cache, perDatabase } from '@lendloom/foundation/cache'
import { Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import type { Context } from '#platform/context.ts'

/** Pauses after a failed start of a check. */
export const checkStartSchedule = doublingPauses(2, 60)

interface Failures {
  count: number
  /** No start before this time, in milliseconds. */
  until: number
}

const failuresOf = perDatabase(() =>
  cache<Failures>({ name: 'failed-check-starts', maxBytes: 1 << 20, lifetimeMs: 3_600_000 }),
)

/** Runs `start`. Throws `upstream` without running it during the pause after `start` failed so for the same key. */
export async function startWithPauses<T>(
  ctx: Pick<Context, 'db' | 'clock'>,
  key: string,
  start: () => Promise<T>,
): Promise<T> {
  const failures = failuresOf(ctx)
  const at = ctx.clock().getTime()
  const last = failures.get(key, at)
  if (last && at < last.until) {
    const retryAfterSeconds = Math.ceil((last.until - at) / 1000)
    throw new Refusal('upstream', 'a provider is unavailable', { retryAfterSeconds })
  }
  try {
    const result = await start()
    failures.delete(key)
    return result
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'upstream') {
      const count = (last?.count ?? 0) + 1
      failures.set(key, { count, until: at + pauseSeconds(checkStartSchedule, count) * 1000 }, at)
    }
    throw error
  }
}
