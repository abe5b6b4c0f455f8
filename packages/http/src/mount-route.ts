// Adds a route to the server: authenticates the caller, reads and validates the input, calls the handler and sends the
// answer.
import { Readable } from 'node:stream'
import type { Log } from '@lendloom/foundation/log'
import { fieldsOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import { Closed, parse, type TSchema, withoutBlanks } from '@lendloom/foundation/schema'
import { runInTrace, type Trace } from '@lendloom/foundation/trace'
import { defaultPatienceMs, type RequestPatience, startPatience } from '@lendloom/postgres/wait-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isJson, jsonBody, readJson, refuseUnstorable } from './body.ts'
import type { BodyMemory, BodyReservation } from './body-memory.ts'
import {
  bodyStream,
  isExpectingContinue,
  limitBodyTime,
  limitFormTime,
  overheadBytes,
  readBody,
} from './body-stream.ts'
import { deprecationHeaders } from './deprecation.ts'
import { readSentForm, type SentForm } from './form.ts'
import { Answer, type Api, type Arrival, isStreamed, type Route } from './route.ts'
import { networkOf } from './sign-in-limit.ts'

/** The default size limit of a body, in bytes. */
export const bodyLimit = 256 * 1024
/** The default size limit of a body whose sender needs no credential. */
export const publicBodyLimit = 16 * 1024

/** The size limit of a route's body, in bytes. */
export const maxBytesOf = ({ maxBytes, auth }: Pick<Route<never>, 'maxBytes' | 'auth'>): number =>
  maxBytes ?? (auth.isPublic ? publicBodyLimit : bodyLimit)

declare module 'fastify' {
  interface FastifyContextConfig {
    isStreamed?: boolean
    isCompressed?: boolean
    maxBytes?: number
  }
  interface FastifyRequest {
    arrival: Arrival
    /** Set when the caller is authenticated, before the body is read. */
    admission: Admission | null
  }
}

/** An authenticated request. */
export interface Admission {
  who: unknown
  patience: RequestPatience
  /** The memory of the body, until the request is answered. */
  memory: BodyReservation
}

const NoQuery = Closed({})

export interface MountOptions<Context> {
  ctx: Context
  log: Log
  /** Total time that a request may wait for the database before the answer is 503. */
  databaseMs?: number
}

/** The memory of all bodies that a process reads. Strangers have memories of their own, so that they harm no caller. */
export interface ServerMemory {
  /** JSON and other whole bodies of authenticated callers. */
  bodies: BodyMemory
  /** Forms with files of authenticated callers. */
  files: BodyMemory
  /** Bodies whose signature proves the caller once they are read. */
  unproven: BodyMemory
  /** Bodies of routes without a credential. */
  public: BodyMemory
}

/** Adds a route to the server. */
export function mount<Context>(
  app: FastifyInstance,
  route: Route<Context>,
  api: Api<Context>,
  { ctx, log, memory, databaseMs = defaultPatienceMs }: MountOptions<Context> & { memory: ServerMemory },
): void {
  const querySchema = route.query ?? (api.closedQuery ? NoQuery : undefined)
  const notice = route.deprecated && deprecationHeaders(route.deprecated)
  const maxBytes = maxBytesOf(route)
  const { memory: bodyMemory, share } = memoryOfRoute(route, memory)
  const withoutBlankFields = (schema: TSchema, value: unknown) =>
    api.blankIsAbsent ? withoutBlanks(schema, value) : value
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { isStreamed: isStreamed(route), isCompressed: route.auth.noCookie === true, maxBytes },
    onRequest: admit,
    // The trace begins again here, because reading the body loses the asynchronous context.
    handler(request, reply) {
      const { patience, memory: reservation } = required(request.admission, 'an admitted request')
      const release = (): void => {
        patience.end()
        // A client that reads no answer must not hold the memory of its body.
        reservation.release()
      }
      return runInTrace(traceOf(request), () => patience.run(() => respond(request, reply).finally(release)))
    },
  })

  /** Authenticates the caller before the body is read. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { arrival } = request
    // A refusal has the headers too.
    if (notice) Object.assign(arrival.answerHeaders, notice)
    arrival.pathParams = fieldsOf(request.params)
    const patience = startPatience(databaseMs)
    reply.raw.once('close', patience.end)
    const who = await runInTrace(traceOf(request), () => patience.run(async () => await route.auth.check(arrival, ctx)))
    const reservation = bodyMemory.reserve(callerName(route.auth, who, arrival.ip), share)
    reply.raw.once('close', reservation.release)
    request.admission = { who, patience, memory: reservation }
    if (!isStreamed(route)) limitBodyTime(request.raw, maxBytes)
    if (isExpectingContinue(request.raw)) reply.raw.writeContinue()
  }

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const arrival = request.arrival
    const { who, memory } = required(request.admission, 'an admitted request')
    const contentType = request.headers['content-type']
    if (Buffer.isBuffer(request.body)) arrival.raw = request.body
    if (route.accepts === 'form') {
      limitFormTime(request.raw)
      // The sender of a form without files may send its JSON alone.
      if (isJson(contentType)) arrival.raw = await readBody(request.raw, bodyLimit, memory)
    }
    await route.auth.verifyBody?.(arrival, who, ctx)
    if (route.accepts === 'stream') arrival.stream = bodyStream(request.raw, maxBytes)
    const { params, query } = request
    refuseUnstorable(params)
    refuseUnstorable(query)
    const input = {
      ...arrival,
      who,
      params: route.params ? parse(route.params, params) : params,
      query: querySchema ? parse(querySchema, withoutBlankFields(querySchema, query)) : query,
    }
    if (route.accepts === 'form' && !isJson(contentType)) {
      const files = required(route.files, 'the files of a form')
      input.form = await readSentForm(request.raw, { ...files, maxBytes }, memory)
    }
    const furtherFaults = (partialBody: unknown) => route.furtherFaults?.(partialBody, input, ctx) ?? []
    const sent = route.body && (input.form ? jsonOfForm(input.form) : jsonBody(arrival.raw, contentType))
    const body = route.body && parse(route.body, withoutBlankFields(route.body, sent), '', furtherFaults)
    const result = await route.handle({ ...input, body }, ctx)
    const answer = result instanceof Answer ? result : new Answer(200, result)
    if (answer.body instanceof Readable) logBreak(answer.body, reply, { log, route: route.path })
    if (answer.status < 300) shapeReply(reply, answer, route.reply?.[answer.status])
    return send(reply, arrival, answer)
  }
}

/** Reads the unread body into memory. Reads nothing for an unknown path, which admits no caller. */
export async function wholeBody({ raw, admission, routeOptions }: FastifyRequest): Promise<Buffer> {
  if (!admission) return Buffer.alloc(0)
  return readBody(raw, routeOptions.config.maxBytes ?? publicBodyLimit, admission.memory)
}

