// Starts, replaces and stops the PostgreSQL server from the npm package.

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { required } from '@lendloom/foundation/required'
import { codeOf } from '@lendloom/foundation/thrown'
import { type Binaries, embeddedBinaries } from './binaries.ts'
import {
  applySecret,
  createSecret,
  ensureCluster,
  forgetForeignProcess,
  isAlive,
  postgresEnvironment,
  postmasterOf,
  prepareForBackups,
  role,
  secretOf,
} from './cluster.ts'
import { ClusterInUse, connected, holdLock, isAbandoned } from './lock.ts'
import { invocation, serverUser, type User } from './user.ts'

export { ClusterInUse }

export interface PostgresOptions {
  /** The data directory, which survives restarts. The log is `<directory>.log`. */
  directory: string
  /** The port; by default a free one from 20000 to 32767, outside the range of ephemeral ports. */
  port?: number
  /** Further server settings, such as `{ fsync: 'off' }` for a throw-away server. */
  settings?: Record<string, string>
  /** Further paths that the user of the server must be able to read. */
  reads?: string[]
}

export interface Postgres {
  /** The URL of the maintenance database `postgres`; `databaseUrl` gives that of another database. */
  url: string
  port: number
  pid: number
  /** Resolves when the server process ends for any reason. */
  ended: Promise<void>
  /** Fast shutdown: rolls back open transactions; committed data is on disk. */
  stop(): Promise<void>
}

const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  // Changing it needs a restart; the command of the archive does not.
  archive_mode: 'on',
  fsync: 'on',
  synchronous_commit: 'on',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
}

/**
 * Starts the server, and first creates its data if missing. Stops and replaces a server whose launcher was killed.
 * Throws `ClusterInUse` if another launcher is alive, and another Error with instructions if the server cannot start.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const binaries = embeddedBinaries()
  const as = serverUser(options.directory)
  await ensureCluster(options.directory, binaries, as)
  const directory = realpathSync(options.directory)
  await takeOver(directory)
  await prepareForBackups({ directory, binaries, as })
  const server = await launch({ ...options, directory }, binaries, as)
  try {
    await holdLock(server.url, server.ended)
    return server
  } catch (error) {
    if (!(error instanceof ClusterInUse)) await server.stop()
    throw error
  }
}

/** Replays the log on a copied base backup and sets a new password. Throws an Error with the server's log. */
export async function recoverPostgres(options: Required<Omit<PostgresOptions, 'port'>>): Promise<void> {
  const directory = realpathSync(options.directory)
  const binaries = embeddedBinaries()
  const as = serverUser(directory)
  createSecret({ directory, as })
  // Without queries meanwhile, the server reports "ready" only when everything is replayed.
  const settings = { ...options.settings, hot_standby: 'off', archive_mode: 'off' }
  const server = await launch({ ...options, directory, settings }, binaries, as)
  while (postmasterOf(directory)?.isReplaying) await sleep(50)
  if (!postmasterOf(directory)) throw new Error(readFileSync(`${directory}.log`, 'utf8').trim())
  await server.stop()
  await applySecret({ directory, binaries, as })
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(url: string, name: string): string {
  const sibling = new URL(url)
  sibling.pathname = `/${name}`
  return sibling.href
}

/** Creates a database unless it exists, through the `url` of any database on the server. Returns its URL. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = await connected(url)
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } catch (error) {
    // 42P04: the database exists; 23505: another process created it at the same time.
    if (!['42P04', '23505'].includes(codeOf(error) ?? '')) throw error
  } finally {
    await client.end()
  }
  return databaseUrl(url, name)
}

/** Whether a program can listen on a port now. */
export function portIsFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)))
  })
}

/** How long a start may take, including that of another server that must end first. */
const patienceMs = 30_000

/** Stops a server whose launcher has died. */
async function takeOver(directory: string): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (let running = postmasterOf(directory); running; running = postmasterOf(directory)) {
    if (running.isReady && (await isAbandoned(urlOf(directory, running.port)))) await stopPostmaster(running.pid)
    if (Date.now() > deadline)
      throw new ClusterInUse(
        `process ${running.pid} runs PostgreSQL on ${directory} and does not respond; stop it first`,
      )
    await sleep(50)
  }
  forgetForeignProcess(directory)
}

