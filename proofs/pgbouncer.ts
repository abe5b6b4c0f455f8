// Behind PgBouncer in transaction mode: a failover loses nothing, and many clients share few server connections.

import { connect } from '@lendloom/postgres/sql'
import { completeProfile, startHeadlessClient } from '@lendloom/tests/setup/headless-api'
import { missingPgbouncer, startPgbouncer } from '@lendloom/tests/setup/pgbouncer'
import { ask } from '@lendloom/tests/setup/platform'
import { Client } from 'pg'
import { type Api, option, startApi } from '../bench/setup/api.ts'
import { type BenchDatabase, benchDatabase } from '../bench/setup/database.ts'
import { sampleBorrower } from '../bench/setup/opening-sample.ts'
import { failover, holds, lineOf } from './failover.ts'
import type { Outcome } from './main.ts'

export const about = `Debian's PgBouncer in transaction mode: the failover loses nothing, and 200 clients share 5 connections
First runs the proof "failover" with PgBouncer between the programs and the relay. Then two platform processes with a hundred
connections each to a PgBouncer that has five to the server: 300 concurrent borrowers, a third with hosted sessions and the
rest with headless journeys, repeatedly. No request may fail, and everything acknowledged must be stored.
Options: --seconds <n> of journeys, and of traffic before the fault (10).`

export const missing = () => missingPgbouncer

export async function run(args: string[]): Promise<Outcome> {
  const seconds = option(args, 'seconds', 10)
  const moved = await failover({ synchronous: true, seconds, cutMs: 1500, before: poolerBeforeRelay })
  console.log(`failover: ${lineOf(moved)}`)
  const crowd = await journeys(seconds)
  console.log(`journeys: ${wordsOf(crowd)}`)
  return { passed: holds(moved) && isServed(crowd), figures: `failover: ${lineOf(moved)}; journeys: ${wordsOf(crowd)}` }
}

/** Starts a PgBouncer in front of the relay for the failover. */
async function poolerBeforeRelay(relayPort: number, url: string) {
  const relayed = new URL(url)
  relayed.port = String(relayPort)
  // The default of 15 seconds after a failed login would delay all clients after a failover.
  const { port, stop } = await startPgbouncer(relayed.href, { poolSize: 20, settings: { server_login_retry: 1 } })
  return { port, isPooled: true, stop }
}

const poolSize = 5
const clients = 200
const processes = 2
/** More borrowers than connections, because concurrent sessions share one. */
const borrowers = 300

interface Crowd {
  requests: number
  failed: number
  /** Acknowledged journeys, and those of them that are missing. */
  journeys: number
  lost: number
  /** Maximum number of connections. */
  fromClients: number
  toServer: number
}

const isServed = ({ journeys, failed, lost, fromClients, toServer }: Crowd): boolean =>
  journeys > 0 && failed === 0 && lost === 0 && fromClients >= clients && toServer <= poolSize

const wordsOf = ({ requests, failed, journeys, lost, fromClients, toServer }: Crowd): string =>
  `${journeys} started by ${requests} requests, ${failed} failed, ${lost} lost, ${fromClients} connections of clients on ${toServer} to the server`

async function journeys(seconds: number): Promise<Crowd> {
  const database = await benchDatabase()
  const pooler = await startPgbouncer(database.url, { poolSize, clients: 2 * clients })
  const apis: Api[] = []
  try {
    const through = new URL(database.url)
    through.port = String(pooler.port)
    const env = { DATABASE_POOLER: 'transaction', DATABASE_CONNECTIONS: String(clients / processes) }
    for (let i = 0; i < processes; i++) {
      const keys = apis[0]?.env.LENDLOOM_KEYS
      apis.push(await startApi(through.href, { ...env, ...(keys && { LENDLOOM_KEYS: keys }) }))
    }
    return await runCrowd(database, apis, { pooler: through.href, seconds })
  } finally {
    for (const api of apis) api.stop()
    await pooler.stop()
    await database.stop()
  }
}

