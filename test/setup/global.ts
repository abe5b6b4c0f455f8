// Runs once around a whole `node --test` run: one PostgreSQL server for all test files, and no port for two of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Postgres } from '#kit/postgres.ts'
import { serverVariable } from './database.ts'
import { portsVariable } from './platform.ts'
import { startTestServer } from './server.ts'

let server: Postgres | undefined
let ports = ''

/** Test files run as child processes of this one: they find both in their environment. */
export async function globalSetup(): Promise<void> {
  server = await startTestServer()
  process.env[serverVariable] = server.url
  // Named as the test servers are, so that a run which was killed is tidied up by the next one.
  ports = mkdtempSync(join(tmpdir(), `lendloom-test-${process.pid}-ports-`))
  process.env[portsVariable] = ports
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  rmSync(ports, { recursive: true, force: true })
}
