// Jobs that recur: each has one row, which all processes share.
import { enqueue, noTenantId, type WorkOptions } from './queue.ts'

/** Adds the job of a recurring task unless it exists. Logs `warning` if that fails; the next start repeats it. */
export function enqueueRecurring(
  { db, clock, log }: Pick<WorkOptions<unknown>, 'db' | 'clock' | 'log'>,
  kind: string,
  warning: string,
): void {
  db.tx((tx) => enqueue(tx, { tenantId: noTenantId, kind, key: kind, payload: {}, dueAt: clock() })).catch((error) =>
    log.warn({ err: error }, warning),
  )
}
