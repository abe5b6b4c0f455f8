// Measures what an installation spends: processor time by program, WAL, stored rows, files, requests.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '@lendloom/cli/src/postgres/server.ts'
import type { Db } from '@lendloom/postgres/sql'
import type { Installation, Process } from '../../proofs/setup/installation.ts'
import { administer } from '../../proofs/setup/standby.ts'
import { mapValues, type Part, type Side, type Spent } from '../capacity/spent.ts'
import { cpuMs } from './api.ts'
import { serverCpuMs } from './figures.ts'

export interface Phase extends Spent {
  seconds: number
  /** Growth in bytes by table, such as `platform.network_message`. */
  tables: Map<string, number>
}

interface Moment {
  at: number
  cpuMs: Record<Part, number>
  lsn: Record<Side, string>
  xid: Record<Side, number>
  tables: Map<string, number>
  requests: Record<Side, number>
  updates: number
  events: number
  files: { count: number; bytes: number }
}

/** Measures the cost of `work` and a checkpoint. Vacuums both databases, so that dead rows do not count as growth. */
export async function measureCost(installation: Installation, work: () => Promise<void>): Promise<Phase> {
  const { db, partnerDb } = installation
  const databases = [db, partnerDb]
  await Promise.all(databases.map((each) => each`vacuum (full)`))
  await Promise.all(databases.map((each) => each`checkpoint`))
  const before = { ...(await readMoment(installation)), tables: await tables(installation) }
  await work()
  await Promise.all(databases.map((each) => each`checkpoint`))
  const after = await readMoment(installation)
  await Promise.all(databases.map((each) => each`vacuum (full)`))
  return difference(installation, before, { ...after, tables: await tables(installation) })
}

/** Subtracts the unrelated cost (`times` the cost `of`) and returns the cost per item. */
export function costPerItem(spent: Phase, count: number, unrelated: { of: Spent; times: number } | null): Spent {
  const base = unrelated?.of
  const of = (value: number, ofBase = 0) => Math.max(0, value - ofBase * (unrelated?.times ?? 0)) / count
  const record = <Name extends string>(values: Record<Name, number>, ofIdle?: Record<Name, number>) =>
    mapValues(values, (value, name) => of(value, ofIdle?.[name]))
  return {
    cpuMs: record(spent.cpuMs, base?.cpuMs),
    walBytes: record(spent.walBytes, base?.walBytes),
    // Full-page images depend on checkpoints, not on time. No idle cost is subtracted from them.
    pageImageBytes: record(spent.pageImageBytes),
    writes: record(spent.writes, base?.writes),
    storedBytes: record(spent.storedBytes, base?.storedBytes),
    requests: record(spent.requests, base?.requests),
    updates: of(spent.updates, base?.updates),
    events: of(spent.events, base?.events),
    files: of(spent.files, base?.files),
    fileBytes: of(spent.fileBytes, base?.fileBytes),
  }
}

async function readMoment(installation: Installation): Promise<Omit<Moment, 'tables'>> {
  const { db, partnerDb, servers, sandbox, files } = installation
  const platformApi = processOf(installation, 'platform', 'api')
  const platformWorker = processOf(installation, 'platform', 'worker')
  const partnerApi = processOf(installation, 'partner', 'api')
  const partnerWorker = processOf(installation, 'partner', 'worker')
  const figures = {
    platformApi: await metrics(platformApi),
    platformWorker: await metrics(platformWorker),
    partnerApi: await metrics(partnerApi),
    partnerWorker: await metrics(partnerWorker),
  }
  const platform = await positionOf(db)
  const partner = await positionOf(partnerDb)
  return {
    at: performance.now(),
    lsn: { platform: platform.lsn, partner: partner.lsn },
    xid: { platform: platform.xid, partner: partner.xid },
    requests: {
      platform: sumOf(figures.platformApi, 'http_request_seconds_count'),
      partner: sumOf(figures.partnerApi, 'http_request_seconds_count'),
    },
    updates: sumOf(figures.platformWorker, 'webhook_tries_total'),
    events: sumOf(figures.platformWorker, 'outbox_tries_total') + sumOf(figures.partnerWorker, 'outbox_tries_total'),
    files: filesIn(files),
    cpuMs: {
      platformApi: cpuMs(platformApi),
      platformWorker: cpuMs(platformWorker),
      platformDatabase: serverCpuMs(servers.platform.pid),
      partnerApi: cpuMs(partnerApi),
      partnerWorker: cpuMs(partnerWorker),
      partnerDatabase: serverCpuMs(servers.partner.pid),
      outside: cpuMs(sandbox) + serverCpuMs(servers.sandbox.pid),
    },
  }
}

