// Concurrent writes of different borrowers share commits, except in a distributed database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { startHostedClient } from '@lendloom/tests/setup/hosted-api'

/** Returns for each API how many transactions stored the requests of twenty concurrent borrowers. */
async function countCommits(isDistributed: boolean): Promise<{ hosted: number; headless: number }> {
  const { platform, post, newBorrower } = await startHostedClient()
  platform.ctx.db.isDistributed = isDistributed
  const { borrower } = startHeadlessClient(platform)
  const twenty = Array.from({ length: 20 }, () => null)
  const opened = await Promise.all(twenty.map(() => post(newBorrower())))
  const borrowers = await Promise.all(twenty.map(() => borrower()))
  const journeys = await Promise.all(borrowers.map((each) => each.post('/journeys', { type: 'PERSONAL_LOAN' })))
  assert.ok([...opened, ...journeys].every(({ status }) => status === 201))
  // Rows of one transaction have the same `xmin`.
  const countTransactions = async (rows: string): Promise<number> => {
    const { rows: counts } = await platform.ctx.db.pool.query(
      `select count(distinct xmin::text)::int as commits, count(*)::int as written from ${rows}`,
    )
    assert.equal(counts[0].written, 20)
    return counts[0].commits
  }
  return {
    hosted: await countTransactions('embed_token'),
    headless: await countTransactions(`idempotency where operation = 'POST /journeys'`),
  }
}

test('D1 §2, D2 §4: concurrent writes share commits, except in a distributed database', async () => {
  const shared = await countCommits(false)
  assert.ok(shared.hosted < 20 && shared.headless < 20, JSON.stringify(shared))
  assert.deepEqual(await countCommits(true), { hosted: 20, headless: 20 })
})
