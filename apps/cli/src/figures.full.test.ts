// The figures commands on a real database: the counts of a period, and recounting.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateFigures } from '@lendloom/platform/src/records/figures/update-figures.ts'
import { commandLine, keysAndAddressOf } from '@lendloom/tests/setup/command-line'
import { randomHistory } from '@lendloom/tests/setup/history'
import { testPlatform } from '@lendloom/tests/setup/platform'

const { ctx, tenant, secondTenant } = await testPlatform()
const lendloom = commandLine({ ...keysAndAddressOf(ctx), DATABASE_URL: ctx.config.DATABASE_URL })
const run = (...args: string[]) => lendloom.run('figures', ...args)
const runJson = (...args: string[]) => lendloom.runJson('figures', ...args)
const runFailing = (...args: string[]) => lendloom.runFailing('figures', ...args)
const history = randomHistory(ctx, [tenant])
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
for (const days of [0, 0, 3, 40]) await history.do('begin', 0, daysAgo(days))
await updateFigures(ctx, () => true)

test('figures of a period are shown for one or all tenants', async () => {
  assert.match((await run('show')).text, /STARTED +3 +0/)
  assert.match((await run('show', '--tenant', secondTenant.tenantId)).text, /STARTED +0 +0/)
  const data = await runJson('show', '--range', '90d')
  assert.equal(data.journeys[0].count, 4)
  assert.equal(data.steps.length, 90)
  assert.match((await runFailing('show', '--range', 'year')).errorOutput, /--range must be one of/)
  assert.match((await runFailing('show', '--tenant', 'x')).errorOutput, /there is no tenant "x"/)
  assert.match((await runFailing('show', '--range', 'custom')).errorOutput, /from is required/)
})

test('a recount restores lost figures, and --resume continues where it stopped', async () => {
  await ctx.db`delete from figure`
  const data = await runJson('rebuild', '--from', daysAgo(50).toISOString().slice(0, 10))
  assert.ok(data.days > 6 * 40, `${data.days} days`)
  assert.equal((await runJson('show', '--range', '90d')).journeys[0].count, 4)
  assert.equal((await runJson('rebuild', '--resume')).days, 0)
  assert.equal((await runFailing('rebuild', '--resume', '--from', '2026-01-01')).code, 2)
})
