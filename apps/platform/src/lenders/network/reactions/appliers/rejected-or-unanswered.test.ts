// The end of a search that reached no lender of the network, with and without a lender outside it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secondsAfter } from '@lendloom/foundation/clock'
import { uuidv7 } from '@lendloom/seal/id'
import { enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { noRanges } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { awaitOffer } from '#platform/lending/offer/lender-answers.ts'
import { offerWindowWorker } from '#platform/lending/offer/offer-window.ts'
import { onNacked, onUnanswered } from './rejected-or-unanswered.ts'

let now = new Date()
const { url, ctx, tenant } = await testPlatform({ OFFER_WINDOW_SECONDS: '120' }, () => now)
const { tenantId } = tenant
const lenderId = '01930000-0000-7000-8000-0000000000cc'
/** A journey whose search is open, and whose profile a lending partner may have taken already. */
async function searchingJourney({ isPartnerAsked }: { isPartnerAsked: boolean }): Promise<string> {
  now = new Date()
  const { body } = await openSession(url, tenant, newApplicant())
  const { journeyId } = await enter(url, body.embedUrl)
  await ctx.db.tx(async (tx) => {
    const at = ctx.clock()
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    await updateJourney(tx, journey, { search: 'OPEN' }, at)
    if (isPartnerAsked) await awaitOffer({ tx, at }, journey, { conversationId: lenderId, lenderId }, noRanges)
  })
  return journeyId
}

const arrival = { inboundMessageId: uuidv7(), number: 1, at: now, late: false }
const failures: Record<string, (ctx: TxContext, journey: Journey) => Promise<void>> = {
  'is not answered': (txContext, journey) =>
    onUnanswered(txContext, journey, null, { ...arrival, type: 'unanswered', action: 'search', purpose: null }),
  'is turned away': (txContext, journey) =>
    onNacked(txContext, journey, null, { ...arrival, type: 'nacked', action: 'search', error: { code: '30000' } }),
}

const stateOf = async (journeyId: string) => {
  const { status, search } = (await findJourney(ctx.db, tenantId, journeyId))!
  return { status, search }
}

for (const [what, fails] of Object.entries(failures)) {
  const searchFails = (journeyId: string) =>
    ctx.db.tx(async (tx) => {
      const journey = (await lockJourney(tx, tenantId, journeyId))!
      await fails({ ...ctx, tx, at: ctx.clock() }, journey)
    })

  test(`FIS12 §3.3: if the search ${what}, a lending partner that was asked decides until its window ends`, async () => {
    const journeyId = await searchingJourney({ isPartnerAsked: true })
    await searchFails(journeyId)
    assert.equal((await stateOf(journeyId)).search, 'CLOSED')
    now = secondsAfter(now, 120)
    await offerWindowWorker(ctx).stop()
    assert.deepEqual(await stateOf(journeyId), { status: 'STARTED', search: 'UNANSWERED' })
  })

  test(`FIS12 §3.3: if the search ${what} and nobody else was asked, the borrower may search again`, async () => {
    const journeyId = await searchingJourney({ isPartnerAsked: false })
    await searchFails(journeyId)
    assert.deepEqual(await stateOf(journeyId), { status: 'STARTED', search: 'UNANSWERED' })
  })
}
