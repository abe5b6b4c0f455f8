// The offers of a switched-off lender cannot be chosen. Offers that were chosen earlier continue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { call, consents, enter, newApplicant, openSession } from '@lendloom/tests/setup/borrower'
import { callHeadless, startHeadlessJourney } from '@lendloom/tests/setup/headless'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { pageViewOf } from '#platform/api/page/page-view.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { closeWindow } from '#platform/lending/offer/lender-answers.ts'
import { quoteOf } from '#platform/lending/offer/offer.ts'
import { listOffers } from '#platform/lending/offer/store.ts'
import { listNewest } from '#platform/people/audit/store.ts'
import { platformTenant } from '#platform/people/person.ts'
import { countEffect } from './switch/store.ts'
import { switchOff, switchOn } from './switch.ts'

const platform = await testPlatform()
const { ctx, url, tenant, secondTenant } = platform
const { tenantId } = tenant
type OfferedJourney = Awaited<ReturnType<typeof journeyWithOffers>>

const lenderOf = ({ offers }: OfferedJourney, offerId: string) => {
  const { lenderId } = offers.find((offer) => offer.offerId === offerId)!
  // The test helper's lenders have their lender id as `bppId`.
  return { bppId: lenderId, providerId: 'p' }
}
const effectOf = (lender: ReturnType<typeof lenderOf>, scope: string | null = tenantId) =>
  countEffect(ctx.db, lender, scope, ctx.clock())
const switchLenderOff = async (lender: ReturnType<typeof lenderOf>, scope: string | null = tenantId) => {
  const expected = await effectOf(lender, scope)
  const reason = 'No answers since noon, says 9876543210'
  await ctx.db.tx((tx) =>
    switchOff({ ...ctx, tx, at: ctx.clock() }, null, { ...lender, tenantId: scope }, { reason, expected }),
  )
}
const switchLenderOn = (lender: ReturnType<typeof lenderOf>, scope: string | null = tenantId) =>
  ctx.db.tx((tx) => switchOn({ tx, at: ctx.clock() }, null, { ...lender, tenantId: scope }))
const isRefusal = (kind: string) => (error: unknown) => error instanceof Refusal && error.kind === kind

test('every API withholds the offers of a switched-off lender until the lender is switched on again', async () => {
  const person = newApplicant()
  const journeyData = await journeyWithOffers(platform, [terms, terms], 1, person)
  const { journeyId, offerIds } = journeyData
  const [first, second, awaited] = offerIds
  const lender = lenderOf(journeyData, first!)
  const page = await enter(url, (await openSession(url, tenant, person)).body.embedUrl)
  const choose = () => call(page, 'POST', `/offers/${first}/select`, { amount: '200000', tenureMonths: 12 })
  const headless = await startHeadlessJourney(url, tenant, person)
  const offerStates = async () => {
    const view = await pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, ctx.clock())
    const path = `/api/v1/hybrid/personal-loan/borrowers/${person.borrowerProviderID}/journey/offers`
    const { body: hybrid } = await ask(`${url}${path}`, { key: tenant.apiKey })
    const { body: cards } = await callHeadless(headless, 'GET', `/journeys/${journeyId}/offers`)
    return {
      page: view.offers.map(({ id }) => id).sort(),
      hybrid: hybrid.data.lenders.map(({ status }: { status: string }) => status).sort(),
      headless: cards.data.items.map(({ status }: { status: string }) => status).sort(),
    }
  }
  assert.deepEqual(await effectOf(lender), { searching: 0, offered: 1, chosen: 0, loans: 0 })
  assert.equal((await effectOf(lenderOf(journeyData, awaited!))).searching, 1)
  assert.equal((await effectOf(lender, secondTenant.tenantId)).offered, 0)
  const before = await offerStates()
  assert.deepEqual(before.page, [first, second].sort())

  await switchLenderOff(lender)
  const withheld = ['NO_OFFER_AVAILABLE', 'OFFER_AWAITED', 'OFFER_RECEIVED']
  assert.deepEqual(await offerStates(), { page: [second], hybrid: withheld, headless: withheld })
  const refused = await choose()
  assert.equal(refused.status, 409)
  assert.equal(refused.body.error.details.offerStatus, 'NO_OFFER_AVAILABLE')
  const proceedAnswer = await callHeadless(headless, 'POST', `/journeys/${journeyId}/offers/${first}/proceed`, {})
  assert.equal(proceedAnswer.status, 409, JSON.stringify(proceedAnswer.body))

  await switchLenderOn(lender)
  assert.deepEqual(await offerStates(), before)
  assert.equal((await choose()).status, 200)
  assert.deepEqual(await effectOf(lender), { searching: 0, offered: 0, chosen: 1, loans: 0 })
  await switchLenderOff(lender)
  const journey = (await findJourney(ctx.db, tenantId, journeyId))!
  assert.equal(journey.status, 'OFFER_SELECTED')
  assert.equal((await journeyData.offer(first!)).status, 'OFFER_RECEIVED')
  await journeyData.sendFinalTerms(0, terms)
  const quote = quoteOf(await journeyData.offer(first!))
  const accepted = await call(page, 'POST', `/offers/${first}/accept`, { quote, ...consents('key_facts') })
  assert.notEqual(accepted.body.error?.kind, 'wrong-state', JSON.stringify(accepted.body))
  const [entry] = await listNewest(ctx.db, tenantId, null, 1)
  assert.equal(entry!.act, 'LENDER_SWITCHED_OFF')
  assert.doesNotMatch(entry!.detail, /9876543210/)
})

