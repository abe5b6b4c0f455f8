// The sandbox program: registry, gateway, lenders, providers, bank and mailbox on one port.
import { movableClock } from '@lendloom/foundation/clock'
import { type Config, configFrom } from '@lendloom/foundation/config'
import { logTo } from '@lendloom/foundation/log'
import { type RunningProgram, runProgram } from '@lendloom/foundation/program'
import { iconRoute } from '@lendloom/http/front-page'
import { healthRoutes } from '@lendloom/http/health-routes'
import { type Api, serve } from '@lendloom/http/server'
import { checkDigestKey } from '@lendloom/postgres/digest-key'
import { migrate } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { retryAtStart } from '@lendloom/postgres/writes-at-start'
import type { Worker } from '@lendloom/queue/queue'
import { withUnwrappedKeys } from '@lendloom/seal/key-source'
import { sealFrom } from '@lendloom/seal/seal'
import { refusedAs } from '@lendloom/wire/network/errors'
import { openSigners, signerOf } from './aggregator/directory.ts'
import { aggregatorApi } from './aggregator/routes.ts'
import type { BankContext } from './bank/bank-route.ts'
import { bankApi, bankWorkers } from './bank/routes.ts'
import { type BureauContext, bureauApi } from './bureau/routes.ts'
import { type CollectorContext, collectorApi } from './collector/routes.ts'
import type { Context } from './core/context.ts'
import { forwardWorker, gatewayApi, gatewayId } from './gateway/broadcast-search.ts'
import { outside } from './gateway/outside-calls.ts'
import { type HomeContext, home } from './home-page.ts'
import { lenderApi } from './lender/api/routes.ts'
import { policies, subscriberId } from './lender/core/lender-policies.ts'
import { lenderUrl } from './lender/core/message-parts.ts'
import { answerWorker } from './lender/process/answer-requests.ts'
import { disbursalWorker, lineRepaymentWorker, monitoringWorker } from './lender/process/disburse.ts'
import { grievanceWorker } from './lender/process/grievance-worker.ts'
import { duePaymentWorker } from './lender/process/report-due-payment.ts'
import { sendWorker } from './lender/process/send-callbacks.ts'
import { type MailboxContext, startMailServer } from './mailbox/mail-server.ts'
import { mailboxApi } from './mailbox/routes.ts'
import { type MfCentralContext, mfCentralId } from './mfcentral/context.ts'
import { mfCentralApi } from './mfcentral/routes.ts'
import { migrations } from './migrations.ts'
import { openParties, type RequestedParty, registryId } from './registry/open-parties.ts'
import { registryApi } from './registry/routes.ts'
import { sandboxColumns } from './sealed-columns.ts'
import { settings, verificationSettings } from './settings.ts'
import { type SmsContext, smsApi } from './sms/routes.ts'
import { moveWorker } from './verification/move-verification.ts'
import { verificationApi } from './verification/routes.ts'
import { callbackWorker } from './verification/send-callback.ts'
import type { VerificationContext } from './verification/verification-settings.ts'

/** Shared dependencies, and the settings of each module. */
type SandboxContext = Context &
  BankContext &
  BureauContext &
  CollectorContext &
  VerificationContext &
  MfCentralContext &
  MailboxContext &
  SmsContext &
  HomeContext

const frontApi: Api<HomeContext> = {
  prefix: '/',
  routes: [home, iconRoute<HomeContext>(), ...healthRoutes<HomeContext>()],
  refuse: refusedAs('BG'),
}
export const apis: Api<SandboxContext>[] = [
  frontApi,
  registryApi,
  collectorApi,
  gatewayApi,
  aggregatorApi,
  mfCentralApi,
  lenderApi,
  bankApi,
  bureauApi,
  verificationApi,
  mailboxApi,
  smsApi,
]

