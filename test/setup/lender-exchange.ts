// The lending partner as the platform meets it: a real HTTP server that answers as it is told, and signed events of its own.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { type DataOf, type Envelope, type EventType, entityOf, readEnvelope } from '#contract/exchange/envelope.ts'
import { requireSignature, signedHeaders } from '#contract/exchange/signature.ts'
import type { Reply } from './platform.ts'

const text = () => randomBytes(18).toString('base64url')

export interface LenderRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  raw: Buffer
}

export interface LenderExchange {
  /** What the platform is told of this partner. */
  env: { PARTNER_URL: string; PARTNER_CREDENTIALS: string }
  /** The same, where it is a further one beside that of `env`. */
  further: { SANDBOX_PARTNERS: string }
  /** The platform's events as they came, their signatures checked; a repetition stands here twice. */
  events: Envelope[]
  /** Every request but those with events. */
  requests: LenderRequest[]
  /** What is answered to an event, by default its receipt, and to everything else by its path; a refused connection when it throws. */
  answer: (request: LenderRequest) => { status: number; body?: unknown; headers?: Record<string, string> }
  /** Waited for before anything is answered. */
  hold: (request: LenderRequest) => Promise<void>
  /** Signs and posts an event, or bytes, to the platform; `change` replaces headers. */
  post(platformUrl: string, event: object | Buffer, change?: Record<string, string>): Promise<Reply>
  /** An event of this partner about a case. */
  event<T extends EventType>(type: T, ids: Ids, version: number, data: DataOf<T>): Envelope
}

export interface Ids {
  caseRef: string
  leadId: string | null
  loanId: string | null
}

/** `owner` is what it calls itself. */
export async function startLenderExchange(owner = 'CELESTIUM'): Promise<LenderExchange> {
  const ours = { sender: 'LENDLOOM', bearer: text(), keyId: 'k-1', secret: text() }
  const [first, second] = [
    { keyId: 'p-1', secret: text() },
    { keyId: 'p-2', secret: text() },
  ]
  const webhook = { sender: owner, bearer: text(), keys: [first, second] }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const received = {
      method: request.method!,
      path: request.url!,
      headers: request.headers,
      raw: Buffer.concat(chunks),
    }
    if (request.headers.authorization !== `Bearer ${ours.bearer}`) return void response.writeHead(401).end()
    if (received.path === '/events') {
      requireSignature({ [ours.keyId]: ours.secret }, received.headers, received.raw, new Date())
      lender.events.push(readEnvelope(JSON.parse(received.raw.toString('utf8'))))
    } else lender.requests.push(received)
    await lender.hold(received)
    const { status, body = receiptTo(received), headers = {} } = lender.answer(received)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  const receiptTo = ({ path }: LenderRequest) =>
    path === '/events'
      ? { event_id: lender.events.at(-1)!.event_id, receipt_status: 'RECEIVED', received_at: new Date().toISOString() }
      : undefined
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lender: LenderExchange = {
    env: { PARTNER_URL: url, PARTNER_CREDENTIALS: JSON.stringify({ ...ours, webhook }) },
    further: { SANDBOX_PARTNERS: JSON.stringify([{ name: owner, url, credentials: { ...ours, webhook } }]) },
    events: [],
    requests: [],
    hold: async () => {},
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
          ...signedHeaders({ keyId: first!.keyId, secret: first!.secret, at: new Date(), raw }),
          ...change,
        },
        body: new Uint8Array(raw),
      })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    },
    event: (type, { caseRef, leadId, loanId }, entity_version, data) =>
      ({
        event_version: '2.0',
        event_id: randomUUID(),
        event_type: type,
        occurred_at: new Date().toISOString(),
        sender: owner,
        entity_type: entityOf(type),
        entity_id: entityOf(type) === 'CASE' ? caseRef : (data as { payment_id: string }).payment_id,
        entity_version,
        correlation: { external_reference_id: caseRef, celestium_lead_id: leadId, celestium_loan_id: loanId },
        data,
      }) as Envelope,
  }
  return lender
}
