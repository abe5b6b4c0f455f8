// A temporary PostgreSQL server for tests, not durable and always removed afterwards.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, postmasterOf } from '@lendloom/cli/src/postgres/cluster.ts'
import { type Postgres, startPostgres } from '@lendloom/cli/src/postgres/server.ts'

const prefix = 'lendloom-test-'

/** Starts the server in a temporary directory, which is removed at the latest when this process exits. */
export async function startTestServer(): Promise<Postgres> {
  removeLeftovers()
  const home = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const removeHome = () => remove(home)
  process.once('exit', removeHome)
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    io_method: 'sync',
    shared_buffers: '256MB',
    // The server has no replicas, and its data is small, so compiling a plan never pays off.
    wal_level: 'minimal',
    archive_mode: 'off',
    max_wal_senders: '0',
    checkpoint_timeout: '1h',
    jit: 'off',
    // One plan per statement and connection instead of six, because no database lives long enough to benefit from the best plan.
    plan_cache_mode: 'force_generic_plan',
    // No database lives long enough to need a vacuum, and autovacuum would visit hundreds of databases in turn.
    autovacuum: 'off',
    // The files of a batch keep their connections until the last file has finished.
    max_connections: '800',
  }
  const server = await startPostgres({ directory: join(home, 'postgres'), settings })
  const stop = async () => {
    process.off('exit', removeHome)
    removeHome()
  }
  return { ...server, stop }
}

/** Removes what a killed run left behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (name.startsWith(prefix) && !isAlive(pid)) remove(join(tmpdir(), name))
  }
}

/** Ends the server without a checkpoint, and removes it. Synchronous, because only synchronous code runs at exit. Leftovers of other users are ignored. */
function remove(home: string): void {
  try {
    const directory = join(home, 'postgres')
    const server = postmasterOf(directory)
    if (server) process.kill(server.pid, 'SIGQUIT')
    for (let i = 0; i < 200 && postmasterOf(directory); i++) Atomics.wait(idle, 0, 0, 10)
    removeInBackground(home)
  } catch (error) {
    if (!['EPERM', 'EACCES', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
const idle = new Int32Array(new SharedArrayBuffer(4))

/** Another process removes the files: those of a run's hundreds of databases take half a minute, and no run waits for it. */
function removeInBackground(directory: string): void {
  const program = "require('node:fs').rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 5 })"
  spawn(process.execPath, ['-e', program, directory], { detached: true, stdio: 'ignore' }).unref()
}
