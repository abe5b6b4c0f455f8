// Starts a platform for one test file: its real APIs on a real port and its own database, without workers.

import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { after } from 'node:test'
import type { Clock } from '@lendloom/foundation/clock'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { type Api, serve } from '@lendloom/http/server'
import { settings } from '@lendloom/platform/settings'
import { answeredRequestsOf } from '@lendloom/platform/src/answered-requests.ts'
import { platformApis } from '@lendloom/platform/src/apis.ts'
import type { Context } from '@lendloom/platform/src/context.ts'
import { type SandboxTenant, sandboxTenants } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { lenderChannels } from '@lendloom/platform/src/lenders/channels.ts'
import { partnersFromSettings } from '@lendloom/platform/src/lenders/partner/directory/partners-from-settings.ts'
import { processPartsOf } from '@lendloom/platform/src/process-parts.ts'
import { platformColumns } from '@lendloom/platform/src/sealed-columns.ts'
import { isDistributed } from '@lendloom/postgres/citus'
import { connect } from '@lendloom/postgres/sql'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import { encryptionKeysFrom } from '@lendloom/wire/network/challenge'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
import { testDatabase } from './database.ts'
import { databaseMs, patientDatabase } from './deadline.ts'
import './cheap-passwords.ts'

export interface TestPlatform {
  url: string
  ctx: Context
  tenant: SandboxTenant
  secondTenant: SandboxTenant
}

/** Nothing listens at this address. At the default addresses, a test could reach the developer's own programs. */
const closedPort = 'http://127.0.0.1:9'

/** The environment for a platform without other programs, with fresh keys. */
export function platformEnvironment(databaseUrl: string, port: number) {
  return {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LENDLOOM_KEYS: newSealKey('k1'),
    NETWORK_REGISTRY_URL: `${closedPort}/registry`,
    NETWORK_GATEWAY_URL: `${closedPort}/gateway`,
    AA_REGISTRY_URL: `${closedPort}/aggregator/registry`,
    NETWORK_SIGNING_KEY: signingKeysFrom(randomBytes(32)).privateKey,
    NETWORK_ENCRYPTION_KEY: encryptionKeysFrom(randomBytes(32)).privateKey,
    LOG_LEVEL: 'silent',
    ...patientDatabase,
    // Tests of statement sharing enable it.
    PARTNER_BANK_STATEMENT: 'OFF',
  }
}

/** Starts the APIs without workers. `env` overrides settings; `clock` replaces the clock, and `realClock` that of sessions, if different. */
export async function testPlatform(
  env: Record<string, string> = {},
  clock: Clock = () => new Date(),
  realClock: Clock = clock,
): Promise<TestPlatform> {
  const port = await freePort()
  const own = platformEnvironment(await testDatabase('platform'), port)
  // These rows are written shortly after the response, which would disturb tests that count statements; tests that read the rows enable them.
  const config = configFrom(settings, { ...own, REQUEST_LOG_DAYS: '0', ...env })
  const db = connect(config.DATABASE_URL, { connections: 8, pooler: config.DATABASE_POOLER })
  db.isDistributed = await isDistributed(db)
  const seal = sealWith(config.LENDLOOM_KEYS, '', platformColumns)
  const memory = processPartsOf({ db, seal, config })
  const ctx: Context = {
    db,
    seal,
    clock,
    realClock,
    config,
    log: quietLog,
    channels: lenderChannels,
    ...memory,
  }
  const tenants = await db.tx((tx) => sandboxTenants({ ...ctx, tx, at: clock() }))
  await partnersFromSettings(ctx, clock())
  const apis: Api<Context>[] = platformApis(ctx)
  const where = { host: '127.0.0.1', port, trustedProxies: config.TRUSTED_PROXIES, databaseMs }
  const server = await serve({ apis, ctx, clock, log: quietLog, onAnswered: answeredRequestsOf(ctx).note, ...where })
  after(async () => {
    await server.stop()
    await answeredRequestsOf(ctx).end()
    await db.close()
  })
  return { url: config.PUBLIC_URL, ctx, ...tenants }
}

/** Set by the test runner for each process that it starts. */
const slot = Number(process.env.LENDLOOM_TEST_SLOT ?? process.env.NODE_TEST_WORKER_ID ?? 0)

/**
 * Each concurrent test process has its own range of a thousand ports and uses them in turn. Port 10080 is excluded because
 * `fetch` refuses it.
 */
const firstPort = 10_100 + 1000 * (slot % 10)
let turn = randomBytes(2).readUInt16BE()

/** Finds a port that is free and that no other caller receives; below the range of ephemeral client ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (turn++ % 1000)
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read the fields they expect
  body: any
}

/** Sends a request as an integrator's server would. */
const sentBody = (body: unknown): string | FormData =>
  typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body)

export async function ask(
  url: string,
  {
    method = 'GET',
    key,
    body,
    headers = {},
  }: { method?: string; key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const answer = await fetch(url, {
    method,
    headers: {
      // On one machine, compression costs more than it saves.
      'accept-encoding': 'identity',
      ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: sentBody(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}
