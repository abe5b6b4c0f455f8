// Runs the partner program for a test, sends it signed requests, and receives its events as the platform would.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { inboxOf } from '@lendloom/event-log/inbox'
import { noScanner } from '@lendloom/files/malware'
import { directoryBackend, openStore } from '@lendloom/files/object-store'
import { type Clock, systemClock } from '@lendloom/foundation/clock'
import { configFrom } from '@lendloom/foundation/config'
import { quietLog } from '@lendloom/foundation/log'
import { startPartner } from '@lendloom/partner/program'
import { settings } from '@lendloom/partner/settings'
import type { Context } from '@lendloom/partner/src/context.ts'
import { deskSignIn } from '@lendloom/partner/src/desk/staff/desk-sign-in.ts'
import { connect, type Db } from '@lendloom/postgres/sql'
import { uuidv4 } from '@lendloom/seal/id'
import { sealWith } from '@lendloom/seal/seal'
import { type Envelope, readEnvelope, requireSender } from '@lendloom/wire/exchange/envelope'
import { exampleLead } from '@lendloom/wire/exchange/example/event'
import { requireSignature, signedHeaders } from '@lendloom/wire/exchange/signature'
import { testDatabase } from './database.ts'
import { patientDatabase } from './deadline.ts'
import { openServer } from './exchange-proxy.ts'
import { freePort } from './platform.ts'
import { until } from './programs.ts'
import './cheap-passwords.ts'

const randomText = () => randomBytes(18).toString('base64url')
export const ourKey = { keyId: 'platform-1', secret: randomText() }
export const secondKey = { keyId: 'platform-2', secret: randomText() }
const webhook = { bearer: randomText(), keyId: 'partner-1', secret: randomText() }
export const platform = { sender: 'LENDLOOM', bearer: randomText(), keys: [ourKey, secondKey], webhook }
/** Another platform, with its own cases. */
export const independentPlatform = {
  sender: 'OTHER',
  bearer: randomText(),
  keys: [{ keyId: 'other-1', secret: randomText() }],
  webhook,
}

// biome-ignore lint/suspicious/noExplicitAny: tests read individual fields of responses
export type Json = any
export interface Reply {
  status: number
  body: Json
  headers: Headers
}

export interface TestPartner {
  url: string
  db: Db
  /** The context for actions of desk staff, on the same database. */
  ctx: Context
  /** The partner's environment, for starting a second process, and a port for it. */
  env: Record<string, string>
  workerPort: number
  /** Events received from the partner in order of arrival, without repetitions. */
  events: Envelope[]
  /** The platform's response to events; 202 by default. */
  answer: { status: number }
  /** Waits until no event to the platform is pending. */
  waitForDeliveries(): Promise<void>
  /** Wakes every worker, for use after the clock was moved. */
  wakeWorkers(): Promise<void>
  ask(
    method: string,
    path: string,
    given?: { headers?: Record<string, string>; body?: Buffer | string | FormData },
  ): Promise<Reply>
  /** Signs and posts an event; `change` replaces headers. */
  post(event: object, change?: Record<string, string>, as?: typeof platform): Promise<Reply>
  dedupe(
    caseRef: string,
    applicant?: Partial<Applicant>,
    given?: { requestId?: string; as?: typeof platform },
  ): Promise<Reply>
  status(caseRef: string, as?: typeof platform): Promise<Reply>
}

interface Applicant {
  pan: string
  mobile: string
  date_of_birth: string
  name: string
}

