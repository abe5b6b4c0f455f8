// The time window for lenders' offers. The tests advance the clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { noRanges } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { advance } from '#platform/lending/journey/advance.ts'
import { findJourney, lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { awaitOffer } from './lender-answers.ts'
import { offerWindowWorker, scheduleWindow } from './offer-window.ts'
import { listOffers } from './store.ts'

let now = new Date()
const { url, ctx, tenant } = await testPlatform({ OFFER_WINDOW_SECONDS: '120' }, () => now)
const { tenantId } = tenant
/** Advances the clock and runs the due jobs, which a stopping worker finishes first. */
async function advanceClock(seconds: number) {
  now = secondsAfter(now, seconds)
  await offerWindowWorker(ctx).stop()
}

/** Creates a journey with an open window whose only lender has accepted the profile but makes no offer. */
async function waitingJourney(): Promise<string> {
  const { body } = await openSession(url, tenant, newApplicant())
  const { journeyId } = await enter(url, body.embedUrl)
  const id = '01930000-0000-7000-8000-0000000000cc'
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await updateJourney(tx, journey, { search: 'CLOSED' }, at)
    await awaitOffer({ tx, at }, journey, { conversationId: id, lenderId: id }, noRanges)
    await advance({ ...ctx, tx, at }, journey, 'profiled')
    await scheduleWindow({ ...ctx, tx, at }, journey)
  })
  return journeyId
}

const statusOf = async (journeyId: string) => (await findJourney(ctx.db, tenantId, journeyId))!.status

test('FIS12 §13.1: a lender that has not answered makes no offer once the window ends', async () => {
  const journeyId = await waitingJourney()
  await advanceClock(119)
  assert.equal(await statusOf(journeyId), 'PROFILED', 'the window is still open')
  await advanceClock(1)
  assert.equal(await statusOf(journeyId), 'NOT_OFFERED')
  const [offer] = await listOffers(ctx.db, { tenantId, journeyId })
  assert.equal(offer!.status, 'NO_OFFER_AVAILABLE')
  assert.equal(offer!.reason, 'LENDER_SILENT')
})

test('FIS12 §3.3: a window that ended during downtime stays open for delayed answers', async () => {
  const journeyId = await waitingJourney()
  await advanceClock(3600)
  assert.equal(await statusOf(journeyId), 'PROFILED')
  await advanceClock(60)
  assert.equal(await statusOf(journeyId), 'NOT_OFFERED')
})
