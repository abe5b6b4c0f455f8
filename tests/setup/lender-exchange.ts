// A fake lending partner: a real HTTP server with scripted answers, and signed events to the platform.

import { randomUUID } from 'node:crypto'
import type { ListenerAnswer, ListenerRequest } from '@lendloom/conformance/exchange/listener'
import { type Clock, systemClock } from '@lendloom/foundation/clock'
import {
  type CaseIds,
  type DataOf,
  type Envelope,
  type EventType,
  entityOf,
  readEnvelope,
  uncheckedEnvelopeOf,
} from '@lendloom/wire/exchange/envelope'
import { requireSignature, signedHeaders } from '@lendloom/wire/exchange/signature'
import { jsonOf, newCredentials, newKey, serve } from './exchange-proxy.ts'
import type { Reply } from './platform.ts'

export interface LenderExchange {
  /** The platform's settings for this partner. */
  env: { PARTNER_URL: string; PARTNER_CREDENTIALS: string }
  /** The platform's settings for this partner as a second one. */
  asSecondPartner: { SANDBOX_PARTNERS: string }
  /** The platform's events in order of arrival, with verified signatures, repetitions included. */
  events: Envelope[]
  /** All requests except events. */
  requests: ListenerRequest[]
  /** Returns the answer to a request; by default a receipt for events and 503 for the rest. */
  answer: (request: ListenerRequest) => ListenerAnswer
  /** Awaited before each answer. */
  beforeAnswer: (request: ListenerRequest) => Promise<void>
  /** Signs and posts an event or bytes to the platform; `change` overrides headers. */
  post(platformUrl: string, event: object | Buffer, change?: Record<string, string>): Promise<Reply>
  /** Returns an event of this partner about a case. */
  event<T extends EventType>(type: T, ids: CaseIds, version: number, data: DataOf<T>): Envelope
}

/** `owner` is the partner's sender name; `clock` judges the times of requests. */
export async function startLenderExchange(owner = 'CELESTIUM', clock: Clock = systemClock): Promise<LenderExchange> {
  const { webhook, ...ours } = newCredentials({ owner })
  const credentials = { ...ours, webhook: { ...webhook, keys: [...webhook.keys, newKey('partner-2')] } }
  const url = await serve(async (request) => {
    if (request.headers.authorization !== `Bearer ${ours.bearer}`) return { status: 401 }
    if (request.path === '/events') {
      requireSignature({ [ours.keyId]: ours.secret }, request.headers, request.raw, clock())
      lender.events.push(readEnvelope(JSON.parse(request.raw.toString('utf8'))))
    } else lender.requests.push(request)
    await lender.beforeAnswer(request)
    return { body: receiptTo(request), ...lender.answer(request) }
  })
  const receiptTo = ({ path, raw }: ListenerRequest) =>
    path === '/events'
      ? { event_id: jsonOf(raw).event_id, receipt_status: 'RECEIVED', received_at: clock().toISOString() }
      : undefined
  const lender: LenderExchange = {
    env: { PARTNER_URL: url, PARTNER_CREDENTIALS: JSON.stringify(credentials) },
    asSecondPartner: { SANDBOX_PARTNERS: JSON.stringify([{ name: owner, url, credentials }]) },
    events: [],
    requests: [],
    beforeAnswer: async () => {},
    answer: ({ path }) => ({ status: path === '/events' ? 202 : 503 }),
    async post(platformUrl, event, change = {}) {
      const raw = Buffer.isBuffer(event) ? event : Buffer.from(JSON.stringify(event))
      const id = Buffer.isBuffer(event) ? randomUUID() : (event as Envelope).event_id
      const answer = await fetch(`${platformUrl}/api/partner/webhook`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${webhook.bearer}`,
          'content-type': 'application/json',
          'idempotency-key': id,
          ...signedHeaders({ ...webhook.keys[0]!, at: new Date(), raw }),
          ...change,
        },
        body: new Uint8Array(raw),
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
    event: (type, ids, entityVersion, data) => {
      const entityId = entityOf(type) === 'CASE' ? ids.caseRef : (data as { payment_id: string }).payment_id
      const own = { eventId: randomUUID(), occurredAt: new Date(), sender: owner }
      return uncheckedEnvelopeOf({ ...own, type, entityId, entityVersion, ids, data }) as Envelope
    },
  }
  return lender
}
