// Changes a journey's status, with event and deliveries in one transaction; no other code does. Also the expiry of idle
// journeys, which has no status in D1, and its end when the lender pays out.

import { daysAfter } from '@lendloom/foundation/clock'
import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { trace } from '@lendloom/foundation/trace'
import type { EndReason } from '@lendloom/lending/reason/reason'
import { join, sql, type Tx } from '@lendloom/postgres/sql'
import { RetryLater } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Context, TxContext } from '#platform/context.ts'
import { deliveryOf } from '#platform/integrators/webhook/delivery.ts'
import { insertDeliveries } from '#platform/integrators/webhook/store.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { callbackUrlOf, endsJourney, eventContext, isExpired, type Journey } from './journey.ts'
import { type JourneyMove, lifecycle } from './lifecycle.ts'
import { lifecyclePayload } from './lifecycle-payload.ts'
import {
  idleJourneys,
  insertEvent,
  isStillIdle,
  lastSequence,
  lockActiveBorrowerJourney,
  lockJourney,
  readUpdateContent,
  setStatus,
  updateJourney,
} from './store.ts'

/**
 * Changes the status of a journey, sends the update to every subscriber (D1 §3, §6) and returns the changed journey.
 * Throws `wrong-state` when the lifecycle does not allow the move, when the journey has ended or expired, or when
 * another request changed the status first. A payout moves an expired journey too. The time of the update is never before
 * the time of the previous update.
 */
export async function advance(ctx: TxContext, journey: Journey, move: JourneyMove): Promise<Journey> {
  const { tx, at: now } = ctx
  const at = now < journey.updatedAt ? journey.updatedAt : now
  const mayMove = journey.active || (move === 'disbursed' && isExpired(journey))
  const status = mayMove ? next(lifecycle, journey.status, move) : undefined
  if (!status)
    throw new Refusal('wrong-state', `the journey is ${journey.status}: this is not possible now`, {
      status: journey.status,
    })
  const changedJourney: Journey = {
    ...journey,
    status,
    active: journey.active && !endsJourney(status),
    version: journey.version + 1,
    updatedAt: at,
  }
  const hasChanged = await setStatus(tx, journey, { to: status, active: changedJourney.active, at })
  if (!hasChanged)
    throw new Refusal('wrong-state', 'another request has just moved the journey', { status: journey.status })
  await sendUpdate({ ...ctx, at }, changedJourney)
  return changedJourney
}

async function sendUpdate(ctx: TxContext, journey: Journey): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, journeyId, applicationId, status } = journey
  const informedLenders = Object.values(ctx.channels).map((channel) => channel.informedLenders(journey))
  const [facts, last] = await Promise.all([
    readUpdateContent(tx, journey, join(informedLenders, ' union ')),
    lastSequence(tx, journey),
  ])
  const person = ctx.seal.openJson<BorrowerDetails>(facts.profileSealed, detailsContext(tenantId, journeyId))
  const body = Buffer.from(JSON.stringify(lifecyclePayload(journey, { ...facts, person }, at)))
  const event = {
    tenantId,
    applicationId,
    journeyId,
    sequence: last + 1,
    status,
    eventId: uuidv7(at.getTime(), bucketOf(journeyId)),
  }
  await insertEvent(tx, {
    ...event,
    payloadSealed: ctx.seal.bytes(body, eventContext(tenantId, journeyId, status)),
    correlationId: trace()?.correlationId ?? null,
    at,
  })
  await insertDeliveries(tx, deliveryOf(ctx, event, body, callbackUrlOf(ctx, journey)), at)
}

/**
 * Makes a journey inactive, with the reason for the borrower. D2 §2.2 calls such a journey EXPIRED. The stored status
 * does not change, because D1 has no status for expiry.
 */
export const expireJourney = (tx: Tx, journey: Journey, endReason: EndReason, at: Date): Promise<void> =>
  updateJourney(tx, journey, { active: false, endReason }, at)

/**
 * Makes an expired journey active again, because its lender pays out: D1 §3 allows DISBURSED after LENDER_REDIRECTED, and
 * expiry is not a status of D1. The journey stays inactive if the borrower has another active one of its type.
 */
export async function resumeForPayout({ tx, at }: TxContext, journey: Journey): Promise<Journey> {
  if (!isExpired(journey) || (await lockActiveBorrowerJourney(tx, journey))) return journey
  const change = { active: true, endReason: null }
  await updateJourney(tx, journey, change, at)
  return { ...journey, ...change }
}

/** Each journey is locked by its own transaction, so a batch only bounds what one run of the job does. */
const batchSize = 200
const secondsBetweenSweeps = 3600

/** Expires idle journeys, each in its own transaction. Runs again a second after a full batch, else after an hour. */
export async function expireIdle(ctx: Context): Promise<never> {
  const before = daysAfter(ctx.clock(), -ctx.config.JOURNEY_IDLE_DAYS)
  const hasPaidOut = sql`(${join(
    Object.values(ctx.channels).map((channel) => channel.hasPaidOut),
    ' or ',
  )})`
  const idle = await idleJourneys(ctx.db, { before, hasPaidOut, limit: batchSize })
  for (const { tenantId, journeyId } of idle) {
    await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      // Since the list was read, the borrower may have acted, or the lender may have reported the payout.
      if (journey && (await isStillIdle(tx, journey, { before, hasPaidOut })))
        await expireJourney(tx, journey, 'NOT_CONTINUED', ctx.clock())
    })
  }
  throw new RetryLater(idle.length === batchSize ? 1 : secondsBetweenSweeps, 'the next sweep')
}
