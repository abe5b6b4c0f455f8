// A PostgreSQL for one benchmark: durable as in production, migrated, removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#cli/postgres/cluster.ts'
import { createDatabase, startPostgres } from '#cli/postgres/server.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import type { Program } from '#test/setup/database.ts'
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
  await migrate(db, join(import.meta.dirname, '..', '..', 'src', program, 'migrations'))
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
