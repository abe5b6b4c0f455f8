// Runs Debian's PgBouncer in transaction mode in front of a PostgreSQL server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { portIsFree } from '@lendloom/cli/src/postgres/server.ts'
import { freePort } from './platform.ts'

const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((directory) => join(directory, 'pgbouncer'))
  .find(existsSync)

/** Why PgBouncer cannot be started here; null if it can. */
export const missingPgbouncer = program === undefined ? 'PgBouncer is not installed: apt-get install pgbouncer' : null

export interface Pgbouncer {
  port: number
  /** Stops PgBouncer and resolves when it has exited. */
  stop(): Promise<void>
}

export interface Pools {
  /** Server connections per database and role. */
  poolSize: number
  /** Maximum number of client connections. */
  clients?: number
  /** Other lines of its configuration file. */
  settings?: Record<string, string | number>
}

/** Starts PgBouncer in front of the server at `url`. The role in the URL may also query PgBouncer's statistics. Throws if it does not start. */
export async function startPgbouncer(
  url: string,
  { poolSize, clients = 100, settings = {} }: Pools,
): Promise<Pgbouncer> {
  if (program === undefined) throw new Error(`${missingPgbouncer}`)
  const { username, password, hostname, port: serverPort } = new URL(url)
  const home = mkdtempSync(join(tmpdir(), 'lendloom-pgbouncer-'))
  const port = await freePort()
  const all = {
    pool_mode: 'transaction',
    default_pool_size: poolSize,
    max_client_conn: clients,
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(home, 'users'),
    stats_users: username,
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(join(home, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    join(home, 'pgbouncer.ini'),
    `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  // PgBouncer refuses to run as root; the user it runs as must be able to read its files.
  chmodSync(home, 0o755)
  const as = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(program, ['-q', ...as, join(home, 'pgbouncer.ini')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const end = () => {
    child.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
  process.once('exit', end)
  const stop = async () => {
    process.off('exit', end)
    end()
    await ended
  }
  while (await portIsFree(port)) {
    if (child.exitCode !== null) throw new Error('PgBouncer did not start')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { port, stop }
}
