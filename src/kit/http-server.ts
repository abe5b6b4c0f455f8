// Routes are values: the server, the tests and the OpenAPI read the same ones. Each door answers in its document's shape.
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { Clock } from '#kit/clock.ts'
import { uuidv7 } from '#kit/id.ts'
import type { Log } from '#kit/log.ts'
import { histogram } from '#kit/metrics.ts'
import { type Details, type Kind, Refusal } from '#kit/refusal.ts'
import { parse, type Static, type TSchema } from '#kit/schema.ts'
import { isCorrelationId, isTraceparent, type Trace, traced } from '#kit/trace.ts'

/** What every request has before any schema is looked at. */
export interface Arrival {
  headers: Record<string, string | string[] | undefined>
  ip: string
  path: string
  at: Date
  requestId: string
  correlationId: string
  raw: Buffer
}

export interface Call<Who, Body, Query, Params> extends Arrival {
  who: Who
  body: Body
  query: Query
  params: Params
}

/** Who may call: reads the request, gives the caller or throws a refusal. `scheme` names it in the OpenAPI. */
export interface Auth<World, Who> {
  scheme: string | null
  check(arrival: Arrival, world: World): Who | Promise<Who>
}

export interface Route<
  World,
  Who = unknown,
  B extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As in the document, `{braces}` around parameters. */
  path: string
  section: string
  summary: string
  auth: Auth<World, Who>
  body?: B
  query?: Q
  params?: P
  /** Answers by status; a status without a schema is sent as it is. */
  reply?: Record<number, TSchema>
  maxBytes?: number
  /** `raw` leaves the body alone: the handler reads `raw` itself. `form` is for a browser's own form. */
  accepts?: 'json' | 'raw'
  hidden?: boolean
  handle(call: Call<Who, Static<B>, Static<Q>, Static<P>>, world: World): unknown
}

/** An answer other than a plain 200 with a body. */
export class Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Record<string, string>

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const answer = (status: number, body: unknown, headers?: Record<string, string>): Answer =>
  new Answer(status, body, headers)

/** A door speaks for one prefix; unknown routes under it are refused in its shape too. */
export interface Door<World> {
  prefix: string
  // biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
  routes: Route<World, any, any, any, any>[]
  /** The wire form of a refusal; `bug` stands for everything that was not meant. */
  refuse(refusal: Refusal | 'bug', arrival: Pick<Arrival, 'requestId' | 'correlationId' | 'at'>): Answer
}

export interface ServeOptions<World> {
  doors: Door<World>[]
  world: World
  clock: Clock
  log: Log
  host: string
  port: number
  /** Adds what is not a route of ours: a documentation page, a static folder. */
  plugins?: (app: FastifyInstance) => Promise<void>
}

export interface Server {
  url: string
  app: FastifyInstance
  stop(): Promise<void>
}