test('a journey rejects the offer of a switched-off lender and does not wait for that lender', async () => {
  const journeyData = await journeyWithOffers(platform, [], 2)
  const { journeyId, offerIds } = journeyData
  for (const offerId of offerIds) await switchLenderOff(lenderOf(journeyData, offerId))
  await journeyData.sendFinalTerms(0, terms)
  const offers = await listOffers(ctx.db, { tenantId, journeyId })
  assert.deepEqual(
    offers.map(({ status, reason, terms }) => ({ status, reason, terms })),
    offers.map(() => ({ status: 'NO_OFFER_AVAILABLE', reason: 'LENDER_NOT_LENDING', terms: null })),
  )
  assert.equal((await journeyData.journey()).status, 'NOT_OFFERED')
  await ctx.db.tx(async (tx) =>
    closeWindow({ ...ctx, tx, at: ctx.clock() }, (await lockJourney(tx, tenantId, journeyId))!),
  )
})

test('refuses to switch off a lender that is unknown or already off, or with outdated numbers of journeys', async () => {
  const journeyData = await journeyWithOffers(platform, [terms])
  const lender = lenderOf(journeyData, journeyData.offerIds[0]!)
  const status = async () => (await journeyData.offer(journeyData.offerIds[0]!)).status
  const at = ctx.clock()
  const attempt = (name: typeof lender, scope: string | null, expected: { searching: number; offered: number }) =>
    ctx.db.tx((tx) => switchOff({ ...ctx, tx, at }, null, { ...name, tenantId: scope }, { reason: 'a test', expected }))
  const effect = { searching: 0, offered: 1 }
  await assert.rejects(attempt({ ...lender, providerId: 'q' }, tenantId, effect), isRefusal('absent'))
  await assert.rejects(attempt(lender, secondTenant.tenantId, effect), isRefusal('absent'))
  await assert.rejects(attempt(lender, tenantId, { searching: 0, offered: 2 }), (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.equal(error.kind, 'wrong-state')
    assert.deepEqual(error.details.effect, { searching: 0, offered: 1, chosen: 0, loans: 0 })
    return true
  })
  assert.equal(await status(), 'OFFER_RECEIVED')
  await switchLenderOff(lender, null)
  await assert.rejects(attempt(lender, null, effect), isRefusal('wrong-state'))
  await assert.rejects(switchLenderOn(lender), isRefusal('wrong-state'))
  assert.equal(await status(), 'NO_OFFER_AVAILABLE')
  await switchLenderOn(lender, null)
  assert.equal(await status(), 'OFFER_RECEIVED')
  assert.equal((await listNewest(ctx.db, platformTenant, null, 1))[0]!.act, 'LENDER_SWITCHED_ON')
})
