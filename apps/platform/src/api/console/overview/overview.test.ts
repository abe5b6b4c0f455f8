// The console's overview: sums over Indian days and hours, for one tenant or all, and their CSV files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleUser } from '@lendloom/tests/setup/console'
import { randomHistory } from '@lendloom/tests/setup/history'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { figureFiles } from '@lendloom/wire/console/lists'
import type { Overview } from '@lendloom/wire/console/overview'
import { updateFigures } from '#platform/records/figures/update-figures.ts'

// 2 March, 09:37 in India.
const now = new Date('2026-03-02T04:07:00.000Z')
const platform = await testPlatform({}, () => now)
const { ctx, tenant, secondTenant } = platform
const hour = 3_600_000
const hoursFromNow = (hours: number) => new Date(now.getTime() + hours * hour)
const history = randomHistory(ctx, [tenant])
const otherHistory = randomHistory(ctx, [secondTenant])

const viewerBefore = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
const emptyOverview: Overview = (await viewerBefore.ask('GET', '/overview')).body

const hoursOfJourneys = { previousWeek: [-190], yesterday: [-26, -20], today: [-0.2, -0.1] }
for (const hours of Object.values(hoursOfJourneys).flat()) await history.do('begin', 0, hoursFromNow(hours))
await history.do('move', 4, hoursFromNow(-0.05))
await history.do('deliver', 0, hoursFromNow(-3))
await history.do('confirmDelivery', 0, new Date(hoursFromNow(-3).getTime() + 800))
await history.do('deliver', 0, hoursFromNow(-2))
for (const [requestIndex, lender] of [0, 1, 1].entries())
  await history.do('request', lender, hoursFromNow(-1 - requestIndex / 100))
for (const offer of [0, 1, 2]) await history.do('answer', offer, hoursFromNow(-0.9))
await history.do('choose', 0, hoursFromNow(-0.5))
await history.do('send', 1, hoursFromNow(-4))
await history.do('outcome', 0, hoursFromNow(-4))
await otherHistory.do('begin', 0, hoursFromNow(-1))
await otherHistory.do('deliver', 0, hoursFromNow(-1))
while ((await updateFigures({ db: ctx.db, clock: () => now }, () => true)).hasDaysLeft);

