// Global setup of a test run: rebuilds outdated pages and starts one PostgreSQL server for all test files.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import type { Postgres } from '@lendloom/cli/src/postgres/server.ts'
import '@lendloom/foundation/quick-imports.mjs'
import { serverVariable } from './database.ts'
import { rebuildPagesIfStale } from './pages.ts'
import { startTestServer } from './server.ts'

let server: Postgres | undefined

/** Test files run as child processes and find the server in their environment. */
export async function globalSetup(): Promise<void> {
  rebuildPagesIfStale()
  server = await startTestServer()
  process.env[serverVariable] = server.url
  const compiled = getCompileCacheDir()
  if (compiled) process.env.NODE_COMPILE_CACHE ||= dirname(compiled)
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
