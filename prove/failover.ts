// What was acknowledged is there after the primary is lost: sessions and events are accepted, the primary is killed, its standby takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, databaseUrl } from '#cli/postgres/server.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { type Api, option, startApi } from '../bench/setup/api.ts'
import { eventRequest } from '../bench/setup/events.ts'
import { jsonRequest } from '../bench/setup/http-load.ts'
import { sampleBorrower } from '../bench/setup/opening-sample.ts'
import { type PartnerApi, startEventWorker, startPartnerApi } from '../bench/setup/partner.ts'
import type { Outcome } from './main.ts'
import { startRelay } from './setup/relay.ts'
import { administer, type Pair, startPair, throughRelay, until } from './setup/standby.ts'
import { type Request, send, type Traffic } from './setup/traffic.ts'

export const about = `A primary killed while sessions and events are accepted: nothing acknowledged is lost, nothing is applied twice
Sessions go to a process of the platform, signed events to one of the partner, whose worker applies them; both reach their
database through a relay. The standby's line is cut a moment before every process of the primary is killed; then the standby
is promoted and the relay leads there. Senders repeat what has no answer.
With a synchronous standby nothing acknowledged may be missing. The control has an asynchronous one and must lose something,
or this could not tell a loss.
Options: --seconds <n> of traffic before the line is cut (5), --cut <n> milliseconds from there to the kill (1500).`

export async function run(args: string[]): Promise<Outcome> {
  const times = { seconds: option(args, 'seconds', 5), cutMs: option(args, 'cut', 1500) }
  const results: Failover[] = []
  for (const synchronous of [true, false]) {
    const result = await failover({ synchronous, ...times })
    console.log(`${synchronous ? 'synchronous' : 'asynchronous (control)'}: ${lineOf(result)}`)
    results.push(result)
  }
  const [safe, control] = results
  if (!safe || !control) throw new Error('both runs give a result')
  return {
    passed: holds(safe) && control.lost > 0,
    figures: `${lineOf(safe)}; the asynchronous control lost ${control.lost} of ${control.accepted}`,
  }
}

export interface Failover {
  accepted: number
  /** Accepted before or after, and not there at the end. */
  lost: number
  /** Cases in which the effects are not as many as the versions that were applied. */
  notOnce: number
  /** Answers that no sender may have had. */
  refused: number
  /** Connections that the primary held at most while no commit could be confirmed. */
  connections: number
  longestGapMs: number
  /** Both programs were the same processes before and after. */
  survived: boolean
}

/** Whether it went as it must with a synchronous standby. */
export const holds = ({ accepted, lost, notOnce, refused, connections, survived }: Failover): boolean =>
  accepted > 0 && lost === 0 && notOnce === 0 && refused === 0 && survived && connections <= mostConnections

const lineOf = ({ accepted, lost, notOnce, connections, longestGapMs }: Failover): string =>
  `${accepted} accepted, ${lost} lost, ${notOnce} cases not applied once, longest gap ${(longestGapMs / 1000).toFixed(1)} s, at most ${connections} connections`

/** Each program's pool, and the few that this run has itself: who waits for the standby keeps a connection, and opens no other. */
const mostConnections = 60

interface Run {
  synchronous: boolean
  seconds: number
  cutMs: number
}

export async function failover({ synchronous, seconds, cutMs }: Run): Promise<Failover> {
  const pair = await startPair({ synchronous })
  const relay = await startRelay(pair.primary.port)
  const stops: (() => void)[] = [relay.stop]
  try {
    const [platformUrl, partnerUrl] = await databases(pair)
    const platform = await startApi(throughRelay(platformUrl, relay, 'platform'))
    stops.push(platform.stop)
    const partner = await startPartnerApi(throughRelay(partnerUrl, relay, 'partner'))
    stops.push(partner.stop)
    const worker = await startEventWorker(throughRelay(partnerUrl, relay, 'partner'), partner.keys)
    stops.push(worker.stop)
    await prepare(partnerUrl, partner)
    const traffics = [
      send(portOf(platform), senders, sessions(platform)),
      send(portOf(partner), senders, events(partner)),
    ]
    await sleep(seconds * 1000)
    await more(traffics)
    pair.link.cut()
    await sleep(cutMs)
    // Without a standby to wait for, what is accepted now is lost with the primary.
    if (!synchronous) await more(traffics)
    const connections = await connectionsTo(pair)
    pair.crash()
    relay.cut()
    await pair.promote()
    relay.to(pair.standby.port)
    await more(traffics)
    // Events that were lost leave gaps that no later version of their case passes.
    if (synchronous) await Promise.all(traffics.map((traffic) => traffic.finish()))
    else for (const traffic of traffics) traffic.abandon()
    const counts = await counted(pair, traffics, synchronous)
    return { ...counts, connections, survived: [platform.pid, partner.pid, worker.pid].every(runs) }
  } finally {
    for (const stop of stops.reverse()) stop()
    await pair.stop()
  }
}

