// Counts statements and round trips to the database per request, because borrowers' apps poll often.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { databaseProxy } from '@lendloom/tests/setup/database-line'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { roundTripsOf, statementsOf } from '@lendloom/tests/setup/round-trips'

const proxy = await databaseProxy(await testDatabase('platform'))
const platform = await testPlatform({ RATE_LIMITS: 'off', DATABASE_URL: proxy.url })
after(() => proxy.close())
const { db } = platform.ctx
const api = startHeadlessClient(platform)
const asha = await api.borrower()
const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data

test('ARCHITECTURE rule 7: a poll of the state takes one statement', async () => {
  assert.equal(await statementsOf(db, () => asha.get(`/journeys/${journeyID}/state`)), 1)
})

test('ARCHITECTURE rule 7: a request for the detail of a journey takes two statements', async () => {
  assert.equal(await statementsOf(db, () => asha.get(`/journeys/${journeyID}`)), 2)
})

test('ARCHITECTURE rule 7: an update of the resume marker takes five statements, two for its key', async () => {
  const updateMarker = () => asha.patch(`/journeys/${journeyID}/resume`, { resume: { lastCompletedStep: 'x' } })
  assert.equal(await statementsOf(db, updateMarker), 3 + 2)
})

test('ARCHITECTURE rule 7: a session takes at most three round trips, or four for a known borrower', async () => {
  assert.ok((await roundTripsOf(proxy, () => api.bootstrap())) <= 3)
  const knownBorrower = api.newBorrower()
  const { post } = await api.borrower(knownBorrower)
  assert.equal((await post('/journeys', { type: 'PERSONAL_LOAN' })).status, 201)
  assert.ok((await roundTripsOf(proxy, () => api.bootstrap(knownBorrower))) <= 4)
})
