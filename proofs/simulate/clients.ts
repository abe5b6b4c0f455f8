// Replaces the HTTP client, `fetch`, and the listening of servers by the simulated network.
import { createRequire } from 'node:module'
import { Server as NetServer } from 'node:net'
import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { NetAnswer, NetRequest, Network } from './network.ts'
import { currentOwner } from './scheduler.ts'

const load = createRequire(import.meta.url)
type Inject = (
  dispatch: (request: object, response: object) => void,
  options: object,
) => Promise<{ statusCode: number; headers: Record<string, string | string[]>; rawPayload: Buffer }>
const inject: Inject = load('light-my-request')

/** The network of the current run. */
let network: Network
export const enterNetwork = (next: Network): void => {
  network = next
}

/** Replaces the HTTP client, `fetch`, and the listening of servers. */
export function installNetwork(): void {
  const Agent = load('undici/lib/dispatcher/agent.js')
  Agent.prototype.dispatch = dispatch
  globalThis.fetch = simulatedFetch as typeof fetch
  NetServer.prototype.listen = function (this: NetServer, ...args: unknown[]) {
    const options = args.find((each) => typeof each === 'object') as { port: number } | undefined
    const done = args.find((each) => typeof each === 'function') as (() => void) | undefined
    const port = options?.port ?? Number(args[0])
    this.address = () => ({ address: '127.0.0.1', family: 'IPv4', port })
    network.listen(port, { owner: currentOwner(), answer: (request) => answerOf(this, request) })
    process.nextTick(() => {
      this.emit('listening')
      done?.()
    })
    return this
  } as typeof NetServer.prototype.listen
}

async function answerOf(server: NetServer, { method, url, headers, body }: NetRequest): Promise<NetAnswer> {
  const options = {
    method,
    url: url.pathname + url.search,
    headers: { host: url.host, ...headers },
    payload: body,
    remoteAddress: '127.0.0.1',
  }
  const {
    statusCode,
    headers: answerHeaders,
    rawPayload,
  } = await inject(
    // The library's request has no socket, and so no time-out of one.
    (request, response) => void server.emit('request', Object.assign(request, { setTimeout: () => request }), response),
    options,
  )
  return { status: statusCode, headers: answerHeaders, body: rawPayload }
}

async function bytesOf(body: unknown): Promise<Buffer> {
  if (body === null || body === undefined) return Buffer.alloc(0)
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as string)
  const chunks: Buffer[] = []
  for await (const chunk of body as Readable) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

type Handler = Required<Dispatcher.DispatchHandler>

/** Takes the place of the agents of `undici`. */
function dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
  let isOver = false
  const { headersTimeout } = options
  const timer = headersTimeout ? setTimeout(() => fail(new Error('no answer in time')), headersTimeout) : undefined
  const end = (act: () => void) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    act()
  }
  const fail = (error: Error) => end(() => handler.onResponseError(controller as never, error))
  const controller = {
    aborted: false,
    paused: false,
    reason: null as Error | null,
    rawHeaders: [],
    pause() {},
    resume() {},
    abort(reason: Error) {
      controller.aborted = true
      controller.reason = reason
      fail(reason)
    },
  }
  handler.onRequestStart(controller as never, {})
  if (isOver) return true
  const headers = Object.fromEntries(
    Object.entries((options.headers ?? {}) as Record<string, string>).map(([name, value]) => [
      name.toLowerCase(),
      String(value),
    ]),
  )
  bytesOf(options.body)
    .then((body) => network.send({ method: options.method, url: new URL(options.path, options.origin), headers, body }))
    .then((answer) =>
      end(() => {
        handler.onResponseStart(controller as never, answer.status, answer.headers, '')
        if (answer.body.length > 0) handler.onResponseData(controller as never, answer.body)
        handler.onResponseEnd(controller as never, {})
      }),
    )
    .catch(fail)
  return true
}

/** A person does not wait longer for a page. */
const longestWaitMs = 30_000

const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), longestWaitMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })

async function simulatedFetch(input: string | URL, init: RequestInit = {}): Promise<Response> {
  let request = new Request(input, init)
  for (let redirects = 0; ; redirects++) {
    const body = Buffer.from(await request.arrayBuffer())
    const headers = Object.fromEntries(request.headers)
    if (body.length > 0) headers['content-length'] = String(body.length)
    const outgoing = { method: request.method, url: new URL(request.url), headers, body }
    const answer = await inTime(network.send(outgoing)).catch((cause) => {
      throw new TypeError('fetch failed', { cause })
    })
    const { location } = answer.headers
    if (answer.status >= 301 && answer.status <= 308 && typeof location === 'string' && redirects < 10) {
      request = new Request(new URL(location, request.url))
      continue
    }
    const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    )
    const isEmpty = [204, 205, 304].includes(answer.status)
    const response = new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: pairs,
    })
    Object.defineProperty(response, 'url', { value: request.url })
    return response
  }
}
