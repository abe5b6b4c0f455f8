// Measures what a platform process retains after a long run: memory, file descriptors, backlog, table bloat.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeOptions, type Ready } from '@lendloom/foundation/program'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import type { Db } from '@lendloom/postgres/sql'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { apiMemoryMiB, option } from './setup/api.ts'
import type { Collected } from './setup/collected.ts'
import { benchDatabase } from './setup/database.ts'
import { judge } from './setup/goals.ts'
import { jsonRequest, load } from './setup/http-load.ts'
import { sampleBorrower } from './setup/opening-sample.ts'
import { startReceivers } from './setup/receivers.ts'

export const about = `A platform process under sessions, headless calls, refused callers and webhooks: what it retains afterwards
Goal: heap and Buffers grow by at most 10 MiB.
Prints memory after a forced collection at the start and at the end, file descriptors, backlog and table bloat.
Options: --seconds <n> (180), or --minutes <n>; --connections <n> (8); --warm <n> seconds before the start is measured (20).`

export async function run(args: string[]): Promise<void> {
  const seconds = option(args, 'minutes', 0) * 60 || option(args, 'seconds', 180)
  const connections = option(args, 'connections', 8)
  const [database, receivers] = await Promise.all([benchDatabase(), startReceivers(1)])
  const program = await start(database.url)
  try {
    await registerEndpoint(program, receivers.urls[0]!)
    await work(program, option(args, 'warm', 20), connections)
    const first = await state(program, database.db)
    print('start', first)
    let requests = 0
    for (let left = seconds; left > 0; left -= 30) {
      requests += await work(program, Math.min(30, left), connections)
      console.log(
        `${seconds - left + Math.min(30, left)} s: ${requests} requests, resident ${apiMemoryMiB(program)} MiB, file descriptors ${descriptors(program)}, backlog ${backlogText(await backlog(database.db))}`,
      )
    }
    // Waits until short-lived cache entries have expired.
    await sleep(10_000)
    await work(program, 1, 1)
    await receivers.collect()
    const last = await state(program, database.db)
    print('end', last)
    report(first, last, requests)
    await printTables(database.db)
  } finally {
    program.child.kill('SIGKILL')
    receivers.stop()
    await database.stop()
  }
}

interface Program {
  child: ChildProcess
  pid: number
  url: string
  tenant: SandboxTenant
}

async function start(databaseUrl: string): Promise<Program> {
  const port = await freePort()
  const env = { ...platformEnvironment(databaseUrl, port), LOG_LEVEL: 'info', RATE_LIMITS: 'off' }
  const probe = join(import.meta.dirname, 'setup', 'collected.ts')
  const child = spawn(
    process.execPath,
    [...nodeOptions, '--expose-gc', '--import', probe, join('apps', 'platform', 'src', 'main.ts')],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  const [ready] = (await once(child, 'message')) as [Ready]
  const { sandbox } = ready.announce as { sandbox: { tenant: SandboxTenant } }
  return { child, pid: child.pid!, url: ready.url, tenant: sandbox.tenant }
}

async function registerEndpoint({ url, tenant }: Program, endpoint: string): Promise<void> {
  const answer = await fetch(`${url}/api/lab/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: endpoint }),
  })
  if (answer.status !== 201) throw new Error(`no endpoint: ${answer.status} ${await answer.text()}`)
}

let borrowers = 0

/** Sends requests of every kind of caller for whom a process keeps state. Returns the number of requests. */
async function work({ url, tenant }: Program, seconds: number, connections: number): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const headers = { authorization: `Bearer ${tenant.apiKey}` }
  /** Tokens of the latest headless sessions. */
  const tokens: string[] = []
  const end = performance.now() + seconds * 1000
  const page = `/lab/embed?tenant_id=${tenant.tenantId}&application_id=${tenant.applicationId}`
  let opened = 0
  async function openHeadless(): Promise<void> {
    while (performance.now() < end) {
      const token = await headlessSession(url, headers)
      if (tokens.push(token) > 50) tokens.shift()
      opened++
    }
  }
  const next = (): string => {
    const turn = ++borrowers % 5
    const token = tokens[borrowers % tokens.length]
    if (turn === 0) return jsonRequest('GET', page, host, { 'accept-encoding': 'br' })
    if (turn === 1 || token === undefined) return jsonRequest('POST', '/api/lab/sessions', host, headers, borrower())
    if (turn === 2) return jsonRequest('GET', '/api/v1/headless/journeys', host, { authorization: 'Bearer sk_test_0' })
    return jsonRequest('GET', '/api/v1/headless/journeys', host, { authorization: `Bearer ${token}` })
  }
  const status = [200, 201, 401]
  const target = { host: hostname, port: Number(port), connections, seconds, next, status }
  const [{ latencies }] = await Promise.all([load(target), openHeadless()])
  return latencies.length + opened
}

const borrower = () => {
  const number = ++borrowers
  const sample = sampleBorrower(`soak-${process.pid}-${number}`)
  return { ...sample, profile: { ...sample.profile, contactNumber: `9${String(number).padStart(9, '0')}` } }
}

async function headlessSession(url: string, headers: Record<string, string>): Promise<string> {
  const number = ++borrowers
  const answer = await fetch(`${url}/api/v1/headless/sessions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': `soak-${process.pid}-${number}` },
    body: JSON.stringify({
      borrowerExternalID: `soak-headless-${number}`,
      profile: { contactNumber: `9${String(number).padStart(9, '0')}` },
    }),
  })
  const body = (await answer.json()) as { data: { sessionToken: string } }
  if (answer.status >= 300) throw new Error(`no session: ${answer.status} ${JSON.stringify(body)}`)
  return body.data.sessionToken
}

