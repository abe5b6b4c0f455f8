// Types of routes, requests, answers and APIs. Finds the API and the methods of a path.

import type { Readable } from 'node:stream'
import { required } from '#kit/runtime/record.ts'
import type { OpenSpan } from '#kit/runtime/trace.ts'
import type { Deprecation } from './deprecation.ts'
import type { FieldError, Refusal, RefusalKind } from './refusal.ts'
import type { Static, TSchema } from './schema.ts'

/** An integrator that calls with an API key (`keyId`), or one of its borrowers with a session. */
interface Caller {
  tenantId: string
  applicationId: string
  keyId: string | null
}

/** A request before validation. */
export interface Arrival {
  headers: Record<string, string | string[] | undefined>
  ip: string
  method: string
  path: string
  /** The query string with its question mark; empty without a query. */
  search: string
  at: Date
  requestId: string
  /** As the caller sent it; only answers have it. */
  correlationId: string
  /** For logs, traces and storage: the request id if the caller's id contains personal data. */
  safeCorrelationId: string
  /** Of the request's span; without a tracer, of the caller. */
  traceparent?: string
  span?: OpenSpan
  raw: Buffer
  /** The unread body of a route that accepts a stream. */
  stream?: Readable
  /** Added to the headers of the answer, even if the answer is a refusal. */
  answerHeaders: Record<string, string>
  refusalKind?: RefusalKind
  /** The authenticated caller, for the request log. */
  caller?: Caller
  /** The body of the answer, before serialization. */
  answerBody?: unknown
}

export interface Call<Who, Body, Query, Params> extends Arrival {
  who: Who
  body: Body
  query: Query
  params: Params
}

/** `check` returns the caller or throws a refusal. `scheme` is the name in the OpenAPI document. */
export interface Auth<Context, Who> {
  scheme: string | null
  /** Whether browsers never add the credential automatically. Only then answers are compressed (`compress.ts`). */
  noCookie?: true
  check(arrival: Arrival, ctx: Context): Who | Promise<Who>
}

/** No authentication. For public routes, secret addresses, and calls whose signature the handler verifies. */
export const anyone: Auth<unknown, null> = { scheme: null, check: () => null }

export interface Route<
  Context,
  Who = unknown,
  B extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  P extends TSchema = TSchema,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With parameters in braces, as in the OpenAPI document. */
  path: string
  section: string
  /** The name of the operation in the OpenAPI document; required there. */
  operationId?: string
  summary: string
  auth: Auth<Context, Who>
  body?: B
  /**
   * Returns further faults of the body, which the schema cannot express. They are reported together with the faults of
   * the schema. `partialBody` is the body without its invalid fields.
   */
  furtherFaults?(
    partialBody: Static<B>,
    call: Omit<Call<Who, Static<B>, Static<Q>, Static<P>>, 'body'>,
    ctx: Context,
  ): FieldError[]
  query?: Q
  params?: P
  /** By status, the schema of the answer. Without a schema the body is sent unchanged. */
  reply?: Record<number, TSchema>
  maxBytes?: number
  /** `raw`: the handler gets the bytes of the body; `stream`: the handler reads the body while it arrives. */
  accepts?: 'json' | 'raw' | 'stream'
  /** Whether the OpenAPI document omits the route. */
  hidden?: boolean
  /** Set when clients must move to another operation. */
  deprecated?: Deprecation
  handle(call: Call<Who, Static<B>, Static<Q>, Static<P>>, ctx: Context): unknown
}

export class Answer {
  readonly status: number
  readonly body: unknown
  /** Only `Set-Cookie` may have several values. */
  readonly headers: Record<string, string | string[]>

  constructor(status: number, body: unknown, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const answer = (status: number, body: unknown, headers?: Answer['headers']): Answer =>
  new Answer(status, body, headers)

/** The routes of one path prefix, and the format of all errors under this prefix. */
export interface Api<Context> {
  prefix: string
  // biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
  routes: Route<Context, any, any, any, any>[]
  /** Whether `""` in an optional field counts as absent, because forms send empty fields. */
  blankIsAbsent?: boolean
  /** Whether a route without a query schema refuses every query parameter. */
  closedQuery?: boolean
  /** Returns headers that are added to every answer, even to a refusal. */
  headers?(requestHeaders: Arrival['headers'], at: Date): Record<string, string>
  /**
   * Builds the answer for a refusal, or for a `bug`, which is any unexpected error. For a request that is not valid
   * HTTP, only the ids and the time are known.
   */
  refuse(
    refusal: Refusal | 'bug',
    arrival: Pick<Arrival, 'requestId' | 'correlationId' | 'at'> & Partial<Arrival>,
  ): Answer
}

/** Returns a function that finds the API of a path by the longest matching prefix. */
export function apiFinder<Context>(apis: Api<Context>[]): (path: string) => Api<Context> {
  const byLongestPrefix = [...apis].sort((a, b) => b.prefix.length - a.prefix.length)
  const shortest = required(byLongestPrefix.at(-1), 'an API')
  return (path) =>
    byLongestPrefix.find(
      ({ prefix }) => path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`),
    ) ?? shortest
}

/** Returns a function that lists the methods of a path; empty for an unknown path. */
export function methodFinder<Context>(apis: Api<Context>[]): (path: string) => string[] {
  const knownRoutes = apis
    .flatMap(({ routes }) => routes)
    .map(({ method, path }) => ({ method, segments: path.split('/') }))
  return (path) => {
    const requested = path.split('/')
    const matches = (segments: string[]) =>
      segments.length === requested.length &&
      segments.every((segment, i) => (segment.startsWith('{') ? requested[i] !== '' : segment === requested[i]))
    const methods = new Set<string>(knownRoutes.filter(({ segments }) => matches(segments)).map(({ method }) => method))
    if (methods.has('GET')) methods.add('HEAD')
    return methods.size === 0 ? [] : [...methods, 'OPTIONS']
  }
}
