// A killed installation is restored elsewhere to an instant: everything acknowledged before it is there, nothing after it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type InstallationRun, runOf } from '@lendloom/cli/src/installation.ts'
import { archiveSettingsFile, postmasterOf } from '@lendloom/cli/src/postgres/cluster.ts'
import { nodeOptions } from '@lendloom/foundation/program'
import { required } from '@lendloom/foundation/required'
import { isBalanced, trialBalance } from '@lendloom/partner/src/books/ledger/trial-balance.ts'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { connect, type Db } from '@lendloom/postgres/sql'
import { completePartnerLoan } from '@lendloom/tests/setup/lending-life'
import { freePort } from '@lendloom/tests/setup/platform'
import { option } from '../bench/setup/api.ts'
import { atEnd } from '../bench/setup/at-end.ts'
import { jsonRequest } from '../bench/setup/http-load.ts'
import { sampleBorrower } from '../bench/setup/opening-sample.ts'
import type { Outcome } from './main.ts'
import { checks, wordsOf } from './setup/checks.ts'
import { directoryFor } from './setup/server.ts'
import { killAll } from './setup/standby.ts'
import { send, type Traffic } from './setup/traffic.ts'

export const about = `npm start killed under load and restored elsewhere to an instant: all before the instant is there, nothing after it
Sessions are opened over HTTP and loans of the lending partner are paid out while "lendloom backup" runs. Then comes the instant,
then more sessions, then all processes are killed. With the keys alone, "lendloom restore" makes two installations from the backup:
one at the instant, which then starts, and one at the end of the archive, which shows what the loss of the disk costs.
Options: --loans <n> (2), --seconds <n> of sessions after the instant (20), --archive-seconds <n> until a segment is finished (5; npm start has 60).`

export async function run(args: string[]): Promise<Outcome> {
  const options = {
    loans: option(args, 'loans', 2),
    seconds: option(args, 'seconds', 20),
    archiveSeconds: option(args, 'archive-seconds', 5),
  }
  const { directory, remove } = directoryFor('restore')
  const at = (name: string) => join(directory, name)
  const all = checks()
  const installation = await launch(at('data'))
  const stops = [remove, installation.kill]
  try {
    const { before, after, instant } = await load(installation, at('backup'), options)
    installation.kill()
    const killedAt = Date.now()
    const restored = await restoreTo(installation, { backup: at('backup'), target: at('restored'), to: instant })
    const again = await launch(at('restored'), installation.env)
    stops.push(again.kill)
    const rtoSeconds = (Date.now() - killedAt) / 1000
    const sessions = await sessionsIn(again.run)
    const missing = [...before.accepted].filter((id) => !sessions.has(id)).length
    const extra = [...after.accepted].filter((id) => sessions.has(id)).length
    all.note('every session acknowledged before the instant is there', missing === 0, before.accepted.size)
    all.note('none acknowledged after it is', extra === 0 && after.accepted.size > 0, after.accepted.size)
    const opened = Object.values(restored.databases).reduce((sum, count) => sum + count, 0)
    all.note(
      'sealed values open with the keys',
      opened > 0,
      `${opened} of ${Object.keys(restored.databases).length} databases`,
    )
    await sleep(settleMs)
    const books = await booksOf(again.run)
    all.note('each loan is paid out once, also after the restart', books.payouts === options.loans, books.payouts)
    all.note(
      'the books of the partner balance',
      books.balances && books.debit > 0n,
      `${books.debit / 100n} rupees on each side`,
    )
    again.kill()
    const end = await lossAtEnd(installation, { backup: at('backup'), target: at('end'), after, killedAt })
    all.note(
      'the end of the archive is after the instant',
      end.restored > 0,
      `${end.restored} of ${after.accepted.size}`,
    )
    const figures = `${before.accepted.size} sessions before and ${after.accepted.size} after the instant, ${missing} missing, ${extra} too many; ${options.loans} loans; restored in ${restored.seconds.toFixed(1)} s, ready ${rtoSeconds.toFixed(1)} s after the kill; at the end of the archive ${end.lost} sessions of the last ${end.lostSeconds.toFixed(1)} s are lost`
    return { passed: all.failed.length === 0, figures: `${figures}; ${wordsOf(all)}` }
  } finally {
    for (const stop of stops.reverse()) stop()
  }
}

/** Time for restarted programs to repeat what they would repeat. */
const settleMs = 15_000

interface Launched {
  data: string
  env: Record<string, string>
  run: InstallationRun
  tenant: SandboxTenant
  /** Kills every process at once. */
  kill(): void
}

async function portSettings(): Promise<Record<string, string>> {
  const names = ['PORT', 'PARTNER_PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT', 'MAIL_IN_PORT']
  const env: Record<string, string> = { SECOND_PARTNER_PORT: 'none', RATE_LIMITS: 'off' }
  for (const name of names) env[name] = String(await freePort())
  return env
}

async function launch(data: string, given?: Record<string, string>): Promise<Launched> {
  const env = given ?? (await portSettings())
  mkdirSync(data, { recursive: true })
  const child = command(data, env, ['start', '--json'])
  const complaint = text(required(child.stderr, 'error output'))
  const kill = atEnd(() => {
    if (child.exitCode === null && child.signalCode === null) killAll(required(child.pid, 'process id'))
  })
  const line = await Promise.race([
    once(required(child.stdout, 'output'), 'data'),
    once(child, 'exit').then(() => null),
  ])
  if (!line) throw new Error(`npm start did not start: ${await complaint}`)
  const { tenant }: { tenant: SandboxTenant } = JSON.parse(readFileSync(join(data, 'sandbox.json'), 'utf8'))
  return { data, env, run: required(runOf(data), 'addresses of the installation'), tenant, kill }
}

