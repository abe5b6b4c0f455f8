// Platform, sandbox and partner as an operator runs them: child processes that can be killed and started again, on databases of their own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { secondPartnerProduct, secondPartnerRow, secondSender } from '#cli/start/second-partner.ts'
import { clientOf } from '#contract/exchange/credentials.ts'
import { newSealKey, type Seal, sealWith } from '#kit/crypto/seal.ts'
import { connect, type Db, type Run } from '#kit/db/sql.ts'
import { nodeOptions, type Ready } from '#kit/runtime/program.ts'
import type { SandboxTenant } from '#platform/access/sandbox-tenants.ts'
import { sandboxProviders } from '#platform/provider/settings.ts'
import type { SandboxPerson } from '#platform/staff/sandbox-people.ts'
import { bucketFaults } from './buckets.ts'
import { noteStart } from './costs.ts'
import { type Program, testDatabase } from './database.ts'
import { deadlineMs } from './deadline.ts'
import { newCredentials } from './exchange-proxy.ts'
import { failAtExit, faultsOfAllJourneys } from './judging.ts'
import { enableOnlyLenders } from './lenders.ts'
import { freePort, platformEnvironment } from './platform.ts'

export interface ProgramOptions {
  /** On top of quick settings; each program reads what is its own. */
  env?: Record<string, string>
  /** Databases made elsewhere, for a test that stops their server. */
  databases?: Record<'platform' | 'sandbox', string>
  /** What the rules of the network find in this file's journeys and is meant to be so, each with its reason. */
  exceptions?: NetworkException[]
  /** The file judges its transcripts itself: its network has another directory. */
  skipsTranscriptCheck?: boolean
  /** Whether the lending partner runs too; without it the platform lends over the network alone. */
  partner?: boolean
  /** Whether the second partner of the sandbox runs beside it. */
  secondPartner?: boolean
  /** Those of the sandbox that its tenants ask; two unless said, as each lender costs as much again. */
  lenders?: readonly string[]
}

interface NetworkException {
  fault: RegExp
  because: string
}

export interface Programs {
  platformUrl: string
  sandboxUrl: string
  tenant: SandboxTenant
  secondTenant: SandboxTenant
  /** Who may sign in to the console of this platform. */
  console: { url: string; people: SandboxPerson[] }
  databaseUrls: Record<'platform' | 'sandbox', string> & { partner: string | null }
  /** What the platform presents to the partner; null without one. */
  toPartner: { bearer: string } | null
  /** The databases, for reading what no API shows. */
  db: Db
  seal: Seal
  /** `LENDLOOM_KEYS` of each program. */
  keys: Record<Program, string>
  sandboxDb: Db
  /** Both empty without a partner. */
  partnerUrl: string
  partnerDatabaseUrl: string
  /** Ends a program as a power cut would, without a chance to finish anything. */
  kill(program: Program): Promise<void>
  /** Starts a program that was killed; resolves when it is ready. */
  start(program: Program): Promise<void>
  /** Holds all that was exchanged against the rules of the network, and each row against its bucket: when the file ends, or before its databases go. */
  checkTranscripts(): Promise<string[]>
  /** What the programs logged as errors since they began: bugs, as nothing that may happen is logged that loud. */
  readonly errorLines: string[]
}

/**
 * Lenders answer within a second, on a busy machine within some: what they are given is many times that, for an answer that
 * comes too late is none. Few tests wait for it to go by.
 */
export const quickSettings = {
  RATE_LIMITS: 'off',
  // Many borrowers at once on a busy machine wait for each other.
  DATABASE_SECONDS: '60',
  // Each connection costs a process of PostgreSQL, and one file has little to do at once.
  DATABASE_CONNECTIONS: '8',
  PARTNER_DATABASE_CONNECTIONS: '8',
  NETWORK_SEARCH_TTL: 'PT10S',
  NETWORK_CALL_TTL: 'PT12S',
  OFFER_WINDOW_SECONDS: '40',
  STATUS_POLL_SECONDS: '2',
  // Without statements, which most files do not share, rules offer what was recommended.
  PARTNER_WITHOUT_STATEMENT_RUPEES: '200000',
  SANDBOX_DISBURSAL_SECONDS: '1',
  SANDBOX_BANK_SECONDS: '0',
  SANDBOX_PROVIDER_SECONDS: '0',
  LENDLOOM_TIME_SCALE: '0.02',
}