/** A larger body than this is a file. */
const maxValueBytes = 4 << 20
/** Whole bodies that a caller may send at once, so that a few slow callers cannot fill the memory of all. */
const defaultBodiesAtOnce = 16

/** The memory in which a route's bodies are read, and the bytes of it that a caller may have. */
export function memoryOfRoute(
  route: Pick<Route<never>, 'auth' | 'accepts' | 'maxBytes'>,
  memory: ServerMemory,
): { memory: BodyMemory; share: number } {
  const { auth, accepts } = route
  const { bodiesAtOnce = defaultBodiesAtOnce } = auth
  const maxBytes = maxBytesOf(route)
  const shared = (of: BodyMemory) => ({ memory: of, share: of.maxBytesPerCaller })
  if (auth.isPublic) return shared(memory.public)
  if (auth.isUnproven) return shared(memory.unproven)
  if (accepts === 'form' || maxBytes > maxValueBytes) return shared(memory.files)
  return {
    memory: memory.bodies,
    share: Math.min(memory.bodies.maxBytesPerCaller, bodiesAtOnce * (maxBytes + overheadBytes)),
  }
}

/** Names who sends a body; a stranger by the network, because its sender chooses among the addresses. */
function callerName<Context>(auth: Route<Context>['auth'], who: unknown, ip: string): string {
  const isUnknown = auth.isPublic || auth.isUnproven || who === null
  return isUnknown ? networkOf(ip) : (auth.nameOf?.(who) ?? JSON.stringify(who))
}

/** The JSON in the field `body` of a form. */
const jsonOfForm = ({ fields: { body = '' } }: SentForm): unknown => (body === '' ? {} : readJson(Buffer.from(body)))

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

/** Sends an answer with the headers collected for the request, and keeps its body for the log of the request. */
export function send(reply: FastifyReply, arrival: Arrival, { status, body, headers }: Answer): FastifyReply {
  arrival.answerBody = body
  // An answer of a poll without a body is kept small.
  if (status !== 304) reply.header('x-content-type-options', 'nosniff')
  return reply.code(status).headers(arrival.answerHeaders).headers(headers).send(body)
}

const traceOf = ({ arrival: { safeCorrelationId, traceparent } }: FastifyRequest): Trace => ({
  correlationId: safeCorrelationId,
  ...(traceparent !== undefined && { traceparent }),
})
