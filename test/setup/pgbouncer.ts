// Debian's PgBouncer in transaction mode, as a program of its own before a PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { portIsFree } from '#cli/postgres/server.ts'
import { freePort } from './platform.ts'

const program = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  .map((directory) => join(directory, 'pgbouncer'))
  .find(existsSync)

/** Why it cannot be started here; null when it can. */
export const missingPgbouncer = program === undefined ? 'PgBouncer is not installed: apt-get install pgbouncer' : null

export interface Pgbouncer {
  port: number
  /** Ends it, and resolves when it has ended. */
  stop(): Promise<void>
}

export interface Pools {
  /** Connections to the server, for each database and role. */
  poolSize: number
  /** Clients that may be connected. */
  clients?: number
  /** Other lines of its file. */
  settings?: Record<string, string | number>
}

/** Before the server at `url`, for its role, which may also ask it how it does. Throws when it does not start. */
export async function startPgbouncer(
  url: string,
  { poolSize, clients = 100, settings = {} }: Pools,
): Promise<Pgbouncer> {
  if (program === undefined) throw new Error(`${missingPgbouncer}`)
  const { username, password, hostname, port: serverPort } = new URL(url)
  const home = mkdtempSync(join(tmpdir(), 'lendloom-pgbouncer-'))
  const port = await freePort()
  const all = {
    ...{ pool_mode: 'transaction', default_pool_size: poolSize, max_client_conn: clients },
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ auth_type: 'scram-sha-256', auth_file: join(home, 'users'), stats_users: username },
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  writeFileSync(join(home, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    join(home, 'pgbouncer.ini'),
    `[databases]\n* = host=${hostname} port=${serverPort}\n[pgbouncer]\n${lines.join('\n')}\n`,
  )
  // It does not run as root, and reads its files as whoever it runs as instead.
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
