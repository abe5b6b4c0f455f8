// Changes a journey's status, with event and deliveries in one transaction; no other code does. Expires idle journeys.

import type { EndReason } from '#contract/reason/reason.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { RetryLater } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { next } from '#kit/runtime/machine.ts'
import { trace } from '#kit/runtime/trace.ts'
import { type BorrowerDetails, detailsContext } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { deliveryOf } from '#platform/webhook/delivery.ts'
import { insertDeliveries } from '#platform/webhook/store.ts'
import { callbackUrlOf, endsJourney, eventContext, type Journey } from './journey.ts'
import { type JourneyMove, lifecycle, lifecyclePayload } from './lifecycle-payload.ts'
import { idleJourneys, insertEvent, lastSequence, lockJourney, readFacts, setStatus, updateJourney } from './store.ts'

/**
 * Moves a journey, notifies every subscriber (D1 §3, §6) and returns the moved journey. Throws `wrong-state` when the
 * table has no such move, when the journey has ended or expired, or when another request moved it first. A caller that
 * waited for the lock may pass an earlier instant than the previous update's, so the later of the two is used.
 */
export async function advance(ctx: TxContext, journey: Journey, move: JourneyMove): Promise<Journey> {
  const { tx, at: now } = ctx
  const at = now < journey.updatedAt ? journey.updatedAt : now
  const status = journey.active ? next(lifecycle, journey.status, move) : undefined
  if (!status)
    throw new Refusal('wrong-state', `the journey is ${journey.status}: this is not possible now`, {
      status: journey.status,
    })
  const moved: Journey = {
    ...journey,
    status,
    active: journey.active && !endsJourney(status),
    version: journey.version + 1,
    updatedAt: at,
  }
  const isMoved = await setStatus(tx, journey, { to: status, active: moved.active, at })
  if (!isMoved)
    throw new Refusal('wrong-state', 'another request has just moved the journey', { status: journey.status })
  await sendUpdate({ ...ctx, at }, moved)
  return moved
}

async function sendUpdate(ctx: TxContext, journey: Journey): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, journeyId, applicationId, status } = journey
  const [facts, last] = await Promise.all([readFacts(tx, journey), lastSequence(tx, journey)])
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
 * Closes an expired journey (D2 §2.2 EXPIRED), with the reason for the borrower. Its status does not change, because D1
 * has none for expiry.
 */
export const expire = (tx: Tx, journey: Journey, endReason: EndReason, at: Date): Promise<void> =>
  updateJourney(tx, journey, { active: false, endReason }, at)

const batch = 200
const secondsBetweenSweeps = 3600

/** Expires idle journeys, each in its own transaction. Repeats at once after a full batch, otherwise after an hour. */
export async function expireIdle(ctx: Context): Promise<never> {
  const before = daysAfter(ctx.clock(), -ctx.config.JOURNEY_IDLE_DAYS)
  const idle = await idleJourneys(ctx.db, before, batch)
  for (const { tenantId, journeyId } of idle) {
    await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (!journey?.active || journey.lastBorrowerActAt >= before) return
      await expire(tx, journey, 'NOT_CONTINUED', ctx.clock())
    })
  }
  throw new RetryLater(idle.length === batch ? 1 : secondsBetweenSweeps, 'the next sweep')
}
