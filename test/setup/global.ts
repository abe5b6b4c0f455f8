// Runs once around a whole `node --test` run: one PostgreSQL server for all test files.
import type { Postgres } from '#kit/postgres.ts'
import { serverVariable } from './database.ts'
import { startTestServer } from './server.ts'

let server: Postgres | undefined

/** Test files run as child processes of this one: they find the server in their environment. */
export async function globalSetup(): Promise<void> {
  server = await startTestServer()
  process.env[serverVariable] = server.url
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