const seconds = histogram(
  'http_request_seconds',
  'Time to answer',
  ['method', 'route', 'status'],
  [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
)

export async function serve<World>(options: ServeOptions<World>): Promise<Server> {
  const { doors, world, clock, log, host, port } = options
  const byLongestPrefix = [...doors].sort((a, b) => b.prefix.length - a.prefix.length)
  const doorOf = (path: string): Door<World> =>
    byLongestPrefix.find(({ prefix }) => path.startsWith(prefix)) ?? doors[0]!

  const app = fastify({
    logger: false,
    bodyLimit: 256 * 1024,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 30_000,
    requestTimeout: 60_000,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.decorateRequest('arrival')
  app.addHook('onRequest', (request, reply, done) => {
    const arrival = arrivalOf(request, clock())
    ;(request as WithArrival).arrival = arrival
    reply.header('x-correlation-id', arrival.correlationId)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { requestId, correlationId } = (request as WithArrival).arrival
    const route = request.routeOptions.url ?? 'unknown'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (!route.endsWith('z'))
      log.info(
        {
          method: request.method,
          route,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          requestId,
          correlationId,
        },
        'answered',
      )
    done()
  })

  for (const door of doors) for (const route of door.routes) mount(app, route, world)

  app.setNotFoundHandler((request, reply) => {
    const { arrival } = request as WithArrival
    const allowed = methodsOf(doors, arrival.path)
    const refusal =
      allowed.length > 0
        ? new Refusal('wrong-method', `${request.method} is not possible here`, { allowed })
        : new Refusal('absent', 'there is nothing at this address')
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    return send(reply, doorOf(arrival.path).refuse(refusal, arrival))
  })
  app.setErrorHandler((error, request, reply) => {
    const { arrival } = request as WithArrival
    const refusal = refusalFrom(error)
    if (refusal === 'bug')
      log.error(
        { err: error, method: request.method, route: request.routeOptions.url, correlationId: arrival.correlationId },
        'a bug answered 500',
      )
    return send(reply, doorOf(arrival.path).refuse(refusal, arrival))
  })
  await options.plugins?.(app)
  const address = await app.listen({ host, port })
  return { url: address, app, stop: () => app.close() }
}

type WithArrival = FastifyRequest & { arrival: Arrival }

function mount<World>(app: FastifyInstance, route: Route<World>, world: World): void {
  const response = Object.fromEntries(Object.entries(route.reply ?? {}).filter(([status]) => Number(status) < 300))
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(route.maxBytes && { bodyLimit: route.maxBytes }),
    schema: { response },
    // The context is entered here and not in a hook: reading the body would lose it again.
    handler: (request, reply) => traced(traceOf(request), () => respond(request, reply)),
  })

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const arrival = (request as WithArrival).arrival
    arrival.raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
    const who = await route.auth.check(arrival, world)
    const call = {
      ...arrival,
      who,
      params: route.params ? parse(route.params, request.params) : request.params,
      query: route.query ? parse(route.query, request.query) : request.query,
      body: route.body ? parse(route.body, json(request, arrival.raw)) : undefined,
    }
    const result = await route.handle(call as never, world)
    return send(reply, result instanceof Answer ? result : new Answer(200, result))
  }
}

function json(request: FastifyRequest, raw: Buffer): unknown {
  const type = request.headers['content-type']
  if (type === undefined ? raw.length > 0 : !/^application\/(\w+\+)?json\s*(;|$)/i.test(type))
    throw new Refusal('unsupported-media', 'the body must be application/json')
  try {
    return raw.length === 0 ? {} : JSON.parse(raw.toString('utf8'))
  } catch {
    throw new Refusal('malformed', 'the body is not valid JSON')
  }
}

function send(reply: FastifyReply, { status, body, headers }: Answer): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

function arrivalOf(request: FastifyRequest, at: Date): Arrival {
  const given = request.headers['x-correlation-id']
  const requestId = uuidv7(at.getTime())
  const correlationId = typeof given === 'string' && isCorrelationId(given) ? given : requestId
  return {
    headers: request.headers,
    ip: request.ip,
    path: request.url.split('?', 1)[0]!,
    at,
    requestId,
    correlationId,
    raw: Buffer.alloc(0),
  }
}

function traceOf(request: FastifyRequest): Trace {
  const { correlationId } = (request as WithArrival).arrival
  const { traceparent } = request.headers
  return typeof traceparent === 'string' && isTraceparent(traceparent)
    ? { correlationId, traceparent }
    : { correlationId }
}

function methodsOf<World>(doors: Door<World>[], path: string): string[] {
  const matching = doors
    .flatMap(({ routes }) => routes)
    .filter((route) => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
  return [...new Set(matching.map(({ method }) => method))]
}

const frameworkKinds: Record<string, [Kind, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'the body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media', 'the body must be application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed', 'the body is shorter or longer than announced'],
  FST_ERR_BAD_URL: ['malformed', 'the address is not readable'],
}

function refusalFrom(error: unknown): Refusal | 'bug' {
  if (error instanceof Refusal) return error
  const [kind, message] = frameworkKinds[(error as { code?: string }).code ?? ''] ?? []
  return kind ? new Refusal(kind, message!, {} as Details) : 'bug'
}
