// Under Help, a new application also lists the pending complaints about the borrower's earlier applications.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { complaintSetup } from '@lendloom/tests/setup/complaints'

const { ctx, borrower, advanceDays, officerView } = await complaintSetup()

const listOf = async ({ ask }: Awaited<ReturnType<typeof borrower>>) =>
  (await ask('GET', '/complaints')).body.complaints
const end = (journeyId: string) =>
  ctx.db`update journey set active = false, closed_at = now() where journey_id = ${journeyId}`

test('D3 §1: a complaint about a closed loan stays under Help of the next application, for this borrower only', async () => {
  const one = await borrower()
  const other = await borrower()
  const pending = await one.complain()
  const closed = await one.complain({ text: 'The page showed a wrong amount.' })
  await one.ask('POST', `/complaints/${closed.id}/withdraw`, {})
  await end(one.journeyId)
  advanceDays(1)
  assert.equal((await one.ask('GET', '/journey')).body.view.status, 'STARTED', 'a new application')
  const { items } = await listOf(one)
  assert.deepEqual(
    items.map(({ number, status }: { number: string; status: string }) => ({ number, status })),
    [{ number: pending.number, status: 'ACKNOWLEDGED' }],
  )
  assert.deepEqual((await listOf(other)).items, [])

  const text = { text: 'The charge is still there.' }
  assert.equal((await other.ask('POST', `/complaints/${pending.id}/words`, text)).status, 404)
  const { status, body } = await one.ask('POST', `/complaints/${pending.id}/words`, text)
  assert.equal(status, 200, JSON.stringify(body))
  assert.ok(JSON.stringify(await officerView(pending.id)).includes('The charge is still there.'))
  await ctx.db`update complaint set status = 'RESOLVED' where number = ${pending.number}`
  assert.equal((await listOf(one)).items[0].mayJudge, true)
  assert.equal((await one.ask('POST', `/complaints/${pending.id}/judge`, { settled: true })).status, 200)
  assert.deepEqual((await listOf(one)).items, [])
})
