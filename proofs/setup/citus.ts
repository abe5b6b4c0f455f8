// Starts a local Citus cluster with Debian's PostgreSQL 15: one coordinator, several servers for rows, distributed databases.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, createClusterDatabase } from '@lendloom/tests/setup/distributed'
import { freePort } from '@lendloom/tests/setup/platform'
import { atEnd } from '../../bench/setup/at-end.ts'
import { capProcessor } from './processor-cap.ts'

const binaries = '/usr/lib/postgresql/15/bin'
const library = '/usr/lib/postgresql/15/lib/citus.so'

/** Returns what is missing to run Citus here; null if nothing. */
export function missingCitus(): string | null {
  if (!existsSync(`${binaries}/postgres`)) return 'PostgreSQL 15 is missing: apt-get install postgresql-15'
  if (!existsSync(library))
    return 'Citus is missing: install postgresql-15-citus from the Citus repository, or build it from source'
  return process.getuid?.() === 0 ? null : 'root is required to start servers as the user postgres'
}

export interface Server {
  port: number
  /** URL of the maintenance database. */
  url: string
  start(): void
  /** Simulates a power cut: kills all processes at once. */
  kill(): void
  pid(): number
}

export interface Citus extends Cluster {
  coordinator: Server
  servers: Server[]
  /** Creates an empty database on all servers and returns its URL at the coordinator. */
  database(name: string): Promise<string>
  stop(): void
}

const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus,pg_stat_statements'
citus.stat_statements_track = 'all'
citus.stat_statements_max = 100000
pg_stat_statements.max = 100000
citus.enable_statistics_collection = off
max_connections = 400
max_prepared_transactions = 400
max_locks_per_transaction = 512
max_worker_processes = 100
citus.recover_2pc_interval = '5s'
wal_level = logical
timezone = 'UTC'
log_timezone = 'UTC'
`

export interface CitusOptions {
  servers: number
  /** Number of servers that hold rows initially; default: all. */
  withRows?: number
  /** Limit of each server for rows, in percent of one processor. */
  cap?: number
}

/** Starts a coordinator and that many servers. */
export async function startCitus({ servers: count, withRows = count, cap }: CitusOptions): Promise<Citus> {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-citus-'))
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' })))
  chownSync(home, uid ?? 0, gid ?? 0)
  const all: Server[] = []
  const stop = atEnd(() => {
    for (const server of all) server.kill()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  try {
    for (let i = 0; i <= count; i++) all.push(serverAt(join(home, `server-${i}`), await freePort()))
    const [coordinator, ...servers] = all as [Server, ...Server[]]
    for (const server of all) server.start()
    if (cap !== undefined) for (const server of servers) capProcessor(server.pid(), cap)
    return {
      coordinator,
      servers,
      database: (name) => createClusterDatabase({ coordinator, servers }, name, withRows),
      stop,
    }
  } catch (error) {
    stop()
    throw error
  }
}

function serverAt(directory: string, port: number): Server {
  const control = (...args: string[]) =>
    spawnSync(
      'setpriv',
      ['--reuid=postgres', '--regid=postgres', '--clear-groups', `${binaries}/pg_ctl`, '-D', directory, ...args],
      { stdio: 'ignore', cwd: '/', env: { ...process.env, HOME: '/var/lib/postgresql' } },
    ).status === 0
  if (!control('-o', '-A trust -U postgres', 'initdb')) throw new Error(`initdb failed in ${directory}`)
  appendFileSync(join(directory, 'postgresql.conf'), `${settings}port = ${port}\n`)
  return {
    port,
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start() {
      if (!control('-l', `${directory}.log`, '-w', 'start'))
        throw new Error(`PostgreSQL did not start: ${directory}.log`)
    },
    kill: () => void control('-m', 'immediate', 'stop'),
    pid: () => Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]),
  }
}
