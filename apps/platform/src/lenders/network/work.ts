// The background workers of the network module. They send requests, submit forms, handle timers, measure delays and report to the network.

import type { Worker } from '@lendloom/queue/queue'
import { measureRegularly } from '@lendloom/queue/worker-loop'
import type { Context } from '#platform/context.ts'
import { formSubmitWorker } from './form-worker.ts'
import { readOldestWaitingTime } from './inbound/store.ts'
import { oldestInboundSeconds } from './metrics.ts'
import { reportWork } from './report/report-messages.ts'
import { timerWorker } from './request-timer.ts'
import { sendWorker } from './send-request.ts'

export const networkWork = (ctx: Context): Worker[] => [
  sendWorker(ctx),
  formSubmitWorker(ctx),
  timerWorker(ctx),
  measureWorker(ctx),
  ...reportWork(ctx),
]

const measureWorker = ({ db, clock, log }: Context): Worker =>
  measureRegularly(log, 'could not measure the oldest inbound message', async () => {
    const oldestAt = await readOldestWaitingTime(db)
    oldestInboundSeconds.set(oldestAt === null ? 0 : (clock().getTime() - oldestAt.getTime()) / 1000)
  })
