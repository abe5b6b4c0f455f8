// Ends what the log of requests has kept for long enough.
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#platform/context.ts'
import { deleteRequestsBefore } from './store.ts'

const mostAtOnce = 10_000

/** Deletes what is older than the days that are set, some at a time, so that no statement holds many rows. */
export async function forgetRequests({ db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = daysAfter(clock(), -config.REQUEST_LOG_DAYS)
  while ((await deleteRequestsBefore(db, before, mostAtOnce)) >= mostAtOnce);
}
