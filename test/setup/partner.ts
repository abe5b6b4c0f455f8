// The partner as a program, and the platform that it meets: signed requests in, its events caught as a real receiver does.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Envelope, readEnvelope, requireSender } from '#contract/exchange/envelope.ts'
import { exampleLead } from '#contract/exchange/example/event.ts'
import { requireSignature, signedHeaders } from '#contract/exchange/signature.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { sealWith } from '#kit/crypto/seal.ts'
import { connect, type Db } from '#kit/db/sql.ts'
import { noScanner } from '#kit/files/malware.ts'
import { openStore } from '#kit/files/object-store.ts'
import { inboxOf } from '#kit/messaging/inbox.ts'
import { type Clock, systemClock } from '#kit/runtime/clock.ts'
import { configFrom } from '#kit/runtime/config.ts'
import { quietLog } from '#kit/runtime/log.ts'
import type { Context } from '#partner/context.ts'
import { deskSignIn } from '#partner/desk/staff/program.ts'
import { startPartner } from '#partner/program.ts'
import { settings } from '#partner/settings.ts'
import { testDatabase } from './database.ts'
import { openServer } from './exchange-proxy.ts'
import { freePort } from './platform.ts'
import { until } from './programs.ts'
import './cheap-passwords.ts'

const text = () => randomBytes(18).toString('base64url')
export const ourKey = { keyId: 'platform-1', secret: text() }
export const secondKey = { keyId: 'platform-2', secret: text() }
const webhook = { bearer: text(), keyId: 'partner-1', secret: text() }
export const platform = { sender: 'LENDLOOM', bearer: text(), keys: [ourKey, secondKey], webhook }
/** Another platform, which has cases of its own. */
export const independentPlatform = {
  sender: 'OTHER',
  bearer: text(),
  keys: [{ keyId: 'other-1', secret: text() }],
  webhook,
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into field by field
export type Json = any
export interface Reply {
  status: number
  body: Json
  headers: Headers
}

export interface TestPartner {
  url: string
  db: Db
  /** What a person at the desk acts with: the same database, in another process. */
  ctx: Context
  /** Its environment, for a second process of the same partner, and a port for that. */
  env: Record<string, string>
  workerPort: number
  /** What the partner sent, in the order of its arrival; a repetition stands here once. */
  events: Envelope[]
  /** What the platform answers, by default 202. */
  answer: { status: number }
  /** Waits until nothing is on its way to the platform. */
  waitForDeliveries(): Promise<void>
  /** Has every worker look now, once the clock was moved. */
  wakeWorkers(): Promise<void>
  ask(
    method: string,
    path: string,
    given?: { headers?: Record<string, string>; body?: Buffer | string | FormData },
  ): Promise<Reply>
  /** Signs and posts; `change` replaces headers. */
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

/** Starts it on a database of its own; `env` replaces settings. Everything ends with the test file. */
export async function startTestPartner(env: Record<string, string> = {}, clock?: Clock): Promise<TestPartner> {
  const databaseUrl = await testDatabase('partner')
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-partner-'))
  const catcher = await catchEvents(clock ?? systemClock)
  const port = await freePort()
  const fullEnv = {
    PARTNER_PORT: String(port),
    PARTNER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARTNER_DATABASE_URL: databaseUrl,
    PARTNER_FILES_DIR: directory,
    PARTNER_CLIENTS: JSON.stringify([platform, independentPlatform]),
    PLATFORM_WEBHOOK_URL: catcher.url,
    LENDLOOM_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    LENDLOOM_TIME_SCALE: '0.001',
    BANK_URL: 'http://127.0.0.1:9/bank',
    LOG_LEVEL: 'silent',
    ...env,
  }
  const configured = configFrom(settings, fullEnv)
  // As often as an operator may have it is too seldom: tests wait for what the bank tells.
  const everySecond = configured.BANK_POLL_SECONDS === 1
  const config = { ...configured, BANK_POLL_SECONDS: everySecond ? 0.25 : configured.BANK_POLL_SECONDS }
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
    scanner: noScanner,
    alert: () => {},
    ...deskSignIn({ config }),
    inbox: inboxOf({ db, seal, config }),
  }
  after(async () => {
    await running.stop()
    await catcher.stop()
    await db.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const ask: TestPartner['ask'] = async (method, path, { headers = {}, body } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: body as never }),
    })
    const written = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(written) : written }
  }
  return {
    url,
    db,
    ctx,
    env: fullEnv,
    workerPort: await freePort(),
    events: catcher.events,
    answer: catcher.answer,
    async waitForDeliveries() {
      const pending = () => db`select 1 from outbox where state = 'PENDING' limit 1`
      await until('all is delivered', async () => (await pending()).length === 0)
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

/** The platform's receiver: it believes nothing that is not signed, and remembers each event once. */
async function catchEvents(clock: Clock) {
  const events: Envelope[] = []
  const answer = { status: 202 }
  const { url, stop } = await openServer(({ headers, raw }) => {
    if (headers.authorization !== `Bearer ${webhook.bearer}`) throw new Error('bearer')
    // As of its own time: a test may move the clock by days while an event is on its way, and that is no fault of the partner.
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
