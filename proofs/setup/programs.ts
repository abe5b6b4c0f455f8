// Runs the platform and the partner with their databases, sends sessions and events, and checks what is stored at the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { placementOf } from '@lendloom/cli/src/database/placement.ts'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { createDatabase } from '@lendloom/cli/src/postgres/server.ts'
import { distribute } from '@lendloom/postgres/citus'
import { migrate } from '@lendloom/postgres/migrate'
import { connect, type Db, type Pooler } from '@lendloom/postgres/sql'
import { newSealKey } from '@lendloom/seal/seal'
import { startApi } from '../../bench/setup/api.ts'
import { atEnd } from '../../bench/setup/at-end.ts'
import { eventRequest } from '../../bench/setup/events.ts'
import { jsonRequest } from '../../bench/setup/http-load.ts'
import { sampleBorrower } from '../../bench/setup/opening-sample.ts'
import { startEventWorker, startPartnerApi } from '../../bench/setup/partner.ts'
import type { Citus } from './citus.ts'
import { type Request, send, type Traffic } from './traffic.ts'
import { until } from './until.ts'

/** URLs of both programs' databases. */
export interface Databases {
  platform: string
  partner: string
}

/** The same databases, reached through another local port. */
export function throughPort({ platform, partner }: Databases, port: number): Databases {
  const moved = (address: string): string => {
    const url = new URL(address)
    url.port = String(port)
    return url.href
  }
  return { platform: moved(platform), partner: moved(partner) }
}

const cases = 200
const sender = 'LENDLOOM'
const senders = 8

/** Creates and migrates both databases on a server, with the cases that accept events and a table that records their effects. */
export const databasesOn = (server: string): Promise<Databases> =>
  databasesBy((program) => createDatabase(server, program))

/** Does the same on the servers of a cluster. */
export const databasesOver = (citus: Citus): Promise<Databases> =>
  databasesBy(citus.database, async (program, db) => {
    await distribute(db, await placementOf(program, db), shards, () => {})
  })

/** Shards of each table: several per server, so that some can move to an additional server. */
const shards = 12

async function databasesBy(
  make: (program: 'platform' | 'partner') => Promise<string>,
  place: (program: 'platform' | 'partner', db: Db) => Promise<void> = async () => {},
): Promise<Databases> {
  const made = async (program: 'platform' | 'partner'): Promise<string> => {
    const url = await make(program)
    const db = connect(url, { connections: 1 })
    try {
      await migrate(db, migrationsOf[program])
      if (program === 'partner') await addCases(db)
      await place(program, db)
    } finally {
      await db.close()
    }
    return url
  }
  return { platform: await made('platform'), partner: await made('partner') }
}

async function addCases(db: Db): Promise<void> {
  await db`create table bench_case (case_ref text primary key, version bigint not null, effects bigint not null)`
  await db`
    insert into case_file (case_ref, sender, lead_id, loan_id, status, product, mandate_required, pan_digest, person_digest,
      source_event_id, created_at, updated_at)
    select 'CASE-' || n, ${sender}, (500000 + n)::text, (70000000 + n)::text, 'KYC_PENDING', 'BUSINESS_LOAN', true,
      sha256(n::text::bytea), sha256(n::text::bytea), '0190f5a0-0000-7000-8000-000000000009', now(), now()
    from generate_series(1, ${2 * cases}::integer) as n`
}

export interface Programs {
  /** Whether every process is still the one that was started. */
  survived(): boolean
  /** Starts sending sessions and events; each sender waits `pauseMs` between two requests. */
  send(pauseMs?: number): Traffic[]
  /** Creates sessions for this many seconds, as fast as they are answered. */
  createSessions(seconds: number): Promise<Measured>
  /** Sends at least this many events and waits until they are applied. */
  applyEvents(count: number): Promise<Measured>
  stop(): void
}

export interface Measured {
  perSecond: number
  /** The total, including those before the measurement started. */
  count: number
}

/** Constant, because a second run must decrypt the rows of the first. */
const keys = newSealKey('p1')

export interface ProgramsOptions {
  /** Whether the databases are behind a pooler in transaction mode. */
  isPooled?: boolean
  /** Whether this is the second run on the same databases, with other borrowers and cases. */
  isSecond?: boolean
}

