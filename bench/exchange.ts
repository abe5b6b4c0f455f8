// Compares the partner's event intake (accept, replay, apply in order) with PostgreSQL inserts of the same bytes.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMs, option, warmUpSeconds } from './setup/api.ts'
import { type BenchDatabase, benchDatabase } from './setup/database.ts'
import { eventRequest, meanBytes } from './setup/events.ts'
import { percentile } from './setup/figures.ts'
import { judge } from './setup/goals.ts'
import { load } from './setup/http-load.ts'
import { connectionCounts, lineOf, measurePhase } from './setup/measure.ts'
import { type EventWorker, type PartnerApi, startEventWorker, startPartnerApi } from './setup/partner.ts'
import { type Baseline, baseline } from './setup/pgbench.ts'
import { type MinimalServer, measureMinimalServer } from './setup/smallest.ts'

export const about = `Signed events into one process of the partner, against the best pgbench rate of durable inserts of the same bytes
Goals, at least: 0.8 of the pgbench rate accepted with 32 connections, 1.0 with 128, 0.45 accepted and applied in order; 0.85 of the
rate without replays if half of the events are replays; 2000/s of a single case applied in order.
Goals, at most: the CPU of the smallest server for an accepted event, 80 us of the worker for an applied one.
The smallest server writes one row with bare Fastify and pg in the same run. A lost event ends the run with an error.
Then prints the latency for 8, 16, 32 and 64 connections.
Options: --rounds <n> (3), --seconds <n> of each phase (3), --cases <n> with applied events (500),
--judged: only phases with a goal.
The partner reads INBOX_LANES from the environment.`

interface Stage {
  database: BenchDatabase
  api: PartnerApi
  minimalServer: MinimalServer
  seconds: number
  /** Processes besides the API whose CPU counts as the program's. */
  otherPids?: number[]
  /** CPU of each accepted event, in times of the smallest server's write. */
  costs: number[]
  /** CPU of the worker for each applied event of many cases, in microseconds. */
  workerUs: number[]
}

export async function run(args: string[]): Promise<void> {
  const seconds = option(args, 'seconds', 3)
  const rounds = option(args, 'rounds', 3)
  const cases = option(args, 'cases', 500)
  const database = await benchDatabase(4, 'partner')
  const minimalServer = await measureMinimalServer(database, seconds)
  const api = await startPartnerApi(database.url)
  await database.db`create table bench_case (case_ref text primary key, version bigint not null, effects bigint not null)`
  await database.db`create table bench_bare (like inbox including all)`
  await storeCases(database, api, maxCases)
  const stage: Stage = { database, api, minimalServer, seconds, costs: [], workerUs: [] }
  const baselines = [8, 32].map((clients) => baseline(database, { clients, statements: [bareInsert()] }))
  const ratios = { c32: [] as number[], c128: [] as number[], replays: [] as number[], applied: [] as number[] }
  try {
    const events = eventsOf(api, maxCases)
    await runPhase({ ...stage, seconds: warmUpSeconds }, null, 128, events)
    for (let round = 0; round < rounds; round++) {
      const bare = await bareRate(stage, baselines)
      const c32 = await runPhase(stage, 'accepted with 32 connections', 32, events, stage.costs)
      const c128 = await runPhase(stage, 'accepted with 128 connections', 128, events)
      const replays = await runPhase(stage, 'accepted, half of the events are replays', 32, withReplays(events))
      const applied = await measureApplied(stage, cases)
      const shares = [c32, c128, applied].map((rate) => (rate / bare).toFixed(2))
      console.log(`  ratios: ${shares.join(', ')}; replays ${(replays / c32).toFixed(2)}`)
      ratios.c32.push(c32 / bare)
      ratios.c128.push(c128 / bare)
      ratios.replays.push(replays / c32)
      ratios.applied.push(applied / bare)
    }
    for (const connections of connectionCounts(args, []))
      await runPhase(stage, `accepted with ${connections} connections`, connections, events)
    const hot = await measureApplied(stage, 1)
    report('events accepted with 32 connections: rate of pgbench', ratios.c32, 0.8)
    report('events accepted with 128 connections: rate of pgbench', ratios.c128, 1)
    report('events, half of them replays: rate without replays', ratios.replays, 0.85)
    report('events accepted and applied in order: rate of pgbench', ratios.applied, 0.45)
    judge({ figure: 'event accepted: CPU of the smallest server', value: percentile(stage.costs, 0.5), atMost: 1 })
    const workerUs = percentile(stage.workerUs, 0.5)
    judge({ figure: 'event applied: CPU of the worker', value: workerUs, unit: 'us', atMost: 80 })
    judge({ figure: 'events of one case applied in order, each second', value: hot, atLeast: 2000 })
  } finally {
    for (const each of baselines) each.remove()
    api.stop()
    await database.stop()
  }
}

