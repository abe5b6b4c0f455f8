// A PostgreSQL for tests, thrown away afterwards: durable on no disk, and never left behind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, postmasterOf } from '#cli/postgres/cluster.ts'
import { type Postgres, startPostgres } from '#cli/postgres/server.ts'

const start = 'lendloom-test-'

/** Starts it in a temporary directory, which goes when this process does, if not before. */
export async function startTestServer(): Promise<Postgres> {
  sweep()
  const home = mkdtempSync(join(tmpdir(), `${start}${process.pid}-`))
  process.once('exit', () => remove(home))
  const settings = {
    ...{ fsync: 'off', full_page_writes: 'off', io_method: 'sync', shared_buffers: '256MB' },
    // Nobody replicates it, and what it has is small: a plan is never worth compiling.
    ...{ wal_level: 'minimal', max_wal_senders: '0', checkpoint_timeout: '1h', jit: 'off' },
    // One plan per statement and connection instead of six: no database lives long enough to gain from the best.
    plan_cache_mode: 'force_generic_plan',
    // No database lives long enough to need a vacuum, and hundreds of them would be visited in turn.
    autovacuum: 'off',
    // The files of a batch keep theirs until the last one is done.
    max_connections: '800',
  }
  const server = await startPostgres({ directory: join(home, 'postgres'), settings })
  const stop = async () => {
    await server.stop()
    remove(home)
  }
  return { ...server, stop }
}

/** A run that was killed could not tidy up; the next one does it. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.slice(start.length).split('-')[0])
    if (name.startsWith(start) && !isAlive(pid)) remove(join(tmpdir(), name))
  }
}

/** Synchronous, because at exit nothing else is possible. Other users' leftovers are theirs to remove. */
function remove(home: string): void {
  try {
    const directory = join(home, 'postgres')
    const server = postmasterOf(directory)
    if (server) process.kill(server.pid, 'SIGQUIT')
    for (let i = 0; i < 200 && postmasterOf(directory); i++) Atomics.wait(idle, 0, 0, 10)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    if (!['EPERM', 'EACCES', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
const idle = new Int32Array(new SharedArrayBuffer(4))
