// Status changes of a journey: one of several concurrent moves succeeds, and status, event and deliveries agree.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { next } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import { newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { roundsOf } from '@lendloom/tests/setup/law-rounds'
import { testPlatform } from '@lendloom/tests/setup/platform'
import type { LifecycleStatus, LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import fc from 'fast-check'
import { noFilter } from '#platform/integrators/webhook/delivery.ts'
import { listDeliveries } from '#platform/integrators/webhook/store.ts'
import { advance, expireJourney } from './advance.ts'
import { endsJourney, eventContext, type Journey } from './journey.ts'
import { type JourneyMove, lifecycle } from './lifecycle.ts'
import { findEvents, findJourney, lockJourney } from './store.ts'

const { url, ctx, tenant } = await testPlatform()
const { tenantId, applicationId } = tenant

/** Opens a journey whose updates go to a callbackUrl. */
async function openJourney(): Promise<Journey> {
  const person = newApplicant({ callbackUrl: 'http://127.0.0.1:9/callback' })
  await openSession(url, tenant, person)
  const [row] = await ctx.db<{ journeyId: string }>`
    select journey_id from journey j join borrower b using (bucket, tenant_id, borrower_id)
    where b.external_id = ${person.borrowerProviderID}`
  return (await findJourney(ctx.db, tenantId, row!.journeyId))!
}

const makeMoves = (journey: Journey, ...moves: JourneyMove[]): Promise<Journey> =>
  moves.reduce(
    async (before, move) => ctx.db.tx(async (tx) => advance({ ...ctx, tx, at: new Date() }, await before, move)),
    Promise.resolve(journey),
  )

/** Reads a journey with its events, payloads and deliveries. */
async function readStored({ journeyId }: Journey) {
  const journey = (await findJourney(ctx.db, tenantId, journeyId))!
  const events = await findEvents(ctx.db, tenantId, journeyId, 0)
  const payloads = events.map(({ status, payloadSealed }) =>
    ctx.seal.openJson<LifecycleUpdate>(payloadSealed, eventContext(tenantId, journeyId, status)),
  )
  const owner = { tenantId, applicationId }
  const deliveries = await listDeliveries(ctx.db, owner, { ...noFilter, journeyId }, 100)
  return { journey, events, payloads, deliveries: deliveries.reverse() }
}

test('D1 §3: a move that the lifecycle does not allow is refused and changes nothing', async () => {
  const journey = await openJourney()
  await assert.rejects(
    () => makeMoves(journey, 'disbursed'),
    (error: Refusal) => error.kind === 'wrong-state' && error.details.status === 'STARTED',
  )
  const { journey: after, events } = await readStored(journey)
  assert.equal(after.status, 'STARTED')
  assert.equal(after.version, journey.version)
  assert.equal(events.length, 1)
})

test('D1 §2.4: if the clock went back, an update reports the time of the previous update', async () => {
  const journey = await openJourney()
  const earlierTime = new Date(journey.updatedAt.getTime() - 60_000)
  const after = await ctx.db.tx((tx) => advance({ ...ctx, tx, at: earlierTime }, journey, 'profiled'))
  assert.deepEqual(after.updatedAt, journey.updatedAt)
  const { journey: current, payloads } = await readStored(journey)
  assert.deepEqual(current.updatedAt, journey.updatedAt)
  const instants = payloads.map(({ borrower }) => borrower.journey.updated)
  assert.deepEqual(instants, instants.toSorted())
})

test('D1 §6.3: exactly one of twenty concurrent identical moves succeeds', async () => {
  const journey = await openJourney()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => makeMoves(journey, 'profiled')))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.kind, 'wrong-state')
  const { events, deliveries } = await readStored(journey)
  assert.deepEqual(
    events.map(({ status }) => status),
    ['STARTED', 'PROFILED'],
  )
  assert.equal(deliveries.length, 2)
})

