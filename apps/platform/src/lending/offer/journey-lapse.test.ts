// Expiry of offers with their quotes, and of a journey with its last offer. The tests advance the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { pageViewOf } from '#platform/api/page/page-view.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { continueWithOffer, proceedWithOffer, rejectOffer } from './decide-on-offer.ts'
import { lapseWorker, scheduleLapse } from './journey-lapse.ts'
import { recordNoOffer } from './lender-answers.ts'

let elapsedSeconds = 0
const platform = await testPlatform({}, () => secondsAfter(new Date(), elapsedSeconds))
const { ctx, tenant } = platform
const { tenantId } = tenant

const oneMinuteTerms = { ...terms, quoteTtl: 'PT60S' }
const origin = { channel: 'headless', ip: null } as const
const eventsOf = async (journeyId: string) =>
  (
    await ctx.db<{ status: string }>`
    select status from lifecycle_event where tenant_id = ${tenantId} and journey_id = ${journeyId} order by sequence`
  ).map(({ status }) => status)
/** Advances the clock and runs the due jobs, which a stopping worker finishes first. */
async function advanceClock(seconds: number) {
  elapsedSeconds += seconds
  await lapseWorker(ctx).stop()
}
const proceed = (journeyId: string, offerId: string) =>
  ctx.db.tx(async (tx) =>
    proceedWithOffer({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, journeyId))!, offerId, origin),
  )

test('a check that is due at once wakes its worker, and a later check does not', async () => {
  const { journey } = await journeyWithOffers(platform, [oneMinuteTerms])
  const checked = await journey()
  let wakes = 0
  const stopListening = ctx.db.onWake('offer-lapse', () => void wakes++)
  const schedule = (seconds: number) =>
    ctx.db.tx(async (tx) => {
      const at = ctx.clock()
      await scheduleLapse({ ...ctx, tx, at }, checked, secondsAfter(at, seconds))
    })
  await schedule(90)
  assert.equal(wakes, 0)
  await schedule(1)
  await schedule(0)
  assert.equal(wakes, 2)
  stopListening()
})

test('D2 §2.2: a journey ends without an event when all its offers have expired', async () => {
  const { journeyId, journey } = await journeyWithOffers(platform, [oneMinuteTerms, { ...terms, quoteTtl: 'PT90S' }])
  await advanceClock(61)
  assert.equal((await journey()).active, true, 'one offer is still valid')
  await advanceClock(30)
  const { status, active, endReason } = await journey()
  assert.equal(status, 'OFFERED')
  assert.equal(active, false)
  assert.equal(endReason, 'OFFERS_EXPIRED')
  assert.deepEqual(await eventsOf(journeyId), ['STARTED', 'PROFILED', 'OFFERED'])
  const journeyKey = { tenantId, journeyId } as Parameters<typeof pageViewOf>[1]
  const { screen, expiredFor } = await pageViewOf(ctx, journeyKey, null, ctx.clock())
  assert.equal(screen, 'EXPIRED')
  assert.equal(expiredFor, 'OFFERS')
})

test('D2 §2.2: expired final terms end the journey unless the borrower accepted them in time', async () => {
  const expiring = await journeyWithOffers(platform, [oneMinuteTerms])
  await proceed(expiring.journeyId, expiring.offerIds[0]!)
  await expiring.sendFinalTerms(0, oneMinuteTerms)
  const accepted = await journeyWithOffers(platform, [oneMinuteTerms])
  await proceed(accepted.journeyId, accepted.offerIds[0]!)
  await accepted.sendFinalTerms(0, oneMinuteTerms)
  await ctx.db.tx(async (tx) =>
    continueWithOffer({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, accepted.journeyId))!),
  )
  await advanceClock(61)
  assert.equal((await expiring.journey()).active, false)
  assert.equal((await accepted.journey()).active, true)
  assert.equal((await eventsOf(expiring.journeyId)).at(-1), 'OFFER_SELECTED')
})

test('D2 §4: a journey whose offers are all rejected ends when the last awaited lender makes none', async () => {
  const { journeyId, offerIds, journey, offer } = await journeyWithOffers(platform, [terms], 1)
  await ctx.db.tx(async (tx) => {
    const rejection = { stage: null, because: 'No' }
    await rejectOffer(
      { ...ctx, tx, at: ctx.clock() },
      (await lockJourney(tx, tenantId, journeyId))!,
      offerIds[0]!,
      rejection,
    )
  })
  await advanceClock(11)
  assert.equal((await journey()).active, true)
  const awaited = await offer(offerIds[1]!)
  await ctx.db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    await recordNoOffer({ ...ctx, tx, at: ctx.clock() }, locked, awaited, 'LENDER_SILENT')
  })
  await advanceClock(11)
  assert.equal((await journey()).active, false)
})
