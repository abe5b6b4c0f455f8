// The place where the partner's events come in: each try is checked and kept; two of them are put off, to see them again.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { CannotRun } from '#cli/command.ts'
import { envelopeFaults, maxEventBytes } from '#contract/exchange/envelope.ts'
import { requireSignature } from '#contract/exchange/signature.ts'
import { uuidv4 } from '#kit/crypto/id.ts'
import { fieldsOf, messageOf } from '#kit/runtime/narrow.ts'
import type { PartnerCredentials } from '#platform/exchange/credentials.ts'
import { jsonIn } from './http.ts'
import type { Arrival, Memory } from './memory.ts'

/** The event whose first try is answered 503, and the one that is answered 429 with `Retry-After` (D3 §8). */
export const [putOff, slowedDown] = ['LEAD_REGISTERED', 'OFFER_DECISION_CONFIRMED'] as const

export interface Listener {
  /** Where it listens. */
  url: string
  /** A word that only this listener answers with, so that its public address can be tried. */
  nonce: string
  stop(): Promise<void>
}

interface Receiving {
  memory: Memory
  credentials: PartnerCredentials
  retryAfterSeconds: number
  kept(): void
}

/** Opens it. `CannotRun` when the address is taken. */
export async function listen(host: string, port: number, receiving: Receiving): Promise<Listener> {
  const nonce = uuidv4()
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.writeHead(200, { 'content-type': 'text/plain' }).end(nonce)
    take(receiving, request, response).catch((error) => {
      response.writeHead(500).end()
      process.stderr.write(`${messageOf(error)}\n`)
    })
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CannotRun(`cannot listen on ${host}:${port}: ${messageOf(error)}`)
  }
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    nonce,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function take(receiving: Receiving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { status, headers = {}, body } = answerTo(receiving, request.headers, Buffer.concat(chunks))
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

interface Answered {
  status: number
  headers?: Record<string, string>
  body: object
}

/** Keeps the try. Wrong ones are taken as well, so that one fault does not hide what comes after it. */
function answerTo(receiving: Receiving, headers: IncomingHttpHeaders, raw: Buffer): Answered {
  const { memory, retryAfterSeconds, kept } = receiving
  const text = raw.toString('utf8')
  const event = fieldsOf(jsonIn(text))
  const eventId = String(event.event_id)
  const reference = String(fieldsOf(event.correlation).external_reference_id)
  if (!memory.refs.includes(reference)) return refusal(404, eventId, 'NOT_FOUND', 'this run has no such case')
  const before = memory.arrivals.filter((arrival) => arrival.eventId === eventId)
  const arrival: Arrival = {
    ...{ eventId, type: String(event.event_type), entity: `${event.entity_type} ${event.entity_id}` },
    ...{ version: Number(event.entity_version), at: Date.now(), sentAt: Number(headers['x-sent-at']), raw: text },
    ...{ answered: 202, faults: faultsOf(receiving.credentials, headers, raw) },
  }
  const isFirst = !memory.arrivals.some(({ type }) => type === arrival.type)
  if (isFirst && arrival.type === putOff) arrival.answered = 503
  else if (isFirst && arrival.type === slowedDown) arrival.answered = 429
  else if (before.some((each) => each.answered < 300)) arrival.answered = 200
  memory.arrivals.push(arrival)
  kept()
  if (arrival.answered === 503) return refusal(503, eventId, 'INTERNAL_ERROR', 'not now')
  if (arrival.answered === 429) {
    const wait = { 'retry-after': String(retryAfterSeconds) }
    return { ...refusal(429, eventId, 'RATE_LIMITED', `not before ${retryAfterSeconds} s`), headers: wait }
  }
  const first = before.find((each) => each.answered < 300) ?? arrival
  const received_at = new Date(first.at).toISOString()
  return { status: arrival.answered, body: { event_id: eventId, receipt_status: 'RECEIVED', received_at } }
}

const refusal = (status: number, request_id: string, code: string, message: string): Answered => ({
  status,
  body: { request_id, error: { code, message, retryable: status !== 404, fields: [] } },
})

/** What is wrong with a try, each fault by the check that it breaks. */
function faultsOf({ webhook }: PartnerCredentials, headers: IncomingHttpHeaders, raw: Buffer): Arrival['faults'] {
  const found: Arrival['faults'] = []
  const fault = (check: string, words: string) => found.push({ check: `partner-events.${check}`, words })
  if (headers.authorization !== `Bearer ${webhook.bearer}`) fault('bearer', 'Authorization is not the agreed bearer')
  const secrets = Object.fromEntries(webhook.keys.map(({ keyId, secret }) => [keyId, secret]))
  try {
    requireSignature(secrets, headers, raw, new Date())
  } catch (error) {
    fault('signature', messageOf(error))
  }
  if (!/^application\/json\s*(;|$)/i.test(String(headers['content-type'])))
    fault('envelope', `Content-Type is ${headers['content-type']}`)
  const json = jsonIn(raw.toString('utf8'))
  const { event_id, sender } = fieldsOf(json)
  const key = String(headers['idempotency-key']).replace(/^"(.*)"$/, '$1')
  if (key !== String(event_id)) fault('key', `Idempotency-Key is ${key}, and event_id ${event_id}`)
  if (sender !== webhook.sender) fault('sender', `sender is ${sender}, not ${webhook.sender}`)
  if (raw.length > maxEventBytes) fault('envelope', `the event has ${raw.length} bytes`)
  for (const { path, message } of json === undefined
    ? [{ path: 'body', message: 'is not JSON' }]
    : envelopeFaults(json))
    fault('envelope', `${path} ${message}`)
  return found
}