const command = (data: string, env: Record<string, string>, args: string[]): ChildProcess =>
  spawn(process.execPath, [...nodeOptions, 'apps/cli/src/main.ts', ...args], {
    env: { ...process.env, ...env, LENDLOOM_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Runs a command to its end and returns its JSON. */
async function answerOf(data: string, args: string[]) {
  const child = command(data, {}, [...args, '--json'])
  const [output, complaint] = await Promise.all([
    text(required(child.stdout, 'output')),
    text(required(child.stderr, 'error output')),
  ])
  if (output === '') throw new Error(`lendloom ${args.join(' ')}: ${complaint}`)
  return JSON.parse(output)
}

interface LoadOptions {
  loans: number
  seconds: number
  archiveSeconds: number
}

interface Load {
  before: Traffic
  after: Traffic
  instant: string
}

async function load(installation: Launched, backup: string, options: LoadOptions): Promise<Load> {
  const { data, run, tenant } = installation
  const db = connect(run.platform.databaseUrl, { connections: 2 })
  try {
    const before = sendSessions(installation, 'before')
    const ctx = { platformUrl: run.platform.url, tenant, db }
    const lives = Promise.all(
      Array.from({ length: options.loans }, (_, i) => completePartnerLoan(ctx, `ABCPE${1200 + i}F`)),
    )
    lives.catch(() => {})
    await answerOf(data, ['backup', backup])
    await lives
    await before.finish()
    const [row] = await db<{ now: string }>`
      select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`
    const after = sendSessions(installation, 'after')
    finishSegmentsAfter(data, options.archiveSeconds)
    await sleep(options.seconds * 1000)
    after.abandon()
    return { before, after, instant: required(row, 'the instant').now }
  } finally {
    await db.close()
  }
}

function finishSegmentsAfter(data: string, seconds: number): void {
  const cluster = join(data, 'postgres')
  const file = join(cluster, archiveSettingsFile)
  writeFileSync(file, readFileSync(file, 'utf8').replace(/archive_timeout = \d+/, `archive_timeout = ${seconds}`))
  process.kill(required(postmasterOf(cluster), 'PostgreSQL').pid, 'SIGHUP')
}

function sendSessions({ run, tenant }: Launched, name: string): Traffic {
  const { host, port } = new URL(run.platform.url)
  const headers = { authorization: `Bearer ${tenant.apiKey}`, connection: 'close' }
  let people = 0
  const next = () => {
    const sample = sampleBorrower(`${name}-${++people}`)
    const contactNumber = `${name === 'before' ? 8 : 9}${String(people).padStart(9, '0')}`
    const body = { ...sample, profile: { ...sample.profile, contactNumber } }
    return { id: sample.borrowerProviderID, bytes: jsonRequest('POST', '/api/lab/sessions', host, headers, body) }
  }
  return send(Number(port), { senders: 4, next, pauseMs: 20 })
}

interface RestoreTarget {
  backup: string
  target: string
  to?: string
}

interface Restored {
  seconds: number
  databases: Record<string, number>
}

/** Restores into a new data directory that has only the keys. */
async function restoreTo({ data }: Launched, { backup, target, to }: RestoreTarget): Promise<Restored> {
  mkdirSync(target)
  cpSync(join(data, 'keys.json'), join(target, 'keys.json'))
  return answerOf(target, ['restore', backup, ...(to === undefined ? [] : ['--to', to])])
}

const using = async <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const db = connect(url, { connections: 1 })
  return work(db).finally(() => db.close())
}

const sessionsIn = ({ platform }: Pick<InstallationRun, 'platform'>): Promise<Set<string>> =>
  using(platform.databaseUrl, async (db) => {
    const rows = await db<{ externalId: string }>`
      select external_id from borrower join journey using (bucket, tenant_id, borrower_id)`
    return new Set(rows.map(({ externalId }) => externalId))
  })

async function booksOf({ partner, sandbox }: InstallationRun) {
  const balance = await using(required(partner, 'the partner').databaseUrl, (db) =>
    trialBalance(db, { from: '2000-01-01', to: '2100-01-01' }),
  )
  const payouts = await using(required(sandbox, 'the sandbox').databaseUrl, async (db) => {
    const [row] = await db<{ count: number }>`select count(*)::int as count from bank_transfer where status = 'SUCCESS'`
    return row?.count ?? 0
  })
  return { debit: balance.total.debit, balances: isBalanced(balance), payouts }
}

interface EndOfArchive {
  restored: number
  lost: number
  lostSeconds: number
}

/** Restores everything in the archive, and counts what the loss of the killed disk would have cost. */
async function lossAtEnd(
  installation: Launched,
  { backup, target, after, killedAt }: RestoreTarget & { after: Traffic; killedAt: number },
): Promise<EndOfArchive> {
  await restoreTo(installation, { backup, target })
  const end = await launch(target, installation.env)
  try {
    const sessions = await sessionsIn(end.run)
    const lost = [...after.accepted].filter((id) => !sessions.has(id))
    const firstLostAt = Math.min(...lost.map((id) => after.acceptedAt.get(id) ?? killedAt))
    return {
      restored: after.accepted.size - lost.length,
      lost: lost.length,
      lostSeconds: lost.length === 0 ? 0 : (killedAt - firstLostAt) / 1000,
    }
  } finally {
    end.kill()
  }
}
