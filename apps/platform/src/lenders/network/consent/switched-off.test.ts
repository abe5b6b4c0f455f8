// While a lender is switched off, no borrower is redirected to the aggregator for its consent and it is not notified.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Refusal } from '@lendloom/foundation/refusal'
import { newApplicant } from '@lendloom/tests/setup/borrower'
import { callHeadless, startHeadlessJourney } from '@lendloom/tests/setup/headless'
import { journeyWithOffers } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { pageViewOf } from '#platform/api/page/page-view.ts'
import { insertConversation, readConversation } from '#platform/lenders/network/store.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { countEffect } from '#platform/lending/lender/switch/store.ts'
import { switchOff, switchOn } from '#platform/lending/lender/switch.ts'
import { mintRedirect } from './aggregator-redirect.ts'
import { requireConsent } from './consent-request.ts'
import { consentReconcileWorker } from './poll-consent-status.ts'
import { changeAaSession, findStoredAaSession, listAaSessions } from './store.ts'

const platform = await testPlatform()
const { ctx, url, tenant } = platform
const { db } = ctx
const { tenantId } = tenant

/** Creates a journey whose only lender has requested bank data. */
async function journeyWithConsentRequest() {
  const person = newApplicant()
  const journeyWithOffer = await journeyWithOffers(platform, [], 1, person)
  const { journeyId } = journeyWithOffer
  const [offer] = journeyWithOffer.offers
  const { lenderId, conversationId, offerId } = offer!
  const at = ctx.clock()
  const journeyKey = { tenantId, journeyId }
  await db.tx(async (tx) => {
    const lender = { lenderId, bppId: lenderId, bppUri: 'https://lender.example/ondc', providerId: 'p' }
    const request = {
      itemId: 'I',
      formId: 'F',
      formUrlSealed: null,
      formHeading: null,
      fulfillmentId: null,
    }
    await insertConversation(tx, {
      ...journeyKey,
      conversationId,
      ...lender,
      ...request,
      secondItemId: null,
      profileFormId: null,
      profileFormUrlSealed: null,
      stage: 'CONSENT_REQUESTED',
      categories: null,
      lastMessageAt: at,
      createdAt: at,
      updatedAt: at,
    })
    const journey = (await lockJourney(tx, tenantId, journeyId))!
    const conversation = (await readConversation(tx, tenantId, journeyId, conversationId))!
    await requireConsent({ ...ctx, tx, at }, journey, conversation, { handle: 'H-1', purpose: 'UNDERWRITING' })
  })
  const [session] = await listAaSessions(db, journeyKey)
  const lender = { bppId: lenderId, providerId: 'p' }
  const { aaSessionId } = session!
  return {
    person,
    journeyId,
    offerId,
    aaSessionId,
    storedSession: async () => (await findStoredAaSession(db, journeyKey, aaSessionId))!,
    visibleSession: async () => (await listAaSessions(db, journeyKey))[0]!,
    async changeSession(change: Parameters<typeof changeAaSession>[2]) {
      const before = (await findStoredAaSession(db, journeyKey, aaSessionId))!
      await db.tx((tx) => changeAaSession(tx, before, change, ctx.clock()))
    },
    journey: async () => (await findJourney(db, tenantId, journeyId))!,
    async switchLenderOff() {
      const expected = await countEffect(db, lender, tenantId, ctx.clock())
      const order = { reason: 'It has not answered since noon', expected }
      await db.tx((tx) => switchOff({ ...ctx, tx, at: ctx.clock() }, null, { ...lender, tenantId }, order))
    },
    switchLenderOn: () => db.tx((tx) => switchOn({ tx, at: ctx.clock() }, null, { ...lender, tenantId })),
  }
}

test('D2 §4: every API rejects a consent while its lender is switched off, and accepts it when the lender is on again', async () => {
  const { person, journeyId, offerId, aaSessionId, switchLenderOff, switchLenderOn } = await journeyWithConsentRequest()
  const headless = await startHeadlessJourney(url, tenant, person)
  const consents = async () => {
    const view = await pageViewOf(ctx, { tenantId, journeyId } as Parameters<typeof pageViewOf>[1], null, ctx.clock())
    return view.accountAggregator.map(({ standing }) => standing)
  }
  const at = `/journeys/${journeyId}/aa/sessions`
  const state = async () => {
    const { state, actionRequired } = (await callHeadless(headless, 'GET', `${at}/${aaSessionId}`)).body.data
    return { state, actionRequired }
  }
  assert.deepEqual(await consents(), ['DUE'])
  assert.deepEqual(await state(), { state: 'REQUIRED', actionRequired: 'REDIRECT' })
  await switchLenderOff()
  assert.deepEqual(await consents(), [])
  assert.deepEqual(await state(), { state: 'FAILED', actionRequired: 'NONE' })
  const redirecting = db.tx(async (tx) => {
    const lockedJourney = (await lockJourney(tx, tenantId, journeyId))!
    const aggregators = () => assert.fail('no borrower may be redirected')
    return mintRedirect({ ...ctx, tx, at: ctx.clock() }, lockedJourney, aaSessionId, { aggregators })
  })
  await assert.rejects(redirecting, (error) => error instanceof Refusal && error.kind === 'wrong-state')
  const created = await callHeadless(headless, 'POST', at, { offerID: offerId })
  assert.equal(created.status, 409)
  assert.equal(created.body.error.details.aaState, 'FAILED')
  await switchLenderOn()
  assert.deepEqual(await consents(), ['DUE'])
  assert.deepEqual(await state(), { state: 'REQUIRED', actionRequired: 'REDIRECT' })
})

test('switching a lender off pauses the polls of the aggregator, but changes no dispatched or confirmed consent', async () => {
  const { aaSessionId, storedSession, visibleSession, changeSession, switchLenderOff, switchLenderOn } =
    await journeyWithConsentRequest()
  await changeSession({ state: 'IN_PROGRESS' })
  await switchLenderOff()
  const session = await visibleSession()
  assert.equal(session.state, 'FAILED')
  assert.equal(session.reason, 'LENDER_NOT_LENDING')
  const worker = consentReconcileWorker(ctx)
  after(() => worker.stop())
  const waitForError = (pattern: RegExp) =>
    until(`a poll with error ${pattern}`, async () => {
      const [job] = await db<{ lastError: string | null }>`
        select last_error from job where kind = 'aa-look' and payload->>'aaSessionId' = ${aaSessionId}`
      return job && pattern.test(job.lastError ?? '')
    })
  await waitForError(/switched off/)
  assert.equal((await storedSession()).state, 'IN_PROGRESS', 'the stored state is unchanged')
  await switchLenderOn()
  await db`update job set due_at = ${ctx.clock()} where kind = 'aa-look'`
  db.wakeAll()
  // The poll fails, because this test has no aggregator.
  await waitForError(/aggregator|answer/)
  assert.equal((await visibleSession()).state, 'IN_PROGRESS')

  await changeSession({ state: 'APPROVAL_DISPATCHED', dispatchedAt: ctx.clock() })
  await switchLenderOff()
  assert.equal((await visibleSession()).state, 'APPROVAL_DISPATCHED', 'the lender was already notified')
  await changeSession({ state: 'CONFIRMED' })
  assert.equal((await visibleSession()).state, 'CONFIRMED')
})
