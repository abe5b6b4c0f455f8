// The figures worker: one process counts at a time, with pauses in proportion to each pass, to limit database load.
import { enqueue, noTenantId, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#platform/context.ts'
import { updateFigures } from './keep.ts'

const kind = 'figures'
/** The pause after a pass, as a multiple of its duration, within these limits. */
const pauseFactor = 19
const [minPauseSeconds, maxPauseSeconds] = [20, 900]
/** The pause after a pass without changes, because on an idle platform counting is most of the database load. */
const quietPauseSeconds = 120
/** Time limit for recounting settled days within a pass. */
const checkMs = 5000

/** Counting takes at most a twentieth of the time, so figures lag by at most twenty times the duration of a pass. */
export function figuresWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  const schedule = () =>
    db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind, key: kind, payload: {}, dueAt: clock() }))
  schedule().catch((error) =>
    log.warn({ err: error }, 'counting could not be scheduled; the next process start retries'),
  )
  return work({
    kind,
    db,
    clock,
    log,
    concurrency: 1,
    async handle() {
      const began = performance.now()
      const { hasDaysLeft, isUnchanged } = await updateFigures(ctx, () => performance.now() - began < checkMs)
      const seconds = ((performance.now() - began) / 1000) * pauseFactor
      const minSeconds = isUnchanged ? quietPauseSeconds : minPauseSeconds
      const pauseSeconds = Math.min(maxPauseSeconds, Math.max(minSeconds, seconds))
      throw new RetryLater(
        hasDaysLeft ? Math.min(pauseSeconds, minPauseSeconds) : pauseSeconds,
        'the next pass is not due yet',
      )
    },
  })
}
