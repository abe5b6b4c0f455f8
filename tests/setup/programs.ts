// Runs platform, sandbox and partner, each on its own database: as child processes, as an operator does, which can be killed
// and restarted, or in this process, which costs a third.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { secondPartnerProduct, secondPartnerRow, secondSender } from '@lendloom/cli/src/start/second-partner.ts'
import type { Ready, RunningProgram } from '@lendloom/foundation/program'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import type { SandboxPerson } from '@lendloom/platform/src/people/sandbox-people.ts'
import { listStalledJourneys } from '@lendloom/platform/src/records/figures/stalled-journeys.ts'
import { connect, type Db, type Run } from '@lendloom/postgres/sql'
import { settings as sandboxSettings } from '@lendloom/sandbox/settings'
import { newSealKey, type Seal, sealWith } from '@lendloom/seal/seal'
import { partnerClientOf } from '@lendloom/wire/exchange/platform-credentials'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { bucketFaults } from './buckets.ts'
import { type ChildProgram, inheritedEnv, startChild } from './child-program.ts'
import { noteStart } from './costs.ts'
import { type Program, testDatabase } from './database.ts'
import { deadlineMs, patientDatabase } from './deadline.ts'
import { newCredentials } from './exchange-proxy.ts'
import { failAtExit, faultsOfAllJourneys } from './judging.ts'
import { enableOnlyLenders } from './lenders.ts'
import { freePort, platformEnvironment } from './platform.ts'
import { programStarts } from './program-starts.ts'

export interface ProgramOptions {
  /** Added to the default fast settings; each program reads only its own settings. */
  env?: Record<string, string>
  /** Databases created by the caller, for a test that stops their server. */
  databases?: Record<'platform' | 'sandbox', string>
  /** Expected violations of the network rules in this file's journeys, each with its reason. */
  exceptions?: NetworkException[]
  /** The test file checks its journeys itself, because its network has another directory. */
  skipsJourneyCheck?: boolean
  /** Whether to run the lending partner; without it, the platform lends only over the network. */
  partner?: boolean
  /** Whether to run the sandbox's second partner too. */
  secondPartner?: boolean
  /** Whether the platform reports its messages to the sandbox's collector. */
  collector?: boolean
  /** Whether to run the programs in this process. */
  inProcess?: boolean
  /** The sandbox lenders that tenants use. Two by default, because the cost of a journey grows with each lender. */
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
  /** The person who may sign in to this platform's console. */
  console: { url: string; people: SandboxPerson[] }
  databaseUrls: Record<'platform' | 'sandbox', string> & { partner: string | null }
  /** The platform's credentials for the partner; null without a partner. */
  toPartner: { bearer: string } | null
  /** Database connections, for reading what no API returns. */
  db: Db
  seal: Seal
  /** The settings of the command line on the platform's machine. */
  operatorEnv: Record<string, string>
  /** `LENDLOOM_KEYS` of each program. */
  keys: Record<Program, string>
  sandboxDb: Db
  /** Both are empty without a partner. */
  partnerUrl: string
  partnerDatabaseUrl: string
  /** Kills a program without letting it finish anything, like a power cut. */
  kill(program: Program): Promise<void>
  /** Restarts a killed program; resolves when it is ready. */
  start(program: Program): Promise<void>
  /**
   * Checks all exchanged messages against the network rules, each row against its bucket, and that each active journey
   * has a next act. Runs when the file ends, or before its databases are removed.
   */
  checkJourneys(): Promise<string[]>
  /** The errors logged since the programs started. Each is a bug, because expected events are logged at a lower level. */
  readonly errorLines: string[]
  /** Every line of the programs' logs. */
  readonly logLines: string[]
}

/**
 * Lenders respond within a second, or a few seconds on a busy machine. The timeout is many times longer, because a late
 * response does not count, and few tests wait for the timeout.
 */