/** Waits until each kind of request has been accepted as often again as there are senders. */
async function more(traffics: Traffic[]): Promise<void> {
  const before = traffics.map(({ accepted }) => accepted.size)
  await until(
    () => traffics.every(({ accepted }, i) => accepted.size > (before[i] ?? 0) + senders),
    'requests are accepted',
  )
}

const senders = 8
const cases = 200

const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const portOf = ({ url }: { url: string }): number => Number(new URL(url).port)

/** Both programs' databases on the primary, migrated; the standby has them by replication. */
async function databases({ primary }: Pair): Promise<[platform: string, partner: string]> {
  const made: string[] = []
  for (const program of ['platform', 'partner']) {
    const url = await createDatabase(primary.url, program)
    const db = connect(url, { connections: 1 })
    await migrate(db, `${import.meta.dirname}/../src/${program}/migrations`)
    await db.close()
    made.push(url)
  }
  return [made[0] ?? '', made[1] ?? '']
}

/** Cases that events are accepted for, and where the worker notes their effects. */
async function prepare(url: string, { client }: PartnerApi): Promise<void> {
  const db = connect(url, { connections: 1 })
  await db`create table bench_case (case_ref text primary key, version bigint not null, effects bigint not null)`
  await db`
    insert into case_file (case_ref, sender, lead_id, loan_id, status, product, mandate_required, pan_digest, person_digest,
      source_event_id, created_at, updated_at)
    select 'CASE-' || n, ${client.sender}, (500000 + n)::text, (70000000 + n)::text, 'KYC_PENDING', 'BUSINESS_LOAN', true,
      sha256(n::text::bytea), sha256(n::text::bytea), '0190f5a0-0000-7000-8000-000000000009', now(), now()
    from generate_series(1, ${cases}::integer) as n`
  await db.close()
}

/** Sessions of borrowers nobody has seen; a session is known by its borrower. */
function sessions({ url, tenant }: Api): () => Request {
  let people = 0
  const { host } = new URL(url)
  return () => {
    const sample = sampleBorrower(`failover-${++people}`)
    const body = { ...sample, profile: { ...sample.profile, contactNumber: `9${String(people).padStart(9, '0')}` } }
    const headers = { authorization: `Bearer ${tenant.apiKey}`, connection: 'close' }
    return { id: sample.borrowerProviderID, bytes: jsonRequest('POST', '/api/lab/sessions', host, headers, body) }
  }
}

/** Events of running cases, each case's numbered in its order. */
function events({ url, client }: PartnerApi): () => Request {
  const { host } = new URL(url)
  const versions = new Map<string, number>()
  let turn = 0
  return () => {
    const caseRef = `CASE-${1 + (turn++ % cases)}`
    const version = (versions.get(caseRef) ?? 0) + 1
    versions.set(caseRef, version)
    const bytes = eventRequest({ client, host, caseRef, version })
    return { id: /idempotency-key: ([\w-]+)/.exec(bytes.toString('latin1'))?.[1] ?? '', bytes }
  }
}

async function connectionsTo({ primary }: Pair): Promise<number> {
  const [row] = await administer(
    primary,
    `select count(*)::int as count from pg_stat_activity where usename = 'lendloom'`,
  )
  return Number(row?.count)
}

/** What is on the server that was promoted, against what was accepted. */
async function counted(
  { standby }: Pair,
  [sessions, events]: Traffic[],
  complete: boolean,
): Promise<Omit<Failover, 'connections' | 'survived'>> {
  if (!sessions || !events) throw new Error('sessions and events were sent')
  const platform = connect(databaseUrl(standby.url, 'platform'), { connections: 1 })
  const partner = connect(databaseUrl(standby.url, 'partner'), { connections: 1 })
  try {
    const people = await idsIn(
      platform,
      'select external_id as id from borrower join journey using (tenant_id, borrower_id)',
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

const missing = (accepted: Set<string>, there: Set<string>): number =>
  [...accepted].filter((id) => !there.has(id)).length

async function idsIn({ pool }: Db, statement: string): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(statement)
  return new Set(rows.map(({ id }) => id))
}
