// Measures the response time of the console's overview with a million journeys, and the cost of counting journeys.

import { createTenant } from '@lendloom/platform/src/integrators/access/tenant.ts'
import { histories } from '@lendloom/platform/src/records/figures/figure.ts'
import {
  dayMs,
  dayOf,
  daysIn,
  halfHourAfter,
  halfHourMs,
  halfHourOf,
} from '@lendloom/platform/src/records/figures/half-hours.ts'
import { countHistory } from '@lendloom/platform/src/records/figures/history/store.ts'
import { overviewOf } from '@lendloom/platform/src/records/figures/read/overview.ts'
import { windowOf } from '@lendloom/platform/src/records/figures/read/window.ts'
import { countWindow, updateFigures } from '@lendloom/platform/src/records/figures/update-figures.ts'
import type { Db } from '@lendloom/postgres/sql'
import { option } from './setup/api.ts'
import { benchDatabase } from './setup/database.ts'
import { percentile } from './setup/figures.ts'
import { fillHistory } from './setup/filled-history.ts'

export const about = `The console's overview with a million journeys: response times of its windows, and the worker's cost
Goals: p95 of each window at most 300 ms; the worker counts a half hour in at most a twentieth of that time.
Two days of journeys are stored as rows. The figures of one day are copied to earlier days until the total is --journeys.
Options: --journeys <n> (1000000), --days <n> (90), --rounds <n> (20).`

const realDays = 2

export async function run(args: string[]): Promise<void> {
  const journeys = option(args, 'journeys', 1_000_000)
  const days = option(args, 'days', 90)
  const rounds = option(args, 'rounds', 20)
  const database = await benchDatabase()
  const { db } = database
  try {
    const at = new Date()
    const tenant = await db.tx((tx) => createTenant(tx, { name: 'An app', applicationName: 'App', origins: [] }, at))
    const { tenantId } = tenant
    const real = Math.round((journeys / days) * realDays * 1.1)
    await fillHistory(db, {
      tenantId,
      applicationIds: [tenant.applicationId],
      journeys: real,
      until: at,
      days: realDays,
    })
    await measureCounting(db, at)
    await copyFigures(db, tenantId, { at, days })
    await measureReading(db, { at, tenantId, rounds })
  } finally {
    await database.stop()
  }
}

/** Measures the count of all rows, the count of a busy half hour, and an update of the figures. */
async function measureCounting(db: Db, at: Date): Promise<void> {
  const deps = { db, clock: () => at }
  const start = performance.now()
  for (const history of histories)
    for (const day of daysIn({ from: new Date(halfHourOf(at).getTime() - realDays * dayMs), until: halfHourAfter(at) }))
      await countWindow(deps, history, day)
  const seconds = (performance.now() - start) / 1000
  const [rows] = await db<{ changes: number }>`
    select (select count(*) from lifecycle_event)::float8 + (select count(*) from webhook_delivery) + (select count(*) from offer)
      + (select count(*) from network_message) + (select count(*) from inbox) + (select count(*) from outbox) as changes`
  console.log(
    `${realDays} days counted in ${seconds.toFixed(1)} s: ${((rows?.changes ?? 0) / seconds).toFixed(0)} rows/s`,
  )
  // The busiest half hour of the previous day is counted.
  const noon = new Date(dayOf(at).getTime() - dayMs / 2)
  for (const history of histories) {
    const began = performance.now()
    await countHistory(db, history, { from: new Date(noon.getTime() - halfHourMs), until: noon }, at)
    console.log(`a busy half hour of ${history.padEnd(10)} ${(performance.now() - began).toFixed(0).padStart(5)} ms`)
  }
  const durations: number[] = []
  await updateFigures(deps, () => true)
  for (let i = 0; i < 5; i++) {
    const began = performance.now()
    await updateFigures(deps, () => true)
    durations.push(performance.now() - began)
  }
  const median = percentile(durations, 0.5)
  const share = median / (median + Math.max(20_000, median * 19))
  console.log(
    `an update of the figures: ${median.toFixed(0)} ms, ${(share * 100).toFixed(2)} % of one connection's time`,
  )
}

async function copyFigures(db: Db, tenantId: string, { at, days }: { at: Date; days: number }): Promise<void> {
  const day = new Date(dayOf(at).getTime() - dayMs)
  await db`
    insert into figure (tenant_id, name, grain, begins_at, application_id, product, subject, action, outcome, count)
    select tenant_id, name, grain, begins_at - make_interval(days => n), application_id, product, subject, action, outcome, count
    from figure cross join generate_series(1, ${2 * days}::integer) as n
    where tenant_id = ${tenantId} and begins_at >= ${day} and begins_at < ${dayOf(at)}
    on conflict do nothing`
  await db`vacuum analyze figure`
  const [sums] = await db<{ rows: number; journeys: number }>`
    select count(*)::float8 as rows, sum(count) filter (where name = 'journey' and outcome = 'STARTED' and grain = 'DAY'
      and begins_at >= ${new Date(dayOf(at).getTime() - days * dayMs)})::float8 as journeys from figure`
  console.log(
    `${sums?.journeys} journeys in ${days} days, and as many in the days before; ${sums?.rows} rows of figures`,
  )
}

async function measureReading(
  db: Db,
  { at, tenantId, rounds }: { at: Date; tenantId: string; rounds: number },
): Promise<void> {
  const windows = [
    ['24 hours', windowOf({ range: '24h' }, at)],
    ['7 days', windowOf({ range: '7d' }, at)],
    ['7 days by hour', windowOf({ range: '7d', step: 'hour' }, at)],
    ['30 days', windowOf({ range: '30d' }, at)],
    ['90 days', windowOf({ range: '90d' }, at)],
  ] as const
  for (const [name, window] of windows)
    for (const tenant of [tenantId, null]) {
      const durations: number[] = []
      for (let i = 0; i <= rounds; i++) {
        const began = performance.now()
        const figures = await overviewOf(db, { tenantId: tenant, applicationId: null, product: null }, window)
        JSON.stringify(figures)
        if (i > 0) durations.push(performance.now() - began)
      }
      const p50 = percentile(durations, 0.5)
      const p95 = percentile(durations, 0.95)
      const scope = tenant === null ? 'all tenants' : 'one tenant'
      const result = `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, goal 300: ${p95 <= 300 ? 'met' : 'MISSED'}`
      console.log(`${name.padEnd(15)} ${scope.padEnd(12)} ${result}`)
    }
}