/** Migrates the database, listens, then starts the workers. `stop` finishes requests and jobs in flight. */
export async function startSandbox(config: Config<typeof settings>): Promise<RunningProgram> {
  const log = logTo('sandbox', config.LOG_LEVEL)
  const db = connect(config.SANDBOX_DATABASE_URL, {
    connections: 16,
    pooler: config.SANDBOX_DATABASE_POOLER,
    onError: (error) => log.warn({ why: error.message }, 'a database connection was lost'),
  })
  const adjustableClock = movableClock(config.CLOCK_FILE)
  adjustableClock.onMoved(() => db.wakeAll())
  const { clock } = adjustableClock
  await migrate(db, migrations)
  const seal = sealFrom(config, sandboxColumns)
  await retryAtStart(() => checkDigestKey(db, seal))
  const ctx = await retryAtStart(() => contextOf(config, { db, clock, log, seal }))
  const server = await serve({
    apis,
    ctx,
    clock: ctx.clock,
    log,
    host: config.HOST,
    port: config.SANDBOX_PORT,
    connections: config.HTTP_CONNECTIONS,
    bodyMegabytes: config.HTTP_BODY_MEGABYTES,
    keepAliveSeconds: config.HTTP_KEEP_ALIVE_SECONDS,
    trustedProxies: config.TRUSTED_PROXIES,
    databaseMs: config.DATABASE_SECONDS * 1000,
  })
  const workers = workersOf(ctx)
  const { SANDBOX_SMTP_PORT } = config
  const mail = SANDBOX_SMTP_PORT === null ? null : await startMailServer(ctx, config.HOST, SANDBOX_SMTP_PORT)
  return {
    url: ctx.url,
    drain: () => server.drain(config.DRAIN_SECONDS * 1000),
    async stop() {
      await Promise.all([server.stop(), mail?.stop()])
      await Promise.all(workers.map((worker) => worker.stop()))
      adjustableClock.stop()
      await db.close()
    },
  }
}

/** Creates the modules' context, with the keys of the parties that the sandbox plays. */
async function contextOf(
  config: Config<typeof settings>,
  base: Pick<Context, 'db' | 'clock' | 'log' | 'seal'>,
): Promise<SandboxContext> {
  const { db, clock, seal } = base
  const url = config.SANDBOX_URL
  return {
    ...base,
    url,
    parties: await openParties(db, seal, requiredParties(url), clock()),
    signers: await openSigners(db, seal, clock()),
    outside,
    demoUrl: config.SANDBOX_DEMO_URL === 'none' ? null : config.SANDBOX_DEMO_URL,
    disbursalSeconds: config.SANDBOX_DISBURSAL_SECONDS,
    grievanceSeconds: config.SANDBOX_GRIEVANCE_SECONDS,
    lenderVersions: config.SANDBOX_LENDER_VERSIONS,
    mfCentral: {
      signer: await signerOf(db, seal, mfCentralId, clock()),
      client: {
        id: config.MFC_CLIENT_ID,
        secret: config.MFC_CLIENT_SECRET,
        username: config.MFC_USERNAME,
        password: config.MFC_PASSWORD,
      },
      envelope: { secret: config.MFC_ENCRYPTION_KEY, iv: config.MFC_ENCRYPTION_IV },
      urlKey: config.MFC_URL_KEY,
    },
    bank: {
      bearer: config.SANDBOX_BANK_BEARER,
      lender: config.SANDBOX_BANK_LENDER,
      others: config.SANDBOX_BANK_OTHERS,
      settleSeconds: config.SANDBOX_BANK_SECONDS,
      silentSeconds: config.SANDBOX_BANK_SILENT_SECONDS,
      hasSessions: config.SANDBOX_BANK_SESSIONS === 'on',
    },
    bureau: { credential: config.BUREAU_CREDENTIAL },
    collector: { token: config.NETWORK_OBSERVABILITY_TOKEN },
    verification: verificationSettings(config),
    sms: { key: config.SMS_API_KEY },
    mailbox: { platform: config.PLATFORM_MAIL_URL, grievances: config.PLATFORM_MAIL_ADDRESS },
  }
}

const workersOf = (ctx: SandboxContext): Worker[] => [
  forwardWorker(ctx),
  answerWorker(ctx),
  sendWorker(ctx),
  disbursalWorker(ctx),
  duePaymentWorker(ctx),
  lineRepaymentWorker(ctx),
  monitoringWorker(ctx),
  grievanceWorker(ctx),
  ...bankWorkers(ctx),
  moveWorker(ctx),
  callbackWorker(ctx),
]

const requiredParties = (url: string): RequestedParty[] => [
  { subscriberId: registryId, url: `${url}/registry`, role: null },
  { subscriberId: gatewayId, url: `${url}/gateway`, role: 'BG' },
  ...policies.map((policy) => ({
    subscriberId: subscriberId(policy),
    url: `${lenderUrl({ url }, policy)}/ondc`,
    role: 'BPP' as const,
  })),
]

/** Runs the sandbox until it is stopped, with the settings of its environment. */
export const runSandbox = (): Promise<void> =>
  runProgram(logTo('sandbox', 'info'), async () =>
    startSandbox(configFrom(settings, await withUnwrappedKeys(process.env))),
  )