function report(name: string, ratios: number[], goal: number): void {
  judge({ figure: name, value: percentile(ratios, 0.5), atLeast: goal })
}

/** The minimal database work of one event: one row of the same size in one transaction. */
const bareInsert = () =>
  `insert into bench_bare (sender, event_id, event_type, case_ref, entity_type, entity_id, entity_version, body_mac,
    body_sealed, correlation_id, received_at)
  values ('PGBENCH', gen_random_uuid(), 'KYC_UPDATED', 'CASE-2026-000123', 'CASE', 'CASE-2026-000123', 1,
    '\\x${randomBytes(32).toString('hex')}', '\\x${randomBytes(meanBytes + 32).toString('hex')}',
    '0190f5a0-0000-7000-8000-000000000009', now())`.replace(/\s+/g, ' ')

async function bareRate({ database, seconds }: Stage, baselines: Baseline[]): Promise<number> {
  let best = 0
  for (const each of baselines) {
    await database.db`truncate bench_bare`
    await database.db`checkpoint`
    best = Math.max(best, await each.rate(seconds))
  }
  await database.db`truncate bench_bare`
  console.log(`${baselines[0]!.name}: ${best.toFixed(0)} bare inserts/s of ${meanBytes} bytes`)
  return best
}

interface Source {
  /** Prepared events. */
  ready: Buffer[]
  make(): Buffer
}

/** Returns a source of events of running cases, with increasing versions in each case. */
function eventsOf({ url, client }: PartnerApi, cases: number): Source {
  const { host } = new URL(url)
  const versions = new Map<string, number>()
  const make = () => {
    const caseRef = `CASE-${1 + Math.floor(Math.random() * cases)}`
    const version = (versions.get(caseRef) ?? 0) + 1
    versions.set(caseRef, version)
    return eventRequest({ client, host, caseRef, version })
  }
  return { ready: [], make }
}

/** Returns a source that repeats an earlier event with a probability of one half. */
function withReplays({ make }: Source): Source {
  const sent: Buffer[] = []
  const next = () => {
    if (Math.random() < 0.5 && sent.length > 200) return sent[Math.floor(Math.random() * (sent.length - 100))]!
    const event = make()
    sent.push(event)
    return event
  }
  return { ready: [], make: next }
}

const storeCases = ({ db }: BenchDatabase, { client }: PartnerApi, cases: number) => db`
  insert into case_file (case_ref, sender, lead_id, loan_id, status, product, mandate_required, pan_digest, person_digest,
    source_event_id, created_at, updated_at)
  select 'CASE-' || n, ${client.sender}, (500000 + n)::text, (70000000 + n)::text, 'KYC_PENDING', 'BUSINESS_LOAN', true,
    sha256(n::text::bytea), sha256(n::text::bytea), '0190f5a0-0000-7000-8000-000000000009', now(), now()
  from generate_series(1, ${cases}::integer) as n`

