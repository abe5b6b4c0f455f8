// Round trips are counted: polling is what borrowers' runtimes do most.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHeadlessClient } from '#test/setup/headless-api.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { statementsOf } from '#test/setup/round-trips.ts'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const { db } = platform.ctx
const asha = await startHeadlessClient(platform).borrower()
const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data

test('ARCHITECTURE rule 7: a poll of the state is one statement, whatever modules it reads', async () => {
  assert.equal(await statementsOf(db, () => asha.get(`/journeys/${journeyID}/state`)), 1)
})

test('ARCHITECTURE rule 7: a journey in full is that statement and one for the requests after disbursal', async () => {
  assert.equal(await statementsOf(db, () => asha.get(`/journeys/${journeyID}`)), 2)
})

test('ARCHITECTURE rule 7: a write is its effect, here three statements, and two for its key', async () => {
  const mark = () => asha.patch(`/journeys/${journeyID}/resume`, { resume: { lastCompletedStep: 'x' } })
  assert.equal(await statementsOf(db, mark), 3 + 2)
})