interface State {
  memory: NodeJS.MemoryUsage
  descriptors: number
  backlog: Record<string, number>
}

async function state(program: Program, db: Db): Promise<State> {
  program.child.send({ type: 'collect' })
  const [{ memory }] = (await once(program.child, 'message')) as [Collected]
  return { memory, descriptors: descriptors(program), backlog: await backlog(db) }
}

const descriptors = ({ pid }: Program): number => readdirSync(`/proc/${pid}/fd`).length

/** Counts rows that wait for a worker. */
async function backlog(db: Db): Promise<Record<string, number>> {
  const [row] = await db<{ jobs: number; deliveries: number; events: number }>`
    select (select count(*)::int from job) as jobs,
      (select count(*)::int from webhook_delivery where state = 'PENDING') as deliveries,
      (select count(*)::int from inbox_waiting) as events`
  return { ...row! }
}

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
const backlogText = (waiting: Record<string, number>): string =>
  Object.entries(waiting)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

function print(when: string, { memory, descriptors, backlog }: State): void {
  const { rss, heapUsed, external, arrayBuffers } = memory
  console.log(
    `${when}, after a forced collection: resident ${mib(rss)} MiB, heap ${mib(heapUsed)} MiB, external ${mib(external)} MiB (Buffers ${mib(arrayBuffers)} MiB); file descriptors ${descriptors}; backlog ${backlogText(backlog)}`,
  )
}

function report(first: State, last: State, requests: number): void {
  const used = ({ memory }: State) => memory.heapUsed + memory.external
  const grown = used(last) - used(first)
  console.log(
    `\ngrown by ${mib(grown)} MiB of heap and Buffers, ${mib(last.memory.rss - first.memory.rss)} MiB resident, and ${last.descriptors - first.descriptors} file descriptors over ${requests} requests\n`,
  )
  judge({ figure: 'API process after the load: memory grown by', value: grown / 2 ** 20, unit: 'MiB', atMost: 10 })
}

/** Prints the largest tables. If a table has more dead than live rows, vacuum is too slow. */
async function printTables(db: Db): Promise<void> {
  const rows = await db<{ name: string; mib: string; live: number; dead: number }>`
    select relname as name, round(pg_total_relation_size(relid) / 1048576.0, 1)::text as mib,
      n_live_tup::int as live, n_dead_tup::int as dead
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 10`
  console.log(`${'table'.padEnd(24)}${'MiB'.padStart(8)}${'live rows'.padStart(12)}${'dead rows'.padStart(12)}`)
  for (const { name, mib, live, dead } of rows)
    console.log(`${name.padEnd(24)}${mib.padStart(8)}${String(live).padStart(12)}${String(dead).padStart(12)}`)
}