async function difference({ servers }: Installation, before: Moment, after: Moment): Promise<Phase> {
  const wal = {
    platform: await walBetween(servers.platform, before.lsn.platform, after.lsn.platform),
    partner: await walBetween(servers.partner, before.lsn.partner, after.lsn.partner),
  }
  const grown = new Map<string, number>()
  for (const [name, bytes] of after.tables) grown.set(name, bytes - (before.tables.get(name) ?? 0))
  const storedIn = (side: Side) =>
    [...grown].reduce((sum, [name, bytes]) => sum + (name.startsWith(`${side}.`) ? bytes : 0), 0)
  return {
    seconds: (after.at - before.at) / 1000,
    cpuMs: mapValues(after.cpuMs, (value, part) => value - before.cpuMs[part]),
    walBytes: { platform: wal.platform.bytes, partner: wal.partner.bytes },
    pageImageBytes: { platform: wal.platform.images, partner: wal.partner.images },
    writes: mapValues(after.xid, (value, side) => value - before.xid[side]),
    storedBytes: { platform: storedIn('platform'), partner: storedIn('partner') },
    requests: mapValues(after.requests, (value, side) => value - before.requests[side]),
    updates: after.updates - before.updates,
    events: after.events - before.events,
    files: after.files.count - before.files.count,
    fileBytes: after.files.bytes - before.files.bytes,
    tables: grown,
  }
}

function processOf({ processes }: Installation, program: Side, mode: Process['mode']): Process {
  const [found, ...more] = processes.filter((process) => process.program === program && process.mode === mode)
  if (!found || more.length > 0) throw new Error('exactly one process of each kind can be measured')
  return found
}

async function metrics({ port }: Process): Promise<string[]> {
  return (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).split('\n')
}

/** Requests to these routes are not part of a journey. */
const operationsRoutes = /route="\/(metrics|healthz|readyz)"/

const sumOf = (lines: string[], name: string): number =>
  lines
    .filter((line) => line.startsWith(name) && !operationsRoutes.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)

async function positionOf(db: Db): Promise<{ lsn: string; xid: number }> {
  const [row] = await db<{ lsn: string; xid: number }>`
    select pg_current_wal_insert_lsn()::text as lsn, pg_snapshot_xmax(pg_current_snapshot())::text::float8 as xid`
  if (!row) throw new Error('the database returned no WAL position')
  return row
}

async function walBetween(server: Postgres, from: string, to: string): Promise<{ bytes: number; images: number }> {
  await administer(server, 'create extension if not exists pg_walinspect')
  const [row] = await administer(
    server,
    `select pg_wal_lsn_diff('${to}', '${from}')::float8 as bytes,
       (select coalesce(sum(fpi_size), 0)::float8 from pg_get_wal_stats('${from}', '${to}')) as images`,
  )
  const images = Number(row?.images)
  return { bytes: Number(row?.bytes) - images, images }
}

async function tables({ db, partnerDb }: Installation): Promise<Map<string, number>> {
  const all = new Map<string, number>()
  for (const [side, database] of [
    ['platform', db],
    ['partner', partnerDb],
  ] as const)
    for (const { name, bytes } of await database<{ name: string; bytes: number }>`
      select relname as name, pg_total_relation_size(relid)::float8 as bytes from pg_stat_user_tables`)
      all.set(`${side}.${name}`, bytes)
  return all
}

function filesIn(directory: string): { count: number; bytes: number } {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = entries.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  return { count: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}
