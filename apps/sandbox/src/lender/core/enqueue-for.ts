// Enqueues a job and wakes its queue when the job is due, so that a short delay is not rounded up to a poll interval.

import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, type NewJob } from '@lendloom/queue/queue'
import type { Context } from '#sandbox/core/context.ts'

/** The wake-up is best effort: the job is durable, and the next poll finds it anyway. */
export async function enqueueFor(tx: Tx, { db, clock }: Context, job: NewJob): Promise<void> {
  await enqueue(tx, job)
  const delay = job.dueAt.getTime() - clock().getTime()
  if (delay > 0) setTimeout(() => db.wake(job.kind), delay + 2).unref()
}
