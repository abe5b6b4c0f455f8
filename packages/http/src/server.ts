// The HTTP server: runs the routes of several APIs, and answers errors in the format of each API.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@lendloom/foundation/clock'
import { networks, number } from '@lendloom/foundation/config'
import type { Log } from '@lendloom/foundation/log'
import { isPersonalId } from '@lendloom/foundation/mask'
import { counter, histogram } from '@lendloom/foundation/metrics'
import { Refusal } from '@lendloom/foundation/refusal'
import { isCorrelationId } from '@lendloom/foundation/trace'
import { uuidv7 } from '@lendloom/seal/id'
import { DamagedValue } from '@lendloom/seal/seal'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { bodyMemory } from './body-memory.ts'
import { deferContinue, drainBody, isExpectingContinue, longestArrivalMs } from './body-stream.ts'
import { compressAnswers } from './compress-answer.ts'
import { type MountOptions, mount, type ServerMemory, send, wholeBody } from './mount-route.ts'
import { refusalFrom, refuseConnection } from './refusal-of-error.ts'
import { type Api, type Arrival, apiFinder, isStreamed, methodFinder } from './route.ts'
import { endServerSpan, monitoringPaths, startServerSpan } from './server-span.ts'

export { Answer, type Api, type Arrival, type Auth, answer, anyone, type Call, pathToken, type Route } from './route.ts'

const defaultBodyMegabytes = 96
const defaultKeepAliveSeconds = 75

/** Server settings of every program. */
export const serverSettings = {
  HTTP_CONNECTIONS: number(
    'Maximum connections of a process at once; further ones are closed immediately',
    4096,
    10,
    100_000,
  ),
  HTTP_BODY_MEGABYTES: number(
    'Memory of a process for the bodies of requests that are being answered, in MiB: seven twelfths for files, a quarter for JSON, a twelfth each for callers that only a signature of the body proves and for those without a credential; beyond it requests get 503',
    defaultBodyMegabytes,
    defaultBodyMegabytes,
    4096,
  ),
  HTTP_KEEP_ALIVE_SECONDS: number(
    'Seconds that an idle connection stays open for its next request; longer than the proxy in front keeps its connections, so that the proxy never sends a request to a connection that just closes',
    defaultKeepAliveSeconds,
    5,
    3600,
  ),
  DATABASE_SECONDS: number('Total seconds that a request may wait for the database; then it gets 503', 5, 1, 60),
  TRUSTED_PROXIES: networks(
    'Trusted proxies whose X-Forwarded-For names the client, as addresses and networks separated by commas; if empty, the client is the peer of the connection',
  ),
  DRAIN_SECONDS: number(
    'Seconds that a process still answers requests after SIGTERM while it reports not ready; 0 under npm start',
    10,
    0,
    600,
  ),
}

export interface ServeOptions<Context> extends MountOptions<Context> {
  apis: Api<Context>[]
  clock: Clock
  log: Log
  host: string
  port: number
  /** Maximum number of concurrent connections; unlimited by default. */
  connections?: number
  /** Memory of the bodies that are being read and answered, in MiB. */
  bodyMegabytes?: number
  /** How long an idle connection stays open. */
  keepAliveSeconds?: number
  /** Proxies whose `X-Forwarded-For` names the client. By default the peer of the connection is the client. */
  trustedProxies?: string[]
  /** How long `stop` waits for requests in progress; 5 seconds by default. */
  stopMs?: number
  /** Called after each answer has been sent. */
  onAnswered?: (answered: AnsweredRequest) => void
  /** Adds content that is not a route, such as a static folder. */
  plugins?: (app: FastifyInstance) => Promise<void>
}

export interface AnsweredRequest {
  arrival: Arrival
  method: string
  /** The route with parameters as `:name`. */
  route: string
  params: unknown
  status: number
  ms: number
  body: unknown
}

export interface Server {
  url: string
  app: FastifyInstance
  /**
   * Reports not ready, but continues to answer for this time or until `stop`, so that a load balancer can redirect
   * requests. Each answer closes its connection.
   */
  drain(ms: number): Promise<void>
  stop(): Promise<void>
}

