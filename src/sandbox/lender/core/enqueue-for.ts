// Adds a job that is due in a moment, and rouses its queue then, so that a short delay does not become a poll interval.

import type { Tx } from '#kit/db/sql.ts'
import { enqueue, type NewJob } from '#kit/messaging/queue.ts'
import type { Context } from '#sandbox/core/context.ts'

/** The rousing is a courtesy of this process; the job itself is durable and would be found by the poll. */
export async function enqueueFor(tx: Tx, { db, clock }: Context, job: NewJob): Promise<void> {
  await enqueue(tx, job)
  const delay = job.dueAt.getTime() - clock().getTime()
  if (delay > 0) setTimeout(() => db.wake(job.kind), delay + 2).unref()
}