/** Starts the partner on its own database; `env` overrides settings. Everything stops when the test file ends. */
export async function startTestPartner(env: Record<string, string> = {}, clock?: Clock): Promise<TestPartner> {
  const databaseUrl = await testDatabase('partner')
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-partner-'))
  const eventReceiver = await catchEvents(clock ?? systemClock)
  const port = await freePort()
  const fullEnv = {
    PARTNER_PORT: String(port),
    PARTNER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARTNER_DATABASE_URL: databaseUrl,
    PARTNER_FILES_DIR: directory,
    PARTNER_CLIENTS: JSON.stringify([platform, independentPlatform]),
    PLATFORM_WEBHOOK_URL: eventReceiver.url,
    LENDLOOM_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LENDLOOM_TIME_SCALE: '0.001',
    BANK_URL: 'http://127.0.0.1:9/bank',
    LOG_LEVEL: 'silent',
    ...patientDatabase,
    ...env,
  }
  const configured = configFrom(settings, fullEnv)
  // The shortest interval that the setting allows is too long for tests, which wait for the bank's reports.
  const pollsEverySecond = configured.BANK_POLL_SECONDS === 1
  const config = { ...configured, BANK_POLL_SECONDS: pollsEverySecond ? 0.25 : configured.BANK_POLL_SECONDS }
  const running = await startPartner(config, clock)
  const url = `http://127.0.0.1:${config.PARTNER_PORT}`
  const db = connect(databaseUrl, { connections: 4 })
  const seal = sealWith(config.LENDLOOM_KEYS)
  const store = await openStore(directory, seal)
  const ctx: Context = {
    db,
    seal,
    clock: clock ?? systemClock,
    config,
    log: quietLog,
    store,
    archive: directoryBackend(directory),
    scanner: noScanner,
    alert: () => {},
    ...deskSignIn({ config }),
    inbox: inboxOf({ db, seal, config }),
  }
  after(async () => {
    await running.stop()
    await eventReceiver.stop()
    await db.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ask: TestPartner['ask'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: body as never }),
    })
    const responseText = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(responseText) : responseText,
    }
  }
  return {
    url,
    db,
    ctx,
    env: fullEnv,
    workerPort: await freePort(),
    events: eventReceiver.events,
    answer: eventReceiver.answer,
    async waitForDeliveries() {
      const pending = () => db`select 1 from outbox where state = 'PENDING' limit 1`
      await until('all events to be delivered', async () => (await pending()).length === 0)
    },
    async wakeWorkers() {
      for (const { kind } of await db<{ kind: string }>`select distinct kind from job`) db.wake(kind)
    },
    ask,
    post(event, change = {}, as = platform) {
      const raw = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event))
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${as.bearer}`,
        'idempotency-key': String((event as { event_id?: string }).event_id),
        ...signedHeaders({ ...as.keys[0]!, at: new Date(clock?.() ?? Date.now()), raw }),
        ...change,
      }
      return ask('POST', '/events', { headers, body: raw })
    },
    dedupe(caseRef, applicant = {}, { requestId = uuidv4(), as = platform } = {}) {
      const { pan, mobile, date_of_birth } = exampleLead().borrower
      const body = {
        request_id: requestId,
        external_reference_id: caseRef,
        product: 'BUSINESS_LOAN',
        applicant: { pan, mobile, date_of_birth, name: 'Asha Kumar', ...applicant },
      }
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${as.bearer}`,
        'idempotency-key': requestId,
      }
      return ask('POST', '/dedupe', { headers, body: JSON.stringify(body) })
    },
    status: (caseRef, as = platform) =>
      ask('GET', `/status?external_reference_id=${encodeURIComponent(caseRef)}`, {
        headers: { authorization: `Bearer ${as.bearer}`, 'x-request-id': uuidv4() },
      }),
  }
}

/** The platform's receiver. It rejects unsigned events and stores each event once. */
async function catchEvents(clock: Clock) {
  const events: Envelope[] = []
  const answer = { status: 202 }
  const { url, stop } = await openServer(({ headers, raw }) => {
    if (headers.authorization !== `Bearer ${webhook.bearer}`) throw new Error('bearer')
    // Verified at the signing time, because a test may move the clock by days while an event is being delivered.
    const sentAt = new Date(Number(headers['x-sent-at']) * 1000)
    requireSignature({ [webhook.keyId]: webhook.secret }, headers, raw, sentAt)
    const event = readEnvelope(JSON.parse(raw.toString('utf8')))
    requireSender(event, { sender: 'CELESTIUM', side: 'partner' })
    if (headers['idempotency-key'] !== event.event_id) throw new Error('idempotency key')
    if (answer.status >= 300) return answer
    if (!events.some(({ event_id }) => event_id === event.event_id)) events.push(event)
    const body = { event_id: event.event_id, receipt_status: 'RECEIVED', received_at: clock().toISOString() }
    return { ...answer, body }
  })
  return { url: `${url}/api/partner/webhook`, events, answer, stop }
}
