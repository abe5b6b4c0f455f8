// Outgoing HTTP calls with keep-alive and limits of time and size; the egress policy protects private networks.

import { type LookupAddress, lookup, promises as nameServer } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { load } from '@lendloom/foundation/load-package'
import { isKeyOf } from '@lendloom/foundation/record'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'
import { inSpan, trace } from '@lendloom/foundation/trace'
import type { Agent, Dispatcher } from 'undici'
import type { ClientCertificate } from './client-certificate.ts'
import { type EgressPolicy, isEgressAllowed, isLocalhost, whyUnreachable } from './egress-policy.ts'

// The package's index also loads `fetch`, caches, proxies and mocks, which takes longer than the rest of a program.
const UndiciAgent: typeof Agent = load('undici/lib/dispatcher/agent.js')
const { request }: { request(this: Agent, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> } =
  load('undici/lib/api/index.js')

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers?: Record<string, string>
  /** A stream is sent as it is read; set `content-length` when the length is known. */
  body?: string | Uint8Array | Readable
  /** Time limit of the whole call, from the name look-up to the last byte. */
  timeoutMs?: number
  /** Maximum size of the answer; a longer answer is an error. 1 MiB by default. */
  maxBytes?: number
  /** Addresses that the call may reach; checked in the URL and again when connecting. */
  egress?: EgressPolicy
  /** Presented to a server that demands a certificate. */
  certificate?: ClientCertificate | null
}

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/**
 * Sends a request without following redirects. Throws `UnreachableError` unless a complete answer arrives in time. We ask
 * for no compression; an answer that is compressed all the same is returned as its content, within `maxBytes` too.
 */
export async function call({ maxBytes = 1 << 20, ...outgoing }: HttpRequest): Promise<HttpAnswer> {
  return exchange(outgoing, async ({ statusCode, headers, body }) => ({
    status: statusCode,
    headers,
    body: await decompressed(await readBody(body, maxBytes), headers['content-encoding'], maxBytes),
  }))
}

const decompressors = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** A body that is not in the encoding of its header is returned as it came: some servers only claim it. */
async function decompressed(body: Buffer, encoding: string | string[] | undefined, maxBytes: number): Promise<Buffer> {
  const name = typeof encoding === 'string' ? encoding.trim().toLowerCase() : ''
  if (!isKeyOf(decompressors, name) || body.length === 0) return body
  try {
    return await decompressors[name](body, { maxOutputLength: maxBytes })
  } catch (error) {
    if (codeOf(error) !== 'ERR_BUFFER_TOO_LARGE') return body
    throw new UnreachableError(`the answer is longer than ${maxBytes} bytes`, { cause: error })
  }
}

/** Up to this size the rest of an answer is read and dropped to keep the connection; a longer answer ends it. */
const dumpedBytes = 64 * 1024

/** As `call`, for a caller that only needs the status and headers: the body is not returned. */
export async function callForStatus(outgoing: Omit<HttpRequest, 'maxBytes'>): Promise<Omit<HttpAnswer, 'body'>> {
  const { status, headers } = await callForStart(outgoing, () => 0)
  return { status, headers }
}

/** As `callForStatus`, with the beginning of the body: up to `bodyBytes(status)` bytes. */
export async function callForStart(
  outgoing: Omit<HttpRequest, 'maxBytes'>,
  bodyBytes: (status: number) => number,
): Promise<HttpAnswer> {
  return exchange(outgoing, async ({ statusCode, headers, body }) => {
    const limit = bodyBytes(statusCode)
    const start = limit > 0 ? await startOf(body, limit) : Buffer.alloc(0)
    if (!body.destroyed) await body.dump({ limit: dumpedBytes }).catch(() => {})
    return { status: statusCode, headers, body: start }
  })
}

async function startOf(stream: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= limit) break
    }
  } catch {
    // The bytes that arrived before the failure are returned.
  }
  return Buffer.concat(chunks).subarray(0, limit)
}

/** Returns a long answer as a stream. `timeoutMs` limits the wait for the headers and then for each chunk. */
export async function callForStream({
  method,
  url,
  headers = {},
  timeoutMs = 10_000,
  egress = 'anywhere',
}: Omit<HttpRequest, 'body' | 'maxBytes'>): Promise<Omit<HttpAnswer, 'body'> & { body: Readable }> {
  const refusal = whyUnreachable(url, egress)
  if (refusal) throw new UnreachableError(refusal)
  try {
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    const {
      statusCode,
      headers: answerHeaders,
      body,
    } = await send({ method, url, headers, egress, certificate: null }, limits)
    return { status: statusCode, headers: answerHeaders, body }
  } catch (error) {
    throw error instanceof UnreachableError ? error : new UnreachableError(describeFailure(error), { cause: error })
  }
}

