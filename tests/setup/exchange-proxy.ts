// Test doubles for either side of the exchange: credentials, servers, and proxies that corrupt messages on request.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { after } from 'node:test'
import {
  type AnswerHandler,
  type Listener,
  type ListenerRequest,
  listen,
} from '@lendloom/conformance/exchange/listener'
import type { SigningKey } from '@lendloom/wire/exchange/credentials'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import type { Json } from './partner.ts'

const secret = (): string => randomBytes(18).toString('base64url')
export const newKey = (keyId: string): SigningKey => ({ keyId, secret: secret() })

/** Credentials of a platform and its lending partner. */
export const newCredentials = ({ sender = 'LENDLOOM', owner = 'CELESTIUM' } = {}) => ({
  sender,
  bearer: secret(),
  ...newKey(`${sender}-1`),
  webhook: { sender: owner, bearer: secret(), keys: [newKey('partner-1')] },
})

/** Starts a server whose errors fail the test. */
export const openServer = (handler: AnswerHandler): Promise<Listener> =>
  listen('127.0.0.1', 0, async (message) => {
    try {
      return await handler(message)
    } catch (error) {
      console.error(error)
      process.exitCode = 1
      return { status: 400 }
    }
  })

/** Starts such a server, which stops when the test file ends, and returns its address. */
export async function serve(handler: AnswerHandler): Promise<string> {
  const { url, stop } = await openServer(handler)
  after(stop)
  return url
}

export interface Answer {
  status: number
  raw: Buffer
  headers?: Record<string, string>
}

const unavailable: Answer = { status: 503, raw: Buffer.from('{}') }

/** Starts a proxy and returns its address. It answers 503 when its target is unreachable, as after a run. */
export const startProxy = (handle: (message: ListenerRequest) => Promise<Answer>): Promise<string> =>
  serve(async (message) => {
    const { status, headers, raw } = await handle(message).catch(() => unavailable)
    return { status, headers, body: raw }
  })

/** Forwards a message. If an event's ID was changed, `eventId` restores the sender's original ID in the receipt. */
export async function forward(
  base: string,
  { url, method, headers, raw }: Omit<ListenerRequest, 'path' | 'query'>,
  eventId?: string,
): Promise<Answer> {
  const forwardedHeaders = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !['host', 'connection', 'content-length', 'transfer-encoding'].includes(entry[0]),
  )
  const answer = await fetch(`${base}${url}`, {
    method,
    headers: forwardedHeaders,
    ...(raw.length > 0 && { body: new Uint8Array(raw) }),
  })
  const retryAfter = answer.headers.get('retry-after')
  const body = Buffer.from(await answer.arrayBuffer())
  return {
    status: answer.status,
    raw: eventId ? bytesOf({ ...jsonOf(body), event_id: eventId }) : body,
    ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
  }
}

export const jsonOf = (raw: Buffer): Json => JSON.parse(raw.toString('utf8'))
export const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body))

/** Overrides fields of a JSON answer. */
export const overrideFields =
  (change: (body: Json) => object) =>
  (answer: Answer): Answer => {
    const body = jsonOf(answer.raw)
    return { ...answer, raw: bytesOf({ ...body, ...change(body) }) }
  }

/** Signs these bytes again, so that the signature is valid. */
export const resign = (headers: IncomingHttpHeaders, raw: Buffer, { keyId, secret }: SigningKey) => ({
  ...headers,
  ...signedHeaders({ keyId, secret, at: new Date(), raw }),
})
