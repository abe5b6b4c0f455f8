// A PostgreSQL for one benchmark: durable as in production, migrated, removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { isAlive } from '@lendloom/cli/src/postgres/cluster.ts'
import { createDatabase, startPostgres } from '@lendloom/cli/src/postgres/server.ts'
import { migrate } from '@lendloom/postgres/migrate'
import { connect, type Db } from '@lendloom/postgres/sql'
import type { Program } from '@lendloom/tests/setup/database'
import { atEnd } from './at-end.ts'

export interface BenchDatabase {
  db: Db
  url: string
  /** Process id of the server. */
  pid: number
  stop(): Promise<void>
}

export async function benchDatabase(connections = 16, program: Program = 'platform'): Promise<BenchDatabase> {
  const home = mkdtempSync(join(tmpdir(), 'lendloom-bench-'))
  const server = await startPostgres({ directory: join(home, 'postgres') })
  const remove = atEnd(() => {
    if (isAlive(server.pid)) process.kill(server.pid, 'SIGKILL')
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  })
  const url = await createDatabase(server.url, 'lendloom')
  const db = connect(url, { connections })
  await migrate(db, migrationsOf[program])
  return {
    db,
    url,
    pid: server.pid,
    async stop() {
      await db.close()
      await server.stop()
      remove()
    },
  }
}
