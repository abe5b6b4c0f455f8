// The background work of the network module: sending, filling forms, minding the time.
import type { Worker } from '#kit/messaging/queue.ts'
import type { Context } from '#platform/context.ts'
import { oldestInbound } from './figures.ts'
import { formSubmitWorker } from './hand-in-form.ts'
import { oldestWaiting } from './inbound/store.ts'
import { sending } from './send.ts'
import { timerWorker } from './timer.ts'

export const networkWork = (ctx: Context): Worker[] => [
  sending(ctx),
  formSubmitWorker(ctx),
  timerWorker(ctx),
  measuring(ctx),
]

/** Measures the age of the oldest unsettled message. */
function measuring({ db, clock, log }: Context): Worker {
  async function measure(): Promise<void> {
    const oldest = await oldestWaiting(db)
    oldestInbound.set(oldest === null ? 0 : (clock().getTime() - oldest.getTime()) / 1000)
  }
  const timer = setInterval(() => measure().catch((error) => log.debug({ err: error }, 'could not measure')), 10_000)
  return { stop: async () => clearInterval(timer) }
}
