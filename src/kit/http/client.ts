// Calls to others: one keep-alive agent, hard time limits, bounded answers, and no way into a private network by webhook.

import { type LookupAddress, lookup, promises as nameServer } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import type { Agent, Dispatcher } from 'undici'
import { load } from '#kit/runtime/load.ts'
import { codeOf, messageOf } from '#kit/runtime/record.ts'
import { trace } from '#kit/runtime/trace.ts'
import { type EgressPolicy, isEgressAllowed, isLocalhost, whyUnreachable } from './egress-policy.ts'

// Its index also loads a browser's fetch, caches, proxies and mocks, which take longer to load than the rest of a program.
const AgentOfRequests: typeof Agent = load('undici/lib/dispatcher/agent.js')
const { request }: { request(this: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> } =
  load('undici/lib/api/index.js')

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** A stream is sent as it is read; set `content-length` when the length is known. */
  body?: string | Uint8Array | Readable
  /** For the whole call, from the look-up of the name to the last byte. */
  timeoutMs?: number
  /** A longer answer is an error; 1 MiB by default. */
  maxBytes?: number
  /** Refuses addresses outside the policy, by the URL and again at connect. */
  egress?: EgressPolicy
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Posts or gets without following redirects. Throws `UnreachableError` without a complete answer in time. */
export async function call({ maxBytes = 1 << 20, ...outgoing }: HttpRequest): Promise<HttpAnswer> {
  return answered(outgoing, async ({ statusCode, headers, body }) => ({
    status: statusCode,
    headers,
    body: await bounded(body, maxBytes),
  }))
}

/** As much of an unread answer is swallowed to keep its connection; of a longer one the connection is dropped. */
const swallowedBytes = 64 * 1024

/** As above for a caller that only needs the status: it returns as soon as the headers have arrived. */
export async function callForStatus(outgoing: Omit<HttpRequest, 'maxBytes'>): Promise<Omit<HttpAnswer, 'body'>> {
  const { status, headers } = await callForStart(outgoing, () => 0)
  return { status, headers }
}

/** As `callForStatus`, with the first bytes of the body: as many as `keptBytes` returns for the status. */
export async function callForStart(
  outgoing: Omit<HttpRequest, 'maxBytes'>,
  keptBytes: (status: number) => number,
): Promise<HttpAnswer> {
  return answered(outgoing, async ({ statusCode, headers, body }) => {
    const most = keptBytes(statusCode)
    const start = most > 0 ? await startOf(body, most) : Buffer.alloc(0)
    if (!body.destroyed) await body.dump({ limit: swallowedBytes }).catch(() => {})
    return { status: statusCode, headers, body: start }
  })
}

/** The first `most` bytes; the rest is not read. */
async function startOf(stream: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= most) break
    }
  } catch {
    // The bytes so far count.
  }
  return Buffer.concat(chunks).subarray(0, most)
}

/** A long answer as a stream. `timeoutMs` limits the wait for its headers and then for each piece. */
export async function callForStream({
  method,
  url,
  headers = {},
  timeoutMs = 10_000,
  egress = 'anywhere',
}: Omit<HttpRequest, 'body' | 'maxBytes'>): Promise<Omit<HttpAnswer, 'body'> & { body: Readable }> {
  const refused = whyUnreachable(url, egress)
  if (refused) throw new UnreachableError(refused)
  try {
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    const { statusCode, headers: answerHeaders, body } = await send({ method, url, headers, egress }, limits)
    return { status: statusCode, headers: answerHeaders, body }
  } catch (error) {
    throw error instanceof UnreachableError ? error : new UnreachableError(reason(error), { cause: error })
  }
}

async function answered<T>(
  { method, url, headers = {}, body, timeoutMs = 5000, egress = 'anywhere' }: Omit<HttpRequest, 'maxBytes'>,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const refused = whyUnreachable(url, egress)
  if (refused) throw new UnreachableError(refused)
  try {
    const more = { body: body ?? null, signal: AbortSignal.timeout(timeoutMs) }
    return await read(await send({ method, url, headers, egress }, more))
  } catch (error) {
    throw error instanceof UnreachableError ? error : new UnreachableError(reason(error), { cause: error })
  }
}

function send(
  { method, url, headers, egress }: Required<Pick<HttpRequest, 'method' | 'url' | 'headers' | 'egress'>>,
  more: Partial<Dispatcher.RequestOptions>,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url)
  const all = { ...traceHeaders(), ...headers }
  return request.call(agents[egress], { origin, path: pathname + search, method, headers: all, ...more })
}

/** No complete answer, or none that counts: refused address, connection failure, time-out, endless body. The message is fit for people. */
export class UnreachableError extends Error {}

function traceHeaders(): Record<string, string> {
  const { correlationId, traceparent } = trace() ?? {}
  return { ...(correlationId && { 'x-correlation-id': correlationId }), ...(traceparent && { traceparent }) }
}

async function bounded(stream: AsyncIterable<Buffer> & { destroy(): unknown }, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) {
      stream.destroy()
      throw new UnreachableError(`the answer is longer than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** When several addresses all failed, the first failure speaks for all. */
function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  const code = codeOf(error)
  if (!code && error instanceof AggregateError && error.errors[0]) return reason(error.errors[0])
  return code || messageOf(error)
}

/** Resolves, then refuses: the check and the connection see the same addresses, so a name cannot change between them. */
const lookupWithin =
  (egress: EgressPolicy): LookupFunction =>
  (host, options, done) => {
    const tell = (addresses: LookupAddress[]): void => {
      const allowed = addresses.filter(({ address }) => isEgressAllowed(address, egress))
      const [first] = allowed
      if (!first) done(new UnreachableError('a private address'), [])
      else if (options.all) done(null, allowed)
      else done(null, first.address, first.family)
    }
    resolved(host).then(tell, (error) => done(error, []))
  }

/**
 * Resolves outsiders' names at the name server directly: the system's look-up would occupy one of this process's few
 * threads while the outsider's server is silent, and delay everybody.
 */
async function resolved(host: string): Promise<LookupAddress[]> {
  if (isLocalhost(host))
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
  const [four, six] = await Promise.allSettled([nameServer.resolve4(host), nameServer.resolve6(host)])
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason
  return addresses
}

/** Connections to one address; the webhook worker limits outsiders' destinations itself, by a setting of up to 256. */
const mostConnections = (egress: EgressPolicy): number => (egress === 'anywhere' ? 64 : 256)

const agent = (egress: EgressPolicy): Agent =>
  new AgentOfRequests({
    connections: mostConnections(egress),
    keepAliveTimeout: 10_000,
    connect: { lookup: egress === 'anywhere' ? lookup : lookupWithin(egress) },
  })
const agents: Record<EgressPolicy, Agent> = {
  anywhere: agent('anywhere'),
  public: agent('public'),
  'public-or-loopback': agent('public-or-loopback'),
}

/**
 * Why the host of an outsider's URL cannot be called at the moment, according to its name server; null when it can, or
 * when the name server does not answer, because the call itself fails then.
 */
export async function whyUnresolvable(url: string, egress: EgressPolicy): Promise<string | null> {
  const refused = whyUnreachable(url, egress)
  if (refused) return refused
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const addresses = await resolved(host).catch(() => [])
  return addresses.length === 0 || addresses.some(({ address }) => isEgressAllowed(address, egress))
    ? null
    : 'a private address'
}