/** For tests in which a program is away: longer than that on a busy machine, so that every lender can still answer. */
export const patientSettings = {
  NETWORK_SEARCH_TTL: 'PT60S',
  NETWORK_CALL_TTL: 'PT60S',
  OFFER_WINDOW_SECONDS: '120',
}

/** Starts them. They end with the test file. */
export async function startPrograms({
  env = {},
  databases,
  partner = false,
  secondPartner = false,
  lenders,
  exceptions = [],
  skipsTranscriptCheck = false,
}: ProgramOptions = {}): Promise<Programs> {
  noteStart('programs')
  const programs = new Map<Program, ReturnType<typeof child>>()
  after(() => Promise.all([...programs.values()].map((program) => program.kill())))
  const urls = databases ?? { platform: await testDatabase('platform'), sandbox: await testDatabase('sandbox') }
  const [platformPort, sandboxPort] = [await freePort(), await freePort()]
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const level = { LOG_LEVEL: process.env.LENDLOOM_TEST_LOG ?? 'error' }
  const platformUrl = `http://127.0.0.1:${platformPort}`
  const lender = partner ? await lenderEnvironment(platformUrl, sandboxUrl) : null
  const second = secondPartner ? await lenderEnvironment(platformUrl, sandboxUrl, secondSender) : null
  const platform = {
    ...platformEnvironment(urls.platform, platformPort),
    ...quickSettings,
    NETWORK_REGISTRY_URL: `${sandboxUrl}/registry`,
    NETWORK_GATEWAY_URL: `${sandboxUrl}/gateway`,
    AA_REGISTRY_URL: `${sandboxUrl}/aggregator/registry`,
    ...sandboxProviders(sandboxUrl),
    ...lender?.platform,
    ...(second && { SANDBOX_PARTNERS: JSON.stringify([secondPartnerRow(second.url, second.credentials)]) }),
    ...level,
    ...env,
  }
  const sandbox = {
    ...quickSettings,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_URL: sandboxUrl,
    SANDBOX_DATABASE_URL: urls.sandbox,
    SANDBOX_DEMO_URL: `${platformUrl}/demo`,
    SANDBOX_BANK_OTHERS: JSON.stringify({ [secondSender]: secondBankBearer }),
    LENDLOOM_KEYS: newSealKey('s1'),
    ...level,
    ...env,
  }
  const errorLines: string[] = []
  const seconds: ReturnType<typeof child>[] = []
  programs.set('platform', child('platform', platform, errorLines))
  programs.set('sandbox', child('sandbox', sandbox, errorLines))
  if (lender) programs.set('partner', child('partner', { ...lender.partner, ...level, ...env }, errorLines))
  if (second) {
    const own = { ...second.partner, ...secondPartnerProduct, BANK_BEARER: secondBankBearer }
    const program = child('partner', { ...own, ...level, ...env }, errorLines)
    after(() => program.kill())
    seconds.push(program)
  }
  const [db, sandboxDb] = [connect(urls.platform, { connections: 2 }), connect(urls.sandbox, { connections: 1 })]
  const seal = sealWith(platform.LENDLOOM_KEYS!)
  let judged = skipsTranscriptCheck
  const checkTranscripts = async () => {
    if (judged) return []
    judged = true
    return [...(await faultsOfAllJourneys({ db, seal }, sandboxDb, exceptions)), ...(await bucketFaults(db))]
  }
  after(async () => failAtExit(await checkTranscripts().catch((error) => [String(error)])))
  after(() => Promise.all([db.close(), sandboxDb.close()]))
  const [ready] = await Promise.all([...programs.values(), ...seconds].map((program) => program.start()))
  await until('the platform is on the network', async () => (await fetch(`${platform.PUBLIC_URL}/readyz`)).ok)
  const seeded = ready!.announce.sandbox as Pick<Programs, 'tenant' | 'secondTenant' | 'console'>
  await db.tx(async (tx) => {
    for (const { tenantId } of [seeded.tenant, seeded.secondTenant]) await enableOnlyLenders(tx, tenantId, lenders)
  })
  return {
    ...{ platformUrl: platform.PUBLIC_URL!, sandboxUrl, partnerUrl: lender?.url ?? '', ...seeded },
    partnerDatabaseUrl: lender?.partner.PARTNER_DATABASE_URL ?? '',
    databaseUrls: { ...urls, partner: lender?.partner.PARTNER_DATABASE_URL ?? null },
    toPartner: lender && { bearer: lender.bearer },
    ...{ db, sandboxDb, seal, errorLines, checkTranscripts },
    keys: {
      platform: platform.LENDLOOM_KEYS!,
      sandbox: sandbox.LENDLOOM_KEYS!,
      partner: lender?.partner.LENDLOOM_KEYS ?? '',
    },
    kill: (program) => programs.get(program)!.kill(),
    start: async (program) => void (await programs.get(program)!.start()),
  }
}

