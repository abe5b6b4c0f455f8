// The figures commands on a real database: what is shown is what was counted, and counting anew gives the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pass } from '#platform/figures/keep.ts'
import { randomHistory } from '#test/setup/history.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { UsageError } from './command.ts'
import { figures } from './figures.ts'

const { ctx, tenant, secondTenant } = await testPlatform()
const env = { DATABASE_URL: ctx.config.DATABASE_URL }
const history = randomHistory(ctx, [tenant])
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
for (const days of [0, 0, 3, 40]) await history.do('begin', 0, daysAgo(days))
await pass(ctx, () => true)

async function run(verb: string, options: Record<string, string | boolean> = {}) {
  const found = figures.commands.find(({ name }) => name === `figures ${verb}`)!
  const printed = await found.run({ args: [], options, json: true, env })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return printed as { text: string; data: any }
}

test('figures are shown of all tenants or of one, in the window that is named', async () => {
  assert.match((await run('show')).text, /journeys +STARTED +3 +0/)
  assert.match((await run('show', { tenant: secondTenant.tenantId })).text, /journeys +STARTED +0 +0/)
  const { data } = await run('show', { range: '90d' })
  assert.deepEqual([data.journeys[0].count, data.steps.length], [4, 90])
  await assert.rejects(run('show', { range: 'year' }), UsageError)
  await assert.rejects(run('show', { tenant: 'x' }), UsageError)
  await assert.rejects(run('show', { range: 'custom' }), /from is required/)
})

test('counting anew repairs what was lost, and is gone on with where it ended', async () => {
  await ctx.db`delete from figure`
  const { data } = await run('rebuild', { from: daysAgo(50).toISOString().slice(0, 10) })
  assert.ok(data.days > 6 * 40, `${data.days} days`)
  assert.equal((await run('show', { range: '90d' })).data.journeys[0].count, 4)
  assert.equal((await run('rebuild', { resume: true })).data.days, 0)
  await assert.rejects(run('rebuild', { resume: true, from: '2026-01-01' }), UsageError)
})