export async function startPrograms(
  databases: Databases,
  { isPooled = false, isSecond = false }: ProgramsOptions = {},
): Promise<Programs> {
  const stops: (() => void)[] = []
  const stop = atEnd(() => {
    for (const each of stops.reverse()) each()
  })
  try {
    const pooler: Pooler = isPooled ? 'transaction' : 'none'
    const platform = await startApi(databases.platform, {
      DATABASE_POOLER: pooler,
      LENDLOOM_KEYS: keys,
    })
    stops.push(platform.stop)
    const partner = await startPartnerApi(databases.partner, { PARTNER_DATABASE_POOLER: pooler, LENDLOOM_KEYS: keys })
    stops.push(partner.stop)
    const worker = await startEventWorker(databases.partner, partner.keys, pooler)
    stops.push(worker.stop)
    const session = sessions(platform, isSecond)
    const event = events(partner, isSecond)
    const begin = [
      (pauseMs = 0) => send(portOf(platform), { senders, next: session, pauseMs }),
      (pauseMs = 0) => send(portOf(partner), { senders, next: event, pauseMs }),
    ]
    return {
      survived: () => [platform.pid, partner.pid, worker.pid].every(runs),
      send: (pauseMs) => begin.map((each) => each(pauseMs)),
      async createSessions(seconds) {
        const traffic = send(portOf(platform), { senders: busySenders, next: session })
        await sleep(warmUpMs)
        const before = traffic.accepted.size
        await sleep(seconds * 1000)
        const accepted = traffic.accepted.size - before
        await traffic.finish()
        return { perSecond: accepted / seconds, count: traffic.accepted.size }
      },
      async applyEvents(least) {
        worker.stop()
        const traffic = send(portOf(partner), { senders: busySenders, next: event })
        await until(async () => traffic.accepted.size >= least, 'events are accepted', patienceSeconds)
        await traffic.finish()
        const again = await startEventWorker(databases.partner, partner.keys, pooler)
        stops.push(again.stop)
        const count = traffic.accepted.size
        return { perSecond: await appliedPerSecond(databases.partner, count), count }
      },
      stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

/** Enough senders that no server waits for the next request. */
const busySenders = 32

/** Time for code to be compiled and query plans to be made. */
const warmUpMs = 4000

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const portOf = ({ url }: { url: string }): number => Number(new URL(url).port)

/** Requests for sessions of new borrowers; a session is identified by its borrower. */
function sessions({ url, tenant }: Awaited<ReturnType<typeof startApi>>, isSecond: boolean): () => Request {
  let people = isSecond ? 1_000_000 : 0
  const { host } = new URL(url)
  return () => {
    const sample = sampleBorrower(`failover-${++people}`)
    const body = { ...sample, profile: { ...sample.profile, contactNumber: `9${String(people).padStart(9, '0')}` } }
    const headers = { authorization: `Bearer ${tenant.apiKey}`, connection: 'close' }
    return { id: sample.borrowerProviderID, bytes: jsonRequest('POST', '/api/lab/sessions', host, headers, body) }
  }
}

/** Events of running cases, numbered in order per case. */
function events({ url, client }: Awaited<ReturnType<typeof startPartnerApi>>, isSecond: boolean): () => Request {
  const { host } = new URL(url)
  const versions = new Map<string, number>()
  const first = isSecond ? cases + 1 : 1
  let turn = 0
  return () => {
    const caseRef = `CASE-${first + (turn++ % cases)}`
    const version = (versions.get(caseRef) ?? 0) + 1
    versions.set(caseRef, version)
    const bytes = eventRequest({ client, host, caseRef, version })
    return { id: /idempotency-key: ([\w-]+)/.exec(bytes.toString('latin1'))?.[1] ?? '', bytes }
  }
}

/** Waits until, for each kind of request, as many more have been accepted as there are senders. */
export async function more(traffics: Traffic[], seconds = 60): Promise<void> {
  const before = traffics.map(({ accepted }) => accepted.size)
  await until(
    () => traffics.every(({ accepted }, i) => accepted.size > (before[i] ?? 0) + senders),
    'requests are accepted',
    seconds,
  )
}

export interface Counts {
  accepted: number
  /** Accepted but not stored. */
  lost: number
  /** Cases whose number of effects differs from the number of applied versions. */
  notOnce: number
  /** Responses that no sender should have received. */
  refused: number
  longestGapMs: number
}

/**
 * Compares what is stored with what was accepted. `complete`: everything sent was accepted, so every event must be applied in
 * the end; a lost event leaves a gap that blocks later versions of its case.
 */
export async function counted(databases: Databases, traffics: Traffic[], complete = true): Promise<Counts> {
  const [sessions, events] = traffics
  if (!sessions || !events) throw new Error('sessions and events were sent')
  const platform = connect(databases.platform, { connections: 1 })
  const partner = connect(databases.partner, { connections: 1 })
  try {
    const people = await idsIn(
      platform,
      'select external_id as id from borrower join journey using (bucket, tenant_id, borrower_id)',
    )
    const stored = await idsIn(partner, 'select event_id::text as id from inbox')
    if (complete)
      await until(
        async () => (await idsIn(partner, 'select event_id::text as id from inbox_waiting')).size === 0,
        'every event is applied',
      )
    const twice = await idsIn(partner, 'select case_ref as id from bench_case where version <> effects')
    return {
      accepted: sessions.accepted.size + events.accepted.size,
      lost: missing(sessions.accepted, people) + missing(events.accepted, stored),
      notOnce: twice.size,
      refused: [sessions, events]
        .flatMap(({ refused }) => [...refused.values()])
        .reduce((sum, count) => sum + count, 0),
      longestGapMs: Math.max(sessions.longestGapMs(), events.longestGapMs()),
    }
  } finally {
    await Promise.all([platform.close(), partner.close()])
  }
}

/** Events applied per second, measured between the first and the fourth fifth of them, while most cases still have events left. */
async function appliedPerSecond(url: string, count: number): Promise<number> {
  const db = connect(url, { connections: 1 })
  try {
    const reached = async (share: number): Promise<{ applied: number; atMs: number }> => {
      let applied = 0
      await until(
        async () => {
          await sleep(lookMs)
          const [row] = await db<{ sum: number | null }>`select sum(effects)::float8 as sum from bench_case`
          applied = row?.sum ?? 0
          return applied >= share * count
        },
        'events are applied',
        patienceSeconds,
      )
      return { applied, atMs: performance.now() }
    }
    const from = await reached(1 / 5)
    const to = await reached(4 / 5)
    return ((to.applied - from.applied) / (to.atMs - from.atMs)) * 1000
  } finally {
    await db.close()
  }
}

const patienceSeconds = 240
/** Every poll queries all servers. */
const lookMs = 500

const missing = (accepted: Set<string>, there: Set<string>): number =>
  [...accepted].filter((id) => !there.has(id)).length

async function idsIn({ pool }: Db, statement: string): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(statement)
  return new Set(rows.map(({ id }) => id))
}

/** Describes the figures of a run. */
export const lineOf = ({ accepted, lost, notOnce, longestGapMs }: Counts): string =>
  `${accepted} accepted, ${lost} lost, ${notOnce} cases not applied once, longest gap ${(longestGapMs / 1000).toFixed(1)} s`
