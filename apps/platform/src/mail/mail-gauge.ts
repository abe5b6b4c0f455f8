// Measures the age of the oldest incoming mail that is neither handled nor set aside, for the alert.

import { gauge } from '@lendloom/foundation/metrics'
import type { Worker } from '@lendloom/queue/queue'
import { measureRegularly } from '@lendloom/queue/worker-loop'
import type { Context } from '#platform/context.ts'
import { oldestUnhandledAt } from './store.ts'

const oldestSeconds = gauge(
  'mail_in_oldest_seconds',
  'Age of the oldest incoming mail that is neither handled nor set aside',
)

/** Measures the age of the oldest unhandled mail, for the alert. */
export async function measureMail({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const receivedAt = await oldestUnhandledAt(db)
  oldestSeconds.set(receivedAt === null ? 0 : (clock().getTime() - receivedAt.getTime()) / 1000)
}

/** Repeats the measurement while the program runs. */
export const mailGaugeWorker = (ctx: Context): Worker =>
  measureRegularly(ctx.log, 'the age of incoming mail could not be measured', () => measureMail(ctx))
