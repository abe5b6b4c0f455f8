// Adds a route to the server: authenticates the caller, validates the input, calls the handler and sends the answer.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defaultPatienceMs, withPatience } from '#kit/db/patience.ts'
import type { Log } from '#kit/runtime/log.ts'
import { runInTrace, type Trace } from '#kit/runtime/trace.ts'
import { jsonBody, refuseUnstorable } from './body.ts'
import { deprecationHeaders } from './deprecation.ts'
import { Answer, type Api, type Arrival, type Route } from './route.ts'
import { Closed, parse, type TSchema, withoutBlanks } from './schema.ts'
import { bodyStream, isStreamed } from './stream.ts'

/** The default size limit of a body, in bytes. */
export const bodyLimit = 256 * 1024

declare module 'fastify' {
  interface FastifyContextConfig {
    isStreamed?: boolean
    isCompressed?: boolean
  }
  interface FastifyRequest {
    arrival: Arrival
  }
}

const NoQuery = Closed({})

export interface MountOptions<Context> {
  ctx: Context
  log: Log
  /** Total time that a request may wait for the database before the answer is 503. */
  databaseMs?: number
}

export function mount<Context>(
  app: FastifyInstance,
  route: Route<Context>,
  api: Api<Context>,
  { ctx, log, databaseMs = defaultPatienceMs }: MountOptions<Context>,
): void {
  const querySchema = route.query ?? (api.closedQuery ? NoQuery : undefined)
  const notice = route.deprecated && deprecationHeaders(route.deprecated)
  const withoutBlankFields = (schema: TSchema, value: unknown) =>
    api.blankIsAbsent ? withoutBlanks(schema, value) : value
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(route.maxBytes && { bodyLimit: route.maxBytes }),
    config: { isStreamed: isStreamed(route), isCompressed: route.auth.noCookie === true },
    // Before the body is read, so that a refusal of the body has the headers too.
    ...(notice && { onRequest: async ({ arrival }) => void Object.assign(arrival.answerHeaders, notice) }),
    // The trace begins here and not in a hook, because reading the body loses the asynchronous context.
    handler: (request, reply) =>
      runInTrace(traceOf(request), () => withPatience(databaseMs, () => respond(request, reply))),
  })

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const arrival = request.arrival
    arrival.raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const who = await route.auth.check(arrival, ctx)
    if (isStreamed(route)) arrival.stream = bodyStream(request.raw, route.maxBytes ?? bodyLimit)
    const { params, query } = request
    refuseUnstorable(params)
    refuseUnstorable(query)
    const input = {
      ...arrival,
      who,
      params: route.params ? parse(route.params, params) : params,
      query: querySchema ? parse(querySchema, withoutBlankFields(querySchema, query)) : query,
    }
    const furtherFaults = (partialBody: unknown) => route.furtherFaults?.(partialBody, input, ctx) ?? []
    const sent = route.body && jsonBody(arrival.raw, request.headers['content-type'])
    const body = route.body && parse(route.body, withoutBlankFields(route.body, sent), '', furtherFaults)
    const result = await route.handle({ ...input, body }, ctx)
    const answer = result instanceof Answer ? result : new Answer(200, result)
    if (answer.body instanceof Readable) logBreak(answer.body, reply, { log, route: route.path })
    if (answer.status < 300) shapeReply(reply, answer, route.reply?.[answer.status])
    return send(reply, arrival, answer)
  }
}

function logBreak(body: Readable, reply: FastifyReply, { log, route }: { log: Log; route: string }): void {
  body.once('error', (err) => {
    const { safeCorrelationId: correlationId } = reply.request.arrival
    if (reply.raw.headersSent) log.error({ err, route, correlationId }, 'an answer broke off')
  })
}

const serializers = new WeakMap<TSchema, (body: { [key: string]: unknown }) => string>()

/**
 * Serializes the body by the schema, which drops undeclared fields. Schemas are compiled on first use, because
 * compiling hundreds of schemas would delay the start by a second.
 */
function shapeReply(reply: FastifyReply, { body, headers }: Answer, schema: TSchema | undefined): void {
  const isText = typeof body === 'string' || ArrayBuffer.isView(body) || body instanceof Readable
  if (!schema || body === undefined || isText) return
  const serializer = serializers.get(schema) ?? reply.compileSerializationSchema({ ...schema })
  serializers.set(schema, serializer)
  reply.serializer(serializer)
  if (!('content-type' in headers)) reply.type('application/json; charset=utf-8')
}

export function send(reply: FastifyReply, arrival: Arrival, { status, body, headers }: Answer): FastifyReply {
  arrival.answerBody = body
  return reply.code(status).headers(arrival.answerHeaders).headers(headers).send(body)
}

const traceOf = ({ arrival: { safeCorrelationId, traceparent } }: FastifyRequest): Trace => ({
  correlationId: safeCorrelationId,
  ...(traceparent !== undefined && { traceparent }),
})