const seconds = histogram(
  'http_request_seconds',
  'Time to answer',
  ['method', 'route', 'status'],
  [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
)

const dropped = counter('http_connections_dropped_total', 'Connections that were closed because the limit was reached')

interface ServerState {
  apiOf: ReturnType<typeof apiFinder>
  methodsOf: ReturnType<typeof methodFinder>
  /** Whether a route reads bodies as streams. */
  hasStreams: boolean
  clock: Clock
  log: Log
  isStopping: boolean
}

/** Starts a server. Resolves when it accepts connections. */
export async function serve<Context>(options: ServeOptions<Context>): Promise<Server> {
  const { apis, clock, log, host, port, stopMs = 5000 } = options
  const routes = apis.flatMap((api) => api.routes)
  const apiOf = apiFinder(apis)
  const hasStreams = routes.some(isStreamed)
  const state: ServerState = { apiOf, methodsOf: methodFinder(apis), hasStreams, clock, log, isStopping: false }
  const stopped = new AbortController()

  const app = appFor(state, options)
  watchRequests(app, state, options.onAnswered)
  compressAnswers(app)
  const mountOptions = { ...options, memory: memoryOf(options) }
  for (const route of routes) if (!isStreamed(route)) mount(app, route, apiOf(route.path), mountOptions)
  // Routes that read a stream or a form have a scope of their own, in which Fastify leaves the body unread.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    for (const route of routes) if (isStreamed(route)) mount(scope, route, apiOf(route.path), mountOptions)
  })
  answerUnknown(app, state)
  await options.plugins?.(app)
  if (options.connections !== undefined) app.server.maxConnections = options.connections
  app.server.on('drop', () => dropped.inc())
  app.server.on('checkContinue', (request, response) => {
    deferContinue(request)
    app.server.emit('request', request, response)
  })
  // Node would answer an unknown Expect header with an empty 417 that no API documents; RFC 9110 §10.1.1 lets us ignore it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  const url = await app.listen({ host, port })
  return {
    url,
    app,
    async drain(ms) {
      state.isStopping = true
      await sleep(ms, undefined, { signal: stopped.signal }).catch(() => {})
    },
    async stop() {
      state.isStopping = true
      stopped.abort()
      // Otherwise a connection that becomes idle during the stop would wait for the next request of the client.
      const closingTimer = setInterval(() => app.server.closeIdleConnections(), 50)
      const forceTimer = setTimeout(() => app.server.closeAllConnections(), stopMs)
      await app.close()
      clearInterval(closingTimer)
      clearTimeout(forceTimer)
    },
  }
}

/** Files have the larger part, because the parsed values of JSON take several times the memory of its bytes. */
export function memoryOf({
  bodyMegabytes = defaultBodyMegabytes,
}: Pick<ServeOptions<never>, 'bodyMegabytes'>): ServerMemory {
  const part = Math.floor((bodyMegabytes << 20) / 12)
  return {
    bodies: bodyMemory(3 * part, part),
    files: bodyMemory(7 * part, (7 * part) / 2),
    unproven: bodyMemory(part, part / 4),
    public: bodyMemory(part, part / 8),
  }
}

/** Time limit for the headers of a request, so that half-open connections are closed soon. */
const headersMs = 10_000

const noValidator = (): never => {
  throw new Error('routes must not pass a schema of their input to Fastify')
}

function appFor(
  state: ServerState,
  {
    trustedProxies,
    keepAliveSeconds = defaultKeepAliveSeconds,
  }: Pick<ServeOptions<never>, 'trustedProxies' | 'keepAliveSeconds'>,
): FastifyInstance {
  const { apiOf, hasStreams, clock } = state
  const app = fastify({
    logger: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    keepAliveTimeout: keepAliveSeconds * 1000,
    requestTimeout: longestArrivalMs(hasStreams),
    http: { headersTimeout: headersMs, connectionsCheckingInterval: 1000 },
    trustProxy: trustedProxies?.length ? trustedProxies : false,
    routerOptions: { maxParamLength: 512 },
    // Routes validate their input themselves, so Fastify need not load its validator.
    schemaController: { compilersFactory: { buildValidator: noValidator } },
    frameworkErrors(error, request, reply) {
      recordArrival(state, request, reply)
      fail(state, error, request, reply)
    },
    clientErrorHandler: (error, socket) =>
      refuseConnection(error, socket, (refusal) => apiOf('/').refuse(refusal, idsOf(undefined, clock()))),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest) => wholeBody(request))
  app.decorateRequest('arrival')
  app.decorateRequest('admission', null)
  return app
}

/** Sets `request.arrival`, and measures and logs the answer of each request. */
function watchRequests(app: FastifyInstance, state: ServerState, onAnswered: ServeOptions<never>['onAnswered']): void {
  app.addHook('onRequest', (request, reply, done) => {
    recordArrival(state, request, reply)
    if (hasTwoHosts(request.raw.rawHeaders)) {
      fail(state, new Refusal('malformed', 'a request has one Host header'), request, reply)
      return
    }
    if (state.isStopping && request.url === '/readyz') return void reply.code(503).send({ status: 'it is stopping' })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    drainBody(request.raw)
    const labels = { method: request.method, route, status: reply.statusCode }
    seconds.observe(labels, reply.elapsedTime / 1000, request.arrival.traceparent)
    endServerSpan(request.arrival, reply.statusCode)
    if (!monitoringPaths.has(route)) state.log.info(lineOf(request, reply, route), 'answered')
    const { arrival, method, params } = request
    onAnswered?.({
      arrival,
      method,
      route,
      params,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      body: arrival.answerBody,
    })
    done()
  })
}