/** The environments of a partner on a database of its own, whose files end with the test file. */
async function lenderEnvironment(platformUrl: string, sandboxUrl: string, owner?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-partner-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${await freePort()}`
  const database = await testDatabase('partner')
  return partnerEnvironments({ url, database, directory, platformUrl, sandboxUrl, ...(owner && { owner }) })
}

export interface PartnerOptions {
  /** Where it is reached; its port is the partner's own unless something stands before it. */
  url: string
  database: string
  directory: string
  platformUrl: string
  sandboxUrl: string
  owner?: string
}

/** What partner and platform are told of each other, and the partner of its bank. */
export function partnerEnvironments({
  url,
  database,
  directory,
  platformUrl,
  sandboxUrl,
  owner = 'CELESTIUM',
}: PartnerOptions) {
  const credentials = newCredentials({ owner })
  return {
    url,
    bearer: credentials.bearer,
    credentials,
    platform: { PARTNER_URL: url, PARTNER_CREDENTIALS: JSON.stringify(credentials), PARTNER_STATUS_SECONDS: '2' },
    partner: {
      PARTNER_WITHOUT_STATEMENT_RUPEES: quickSettings.PARTNER_WITHOUT_STATEMENT_RUPEES,
      PARTNER_PORT: new URL(url).port,
      PARTNER_PUBLIC_URL: url,
      PARTNER_DATABASE_URL: database,
      PARTNER_FILES_DIR: directory,
      PARTNER_CLIENTS: JSON.stringify([clientOf(credentials)]),
      PLATFORM_WEBHOOK_URL: `${platformUrl}/api/partner/webhook`,
      BANK_URL: `${sandboxUrl}/bank`,
      BANK_POLL_SECONDS: '1',
      LENDLOOM_KEYS: newSealKey('p1'),
    },
  }
}

const secondBankBearer = 'bearer-of-the-second-lender-of-the-bank'

function child(program: Program, env: Record<string, string>, errorLines: string[]) {
  let running: ChildProcess | undefined
  return {
    async start(): Promise<Ready> {
      const own = spawn(process.execPath, [...nodeOptions, '--single-threaded-gc', `src/${program}/main.ts`], {
        cwd: join(import.meta.dirname, '..', '..'),
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      })
      running = own
      createInterface(own.stdout!).on('line', (line) => {
        if (process.env.LENDLOOM_TEST_LOG) process.stderr.write(`${line}\n`)
        if (isComplaint(line)) errorLines.push(line)
      })
      const ready = await Promise.race([once(own, 'message'), once(own, 'exit').then(() => null)])
      if (!ready) throw new Error(`the ${program} did not start: ${errorLines.at(-1) ?? 'it said nothing'}`)
      return ready[0] as Ready
    },
    async kill(): Promise<void> {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
  }
}

const isComplaint = (line: string): boolean => {
  try {
    return JSON.parse(line).level >= 50
  } catch {
    return true
  }
}

const [firstPauseMs, longestPauseMs] = [30, 500]

/**
 * Waits until `condition` gives something; the error then says what was waited for. It is asked less and less often: what
 * takes long takes longer on a machine that is kept busy by being asked.
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = deadlineMs,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.6, longestPauseMs)) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Waits until a transaction waits for a lock, or what should wait for it is over. */
export const waitUntilLocked = (db: Run, isOver: () => boolean): Promise<boolean> =>
  until('it waits for a lock', async () => {
    const held = await db`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return isOver() || held.length > 0
  })