export const quickSettings = {
  RATE_LIMITS: 'off',
  ...patientDatabase,
  // Each connection needs a PostgreSQL process, and one test file does little at once.
  DATABASE_CONNECTIONS: '8',
  PARTNER_DATABASE_CONNECTIONS: '8',
  NETWORK_SEARCH_TTL: 'PT40S',
  NETWORK_CALL_TTL: 'PT20S',
  OFFER_WINDOW_SECONDS: '40',
  STATUS_POLL_SECONDS: '2',
  // Most test files do not share bank statements; without them, the rules offer the recommended amount.
  PARTNER_WITHOUT_STATEMENT_RUPEES: '200000',
  SANDBOX_DISBURSAL_SECONDS: '1',
  SANDBOX_BANK_SECONDS: '0',
  SANDBOX_PROVIDER_SECONDS: '0',
  LENDLOOM_TIME_SCALE: '0.02',
}

/** For tests in which a program is down: longer than the outage on a busy machine, so that every lender can still respond. */
export const patientSettings = {
  NETWORK_SEARCH_TTL: 'PT60S',
  NETWORK_CALL_TTL: 'PT60S',
  OFFER_WINDOW_SECONDS: '120',
}

/** Starts the programs. They stop when the test file ends. */
export async function startPrograms({
  env = {},
  databases,
  partner = false,
  secondPartner = false,
  collector = false,
  lenders,
  exceptions = [],
  skipsJourneyCheck = false,
  inProcess = false,
}: ProgramOptions = {}): Promise<Programs> {
  noteStart('programs')
  const programs = new Map<Program, TestProgram>()
  after(() => Promise.all([...programs.values()].map((program) => program.kill())))
  const urls = databases ?? { platform: await testDatabase('platform'), sandbox: await testDatabase('sandbox') }
  const platformPort = await freePort()
  const sandboxPort = await freePort()
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
    ...(collector && {
      NETWORK_OBSERVABILITY_URL: `${sandboxUrl}/observability/v1/api/push-txn-logs`,
      NETWORK_OBSERVABILITY_TOKEN: sandboxSettings.NETWORK_OBSERVABILITY_TOKEN.fallback,
    }),
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
    SANDBOX_BANK_OTHERS: JSON.stringify({
      [secondSender]: { name: secondPartnerProduct.PARTNER_LENDER_NAME, bearer: secondBankBearer },
    }),
    LENDLOOM_KEYS: newSealKey('s1'),
    ...level,
    ...env,
  }
  const errorLines: string[] = []
  const logLines: string[] = []
  const logs = { errorLines, logLines }
  const secondPartners: TestProgram[] = []
  const programWith = (program: Program, settings: Record<string, string>): TestProgram =>
    inProcess ? ownProgram(program, settings) : child(program, settings, logs)
  programs.set('platform', programWith('platform', platform))
  programs.set('sandbox', programWith('sandbox', sandbox))
  if (lender) programs.set('partner', programWith('partner', { ...lender.partner, ...level, ...env }))
  if (second) {
    const own = { ...second.partner, ...secondPartnerProduct, BANK_BEARER: secondBankBearer }
    const program = programWith('partner', { ...own, ...level, ...env })
    after(() => program.kill())
    secondPartners.push(program)
  }
  const db = connect(urls.platform, { connections: 2 })
  const sandboxDb = connect(urls.sandbox, { connections: 1 })
  const seal = sealWith(platform.LENDLOOM_KEYS!)
  let isChecked = skipsJourneyCheck
  const checkJourneys = async () => {
    if (isChecked) return []
    isChecked = true
    const stalled = await listStalledJourneys(db, { at: new Date(), limit: 10 })
    return [
      ...(await faultsOfAllJourneys({ db, seal }, sandboxDb, exceptions)),
      ...(await bucketFaults(db)),
      ...stalled.map(({ journeyId, status }) => `journey ${journeyId} is ${status} and has no next act`),
    ]
  }
  after(async () => failAtExit(await checkJourneys().catch((error) => [String(error)])))
  after(() => Promise.all([db.close(), sandboxDb.close()]))
  const [ready] = await Promise.all([...programs.values(), ...secondPartners].map((program) => program.start()))
  await until('the platform to be on the network', async () => (await fetch(`${platform.PUBLIC_URL}/readyz`)).ok)
  const seeded = ready!.announce.sandbox as Pick<Programs, 'tenant' | 'secondTenant' | 'console'>
  await db.tx(async (tx) => {
    for (const { tenantId } of [seeded.tenant, seeded.secondTenant]) await enableOnlyLenders(tx, tenantId, lenders)
  })
  return {
    platformUrl: platform.PUBLIC_URL!,
    sandboxUrl,
    partnerUrl: lender?.url ?? '',
    ...seeded,
    partnerDatabaseUrl: lender?.partner.PARTNER_DATABASE_URL ?? '',
    databaseUrls: { ...urls, partner: lender?.partner.PARTNER_DATABASE_URL ?? null },
    toPartner: lender && { bearer: lender.bearer },
    db,
    sandboxDb,
    seal,
    ...logs,
    checkJourneys,
    operatorEnv: { ...platform, LENDLOOM_DATA_DIR: '/nowhere' },
    keys: {
      platform: platform.LENDLOOM_KEYS!,
      sandbox: sandbox.LENDLOOM_KEYS!,
      partner: lender?.partner.LENDLOOM_KEYS ?? '',
    },
    kill: (program) => programs.get(program)!.kill(),
    start: async (program) => void (await programs.get(program)!.start()),
  }
}

