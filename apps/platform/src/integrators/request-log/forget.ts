// Deletes expired entries of the request log.
import { daysAfter } from '@lendloom/foundation/clock'
import type { Context } from '#platform/context.ts'
import { deleteRequestsBefore } from './store.ts'

const batchSize = 10_000

/** Deletes requests that are older than REQUEST_LOG_DAYS. Works in batches, so that no statement locks many rows. */
export async function deleteOldRequests({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>): Promise<void> {
  const before = daysAfter(clock(), -config.REQUEST_LOG_DAYS)
  while ((await deleteRequestsBefore(db, before, batchSize)) >= batchSize);
}
