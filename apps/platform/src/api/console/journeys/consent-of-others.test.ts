// After the choice, a consent that another lender had requested is nothing that the journey waits for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { journeyWithOffers, terms } from '@lendloom/tests/setup/offered'
import { testPlatform } from '@lendloom/tests/setup/platform'

const platform = await testPlatform()
const { db, clock } = platform.ctx

test('D2 §2.2: after the choice, the console names no consent that another lender had requested', async () => {
  const { journeyId } = await journeyWithOffers(platform, [terms, terms])
  const { tenantId } = platform.tenant
  const operator = await consoleUser(platform, { role: 'operator' })
  const waitingFor = async () => (await operator.ask('GET', '/journeys')).body.items[0].waitsFor?.what
  const offers = await db<{ conversationId: string }>`
    select conversation_id from offer where journey_id = ${journeyId} order by conversation_id`
  const at = clock()
  await db`insert into aa_session ${db({
    bucket: bucketOf(journeyId),
    tenantId,
    journeyId,
    aaSessionId: uuidv7(),
    offerId: uuidv7(),
    conversationId: offers[1]!.conversationId,
    purpose: 'UNDERWRITING',
    state: 'REQUIRED',
    consentHandle: 'h',
    handleWanted: false,
    adapter: 'sandbox',
    aggregatorId: 'aa.example',
    aaIdSealed: Buffer.alloc(0),
    createdAt: at,
    updatedAt: at,
  })}`
  // The status before an offer is the one that names a consent, whatever its steps.
  await db`update journey set status = 'PROFILED' where journey_id = ${journeyId}`
  const choose = async (conversationId: string) => {
    await db`update offer set selected_at = null where journey_id = ${journeyId}`
    await db`update offer set selected_at = ${at} where conversation_id = ${conversationId}`
  }
  await choose(offers[1]!.conversationId)
  assert.equal(await waitingFor(), 'CONSENT')
  await choose(offers[0]!.conversationId)
  assert.equal(await waitingFor(), 'OFFERS')
})
