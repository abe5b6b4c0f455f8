// Runs the sandbox's providers and bureau on their own port and database, and a client that receives their callbacks.

import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { type Api, serve } from '@lendloom/http/server'
import { settings } from '@lendloom/platform/settings'
import type { ProviderRequest } from '@lendloom/platform/src/providers/ports.ts'
import type { ProviderContext } from '@lendloom/platform/src/providers/provider-client.ts'
import { connect, type Db } from '@lendloom/postgres/sql'
import { settings as sandboxSettings, verificationSettings } from '@lendloom/sandbox/settings'
import { bureauApi } from '@lendloom/sandbox/src/bureau/routes.ts'
import { moveWorker } from '@lendloom/sandbox/src/verification/move-verification.ts'
import { verificationApi } from '@lendloom/sandbox/src/verification/routes.ts'
import { callbackWorker } from '@lendloom/sandbox/src/verification/send-callback.ts'
import { sealWith } from '@lendloom/seal/seal'
import { sandboxProviders } from '@lendloom/wire/sandbox/provider-settings'
import { testDatabase } from './database.ts'
import { databaseMs } from './deadline.ts'
import { platformEnvironment } from './platform.ts'
import { until } from './programs.ts'
import { type Received, startReceiver } from './receiver.ts'

export interface TestProviders {
  url: string
  db: Db
  /** The context with which the platform calls the providers. */
  ctx: ProviderContext
  /** A new verification request for a borrower whose PAN has these digits. */
  newRequest(digits?: string, over?: Partial<ProviderRequest>): ProviderRequest
  /** The client's response to a callback; 204 by default. */
  answer: (request: Received) => number
  /** All callbacks in order of arrival. */
  readonly received: Received[]
  /** Resolves when the client has received `times` callbacks for that request. */
  waitForCallbacks(reference: string, times: number): Promise<Received[]>
  /** Submits the borrower's choice on the page. Returns the response's status, its redirect target and its text. */
  choose(pageUrl: string, outcome: string): Promise<{ status: number; location: string | null; text: string }>
}

/** Starts the providers. Officials and banks take `seconds` to respond. */
export async function startProviders(seconds = 0.1): Promise<TestProviders> {
  const receiver = await startReceiver()
  const received: Received[] = []
  receiver.answer = (request) => {
    received.push(request)
    return providers.answer(request)
  }
  const databaseUrl = await testDatabase('sandbox')
  const db = connect(databaseUrl, { connections: 6 })
  const config = configFrom(sandboxSettings, {
    SANDBOX_DATABASE_URL: databaseUrl,
    LENDLOOM_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  })
  const clock = () => new Date()
  const ctx = {
    db,
    clock,
    log: quietLog,
    seal: sealWith(config.LENDLOOM_KEYS),
    url: '',
    bureau: { credential: config.BUREAU_CREDENTIAL },
    verification: { ...verificationSettings(config), seconds },
  }
  const options = { clock, log: quietLog, host: '127.0.0.1', port: 0, databaseMs }
  const apis: Api<typeof ctx>[] = [bureauApi, verificationApi]
  const server = await serve({ apis, ctx, ...options })
  ctx.url = server.url
  const workers = [moveWorker(ctx), callbackWorker(ctx)]
  after(async () => {
    await server.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
    await receiver.stop()
    await db.close()
  })
  const environment = { ...platformEnvironment('postgres://unused', 1), ...sandboxProviders(server.url) }
  const callbacksFor = (reference: string): Received[] =>
    received.filter(({ body }) => JSON.parse(body.toString('utf8')).data.id === reference)
  let count = 0
  const providers: TestProviders = {
    url: server.url,
    answer: () => 204,
    db,
    ctx: { config: configFrom(settings, environment), clock, log: quietLog },
    received,
    newRequest: (digits = '1234', over = {}) => ({
      clientReference: `request-${++count}`,
      person: { fullName: 'Asha Verma', pan: `ABCPV${digits}F`, dateOfBirth: '1991-04-17', mobile: '9876543210' },
      callbackUrl: receiver.url('/callback'),
      returnUrl: receiver.url('/back'),
      ...over,
    }),
    async waitForCallbacks(reference, times) {
      const isThere = () => callbacksFor(reference).length >= times && callbacksFor(reference)
      return until(`${times} callbacks`, isThere).catch((error: Error) => {
        throw new Error(`${error.message}, only ${callbacksFor(reference).length}`)
      })
    },
    async choose(pageUrl, outcome) {
      const body = new URLSearchParams({ outcome })
      const answer = await fetch(pageUrl, { method: 'POST', body, redirect: 'manual' })
      return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
    },
  }
  return providers
}