async function runCrowd(
  { url }: BenchDatabase,
  apis: Api[],
  { pooler, seconds }: { pooler: string; seconds: number },
): Promise<Crowd> {
  const crowd: Crowd = { requests: 0, failed: 0, journeys: 0, lost: 0, fromClients: 0, toServer: 0 }
  const acknowledged = new Set<string>()
  const answered = async (reply: Promise<{ status: number; body: unknown }>) => {
    crowd.requests++
    const { status } = await reply.catch(() => ({ status: 0 }))
    if (status >= 200 && status < 300) return true
    crowd.failed++
    return false
  }
  let borrowerCount = 0
  const end = performance.now() + seconds * 1000
  const all = Array.from({ length: borrowers }, async (_, i) => {
    const api = apis[i % processes]
    if (!api) throw new Error('every borrower has a process')
    while (performance.now() < end) {
      const name = `crowd-${++borrowerCount}`
      const mobile = `9${String(borrowerCount).padStart(9, '0')}`
      const isComplete =
        i % 6 < 2 ? await hosted(api, { name, mobile }, answered) : await headless(api, { name, mobile }, answered)
      if (isComplete) acknowledged.add(name)
    }
  })
  let isOver = false
  const watched = watch(pooler, crowd, () => isOver)
  await Promise.all(all)
  isOver = true
  await watched
  const db = connect(url, { connections: 1 })
  const there = await db<{ externalId: string }>`
    select external_id from borrower join journey using (tenant_id, borrower_id)`
  await db.close()
  const found = new Set(there.map(({ externalId }) => externalId))
  return { ...crowd, journeys: acknowledged.size, lost: [...acknowledged].filter((name) => !found.has(name)).length }
}

interface Person {
  name: string
  mobile: string
}
type Answered = (reply: Promise<{ status: number; body: unknown }>) => Promise<boolean>

function hosted({ url, tenant }: Api, { name, mobile }: Person, answered: Answered): Promise<boolean> {
  const sample = sampleBorrower(name)
  const body = { ...sample, profile: { ...sample.profile, contactNumber: mobile } }
  return answered(ask(`${url}/api/lab/sessions`, { method: 'POST', key: tenant.apiKey, body }))
}

/** Plays a session, a journey, its profile, and two reads. */
async function headless(api: Api, { name, mobile }: Person, answered: Answered): Promise<boolean> {
  const client = startHeadlessClient(api)
  const opening = client.borrower({ borrowerExternalID: name, profile: { contactNumber: mobile } })
  if (!(await answered(opening.then(() => ({ status: 201, body: null }))))) return false
  const borrower = await opening
  const creating = borrower.post('/journeys', { type: 'PERSONAL_LOAN' })
  if (!(await answered(creating))) return false
  const path = `/journeys/${(await creating).body.data.journeyID}`
  const rest = [
    await answered(borrower.put(`${path}/profile`, completeProfile)),
    await answered(borrower.get(path)),
    await answered(borrower.get(`${path}/state`)),
  ]
  return rest.every(Boolean)
}

/** Polls PgBouncer for its numbers of connections. */
async function watch(pooler: string, crowd: Crowd, isOver: () => boolean): Promise<void> {
  const admin = new URL(pooler)
  admin.pathname = '/pgbouncer'
  const client = new Client({ connectionString: admin.href })
  await client.connect()
  try {
    while (!isOver()) {
      const { rows } = await client.query<Record<string, string>>('show pools')
      const sum = (pattern: RegExp) =>
        rows
          .filter(({ database }) => database !== 'pgbouncer')
          .flatMap((row) => Object.entries(row).filter(([name]) => pattern.test(name)))
          .reduce((total, [, count]) => total + Number(count), 0)
      crowd.fromClients = Math.max(crowd.fromClients, sum(/^cl_(active|waiting)$/))
      crowd.toServer = Math.max(crowd.toServer, sum(/^sv_(active|idle|used|tested|login)$/))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  } finally {
    await client.end()
  }
}
