// Polls the lender about an open operation with growing pauses (FIS12 §11.1).

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { pauseMs, schedule } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, finish, type Job, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { findSelected } from '#platform/lending/offer/store.ts'
import { isClaimed, isOpen, type ServicingRow } from './operation.ts'
import { endOperation, listServicing } from './store.ts'

const kind = 'servicing-watch'

interface Poll {
  journeyId: string
  operationId: string
  round: number
}

/** Pauses between polls. Polling ends after a day. */
export const servicingPollSchedule = schedule(
  ['PT10S', 'PT20S', 'PT30S', 'PT1M', 'PT1M', 'PT2M', 'PT5M', 'PT10M', 'PT30M', 'PT1H', 'PT2H', 'PT4H', 'PT8H', 'PT8H'],
  'give up',
)

/** Schedules a poll. The first one follows soon after the request, later ones after the pauses of the schedule. */
export const scheduleServicingPoll = (
  { tx, at, config }: TxContext,
  { tenantId, journeyId, operationId }: ServicingRow,
  round: number,
): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    key: `${operationId}:${round}`,
    payload: { journeyId, operationId, round } satisfies Poll,
    dueAt: secondsAfter(at, round === 1 ? config.STATUS_POLL_SECONDS : pauseBefore(round) / 1000),
  })

/** Returns the milliseconds between poll `round - 1` and poll `round`. `pollLender` stops after the last pause. */
const pauseBefore = (round: number): number =>
  required(pauseMs(servicingPollSchedule, round - 1), `a pause before round ${round}`)

export const servicingPollWorker = (ctx: Context): Worker =>
  work<Poll>({ kind, ...ctx, handle: (job) => ctx.db.tx((tx) => pollLender(tx, ctx, job)) })

async function pollLender(tx: Tx, ctx: Context, job: Job<Poll>): Promise<void> {
  const { journeyId, operationId, round } = job.payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  await finish(tx, job)
  const operation = journey && (await listServicing(tx, journey)).find((each) => each.operationId === operationId)
  if (!operation || !isOpen(operation)) return
  if (round > servicingPollSchedule.pauses.length) {
    // A claimed payment stays open, because the lender has no deadline for verifying it.
    if (isClaimed(operation)) return
    const ending =
      operation.status === 'LINK_READY'
        ? ({ move: 'expired', reason: 'PAYMENT_NOT_MADE' } as const)
        : ({ move: 'failed', reason: 'LENDER_NOT_ANSWERING' } as const)
    return endOperation({ tx, at }, journey, operation, ending)
  }
  const offer = await findSelected(tx, journey)
  if (!offer) throw new Error(`operation ${operationId} has no selected offer`)
  await ctx.channels[offer.channel].refresh({ ...ctx, tx, at }, offer, `${operationId}:${round}`)
  await scheduleServicingPoll({ ...ctx, tx, at }, operation, round + 1)
}
