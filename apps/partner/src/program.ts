// The lending partner: origination, loans and ledger; serves the APIs and runs the workers.

import { inboxOf } from '@lendloom/event-log/inbox'
import { noScanner } from '@lendloom/files/malware'
import { provenScanner } from '@lendloom/files/malware-scanner-proof'
import { type Clock, movableClock } from '@lendloom/foundation/clock'
import { type Config, configFrom } from '@lendloom/foundation/config'
import { type Log, logTo } from '@lendloom/foundation/log'
import { type RunningProgram, runProgram } from '@lendloom/foundation/program'
import { serveProgram } from '@lendloom/http/operations-port'
import { operatorAlert } from '@lendloom/mail/mail'
import { isDistributed } from '@lendloom/postgres/citus'
import { checkDigestKey } from '@lendloom/postgres/digest-key'
import { migrate } from '@lendloom/postgres/migrate'
import { connect, type Db } from '@lendloom/postgres/sql'
import { retryAtStart } from '@lendloom/postgres/writes-at-start'
import type { Worker } from '@lendloom/queue/queue'
import { withUnwrappedKeys } from '@lendloom/seal/key-source'
import { type Seal, sealFrom } from '@lendloom/seal/seal'
import { maxFileBytes } from '@lendloom/wire/exchange/document'
import { archiveBackend, openFiles } from '#partner/origination/document/open-files.ts'
import { partnerApis } from './apis.ts'
import type { Context } from './context.ts'
import { deskSignIn } from './desk/staff/desk-sign-in.ts'
import { createFirstStaff } from './desk/staff/first-staff.ts'
import { migrations } from './migrations.ts'
import { partnerColumns } from './sealed-columns.ts'
import { settings } from './settings.ts'
import { settingsFaults } from './settings-faults.ts'
import { startWorkers } from './work.ts'

type PartnerConfig = Config<typeof settings>

const databaseOf = (config: PartnerConfig, log: Log): Db =>
  connect(config.PARTNER_DATABASE_URL, {
    connections: config.PARTNER_DATABASE_CONNECTIONS,
    pooler: config.PARTNER_DATABASE_POOLER,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })

/** Migrates the database. Throws `ConfigError` if its digests were made with another digest key. */
async function prepareDatabase(config: PartnerConfig, db: Db): Promise<Seal> {
  await migrate(db, migrations)
  const seal = sealFrom(config, partnerColumns)
  await retryAtStart(async () => {
    db.isDistributed = await isDistributed(db)
    await checkDigestKey(db, seal)
  })
  return seal
}

/** Opens the database and the file store, starts the workers, then listens. `stop` completes work in progress. */
export async function startPartner(config: PartnerConfig, testClock?: Clock): Promise<RunningProgram> {
  const log = logTo('partner', config.LOG_LEVEL)
  const db = databaseOf(config, log)
  const movable = movableClock(config.CLOCK_FILE)
  movable.onMoved(() => db.wakeAll())
  const clock = testClock ?? movable.clock
  const seal = await prepareDatabase(config, db)
  const store = await openFiles(config, seal)
  const scanner = config.PARTNER_CLAMD && provenScanner(config.PARTNER_CLAMD, { largestBytes: maxFileBytes, log })
  const alert = operatorAlert('partner', config, log)
  const ctx: Context = {
    db,
    seal,
    clock,
    config,
    log,
    store,
    archive: archiveBackend(config),
    scanner: scanner ?? noScanner,
    alert,
    ...deskSignIn({ config }),
    inbox: inboxOf({ db, seal, config }),
  }
  await retryAtStart(() => createFirstStaff(ctx, clock()))
  const workers: Worker[] = config.PARTNER_MODE === 'api' ? [] : await retryAtStart(() => startWorkers(ctx))
  const server = await serveProgram({
    apis: partnerApis,
    ctx,
    clock,
    log,
    host: config.HOST,
    port: config.PARTNER_PORT,
    connections: config.HTTP_CONNECTIONS,
    bodyMegabytes: config.HTTP_BODY_MEGABYTES,
    keepAliveSeconds: config.HTTP_KEEP_ALIVE_SECONDS,
    trustedProxies: config.TRUSTED_PROXIES,
    databaseMs: config.DATABASE_SECONDS * 1000,
    operationsPort: config.PARTNER_OPERATIONS_PORT,
    isSandbox: config.SANDBOX,
  })
  return {
    url: config.PARTNER_PUBLIC_URL,
    drain: () => server.drain(config.DRAIN_SECONDS * 1000),
    async stop() {
      await server.stop()
      await Promise.all(workers.map((worker) => worker.stop()))
      await scanner?.stop()
      movable.stop()
      await db.close()
    },
  }
}

/** Runs the program with the settings of the environment until it stops. */
export const runPartner = (): Promise<void> =>
  runProgram(logTo('partner', 'info'), async () =>
    startPartner(configFrom(settings, await withUnwrappedKeys(process.env), settingsFaults)),
  )
