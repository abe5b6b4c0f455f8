// The platform program, which connects lending apps and lenders. It serves the APIs and runs background workers.

import { provenScanner } from '@lendloom/files/malware-scanner-proof'
import { type Clock, movableClock, systemClock } from '@lendloom/foundation/clock'
import { type Config, ConfigError, configFrom } from '@lendloom/foundation/config'
import { type Log, logTo } from '@lendloom/foundation/log'
import { type RunningProgram, runProgram } from '@lendloom/foundation/program'
import { serveProgram } from '@lendloom/http/operations-port'
import { isDistributed } from '@lendloom/postgres/citus'
import { checkDigestKey } from '@lendloom/postgres/digest-key'
import { migrate } from '@lendloom/postgres/migrate'
import { connect, type Db } from '@lendloom/postgres/sql'
import { retryAtStart } from '@lendloom/postgres/writes-at-start'
import type { Worker } from '@lendloom/queue/queue'
import { withUnwrappedKeys } from '@lendloom/seal/key-source'
import { sealFrom } from '@lendloom/seal/seal'
import { endEventStreams } from '#platform/api/demo/live-log.ts'
import { sandboxTenants } from '#platform/integrators/access/sandbox-tenants.ts'
import { lenderChannels } from '#platform/lenders/channels.ts'
import { watchNetworkEntry } from '#platform/lenders/network/entry-watch.ts'
import { sandboxPeople } from '#platform/people/sandbox-people.ts'
import { answeredRequestsOf } from './answered-requests.ts'
import { liveFeedOf } from './api/console/journeys/live-feed.ts'
import { platformApis } from './apis.ts'
import type { Context } from './context.ts'
import { partnerConfigFault, partnersFromSettings } from './lenders/partner/directory/partners-from-settings.ts'
import { startIncomingMail } from './mail/receive-mail.ts'
import { migrations } from './migrations.ts'
import { processPartsOf } from './process-parts.ts'
import { platformColumns } from './sealed-columns.ts'
import { settings } from './settings.ts'
import { settingsFaults } from './settings-faults.ts'
import { platformWork } from './work.ts'

type PlatformConfig = Config<typeof settings>

const databaseOf = (config: PlatformConfig, log: Log): Db =>
  connect(config.DATABASE_URL, {
    connections: config.DATABASE_CONNECTIONS,
    pooler: config.DATABASE_POOLER,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })

/** Migrates the database and returns the context of all modules. Throws for a wrong digest key. */
async function contextOf(
  config: PlatformConfig,
  dependencies: Pick<Context, 'db' | 'clock' | 'log'> & Partial<Pick<Context, 'scanner'>>,
): Promise<Context> {
  const { db } = dependencies
  await migrate(db, migrations)
  const seal = sealFrom(config, platformColumns)
  await retryAtStart(async () => {
    db.isDistributed = await isDistributed(db)
    await checkDigestKey(db, seal)
  })
  return {
    seal,
    config,
    realClock: systemClock,
    channels: lenderChannels,
    ...processPartsOf({ db, seal, config }),
    ...dependencies,
  }
}

/** Creates the rows that settings describe. Returns the sandbox's credentials, or undefined outside the sandbox. */
async function createInitialRows(ctx: Context) {
  const { db, clock, config } = ctx
  const tenants = config.SANDBOX && (await db.tx((tx) => sandboxTenants({ ...ctx, tx, at: clock() })))
  await partnersFromSettings(ctx, clock())
  if (!tenants) return undefined
  const people = await sandboxPeople(ctx, tenants.tenant.tenantId, clock())
  return { ...tenants, console: { url: `${config.PUBLIC_URL}/console`, people } }
}

/** Migrates the database, creates the initial rows, starts the workers, and then listens for requests. */
export async function startPlatform(config: PlatformConfig, ownClock?: Clock): Promise<RunningProgram> {
  const partnerFault = partnerConfigFault({ config })
  if (partnerFault) throw new ConfigError(partnerFault)
  const log = logTo('platform', config.LOG_LEVEL)
  const db = databaseOf(config, log)
  const sandboxClock = movableClock(config.SANDBOX ? config.CLOCK_FILE : null)
  sandboxClock.onMoved(() => db.wakeAll())
  const clock = ownClock ?? sandboxClock.clock
  const scanner = config.CLAMD && provenScanner(config.CLAMD, { largestBytes: config.MAIL_IN_MAX_BYTES, log })
  const ctx = await contextOf(config, { db, clock, log, ...(scanner && { scanner }) })
  const sandbox = await retryAtStart(() => createInitialRows(ctx))
  const networkWatch = config.SANDBOX ? null : watchNetworkEntry(ctx)
  const apis = platformApis(ctx)
  const workers: Worker[] = config.MODE === 'api' ? [] : platformWork(ctx)
  const answeredRequests = answeredRequestsOf(ctx)
  const server = await serveProgram({
    apis,
    ctx,
    clock,
    log,
    host: config.HOST,
    port: config.PORT,
    connections: config.HTTP_CONNECTIONS,
    bodyMegabytes: config.HTTP_BODY_MEGABYTES,
    keepAliveSeconds: config.HTTP_KEEP_ALIVE_SECONDS,
    trustedProxies: config.TRUSTED_PROXIES,
    databaseMs: config.DATABASE_SECONDS * 1000,
    onAnswered: answeredRequests.note,
    plugins: async (app) => {
      app.addHook('preClose', async () => {
        endEventStreams()
        liveFeedOf(ctx).end()
      })
    },
    operationsPort: config.OPERATIONS_PORT,
    isSandbox: config.SANDBOX,
  })
  const { MAIL_IN_PORT } = config
  const mail = MAIL_IN_PORT === null || config.MODE === 'worker' ? null : await startIncomingMail(ctx, MAIL_IN_PORT)
  return {
    url: config.PUBLIC_URL,
    ...(sandbox && { announce: { sandbox } }),
    drain: () => server.drain(config.DRAIN_SECONDS * 1000),
    async stop() {
      await Promise.all([server.stop(), mail?.stop()])
      await answeredRequests.end()
      await Promise.all(workers.map((worker) => worker.stop()))
      await scanner?.stop()
      await networkWatch?.stop()
      sandboxClock.stop()
      await db.close()
    },
  }
}

/** Runs the platform with the settings of the environment until it is stopped. */
export const runPlatform = (): Promise<void> =>
  runProgram(logTo('platform', 'info'), async () =>
    startPlatform(configFrom(settings, await withUnwrappedKeys(process.env), settingsFaults)),
  )