async function exchange<T>(
  outgoing: Omit<HttpRequest, 'maxBytes'>,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { method, url, headers = {}, body, timeoutMs = 5000, egress = 'anywhere', certificate = null } = outgoing
  const refusal = whyUnreachable(url, egress)
  if (refusal) throw new UnreachableError(refusal)
  // Ended with the call, unlike the timer of `AbortSignal.timeout`, which costs a quarter of a short call.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new DOMException('no answer in time', 'TimeoutError')), timeoutMs).unref()
  try {
    const options = { body: body ?? null, signal: limit.signal }
    return await read(await send({ method, url, headers, egress, certificate }, options))
  } catch (error) {
    throw error instanceof UnreachableError ? error : new UnreachableError(describeFailure(error), { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

function send(
  outgoing: Required<Pick<HttpRequest, 'method' | 'url' | 'headers' | 'egress' | 'certificate'>>,
  options: Partial<Dispatcher.RequestOptions>,
): Promise<Dispatcher.ResponseData> {
  const { method, url, headers, egress, certificate } = outgoing
  const { origin, hostname, pathname, search } = new URL(url)
  const attributes = { 'http.request.method': method, 'server.address': hostname }
  return inSpan({ name: `${method} ${hostname}`, kind: 'client', attributes }, async (span) => {
    const allHeaders = { ...traceHeaders(), ...headers }
    const answer = await request.call(agentOf(egress, certificate), {
      origin,
      path: pathname + search,
      method,
      headers: allHeaders,
      ...options,
    })
    span?.set({ 'http.response.status_code': answer.statusCode })
    if (answer.statusCode >= 400) span?.fail(String(answer.statusCode))
    return answer
  })
}

/**
 * The call got no usable answer: forbidden address, connection failure, time-out or oversized body. The message may be
 * shown to users.
 */
export class UnreachableError extends Error {}

/** Whether an answer with this status took the request. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Whether the same request may be answered otherwise later: 408, 425, 429 and 5xx. */
export const isRetryable = (status: number): boolean => [408, 425, 429].includes(status) || status >= 500

function traceHeaders(): Record<string, string> {
  const { correlationId, traceparent } = trace() ?? {}
  return { ...(correlationId && { 'x-correlation-id': correlationId }), ...(traceparent && { traceparent }) }
}

async function readBody(stream: AsyncIterable<Buffer> & { destroy(): unknown }, maxBytes: number): Promise<Buffer> {
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

/** Describes a failed call; when all of several addresses failed, by the first failure. */
function describeFailure(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  const code = codeOf(error)
  if (!code && error instanceof AggregateError && error.errors[0]) return describeFailure(error.errors[0])
  return code || messageOf(error)
}

/** Returns only allowed addresses. The connection uses exactly these, so a name cannot change after the check. */
const lookupWithin =
  (egress: EgressPolicy): LookupFunction =>
  (host, options, done) => {
    const respond = (addresses: LookupAddress[]): void => {
      const allowed = addresses.filter(({ address }) => isEgressAllowed(address, egress))
      const [first] = allowed
      if (!first) done(new UnreachableError('a private address'), [])
      else if (options.all) done(null, allowed)
      else done(null, first.address, first.family)
    }
    resolveHost(host).then(respond, (error) => done(error, []))
  }

/**
 * Asks the name server directly: the system's look-up would block one of this process's few threads while an outsider's
 * name server is silent, and delay all other look-ups.
 */
async function resolveHost(host: string): Promise<LookupAddress[]> {
  if (isLocalhost(host))
    return [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
  const [ipv4, ipv6] = await Promise.allSettled([nameServer.resolve4(host), nameServer.resolve6(host)])
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
  return addresses
}

/** Whether the name server answers that there is no such host. */
export async function isHostUnknown(url: string): Promise<boolean> {
  const { hostname } = new URL(url)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return false
  return resolveHost(hostname).then(
    () => false,
    (error) => codeOf(error) === 'ENOTFOUND',
  )
}

/** Connections to one origin. The webhook worker has its own limit per destination, a setting of up to 256. */
const maxConnections = (egress: EgressPolicy): number => (egress === 'anywhere' ? 64 : 256)

const agents = new Map<string, Agent>()

/** Returns the agent of a policy and certificate. A process has at most one certificate. */
function agentOf(egress: EgressPolicy, certificate: ClientCertificate | null): Agent {
  const name = `${egress} ${certificate?.chain ?? ''}`
  const known = agents.get(name)
  if (known) return known
  const agent = new UndiciAgent({
    connections: maxConnections(egress),
    keepAliveTimeout: 10_000,
    connect: {
      lookup: egress === 'anywhere' ? lookup : lookupWithin(egress),
      ...(certificate && { cert: certificate.chain, key: certificate.key }),
    },
  })
  agents.set(name, agent)
  return agent
}

/**
 * Says why the egress policy forbids a URL, including the addresses that its host resolves to; null when it is allowed.
 * Also null when the host does not resolve, because the call itself then fails.
 */
export async function whyUnresolvable(url: string, egress: EgressPolicy): Promise<string | null> {
  const refusal = whyUnreachable(url, egress)
  if (refusal) return refusal
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const addresses = await resolveHost(host).catch(() => [])
  return addresses.length === 0 || addresses.some(({ address }) => isEgressAllowed(address, egress))
    ? null
    : 'a private address'
}
