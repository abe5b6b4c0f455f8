// A temporary primary and standby on this machine, using the PostgreSQL installed by npm.
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeBaseBackup } from '@lendloom/cli/src/postgres/base-backup.ts'
import { isAlive, secretFile } from '@lendloom/cli/src/postgres/cluster.ts'
import { type Postgres, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import { Client } from 'pg'
import { atEnd } from '../../bench/setup/at-end.ts'
import { type Relay, startRelay } from './relay.ts'
import { until } from './until.ts'

export interface Pair {
  primary: Postgres
  standby: Postgres
  /** The standby's connection to the primary; once cut, the standby receives nothing more. */
  link: Relay
  /** Kills every process of the primary at once, like a machine crash. */
  crash(): void
  /** Promotes the standby to a writable primary. */
  promote(): Promise<void>
  stop(): Promise<void>
}

const standbyName = 'standby'
const settings = { io_method: 'sync', shared_buffers: '64MB', wal_keep_size: '1GB', max_wal_size: '1GB' }

/** `synchronous`: a commit is confirmed once it is on the standby's disk. */
export async function startPair({ synchronous }: { synchronous: boolean }): Promise<Pair> {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-pair-'))
  const own = join(home, 'primary')
  const copy = join(home, 'standby')
  // The first start creates the data; then the superuser gets local access, for the backup and the standby.
  await (await startPostgres({ directory: own, settings })).stop()
  appendFileSync(join(own, 'pg_hba.conf'), 'host all,replication postgres 127.0.0.1/32 trust\n')
  const primary = await startPostgres({ directory: own, settings })
  const link = await startRelay(primary.port)
  await copyOf(primary, own, copy)
  const source = `host=127.0.0.1 port=${link.port} user=postgres application_name=${standbyName}`
  const standby = await startPostgres({
    directory: copy,
    settings: { ...settings, primary_conninfo: source, hot_standby: 'on', wal_retrieve_retry_interval: '200ms' },
  })
  // Set only now: before the standby was running, no commit could have been confirmed.
  if (synchronous) await administer(primary, `alter system set synchronous_standby_names = 'FIRST 1 (${standbyName})'`)
  await administer(primary, 'select pg_reload_conf()')
  await until(() => streaming(primary, synchronous ? 'sync' : 'async'), 'the standby follows the primary')
  const stop = atEnd(() => {
    link.stop()
    // The data is no longer needed, so skip a shutdown, which would first write everything to disk.
    for (const { pid } of [primary, standby]) if (isAlive(pid)) killAll(pid)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  return {
    primary,
    standby,
    link,
    crash: () => killAll(primary.pid),
    promote: async () => {
      await administer(standby, 'select pg_promote(true, 60)')
    },
    stop: async () => stop(),
  }
}

/** Whether the standby is connected in this sync state. */
async function streaming(primary: Postgres, state: string): Promise<boolean> {
  const [row] = await administer(
    primary,
    `select sync_state from pg_stat_replication where application_name = '${standbyName}'`,
  )
  return row?.sync_state === state
}

/** Takes a base backup as the standby's data directory, with the primary's password of the programs' role. */
async function copyOf(primary: Postgres, from: string, to: string): Promise<void> {
  const client = await superuser(primary)
  try {
    mkdirSync(to, { mode: 0o700 })
    await takeBaseBackup(client, { from, to })
    writeFileSync(join(to, 'standby.signal'), '')
    cpSync(join(from, secretFile), join(to, secretFile))
    const { uid, gid } = statSync(from)
    execFileSync('chown', ['-R', `${uid}:${gid}`, to])
  } finally {
    await client.end()
  }
}

async function superuser({ port }: Postgres): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Runs one statement as the superuser. */
export async function administer(server: Postgres, statement: string): Promise<Record<string, unknown>[]> {
  const client = await superuser(server)
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Kills the postmaster first, so that it does not restart other processes. */
export function killAll(postmaster: number): void {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').split(' ').filter(Boolean)
  for (const pid of [postmaster, ...children.map(Number)]) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}
