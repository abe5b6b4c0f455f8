// Round trips are counted: polling is what borrowers' runtimes do most.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHeadlessClient } from '#test/setup/headless-api.ts'
import { testPlatform } from '#test/setup/platform.ts'

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const { db } = platform.ctx
const asha = await startHeadlessClient(platform).borrower()
const { journeyID } = (await asha.post('/journeys', { type: 'PERSONAL_LOAN' })).body.data

/** The token has been looked up by the first call, and is believed for the next ones. */
async function statementsOf(act: () => Promise<unknown>): Promise<number> {
  await asha.get('/journeys')
  const before = db.statements
  await act()
  return db.statements - before
}

test('ARCHITECTURE rule 7: a poll of the state is one statement, whatever modules it reads', async () => {
  assert.equal(await statementsOf(() => asha.get(`/journeys/${journeyID}/state`)), 1)
})

test('ARCHITECTURE rule 7: a journey in full is that statement and one for the requests after disbursal', async () => {
  assert.equal(await statementsOf(() => asha.get(`/journeys/${journeyID}`)), 2)
})

test('ARCHITECTURE rule 7: a write is its effect, here three statements, and two for its key', async () => {
  const mark = () => asha.patch(`/journeys/${journeyID}/resume`, { resume: { lastCompletedStep: 'x' } })
  assert.equal(await statementsOf(mark), 3 + 2)
})
