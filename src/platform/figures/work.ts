// The worker of figures: one of all processes counts, as often as its passes are short, so that it never takes much of the database.
import { enqueue, noTenantId, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import type { Context } from '#platform/context.ts'
import { pass } from './keep.ts'

const kind = 'figures'
/** The pause after a pass, as a multiple of its duration, within these limits. */
const restShare = 19
const [leastRestSeconds, mostRestSeconds] = [20, 900]
/** After a pass that found nothing: on a platform that is idle counting is most of what the database is asked. */
const quietRestSeconds = 120
/** How long a pass checks settled days. */
const checkMs = 5000

/** At most a twentieth of the time is spent counting, and figures are behind by twenty times what a pass takes. */
export function counting(ctx: Context): Worker {
  const { db, clock, log } = ctx
  const schedule = () =>
    db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind, key: kind, payload: {}, dueAt: clock() }))
  schedule().catch((error) => log.warn({ err: error }, 'counting could not be scheduled; the next start will'))
  return work({
    kind,
    db,
    clock,
    log,
    concurrency: 1,
    async handle() {
      const began = performance.now()
      const { isLeft, isQuiet } = await pass(ctx, () => performance.now() - began < checkMs)
      const seconds = ((performance.now() - began) / 1000) * restShare
      const least = isQuiet ? quietRestSeconds : leastRestSeconds
      const rest = Math.min(mostRestSeconds, Math.max(least, seconds))
      throw new RetryLater(isLeft ? Math.min(rest, leastRestSeconds) : rest, 'figures are kept for ever')
    },
  })
}
