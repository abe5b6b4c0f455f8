// Offers end with their quotes, and a journey with its last offer; against a clock that the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { viewOf } from '#platform/embed/view.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { journeyWithOffers, terms } from '#test/setup/offered.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { goOnWithOffer, proceedWithOffer, rejectOffer } from './decide.ts'
import { lapseWorker } from './lapse.ts'
import { noOffer } from './receive.ts'

let passedSeconds = 0
const platform = await testPlatform({}, () => secondsAfter(new Date(), passedSeconds))
const { ctx, tenant } = platform
const { tenantId } = tenant

const minute = { ...terms, quoteTtl: 'PT60S' }
const place = { channel: 'headless', ip: null } as const
const eventsOf = async (journeyId: string) =>
  (
    await ctx.db<{ status: string }>`
    select status from lifecycle_event where tenant_id = ${tenantId} and journey_id = ${journeyId} order by sequence`
  ).map(({ status }) => status)
/** Lets time go by and what was due in it be done: a worker that is stopped at once takes what is due, and finishes it. */
async function pass(seconds: number) {
  passedSeconds += seconds
  await lapseWorker(ctx).stop()
}
const proceed = (journeyId: string, offerId: string) =>
  ctx.db.tx(async (tx) =>
    proceedWithOffer({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, journeyId))!, offerId, place),
  )

test('D2 §2.2: a journey whose offers have all expired is over, without an event', async () => {
  const { journeyId, journey } = await journeyWithOffers(platform, [minute, { ...terms, quoteTtl: 'PT90S' }])
  await pass(61)
  assert.equal((await journey()).active, true, 'one still stands')
  await pass(30)
  const { status, active, endReason } = await journey()
  assert.deepEqual([status, active, endReason], ['OFFERED', false, 'OFFERS_EXPIRED'])
  assert.deepEqual(await eventsOf(journeyId), ['STARTED', 'PROFILED', 'OFFERED'])
  const who = { tenantId, journeyId } as Parameters<typeof viewOf>[1]
  const { screen, expiredFor } = await viewOf(ctx, who, null, ctx.clock())
  assert.deepEqual([screen, expiredFor], ['EXPIRED', 'OFFERS'])
})

test('D2 §2.2: final terms that nobody accepts in time end the journey as well, accepted ones do not', async () => {
  const left = await journeyWithOffers(platform, [minute])
  await proceed(left.journeyId, left.offerIds[0]!)
  await left.sendFinalTerms(0, minute)
  const taken = await journeyWithOffers(platform, [minute])
  await proceed(taken.journeyId, taken.offerIds[0]!)
  await taken.sendFinalTerms(0, minute)
  await ctx.db.tx(async (tx) =>
    goOnWithOffer({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, taken.journeyId))!),
  )
  await pass(61)
  assert.equal((await left.journey()).active, false)
  assert.equal((await taken.journey()).active, true)
  assert.equal((await eventsOf(left.journeyId)).at(-1), 'OFFER_SELECTED')
})

test('D2 §4: after every offer was turned down the last awaited lender decides whether anything is left', async () => {
  const { journeyId, offerIds, journey, offer } = await journeyWithOffers(platform, [terms], 1)
  await ctx.db.tx(async (tx) => {
    const saying = { stage: null, because: 'No' }
    await rejectOffer(
      { ...ctx, tx, at: ctx.clock() },
      (await lockJourney(tx, tenantId, journeyId))!,
      offerIds[0]!,
      saying,
    )
  })
  await pass(11)
  assert.equal((await journey()).active, true)
  const awaited = await offer(offerIds[1]!)
  await ctx.db.tx(async (tx) => {
    const locked = (await lockJourney(tx, tenantId, journeyId))!
    await noOffer({ ...ctx, tx, at: ctx.clock() }, locked, awaited, 'LENDER_SILENT')
  })
  await pass(11)
  assert.equal((await journey()).active, false)
})
