// Polls the lender about an open operation with growing pauses (FIS12 §11.1).

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import { pauseMs, remainingMs, schedule } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { enqueue, finish, type Job, removeJob, type Worker, work } from '@lendloom/queue/queue'
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
  /** Whether the poll is one of the short series after the borrower has said that the payment is made. */
  isCheck?: boolean
}

/** Pauses between polls. Polling ends after a day. */
export const servicingPollSchedule = schedule(
  ['PT10S', 'PT20S', 'PT30S', 'PT1M', 'PT1M', 'PT2M', 'PT5M', 'PT10M', 'PT30M', 'PT1H', 'PT2H', 'PT4H', 'PT8H', 'PT8H'],
  'give up',
)

/** When a request ends that is not paid: after its last poll. The lender may end it before. */
export const unpaidUntil = (
  { STATUS_POLL_SECONDS }: Pick<Context['config'], 'STATUS_POLL_SECONDS'>,
  { requestedAt }: Pick<ServicingRow, 'requestedAt'>,
): Date => secondsAfter(requestedAt, STATUS_POLL_SECONDS + remainingMs(servicingPollSchedule, 0) / 1000)

/** Pauses between the checks after the borrower has said that a payment is made: a minute in all. */
const paymentCheckSchedule = schedule(
  ['PT2S', 'PT2S', 'PT3S', 'PT3S', 'PT5S', 'PT5S', 'PT10S', 'PT10S', 'PT10S', 'PT10S'],
  'give up',
)

/** How long the lender is asked often, from the moment at which the borrower has said that the payment is made. */
export const paymentCheckMs = remainingMs(paymentCheckSchedule, 0)

/** Starts the checks of a payment; if they run already, from the beginning. The caller holds the journey's lock. */
export async function startPaymentChecks(ctx: Write, operation: ServicingRow): Promise<void> {
  await removeJob(ctx.tx, { tenantId: operation.tenantId, kind, key: checkKey(operation) })
  await schedulePaymentCheck(ctx, operation, 1)
}

/** Schedules a check, unless it was the last one. */
async function schedulePaymentCheck({ tx, at }: Write, operation: ServicingRow, round: number): Promise<void> {
  const { tenantId, journeyId, operationId } = operation
  const pause = pauseMs(paymentCheckSchedule, round)
  if (pause === null) return
  await enqueue(tx, {
    tenantId,
    kind,
    key: checkKey(operation),
    payload: { journeyId, operationId, round, isCheck: true } satisfies Poll,
    dueAt: secondsAfter(at, pause / 1000),
  })
}

/** A payment has one series of checks at most. */
const checkKey = ({ operationId }: Pick<ServicingRow, 'operationId'>): string => `${operationId}:check`

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
  const { journeyId, operationId, round, isCheck = false } = job.payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  await finish(tx, job)
  const operation = journey && (await listServicing(tx, journey)).find((each) => each.operationId === operationId)
  if (!operation || !isOpen(operation)) return
  if (!isCheck && round > servicingPollSchedule.pauses.length) {
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
  const cause = isCheck ? `${operationId}:check:${at.getTime()}` : `${operationId}:${round}`
  await ctx.channels[offer.channel].refresh({ ...ctx, tx, at }, offer, cause)
  await (isCheck ? schedulePaymentCheck : scheduleServicingPoll)({ ...ctx, tx, at }, operation, round + 1)
}