/** The environment of a partner with its own database; its files are removed when the test file ends. */
async function lenderEnvironment(platformUrl: string, sandboxUrl: string, owner?: string) {
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-partner-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const url = `http://127.0.0.1:${await freePort()}`
  const database = await testDatabase('partner')
  return partnerEnvironments({ url, database, directory, platformUrl, sandboxUrl, ...(owner && { owner }) })
}

export interface PartnerOptions {
  /** The URL clients use; its port is the partner's own unless a proxy is in front of it. */
  url: string
  database: string
  directory: string
  platformUrl: string
  sandboxUrl: string
  owner?: string
}

/** Settings that connect the partner and the platform, and the partner and its bank. */
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
      PARTNER_CLIENTS: JSON.stringify([partnerClientOf(credentials)]),
      PLATFORM_WEBHOOK_URL: `${platformUrl}/api/partner/webhook`,
      BANK_URL: `${sandboxUrl}/bank`,
      BANK_POLL_SECONDS: '1',
      LENDLOOM_KEYS: newSealKey('p1'),
    },
  }
}

const secondBankBearer = 'bearer-of-the-second-lender-of-the-bank'

interface TestProgram {
  start(): Promise<Pick<Ready, 'announce'>>
  kill(): Promise<void>
}

/** A program in this process. `kill` stops it as a signal would; its log goes to this process's output. */
function ownProgram(program: Program, env: Record<string, string>): TestProgram {
  let running: RunningProgram | undefined
  return {
    async start() {
      running = await (await programStarts())[program](env)
      return { announce: running.announce ?? {} }
    },
    async kill() {
      await running?.stop()
      running = undefined
    },
  }
}

function child(
  program: Program,
  env: Record<string, string>,
  { errorLines, logLines }: Pick<Programs, 'errorLines' | 'logLines'>,
): TestProgram {
  let running: ChildProgram | undefined
  return {
    async start(): Promise<Ready> {
      const onLog = (line: string) => {
        if (process.env.LENDLOOM_TEST_LOG) process.stderr.write(`${line}\n`)
        logLines.push(line)
        if (isComplaint(line)) errorLines.push(line)
      }
      running = await startChild({
        program,
        env: { ...inheritedEnv(), ...env },
        options: ['--single-threaded-gc'],
        onLog,
      }).catch(({ message }: Error) => {
        throw new Error(`${message}: ${errorLines.at(-1) ?? 'it logged nothing'}`)
      })
      return running.ready
    },
    kill: async () => running?.end('SIGKILL'),
  }
}

const isComplaint = (line: string): boolean => {
  try {
    return JSON.parse(line).level >= 50
  } catch {
    return true
  }
}

const firstPauseMs = 30
const longestPauseMs = 500

/**
 * Waits until `condition` returns a truthy value; the error names what was awaited. The interval between checks grows, because
 * frequent checks slow down a busy machine.
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

/** Waits until this many transactions wait for a lock, or until one of the actions that should wait has finished. */
export const waitUntilLocked = (db: Run, isOver: () => boolean, count = 1): Promise<boolean> =>
  until(`${count} transactions to wait for a lock`, async () => {
    const waiting = await db`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return isOver() || waiting.length >= count
  })
