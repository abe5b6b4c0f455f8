// Calls to others: one keep-alive agent, hard time limits, bounded answers, and no way into a private network by webhook.
import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import { trace } from '#kit/trace.ts'

export interface Outgoing {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  timeoutMs?: number
  /** An answer longer than this is an error; 1 MiB unless told. */
  maxBytes?: number
  /** `public` refuses private, loopback and link-local addresses, at the URL and again at connect. */
  reach?: Reach
}
export type Reach = 'anywhere' | 'public' | 'public-or-loopback'

export interface Incoming {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Posts or gets, following no redirect. Throws `Unreached` when no complete answer came in time. */
export async function call({
  method,
  url,
  headers = {},
  body,
  timeoutMs = 5000,
  maxBytes = 1 << 20,
  reach = 'anywhere',
}: Outgoing): Promise<Incoming> {
  const refused = whyUnreachable(url, reach)
  if (refused) throw new Unreached(refused)
  try {
    const answer = await request(url, {
      method,
      headers: { ...traceHeaders(), ...headers },
      body: body ?? null,
      dispatcher: agents[reach],
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: answer.statusCode, headers: answer.headers, body: await bounded(answer.body, maxBytes) }
  } catch (error) {
    throw error instanceof Unreached ? error : new Unreached(reason(error), { cause: error })
  }
}

/** No complete answer: refused address, connection failure, time-out or an endless body. The message is fit for a log. */
export class Unreached extends Error {}

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
      throw new Unreached(`the answer is longer than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function reason(error: unknown): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError') return 'no answer in time'
  return code ?? message ?? 'failed'
}

const privateNets = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  privateNets.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 128],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['2001:db8::', 32],
] as const)
  privateNets.addSubnet(net, bits, 'ipv6')
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an IP address may be reached. IPv4 written inside IPv6 is judged as IPv4. */
export function mayReach(address: string, reach: Reach): boolean {
  if (reach === 'anywhere') return true
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (loopback.check(address, family)) return reach === 'public-or-loopback'
  return !privateNets.check(address, family)
}

/** Why a URL may not be called, judged by its text alone; null when it may (its host may still resolve to a private address). */
export function whyUnreachable(url: string, reach: Reach): string | null {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'not an http or https address'
  if (reach === 'anywhere') return null
  if (parsed.username || parsed.password) return 'an address with credentials in it'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return mayReach(host, reach) ? null : 'a private address'
  if (
    /(^|\.)(localhost|local|internal|home\.arpa)$/i.test(host) &&
    !(reach === 'public-or-loopback' && /(^|\.)localhost$/i.test(host))
  )
    return 'a private host name'
  return null
}

/** Resolves as usual, then refuses: the check and the connection see the same addresses, so a name cannot change between them. */
const lookupWithin =
  (reach: Reach): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const allowed = addresses.filter(({ address }) => mayReach(address, reach))
      if (allowed.length === 0) return done(Object.assign(new Unreached('a private address')), [])
      if ((options as { all?: boolean }).all) return done(null, allowed)
      done(null, allowed[0]!.address, allowed[0]!.family)
    })

const agent = (reach: Reach): Agent =>
  new Agent({
    connections: 64,
    keepAliveTimeout: 10_000,
    connect: reach === 'anywhere' ? {} : { lookup: lookupWithin(reach) },
  })
const agents: Record<Reach, Agent> = {
  anywhere: agent('anywhere'),
  public: agent('public'),
  'public-or-loopback': agent('public-or-loopback'),
}
