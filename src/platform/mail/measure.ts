// How long the oldest mail has waited that came in and was not handled, for the alert on it.
import type { Worker } from '#kit/messaging/queue.ts'
import { gauge } from '#kit/runtime/metrics.ts'
import type { Context } from '#platform/context.ts'
import { oldestArrived } from './store.ts'

const oldest = gauge(
  'mail_in_oldest_seconds',
  'Age of the oldest mail that came in and was neither handled nor set aside',
)
const everyMs = 10_000

/** Measures once. */
export async function measureMail({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const receivedAt = await oldestArrived(db)
  oldest.set(receivedAt === null ? 0 : (clock().getTime() - receivedAt.getTime()) / 1000)
}

export function measuringMail(ctx: Context): Worker {
  const measure = () => measureMail(ctx).catch((error) => ctx.log.debug({ err: error }, 'mail could not be measured'))
  const timer = setInterval(measure, everyMs)
  return { stop: async () => clearInterval(timer) }
}
