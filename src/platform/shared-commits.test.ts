// Writes of different borrowers share a commit, or each has its own where their rows may be on several servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHeadlessClient } from '#test/setup/headless-api.ts'
import { startHostedClient } from '#test/setup/hosted-api.ts'

/** In how many transactions the writes of twenty borrowers that come together are written, by each API. */
async function commitsOf(isDistributed: boolean): Promise<{ hosted: number; headless: number }> {
  const { platform, post, newBorrower } = await startHostedClient()
  platform.ctx.db.isDistributed = isDistributed
  const { borrower } = startHeadlessClient(platform)
  const twenty = Array.from({ length: 20 }, () => null)
  const opened = await Promise.all(twenty.map(() => post(newBorrower())))
  const borrowers = await Promise.all(twenty.map(() => borrower()))
  const begun = await Promise.all(borrowers.map((each) => each.post('/journeys', { type: 'PERSONAL_LOAN' })))
  assert.ok([...opened, ...begun].every(({ status }) => status === 201))
  const commits = async (rows: string): Promise<number> => {
    const { rows: found } = await platform.ctx.db.pool.query(
      `select count(distinct xmin::text)::int as commits, count(*)::int as written from ${rows}`,
    )
    assert.equal(found[0].written, 20)
    return found[0].commits
  }
  return {
    hosted: await commits('embed_token'),
    headless: await commits(`idempotency where operation = 'POST /journeys'`),
  }
}

test('D1 §2, D2 §4: writes that come together share commits, and each has its own over several servers', async () => {
  const shared = await commitsOf(false)
  assert.ok(shared.hosted < 20 && shared.headless < 20, JSON.stringify(shared))
  assert.deepEqual(await commitsOf(true), { hosted: 20, headless: 20 })
})