const viewer = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
const operator = await consoleUser(platform, { role: 'operator' })
const readOverview = async (query: string, who = viewer): Promise<Overview> => {
  const { status, body } = await who.ask('GET', `/overview${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const countOf = (lines: { outcome: string; count: number }[], outcome: string) =>
  lines.find((line) => line.outcome === outcome)?.count

test('the overview of a new tenant is empty', () => {
  assert.equal(emptyOverview.hasJourneys, false)
  assert.equal(emptyOverview.countedUntil, null)
  assert.equal(countOf(emptyOverview.journeys, 'STARTED'), 0)
  assert.equal(emptyOverview.deliveryTime.p50, null)
})

test('a window of days ends today in India and is compared with the preceding window of equal length', async () => {
  const week = await readOverview('')
  assert.equal(week.from, '2026-02-23T18:30:00.000Z')
  assert.equal(week.steps.length, 7)
  assert.equal(week.step, 'day')
  assert.deepEqual(week.journeys[0], {
    outcome: 'STARTED',
    count: 4,
    before: 1,
    series: [0, 0, 0, 0, 0, 2, 2],
  })
  assert.equal(countOf(week.journeys, 'PROFILED'), 1)
  assert.deepEqual(
    week.offers.map(({ count }) => count),
    [3, 2, 1, 1],
  )
  assert.equal(countOf(week.deliveries, 'FIRST_TRY'), 1)
  assert.equal(countOf(week.deliveries, 'WAITING'), 1)
  assert.equal(week.deliveriesWaiting, 1)
  const { p50, p90 } = week.deliveryTime
  assert.ok(p50 && p90 && p50 > 600 && p90 < 1000, `${p50} ${p90}`)
  assert.equal(countOf(week.requests, 'SILENT'), 1)
  assert.deepEqual(
    week.requestsByLender.map(({ lender, action }) => ({ lender, action })),
    [{ lender: 'lender.example', action: 'select' }],
  )
  assert.equal(week.countedUntil, now.toISOString())
})

test('the steps of a window are whole hours or days in India', async () => {
  const day = await readOverview('?range=24h')
  assert.equal(day.steps.length, 24)
  assert.equal(day.steps.at(-1), '2026-03-02T03:30:00.000Z')
  assert.equal(day.step, 'hour')
  assert.equal(countOf(day.journeys, 'STARTED'), 3)
  assert.equal(day.journeys[0]?.series.at(-1), 2)
  const custom = await readOverview('?range=custom&from=2026-02-22&to=2026-03-01')
  assert.equal(custom.steps.length, 8)
  assert.equal(custom.until, '2026-03-01T18:30:00.000Z')
  assert.equal(countOf(custom.journeys, 'STARTED'), 3)
  const hourly = await readOverview('?from=2026-03-01&to=2026-03-02&step=hour')
  assert.equal(hourly.steps.length, 48)
  assert.equal(countOf(hourly.journeys, 'STARTED'), 4)
})

test('tenant staff see figures of their tenant only; platform staff see one tenant or all', async () => {
  const all = await readOverview('', operator)
  assert.equal(countOf(all.journeys, 'STARTED'), 5)
  assert.equal(all.deliveriesWaiting, 2)
  assert.equal(countOf((await readOverview(`?tenantId=${secondTenant.tenantId}`, operator)).journeys, 'STARTED'), 1)
  for (const path of ['/overview', ...figureFiles.map((name) => `/overview/${name}.csv`)]) {
    const { status } = await viewer.ask('GET', `${path}?tenantId=${secondTenant.tenantId}`)
    assert.equal(status, 404, path)
    assert.equal((await viewer.ask('GET', path, undefined, { cookie: '' })).status, 401, path)
  }
  const otherApplication = await readOverview(`?applicationId=${secondTenant.applicationId}`)
  assert.equal(countOf(otherApplication.journeys, 'STARTED'), 0)
  assert.deepEqual(
    otherApplication.applications.map(({ tenantId }) => tenantId),
    otherApplication.applications.map(() => tenant.tenantId),
  )
})

test('rejects an invalid query and names the field', async () => {
  for (const [query, path] of [
    ['?range=custom', 'from'],
    ['?range=custom&from=2026-02-30', 'from'],
    ['?range=7d&from=2026-02-01', 'range'],
    ['?range=custom&from=2026-03-02&to=2026-03-01', 'to'],
    ['?range=custom&from=2020-01-01', 'from'],
    ['?range=30d&step=hour', 'step'],
    ['?range=year', 'range'],
    ['?product=CAR_LOAN', 'product'],
  ] as const) {
    const { status, body } = await viewer.ask('GET', `/overview${query}`)
    assert.equal(status, 400, query)
    assert.equal(body.error.details.fields?.[0]?.path ?? body.error.details.field, path, query)
  }
})

test('RFC 4180: every figure has a CSV file with readable columns and the expected total', async () => {
  const totals: Record<string, number> = {}
  for (const name of figureFiles) {
    const { status, headers, body } = await viewer.ask('GET', `/overview/${name}.csv?range=30d`)
    assert.equal(status, 200, name)
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
    const [head, ...rows] = String(body)
      .split('\r\n')
      .slice(0, -1)
      .map((line) => line.split(','))
    assert.deepEqual(head?.slice(0, 4), ['Start (India time)', 'Tenant', 'Application', 'Product'])
    const countColumn = head!.indexOf('Count')
    totals[name] = rows.reduce((sum, row) => sum + Number(row[countColumn]), 0)
    for (const row of rows) assert.equal(row.length, head!.length)
  }
  assert.deepEqual(totals, {
    journeys: 6,
    'time-to-money': 0,
    'payout-time': 0,
    offers: 7,
    deliveries: 2,
    'delivery-time': 1,
    requests: 1,
    'partner-events': 0,
    'partner-gaps': 0,
    'platform-events': 0,
  })
  const { body } = await viewer.ask('GET', '/overview/journeys.csv?range=24h')
  assert.match(body, /^2026-03-02 09:00,[^,]+,[^,]+,[A-Z_]+,Started,2\r$/m)
})