/** Answers requests without a route, and thrown errors. */
function answerUnknown(app: FastifyInstance, state: ServerState): void {
  app.setNotFoundHandler((request, reply) => {
    const allowed = state.methodsOf(request.arrival.path)
    if (allowed.length === 0)
      return fail(state, new Refusal('absent', 'there is nothing at this address'), request, reply)
    reply.header('allow', allowed.join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    const refusal = new Refusal('wrong-method', `${request.method} is not possible here`, { allowed })
    return fail(state, refusal, request, reply)
  })
  app.setErrorHandler((error, request, reply) => fail(state, error, request, reply))
}

function recordArrival({ apiOf, clock, isStopping }: ServerState, request: FastifyRequest, reply: FastifyReply): void {
  const arrival = arrivalOf(request, clock())
  Object.assign(arrival.answerHeaders, apiOf(arrival.path).headers?.(arrival.headers, arrival.at))
  request.arrival = arrival
  startServerSpan(request)
  reply.header('x-correlation-id', arrival.correlationId)
  // A client that signs by its own clock must see that this one is moved.
  if (Math.abs(arrival.at.getTime() - Date.now()) >= 1000) reply.header('date', arrival.at.toUTCString())
  if (isStopping) reply.header('connection', 'close')
}

/** Answers a thrown error in the format of the API of the request's path, and logs a bug or a failed dependency. */
function fail(
  { apiOf, log, isStopping }: Pick<ServerState, 'apiOf' | 'log' | 'isStopping'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { arrival } = request
  const refusal = refusalFrom(error)
  const facts = { err: error, method: request.method, route: request.routeOptions.url, ...idsIn(arrival) }
  if (refusal === 'bug') log.error(facts, 'a bug answered 500')
  else if (error instanceof DamagedValue)
    log.error({ ...facts, place: error.place, context: error.context }, 'a sealed value cannot be opened')
  else if (refusal !== error && refusal.kind === 'upstream') log.warn(facts, refusal.message)
  if (refusal !== 'bug') {
    arrival.refusalKind = refusal.kind
    // Fastify would close the connection at once, which resets it before a client that still writes reads the answer.
    if (refusal.kind === 'too-large' && !isStopping) reply.removeHeader('connection')
    // The client may still send the body that it announced, which would look like the next request.
    if (isExpectingContinue(request.raw) && request.admission === null) reply.header('connection', 'close')
    const { retryAfterSeconds } = refusal.details
    if (retryAfterSeconds !== undefined) arrival.answerHeaders['retry-after'] = String(retryAfterSeconds)
  }
  // Before the answer, because Node drops the rest of an unread body without a limit once the answer is sent.
  drainBody(request.raw)
  return send(reply, arrival, apiOf(arrival.path).refuse(refusal, arrival))
}

function arrivalOf(request: FastifyRequest, at: Date): Arrival {
  const [path = ''] = request.url.split('?', 1)
  const search = request.url.slice(path.length)
  return {
    ...idsOf(request.headers['x-correlation-id'], at),
    headers: request.headers,
    ip: request.ip,
    method: request.method,
    path,
    pathParams: {},
    search,
    raw: Buffer.alloc(0),
    answerHeaders: {},
  }
}

function idsOf(header: unknown, at: Date): Pick<Arrival, 'requestId' | 'correlationId' | 'safeCorrelationId' | 'at'> {
  const requestId = uuidv7(at.getTime())
  const correlationId = typeof header === 'string' && isCorrelationId(header) ? header : requestId
  return { at, requestId, correlationId, safeCorrelationId: isPersonalId(correlationId) ? requestId : correlationId }
}

const idsIn = ({ requestId, safeCorrelationId }: Arrival) => ({ requestId, correlationId: safeCorrelationId })

const lineOf = ({ method, arrival }: FastifyRequest, reply: FastifyReply, route: string) => ({
  method,
  route,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  ...idsIn(arrival),
  ...(arrival.refusalKind && { refused: arrival.refusalKind }),
})

/** Refused (RFC 9112 §3.2), because a proxy in front may have routed by the Host header that the server ignores. */
function hasTwoHosts(rawHeaders: string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}
