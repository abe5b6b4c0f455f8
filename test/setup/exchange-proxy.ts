// Those who play a side of the exchange: their credentials and servers, and proxies between the sides, which change what a test wants wrong.
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { after } from 'node:test'
import { type AnswerHandler, type Listener, type ListenerRequest, listen } from '#conformance/exchange/listener.ts'
import type { SigningKey } from '#contract/exchange/credentials.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import type { Json } from './partner.ts'

const secret = (): string => randomBytes(18).toString('base64url')
export const newKey = (keyId: string): SigningKey => ({ keyId, secret: secret() })

/** What a platform and its lending partner know each other by. */
export const newCredentials = ({ sender = 'LENDLOOM', owner = 'CELESTIUM' } = {}) => ({
  ...{ sender, bearer: secret(), ...newKey(`${sender}-1`) },
  webhook: { sender: owner, bearer: secret(), keys: [newKey('partner-1')] },
})

/** A server whose errors fail the test. */
export const openServer = (answering: AnswerHandler): Promise<Listener> =>
  listen('127.0.0.1', 0, async (message) => {
    try {
      return await answering(message)
    } catch (error) {
      console.error(error)
      process.exitCode = 1
      return { status: 400 }
    }
  })

/** The address of such a server, which ends with the test file. */
export async function serve(answering: AnswerHandler): Promise<string> {
  const { url, stop } = await openServer(answering)
  after(stop)
  return url
}

export interface Answer {
  status: number
  raw: Buffer
  headers?: Record<string, string>
}

const away: Answer = { status: 503, raw: Buffer.from('{}') }

/** The address of a proxy; whoever is not there, as a run that is over, is answered for with 503. */
export const startProxy = (pass: (message: ListenerRequest) => Promise<Answer>): Promise<string> =>
  serve(async (message) => {
    const { status, headers, raw } = await pass(message).catch(() => away)
    return { status, headers, body: raw }
  })

/** Passes a message on; the receipt of an event whose ID was changed names the one that its sender knows. */
export async function forward(
  base: string,
  { url, method, headers, raw }: Omit<ListenerRequest, 'path' | 'query'>,
  eventId?: string,
): Promise<Answer> {
  const passed = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !['host', 'connection', 'content-length', 'transfer-encoding'].includes(entry[0]),
  )
  const answer = await fetch(`${base}${url}`, {
    method,
    headers: passed,
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

/** Gives some fields of an answer other values. */
export const overrideFields =
  (change: (body: Json) => object) =>
  (answer: Answer): Answer => {
    const body = jsonOf(answer.raw)
    return { ...answer, raw: bytesOf({ ...body, ...change(body) }) }
  }

/** The headers of these bytes, signed now: the receiver finds nothing wrong with them. */
export const resign = (headers: IncomingHttpHeaders, raw: Buffer, { keyId, secret }: SigningKey) => ({
  ...headers,
  ...signedHeaders({ keyId, secret, at: new Date(), raw }),
})
