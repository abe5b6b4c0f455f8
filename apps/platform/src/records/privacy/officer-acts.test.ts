// Who may decide a request for erasure: another person, and no new account.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysAfter } from '@lendloom/foundation/clock'
import { uuidv4, uuidv7 } from '@lendloom/seal/id'
import { consoleUser } from '@lendloom/tests/setup/console'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { decideErasure, requestErasure } from './officer-acts.ts'

const platform = await testPlatform()
const page = 'docs/how-to/answer-for-personal-data.md'
const { tenantId } = platform.tenant
const ctx = { ...platform.ctx, config: { ...platform.ctx.config, SANDBOX: false } }

test(`${page}: a new account neither decides a request nor lets another person decide its own`, async () => {
  const now = ctx.clock()
  const { person: first } = await consoleUser(platform, { role: 'admin' })
  const { person: colleague } = await consoleUser(platform, { role: 'grievance-officer' })
  const { person: added } = await consoleUser(platform, { role: 'grievance-officer' })
  const older = [first.personId, colleague.personId]
  await ctx.db`
    update person set created_at = case when person_id = any(${older}::uuid[]) then ${daysAfter(now, -30)} else ${now} end::timestamptz`

  const request = async (by: typeof first) => {
    const key = { tenantId, borrowerId: uuidv7(now.getTime(), 7) }
    await ctx.db.tx((tx) => requestErasure({ ...ctx, tx, at: now }, by!, key, `complaint ${uuidv4()}`))
    const [row] = await ctx.db<{ erasureId: string }>`
      select erasure_id from erasure where borrower_id = ${key.borrowerId}`
    return row!.erasureId
  }
  const decide = (by: typeof first, erasureId: string, at = now) =>
    ctx.db.tx((tx) => decideErasure({ ...ctx, tx, at }, by!, erasureId, false))
  const isTooNew = { kind: 'forbidden', message: /must exist for 7 days: decide after \d{4}-\d{2}-\d{2}/ }

  await assert.rejects(decide(added, await request(first)), isTooNew)
  const ofNewAccount = await request(added)
  await assert.rejects(decide(first, ofNewAccount), isTooNew)
  await assert.rejects(decide(first, ofNewAccount, new Date(daysAfter(now, 7).getTime() - 1000)), isTooNew)
  await decide(first, ofNewAccount, daysAfter(now, 7))
  const ofFirst = await request(first)
  await assert.rejects(decide(first, ofFirst), { kind: 'forbidden', message: /another person/ })
  await decide(colleague, ofFirst)
  const states = await ctx.db<{ state: string; count: number }>`
    select state, count(*)::integer from erasure group by state order by state`
  assert.deepEqual(states, [
    { state: 'REFUSED', count: 2 },
    { state: 'WAITING', count: 1 },
  ])
})
