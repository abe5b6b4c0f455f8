// Behind PgBouncer in transaction mode: nothing is lost at a failover, and few connections to the server are enough for many clients.
import { Client } from 'pg'
import { connect } from '#kit/db/sql.ts'
import { completeProfile, startHeadlessClient } from '#test/setup/headless-api.ts'
import { missingPgbouncer, startPgbouncer } from '#test/setup/pgbouncer.ts'
import { ask } from '#test/setup/platform.ts'
import { type Api, option, startApi } from '../bench/setup/api.ts'
import { type BenchDatabase, benchDatabase } from '../bench/setup/database.ts'
import { sampleBorrower } from '../bench/setup/opening-sample.ts'
import { failover, holds, lineOf } from './failover.ts'
import type { Outcome } from './main.ts'

export const about = `Debian's PgBouncer in transaction mode: the failover loses nothing, and 200 clients share 5 connections
First the run of the proof "failover", with PgBouncer between the programs and the relay. Then two processes of the platform
with a hundred connections each to a PgBouncer that has five to the server: of three hundred borrowers a third comes by hosted
sessions and the rest by headless journeys, all at the same time, each again and again. No request may fail, and what was
acknowledged must be there.
Options: --seconds <n> of journeys, and of traffic before the fault (10).`

export const missing = () => missingPgbouncer

export async function run(args: string[]): Promise<Outcome> {
  const seconds = option(args, 'seconds', 10)
  const moved = await failover({ synchronous: true, seconds, cutMs: 1500, before })
  console.log(`failover: ${lineOf(moved)}`)
  const crowd = await journeys(seconds)
  console.log(`journeys: ${wordsOf(crowd)}`)
  return { passed: holds(moved) && isServed(crowd), figures: `failover: ${lineOf(moved)}; journeys: ${wordsOf(crowd)}` }
}

/** In the failover it leads to the relay. */
async function before(relayPort: number, url: string) {
  const relayed = new URL(url)
  relayed.port = String(relayPort)
  // It waits for 15 seconds after a login that failed, unless told: as long would nobody be served after a failover.
  const { port, stop } = await startPgbouncer(relayed.href, { poolSize: 20, settings: { server_login_retry: 1 } })
  return { port, isPooled: true, stop }
}

const poolSize = 5
const clients = 200
const processes = 2
/** More than there are connections: sessions that come at the same time share one. */
const borrowers = 300

interface Crowd {
  requests: number
  failed: number
  /** Journeys that were acknowledged, and those of them that are not there. */
  journeys: number
  lost: number
  /** The most connections that were seen at one moment. */
  fromClients: number
  toServer: number
}

const isServed = ({ journeys, failed, lost, fromClients, toServer }: Crowd): boolean =>
  journeys > 0 && failed === 0 && lost === 0 && fromClients >= clients && toServer <= poolSize

const wordsOf = ({ requests, failed, journeys, lost, fromClients, toServer }: Crowd): string =>
  `${journeys} begun by ${requests} requests, ${failed} failed, ${lost} lost, ${fromClients} connections of clients on ${toServer} to the server`

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
    return await crowded(database, apis, { pooler: through.href, seconds })
  } finally {
    for (const api of apis) api.stop()
    await pooler.stop()
    await database.stop()
  }
}

async function crowded(
  { url }: BenchDatabase,
  apis: Api[],
  { pooler, seconds }: { pooler: string; seconds: number },
): Promise<Crowd> {
  const crowd: Crowd = { requests: 0, failed: 0, journeys: 0, lost: 0, fromClients: 0, toServer: 0 }
  const begun = new Set<string>()
  const answered = async (reply: Promise<{ status: number; body: unknown }>) => {
    crowd.requests++
    const { status } = await reply.catch(() => ({ status: 0 }))
    if (status >= 200 && status < 300) return true
    crowd.failed++
    return false
  }
  let people = 0
  const end = performance.now() + seconds * 1000
  const all = Array.from({ length: borrowers }, async (_, i) => {
    const api = apis[i % processes]
    if (!api) throw new Error('every borrower has a process')
    while (performance.now() < end) {
      const name = `crowd-${++people}`
      const mobile = `9${String(people).padStart(9, '0')}`
      const isComplete =
        i % 6 < 2 ? await hosted(api, { name, mobile }, answered) : await headless(api, { name, mobile }, answered)
      if (isComplete) begun.add(name)
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
  return { ...crowd, journeys: begun.size, lost: [...begun].filter((name) => !found.has(name)).length }
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

/** A session, a journey, its profile, and twice what became of it. */
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

/** Asks PgBouncer from time to time how many connections it has. */
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
