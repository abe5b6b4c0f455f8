// The figures worker. One process counts at a time. It pauses in proportion to each pass, to limit the database load.
import { RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { enqueueRecurring } from '@lendloom/queue/recurring-job'
import type { Context } from '#platform/context.ts'
import { updateFigures } from './update-figures.ts'

const kind = 'figures'
/** The pause after a pass is this multiple of the duration of the pass, within the following limits. */
const pauseFactor = 19
const minPauseSeconds = 20
const maxPauseSeconds = 900
/** Minimum pause after a pass without changes. On an idle platform, counting is most of the database load. */
const minIdlePauseSeconds = 120
/** Within a pass, no recount of a final day starts after this time. */
const recountMs = 5000

/** Counting takes about a twentieth of the time, so figures lag by about twenty times the duration of a pass. */
export function figuresWorker(ctx: Context): Worker {
  const { db, clock, log } = ctx
  enqueueRecurring(ctx, kind, 'the figures job could not be scheduled; it is scheduled again when a process starts')
  return work({
    kind,
    db,
    clock,
    log,
    concurrency: 1,
    async handle() {
      const began = performance.now()
      const { hasDaysLeft, isUnchanged } = await updateFigures(ctx, () => performance.now() - began < recountMs)
      const seconds = ((performance.now() - began) / 1000) * pauseFactor
      const minSeconds = isUnchanged ? minIdlePauseSeconds : minPauseSeconds
      const pauseSeconds = Math.min(maxPauseSeconds, Math.max(minSeconds, seconds))
      throw new RetryLater(
        hasDaysLeft ? Math.min(pauseSeconds, minPauseSeconds) : pauseSeconds,
        'the next pass is not due yet',
      )
    },
  })
}
