// Platform and partner as separate API and worker processes with a sandbox, on one PostgreSQL or on three.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '@lendloom/cli/src/postgres/cluster.ts'
import { createDatabase, type Postgres, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { platformColumns } from '@lendloom/platform/src/sealed-columns.ts'
import { connect, type Db } from '@lendloom/postgres/sql'
import { newSealKey, type Seal, sealWith } from '@lendloom/seal/seal'
import { freePort, platformEnvironment } from '@lendloom/tests/setup/platform'
import { partnerEnvironments, patientSettings, quickSettings } from '@lendloom/tests/setup/programs'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { atEnd } from '../../bench/setup/at-end.ts'
import { startBalancer } from './balancer.ts'
import { type ProcessOptions, type RunningProcess, startProcess } from './process.ts'
import { killAll } from './standby.ts'

export interface Process extends RunningProcess {
  program: 'platform' | 'partner'
  mode: 'api' | 'worker'
  port: number
  /** Takes the process from the balancer, then stops it as a service manager does. */
  stop(): Promise<void>
}

export interface Installation {
  platformUrl: string
  partnerUrl: string
  sandboxUrl: string
  tenant: SandboxTenant
  secondTenant: SandboxTenant
  processes: Process[]
  sandbox: RunningProcess
  /** The PostgreSQL servers; three times the same if shared. */
  servers: Record<keyof Urls, Postgres>
  databaseUrls: Urls
  db: Db
  partnerDb: Db
  sandboxDb: Db
  seal: Seal
  /** Credentials with which the platform signs events to the partner. */
  credentials: Credentials
  /** The settings of each program, without those that differ by process. */
  env: Record<keyof Urls, Record<string, string>>
  /** The partner's directory of files, unless it uses a bucket. */
  files: string
  /** Starts another process, of the version in the folder `home`, and adds it to the balancer. */
  add(program: Process['program'], mode: Process['mode'], home: string): Promise<Process>
  /** Kills every process of the server at once, as a power cut does, and starts it again at the same port. */
  restartDatabase(program: keyof Urls, downMs: number): Promise<void>
  stop(): Promise<void>
}

export type Credentials = ReturnType<typeof partnerEnvironments>['credentials']

export interface InstallationOptions {
  /** Processes of each kind. */
  each?: number
  /** Whether each program has a PostgreSQL server of its own. */
  ownServers?: boolean
  /** Settings for all programs, in addition to quick ones. */
  env?: Record<string, string> | ((credentials: Credentials) => Record<string, string>)
  /** Called with each line that a program logs; without it nothing is logged. */
  onLog?: (line: string) => void
  /** Additional settings of PostgreSQL. */
  settings?: Record<string, string>
  /** The folder of the version that is started; by default this one. */
  version?: string
}

export async function startInstallation({
  each = 2,
  ownServers = false,
  env: extraEnv = {},
  settings = {},
  onLog,
  version: firstVersion = process.cwd(),
}: InstallationOptions = {}): Promise<Installation> {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-workers-'))
  const running: RunningProcess[] = []
  const started: Postgres[] = []
  const remove = atEnd(() => {
    for (const { pid } of running) if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL')
    for (const { pid } of started) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  const startServer = async (name: string): Promise<Postgres> => {
    const directory = join(home, name)
    const server = await startPostgres({ directory, settings: { wal_keep_size: '4GB', ...settings } })
    started.push(server)
    // Trusts the local superuser, because only that role may inspect the WAL.
    appendFileSync(join(directory, 'pg_hba.conf'), 'host all postgres 127.0.0.1/32 trust\n')
    process.kill(server.pid, 'SIGHUP')
    return server
  }
  const shared = ownServers ? null : await startServer('postgres')
  const servers = {
    platform: shared ?? (await startServer('postgres-platform')),
    partner: shared ?? (await startServer('postgres-partner')),
    sandbox: shared ?? (await startServer('postgres-sandbox')),
  }
  const ports = { platform: [] as number[], partner: [] as number[] }
  const balancers = { platform: await startBalancer(ports.platform), partner: await startBalancer(ports.partner) }
  const databases: Db[] = []
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= stopAll())
  const stopAll = async () => {
    for (const balancer of Object.values(balancers)) balancer.stop()
    await Promise.all(running.map((each) => each.kill()))
    await Promise.all(databases.map((db) => db.close()))
    await Promise.all(started.map((server) => server.stop()))
    remove()
  }
  try {
    const urls = {
      platform: await createDatabase(servers.platform.url, 'platform'),
      partner: await createDatabase(servers.partner.url, 'partner'),
      sandbox: await createDatabase(servers.sandbox.url, 'sandbox'),
    }
    const { credentials, ...ownEnv } = await environments(urls, balancers, home)
    const more: Record<string, string> = {
      ...(onLog && { LOG_LEVEL: 'error' }),
      ...(typeof extraEnv === 'function' ? extraEnv(credentials) : extraEnv),
    }
    const env = mapValues(ownEnv, (each) => ({ ...each, ...more }))
    const start = async (options: Omit<ProcessOptions, 'onLog'>): Promise<RunningProcess> => {
      const process = await startProcess({ ...options, onLog, env: { ...env[options.program], ...options.env } })
      running.push(process)
      return process
    }
    const sandbox = await start({ program: 'sandbox', env: {}, cwd: firstVersion })
    const processes: Process[] = []
    let tenants: Pick<Installation, 'tenant' | 'secondTenant'> | undefined
    const add = async (program: Process['program'], mode: Process['mode'], version: string): Promise<Process> => {
      const port = await freePort()
      const [name, modeName] = program === 'platform' ? ['PORT', 'MODE'] : ['PARTNER_PORT', 'PARTNER_MODE']
      const served = mode === 'api' ? ports[program] : []
      // As a balancer does after a failed probe; open connections break.
      const leaveBalancer = () => {
        const at = served.indexOf(port)
        if (at >= 0) served.splice(at, 1)
      }
      const process = await start({
        program,
        cwd: version,
        env: { [name]: String(port), [modeName]: mode },
        onStarted: () => void served.push(port),
        onKilled: leaveBalancer,
      })
      if (program === 'platform' && mode === 'api')
        tenants ??= process.ready.announce.sandbox as Pick<Installation, 'tenant' | 'secondTenant'>
      const stop = (): Promise<void> => {
        leaveBalancer()
        return process.end('SIGTERM')
      }
      return Object.assign(process, { program, mode, port, stop })
    }
    for (const program of ['platform', 'partner'] as const)
      for (const mode of ['api', 'worker'] as const)
        for (let i = 0; i < each; i++) processes.push(await add(program, mode, firstVersion))
    if (!tenants) throw new Error('the platform announces its tenants')
    const { tenant, secondTenant } = tenants
    const [db, partnerDb, sandboxDb] = [urls.platform, urls.partner, urls.sandbox].map((url) =>
      connect(url, { connections: 3 }),
    ) as [Db, Db, Db]
    databases.push(db, partnerDb, sandboxDb)
    const seal = sealWith(env.platform.LENDLOOM_KEYS ?? '', '', platformColumns)
    return {
      platformUrl: env.platform.PUBLIC_URL ?? '',
      partnerUrl: env.partner.PARTNER_PUBLIC_URL ?? '',
      sandboxUrl: env.sandbox.SANDBOX_URL ?? '',
      env,
      tenant,
      secondTenant,
      processes,
      sandbox,
      servers,
      databaseUrls: urls,
      db,
      partnerDb,
      sandboxDb,
      seal,
      credentials,
      files: filesIn(home),
      add,
      stop,
      async restartDatabase(program, downMs) {
        const server = servers[program]
        killAll(server.pid)
        await sleep(downMs)
        const directory = join(home, shared ? 'postgres' : `postgres-${program}`)
        const again = await startPostgres({
          directory,
          port: server.port,
          settings: { wal_keep_size: '4GB', ...settings },
        })
        started.splice(started.indexOf(server), 1, again)
        for (const name of ['platform', 'partner', 'sandbox'] as const)
          if (servers[name] === server) servers[name] = again
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const mapValues = <Key extends string, From, To>(record: Record<Key, From>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries<From>(record).map(([key, value]) => [key, change(value)])) as Record<Key, To>

type Urls = Record<'platform' | 'partner' | 'sandbox', string>

const filesIn = (home: string): string => join(home, 'files')

/** Returns the environment of each program; ports and modes differ by process. */
async function environments(
  urls: Urls,
  balancers: Record<'platform' | 'partner', { port: number }>,
  home: string,
): Promise<Record<keyof Urls, Record<string, string>> & { credentials: Credentials }> {
  const platformUrl = `http://127.0.0.1:${balancers.platform.port}`
  const sandboxPort = await freePort()
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const lender = partnerEnvironments({
    url: `http://127.0.0.1:${balancers.partner.port}`,
    database: urls.partner,
    directory: filesIn(home),
    platformUrl,
    sandboxUrl,
  })
  const common = { ...quickSettings, ...patientSettings, LOG_LEVEL: 'silent' }
  return {
    credentials: lender.credentials,
    platform: {
      ...platformEnvironment(urls.platform, balancers.platform.port),
      ...common,
      NETWORK_REGISTRY_URL: `${sandboxUrl}/registry`,
      NETWORK_GATEWAY_URL: `${sandboxUrl}/gateway`,
      AA_REGISTRY_URL: `${sandboxUrl}/aggregator/registry`,
      ...sandboxProviders(sandboxUrl),
      ...lender.platform,
    },
    partner: { ...common, ...lender.partner },
    sandbox: {
      ...common,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_URL: sandboxUrl,
      SANDBOX_DATABASE_URL: urls.sandbox,
      LENDLOOM_KEYS: newSealKey('s1'),
    },
  }
}
