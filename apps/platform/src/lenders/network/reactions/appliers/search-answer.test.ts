// Lenders' answers to a search, and the profile that they receive at once or later without a second search.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf } from '@lendloom/seal/id'
import { conversationHelpers } from '@lendloom/tests/setup/conversation'
import { exampleOf, fakeNetwork } from '@lendloom/tests/setup/network'
import { testSubscriber, waitFor } from '@lendloom/tests/setup/subscriber'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { searchNetwork, searchNetworkAgain } from '#platform/lenders/network/search.ts'
import { type BorrowerDetails, detailsContext } from '#platform/lending/borrower/borrower.ts'
import { newBorrowers } from '#platform/lending/borrower/store.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { findJourney, lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { deleteSwitch, insertSwitch } from '#platform/lending/lender/switch/store.ts'
import { listOffers } from '#platform/lending/offer/store.ts'
import { onSearchClosed, onUnanswered } from './rejected-or-unanswered.ts'
import { onProfileResent, onSearch } from './search-answer.ts'

const network = await fakeNetwork()
const platform = await testSubscriber(network.url)
const { ctx, url } = platform
const { db } = ctx
const { nextAcknowledged, currentConversation } = conversationHelpers(network, platform)
platform.onApply.run = async (tx, applyCtx, journey, conversation, inbound, at) => {
  if (inbound.type === 'on_search')
    await onSearch({ ...applyCtx, tx, at }, journey, conversation, inbound as InboundMessage<'on_search'>)
  if (inbound.type === 'unanswered')
    await onUnanswered({ ...applyCtx, tx, at }, journey, conversation, inbound as InboundMessage<'unanswered'>)
  if (inbound.type === 'search_closed') await onSearchClosed({ ...applyCtx, tx, at }, journey)
  if (inbound.type === 'profile_resent')
    await onProfileResent({ ...applyCtx, tx, at }, journey, conversation, inbound as InboundMessage<'profile_resent'>)
}

const person: BorrowerDetails = {
  personal: { mobile: '9876500001', panName: 'Anil Kamble', pan: 'ABCPK1234F', gender: 'male' },
  work: { income: 60_000 },
  address: {},
  gold: {},
}

/** Searches with a complete profile; with `isRepeated`, as the "Try again" button does. */
async function startSearch(journey: Journey, isRepeated = false): Promise<void> {
  await db.tx(async (tx) => {
    const at = ctx.clock()
    const lockedJourney = (await lockJourney(tx, journey.tenantId, journey.journeyId))!
    await updateJourney(tx, lockedJourney, { search: 'OPEN' }, at)
    await (isRepeated ? searchNetworkAgain : searchNetwork)({ ...ctx, tx, at }, lockedJourney)
  })
}

async function newJourney(): Promise<Journey> {
  const journey = await platform.newJourney()
  const { tenantId, journeyId, borrowerId } = journey
  const at = ctx.clock()
  await db`${newBorrowers([{ tenantId, borrowerId, externalId: borrowerId, mobileDigest: Buffer.alloc(32), createdAt: at }], null)}`
  const profileSealed = ctx.seal.json(person, detailsContext(tenantId, journeyId))
  await db`insert into profile ${db({ bucket: bucketOf(journeyId), tenantId, journeyId, profileSealed, updatedAt: at })}`
  return journey
}

const searchStateOf = async ({ tenantId, journeyId }: Journey) => (await findJourney(db, tenantId, journeyId))!.search
const offerStatusesOf = async (journey: Journey) => (await listOffers(db, journey)).map(({ status }) => status)
const countSearches = ({ networkTransactionId }: Journey) =>
  network.calls.filter(({ path, raw }) => path === '/gateway/search' && raw.includes(networkTransactionId)).length

test('FIS12 §4.1: an unreachable lender gets the profile again without a second search', async () => {
  network.on('GET /form/profile', () => ({ status: 503, body: 'busy' }))
  const journey = await newJourney()
  await startSearch(journey)
  const { body } = await nextAcknowledged(journey, 'search')
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  await network.postSigned(url, network.callback('on_search', { ...ids, message: exampleOf('on_search', network) }))
  await platform.waitForInbound(journey, 'on_search')
  platform.advanceClock(61)
  await platform.waitForInbound(journey, 'unanswered')
  await platform.waitForInbound(journey, 'search_closed')
  await waitFor(async () => (await searchStateOf(journey)) === 'UNANSWERED')
  assert.deepEqual(await offerStatusesOf(journey), ['NO_OFFER_AVAILABLE'])

  network.on('GET /form/profile', undefined)
  await startSearch(journey, true)
  await platform.waitForInbound(journey, 'form_accepted')
  assert.equal(await searchStateOf(journey), 'CLOSED')
  assert.deepEqual(await offerStatusesOf(journey), ['OFFER_AWAITED'])
  assert.equal((await currentConversation(journey)).stage, 'PROFILED')
  assert.equal(countSearches(journey), 1)
})

test('FIS12 §8.1: a switched-off lender that answers a search receives no request', async () => {
  const journey = await newJourney()
  const { tenantId } = journey
  const example = exampleOf('on_search', network)
  const provider: { id: string } = example.catalog.providers[0]
  const lender = { bppId: network.lender.id, providerId: provider.id }
  const at = ctx.clock()
  await db.tx((tx) => insertSwitch(tx, { tenantId, ...lender, reason: 'a test', personId: null, offAt: at }))
  await startSearch(journey)
  const { body } = await nextAcknowledged(journey, 'search')
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  await network.postSigned(url, network.callback('on_search', { ...ids, message: example }))
  await platform.waitForInbound(journey, 'on_search')
  await db.tx((tx) => deleteSwitch(tx, { tenantId, ...lender }))
  assert.deepEqual(await platform.conversations(journey), [])
  assert.deepEqual(await offerStatusesOf(journey), [])
})

test('FIS12 §3.3: a lender that answers after the search timed out still receives the profile', async () => {
  const journey = await newJourney()
  await startSearch(journey)
  const { body } = await nextAcknowledged(journey, 'search')
  await db`update journey set search = 'UNANSWERED' where journey_id = ${journey.journeyId}`
  const ids = { transactionId: body.context.transaction_id, messageId: body.context.message_id }
  await network.postSigned(url, network.callback('on_search', { ...ids, message: exampleOf('on_search', network) }))
  await platform.waitForInbound(journey, 'form_accepted')
  assert.equal(await searchStateOf(journey), 'CLOSED')
})
