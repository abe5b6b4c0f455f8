// The databases of an installation: on the supervised embedded server, or on the operator's server.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { Client } from '@lendloom/postgres/connection'
import { CannotRun } from '#cli/command.ts'
import { runOf } from '#cli/installation.ts'
import { ClusterInUse, createDatabase, databaseUrl, type Postgres, startPostgres } from '#cli/postgres/server.ts'
import type { StartConfig } from './settings.ts'

export interface Databases {
  platform: string
  partner: string
  secondPartner: string
  sandbox: string
  stop(): Promise<void>
}

/** Throws `CannotRun` if data or port are in use, or if the operator's server denies access until `interrupted`. */
export async function openDatabases(
  directory: string,
  config: StartConfig,
  say: (line: string) => void,
  interrupted: Promise<unknown>,
): Promise<Databases> {
  if (config.DATABASE_URL) return openOperatorDatabases(config.DATABASE_URL, config, interrupted)
  const server = await superviseServer(directory, config.POSTGRES_PORT, say)
  try {
    const [platform, partner, secondPartner, sandbox] = await Promise.all([
      createDatabase(server.url, 'lendloom'),
      config.PARTNER_DATABASE_URL || createDatabase(server.url, 'lendloom_partner'),
      config.SECOND_PARTNER_DATABASE_URL || createDatabase(server.url, 'lendloom_second_partner'),
      config.SANDBOX_DATABASE_URL || createDatabase(server.url, 'lendloom_sandbox'),
    ])
    return { platform, partner, secondPartner, sandbox, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function openOperatorDatabases(
  platform: string,
  config: StartConfig,
  interrupted: Promise<unknown>,
): Promise<Databases> {
  const partner = config.PARTNER_DATABASE_URL || databaseUrl(platform, 'lendloom_partner')
  const secondPartner = config.SECOND_PARTNER_DATABASE_URL || databaseUrl(platform, 'lendloom_second_partner')
  const sandbox = config.SANDBOX_DATABASE_URL || databaseUrl(platform, 'lendloom_sandbox')
  await ensureDatabase(platform, 'DATABASE_URL', interrupted)
  if (config.partnerUrl) await ensureDatabase(partner, 'PARTNER_DATABASE_URL', interrupted)
  if (config.secondPartnerUrl) await ensureDatabase(secondPartner, 'SECOND_PARTNER_DATABASE_URL', interrupted)
  if (config.SANDBOX) await ensureDatabase(sandbox, 'SANDBOX_DATABASE_URL', interrupted)
  return { platform, partner, secondPartner, sandbox, stop: async () => {} }
}

const patienceMs = 15_000

/** Waits until the server accepts connections, and creates the database if it is missing. */
async function ensureDatabase(url: string, variable: string, interrupted: Promise<unknown>): Promise<void> {
  let isPatient = true
  void Promise.race([sleep(patienceMs, undefined, { ref: false }), interrupted]).then(() => (isPatient = false))
  for (; ; await Promise.race([sleep(300), interrupted])) {
    try {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
      await client.connect().finally(() => client.end())
      return
    } catch (error) {
      const code = codeOf(error)
      const message = messageOf(error)
      const name = decodeURIComponent(new URL(url).pathname.slice(1))
      if (code === '3D000') await createMissingDatabase(url, name, variable)
      else if (!isPatient || code?.startsWith('28'))
        throw new CannotRun(`${variable}: access to the database is denied: ${message || code}`)
    }
  }
}

async function createMissingDatabase(url: string, name: string, variable: string): Promise<void> {
  try {
    await createDatabase(databaseUrl(url, 'postgres'), name)
  } catch (error) {
    throw new CannotRun(`${variable}: database "${name}" does not exist and cannot be created: ${messageOf(error)}`)
  }
}

/** Pauses before the embedded server is restarted. */
export const postgresSchedule = doublingPauses(0.1, 10)

/** Starts the embedded server, and restarts it on the same port when it dies. */
async function superviseServer(directory: string, port: number | null, say: (line: string) => void) {
  let isStopping = false
  let server = await startServer(directory, port)
  const watch = (): void => void server.ended.then(restart)
  async function restart(): Promise<void> {
    for (let attempt = 1; !isStopping; attempt++) {
      say('PostgreSQL ended and is restarted')
      try {
        server = await startServer(directory, server.port)
        return isStopping ? await server.stop() : watch()
      } catch (error) {
        say(messageOf(error))
        await sleep(pauseSeconds(postgresSchedule, attempt) * 1000)
      }
    }
  }
  watch()
  return {
    url: server.url,
    async stop() {
      isStopping = true
      await server.stop()
    },
  }
}

async function startServer(directory: string, port: number | null): Promise<Postgres> {
  try {
    return await startPostgres({ directory: join(directory, 'postgres'), ...(port && { port }) })
  } catch (error) {
    if (!(error instanceof ClusterInUse)) throw new CannotRun(messageOf(error), { cause: error })
    const running = runOf(directory)
    if (!/already running/.test(error.message)) throw new CannotRun(`${error.message}; set POSTGRES_PORT to another`)
    throw new CannotRun(
      `Lendloom is already running on ${directory}${running ? ` (process ${running.pid}, ${running.platform.url})` : ''}; ` +
        'stop it first, or set LENDLOOM_DATA_DIR to another directory',
    )
  }
}
