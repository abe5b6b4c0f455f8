// PostgreSQL of Debian with Citus on several ports of this machine: a coordinator and servers for rows, and databases over them.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, createClusterDatabase } from '#test/setup/distributed.ts'
import { freePort } from '#test/setup/platform.ts'
import { atEnd } from '../../bench/setup/at-end.ts'
import { capProcessor } from './processor-cap.ts'

const binaries = '/usr/lib/postgresql/15/bin'
const library = '/usr/lib/postgresql/15/lib/citus.so'

/** Why it cannot run here; null when it can. */
export function missingCitus(): string | null {
  if (!existsSync(`${binaries}/postgres`)) return 'there is no PostgreSQL 15: apt-get install postgresql-15'
  if (!existsSync(library))
    return 'Debian has no Citus: install postgresql-15-citus of its makers, or build it from source'
  return process.getuid?.() === 0 ? null : 'servers are started as the user postgres, by root'
}

export interface Server {
  port: number
  /** Of the maintenance database. */
  url: string
  start(): void
  /** As a power cut: every process of it at once. */
  kill(): void
  pid(): number
}

export interface Citus extends Cluster {
  coordinator: Server
  servers: Server[]
  /** An empty database on all of them; its url at the coordinator. */
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
  /** So many of them take rows from the beginning; all, unless told. */
  withRows?: number
  /** Per cent of one processor that each server for rows may use. */
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
  if (!control('-o', '-A trust -U postgres', 'initdb')) throw new Error(`no data could be made in ${directory}`)
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