/** Returns the rate of accepting and applying events that arrive out of order over many connections. */
async function measureApplied(stage: Stage, cases: number): Promise<number> {
  const { database, api } = stage
  await database.db`truncate inbox, inbox_waiting, inbox_entity, inbox_outcome, bench_case`
  const events = eventsOf(api, cases)
  const worker = await startEventWorker(database.url, api.keys)
  try {
    await runPhase({ ...stage, seconds: warmUpSeconds / 2 }, null, 32, events)
    await waitUntilApplied(database)
    prepare(events, stage.seconds)
    return await measureApplication(
      { ...stage, otherPids: [worker.pid] },
      worker,
      events,
      cases > 1 ? stage.workerUs : [],
    )
  } finally {
    worker.stop()
  }
}

async function measureApplication(
  stage: Stage,
  worker: EventWorker,
  events: Source,
  workerUs: number[],
): Promise<number> {
  const { database } = stage
  const began = performance.now()
  const before = cpuMs(worker)
  const effectsBefore = await countEffects(database)
  const rate = await runPhase(stage, 'accepted while events are applied', 32, events)
  const left = await countWaiting(database)
  await waitUntilApplied(database)
  const seconds = (performance.now() - began) / 1000
  const count = (await countEffects(database)) - effectsBefore
  const cpu = ((cpuMs(worker) - before) / count) * 1000
  workerUs.push(cpu)
  console.log(
    `accepted and applied ${(count / seconds).toFixed(0)}/s (accepted ${rate.toFixed(0)}/s, ${left} left at the end); worker CPU ${cpu.toFixed(0)} us each`,
  )
  return count / seconds
}

async function waitUntilApplied(database: BenchDatabase): Promise<void> {
  while ((await countWaiting(database)) > 0) await sleep(10)
}

async function countWaiting({ db }: BenchDatabase): Promise<number> {
  const [row] = await db<{ count: number }>`select count(*)::int as count from inbox_waiting`
  return row!.count
}

/** Returns the number of effects. Throws unless each version of each case had exactly one effect. */
async function countEffects({ db }: BenchDatabase): Promise<number> {
  const [row] = await db<{ count: number; versions: number }>`
    select coalesce(sum(effects), 0)::int as count, coalesce(sum(version), 0)::int as versions from bench_case`
  if (row!.count !== row!.versions) throw new Error(`${row!.versions} versions had ${row!.count} effects`)
  return row!.count
}

/** Number of cases whose events are accepted. */
const maxCases = 10_000
/** More events per second than any phase sends. */
const maxPerSecond = 20_000

function prepare(events: Source, seconds: number): void {
  while (events.ready.length < seconds * maxPerSecond) events.ready.push(events.make())
}

/** Runs some seconds of load with prepared events. Throws unless every accepted event is stored. */
async function runPhase(
  stage: Stage,
  name: string | null,
  connections: number,
  events: Source,
  costs: number[] = [],
): Promise<number> {
  const { api, database, seconds, minimalServer, otherPids = [] } = stage
  const { hostname, port } = new URL(api.url)
  const target = { host: hostname, port: Number(port), connections, seconds, status: [200, 202] }
  prepare(events, seconds)
  let used = 0
  const next = () => events.ready[used++] ?? events.make()
  const rows = await countStored(database)
  const figure = await measurePhase(
    { database, pids: [api.pid, ...otherPids] },
    async () => (await load({ ...target, next })).latencies,
  )
  const sent = new Set(events.ready.splice(0, used)).size
  const added = (await countStored(database)) - rows
  if (added !== sent) throw new Error(`${sent} events were answered, but ${added} are stored`)
  if (name !== null) console.log(`${name}: ${lineOf(figure, minimalServer.write)}`)
  costs.push(figure.cpu / minimalServer.write.cpu)
  return figure.rate
}

async function countStored({ db }: BenchDatabase): Promise<number> {
  const [row] = await db<{ count: number }>`select count(*)::int as count from inbox`
  return row!.count
}