/** The URL of the maintenance database of a server on this machine. */
export const urlOf = (directory: string, port: number): string =>
  `postgres://${role}:${secretOf(directory)}@127.0.0.1:${port}/postgres`

/** Starts the server. Tries again on another port, or after a server that is ending. */
async function launch(options: PostgresOptions, binaries: Binaries, as: User | null): Promise<Postgres> {
  const deadline = Date.now() + patienceMs
  for (let attempt = 0; ; attempt++) {
    const port = options.port ?? (await freePort(options.directory, attempt))
    const startedOrLog = await tryStart(port, options, binaries, as)
    if (typeof startedOrLog !== 'string') return startedOrLog
    if (/lock file "postmaster.pid" already exists/.test(startedOrLog)) await takeOver(options.directory)
    // Backends of a killed server take a moment to exit.
    else if (/pre-existing shared memory block/.test(startedOrLog)) await sleep(200)
    else if (!/could not bind|could not create any TCP/.test(startedOrLog))
      throw new Error(`PostgreSQL did not start:\n${startedOrLog}`)
    else if (options.port) throw new ClusterInUse(`port ${port} is taken; PostgreSQL cannot listen there`)
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${startedOrLog}`)
  }
}

/** Below the range of ephemeral ports, which other processes take at any time. */
const firstPort = 20_000
const lastPort = 32_767

/** Tries the ports in an order that depends only on the directory, so a restart usually finds its previous port. */
async function freePort(directory: string, attempt: number): Promise<number> {
  const start = createHash('sha256').update(directory).digest().readUInt32BE() + attempt
  for (let i = 0; i < 1000; i++) {
    const port = firstPort + ((start + i) % (lastPort - firstPort + 1))
    if (await portIsFree(port)) return port
  }
  throw new Error(`no free port from ${firstPort} to ${lastPort} for PostgreSQL`)
}

/** Tries to start once. Returns the running server, or the log output of the failed attempt. */
async function tryStart(
  port: number,
  { directory, settings, reads = [] }: PostgresOptions,
  binaries: Binaries,
  as: User | null,
): Promise<Postgres | string> {
  const log = `${directory}.log`
  const logStart = statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const assignments = Object.entries({ ...defaults, port: String(port), ...settings })
  const serverArgs = ['-D', directory, ...assignments.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const { command, args, options } = invocation(as, binaries.postgres, serverArgs, [
    ...binaries.needed,
    directory,
    ...reads,
  ])
  const output = openSync(log, 'a', 0o600)
  // The server gets its own session, so that Ctrl-C does not stop it before the programs.
  const child = spawn(command, args, {
    ...options,
    cwd: '/',
    env: postgresEnvironment(),
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  if (!(await becomesReady(child, directory))) return readFileSync(log).subarray(logStart).toString('utf8').trim()
  child.unref()
  const pid = required(child.pid, 'process id of the running server')
  return { url: urlOf(directory, port), port, pid, ended, stop: () => stopPostmaster(pid) }
}

/** Waits until the server accepts connections. False if it ended before. */
async function becomesReady(child: ChildProcess, directory: string): Promise<boolean> {
  const failure = new Promise<Error>((resolve) => child.once('error', resolve))
  while (child.exitCode === null && child.signalCode === null) {
    const running = postmasterOf(directory)
    if (running?.pid === child.pid && running?.isReady) return true
    const error = await Promise.race([failure, sleep(10)])
    if (error) throw error
  }
  return false
}

/** Tries a fast shutdown, then an immediate one, then SIGKILL: committed data survives each of them. */
async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 8000],
    ['SIGQUIT', 3000],
    ['SIGKILL', 3000],
  ] as const) {
    if (!isAlive(pid)) return
    signalIfAlive(pid, signal)
    for (const deadline = Date.now() + patience; isAlive(pid) && Date.now() < deadline; ) await sleep(10)
  }
}

/** Sends a signal, if the process is still there. */
function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}
