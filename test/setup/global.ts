// Global setup of a test run: rebuilds outdated pages and starts one PostgreSQL server for all test files.
import type { Postgres } from '#cli/postgres/server.ts'
import { compiledDirectory } from '#kit/runtime/quick-imports.ts'
import { serverVariable } from './database.ts'
import { rebuildPagesIfStale } from './pages.ts'
import { startTestServer } from './server.ts'

let server: Postgres | undefined

/** Test files run as child processes and find the server in their environment. */
export async function globalSetup(): Promise<void> {
  rebuildPagesIfStale()
  server = await startTestServer()
  process.env[serverVariable] = server.url
  process.env.NODE_COMPILE_CACHE ||= compiledDirectory
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