test('D1 §3: exactly one of several concurrent conflicting moves succeeds', async () => {
  const journey = await makeMoves(await openJourney(), 'profiled')
  const moves = ['offered', 'noneOffered', 'rejected', 'offered', 'noneOffered', 'rejected'] as const
  const results = await Promise.allSettled(moves.map((move) => makeMoves(journey, move)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  const { journey: after, events } = await readStored(journey)
  assert.equal(events.length, 3)
  assert.equal(events.at(-1)!.status, after.status)
  assert.equal(after.active, !endsJourney(after.status))
})

test('D1 §6.4: a rolled-back move sends no update', async () => {
  const journey = await openJourney()
  const failedTransaction = ctx.db.tx(async (tx) => {
    await advance({ ...ctx, tx, at: new Date() }, journey, 'profiled')
    throw new Error('the act failed')
  })
  await assert.rejects(failedTransaction, /the act failed/)
  const { journey: after, events, deliveries } = await readStored(journey)
  assert.equal(after.status, 'STARTED')
  assert.equal(events.length, 1)
  assert.equal(deliveries.length, 1)
  assert.equal((await makeMoves(journey, 'profiled')).status, 'PROFILED')
})

const moves = Object.keys({
  profiled: 0,
  offered: 0,
  noneOffered: 0,
  selected: 0,
  accepted: 0,
  redirected: 0,
  rejected: 0,
  disbursed: 0,
} satisfies Record<JourneyMove, 0>) as JourneyMove[]
// Allowed moves have the highest weight, so that many walks reach the later statuses. `expireJourney` sends no update.
const walkSteps = fc.oneof(
  { weight: 6, arbitrary: fc.constant('allowed' as const) },
  { weight: 4, arbitrary: fc.constantFrom(...moves) },
  { weight: 1, arbitrary: fc.constant('expire' as const) },
)

test('D1 §3, §6: property: a journey follows the lifecycle and sends one update for each status', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(walkSteps, { minLength: 1, maxLength: 14 }), async (walk) => {
      const journey = await openJourney()
      const statuses = ['STARTED']
      let status: LifecycleStatus = journey.status
      let active = true
      for (const step of walk) {
        const now = (await findJourney(ctx.db, tenantId, journey.journeyId))!
        if (step === 'expire') {
          await ctx.db.tx(async (tx) =>
            expireJourney(tx, (await lockJourney(tx, tenantId, now.journeyId))!, 'NOT_CONTINUED', new Date()),
          )
          active = false
          continue
        }
        const move = step === 'allowed' ? moves.find((each) => next(lifecycle, status, each)) : step
        if (!move) continue
        // A lender may pay out after the journey expired.
        const to: LifecycleStatus | undefined =
          active || move === 'disbursed' ? next(lifecycle, status, move) : undefined
        const outcome = await makeMoves(now, move).catch((error) => error)
        assert.equal(outcome instanceof Refusal, to === undefined, `${move} at ${status}`)
        if (to === undefined) continue
        status = to
        active &&= !endsJourney(to)
        statuses.push(to)
      }
      await assertConsistent(journey, statuses)
      assert.ok(statuses.length <= 7)
    }),
    { numRuns: roundsOf(30), endOnFailure: true },
  )
})

/** Checks that status, events, payloads and deliveries agree. */
async function assertConsistent(journey: Journey, statuses: string[]): Promise<void> {
  const { journey: after, events, payloads, deliveries } = await readStored(journey)
  assert.equal(after.status, statuses.at(-1))
  const numbered = statuses.map((status, i) => ({ status, sequence: i + 1 }))
  assert.deepEqual(
    events.map(({ status, sequence }) => ({ status, sequence })),
    numbered,
  )
  assert.deepEqual(
    payloads.map(({ borrower }) => borrower.journey.status),
    statuses,
  )
  assert.deepEqual(
    deliveries.map(({ status, sequence }) => ({ status, sequence })),
    numbered,
  )
  assert.equal(new Set(deliveries.map(({ eventId }) => eventId)).size, statuses.length)
}
