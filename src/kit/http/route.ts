// Types of a route: request, caller, response and API.

import type { Readable } from 'node:stream'
import { required } from '#kit/runtime/record.ts'
import type { FieldError, Refusal, RefusalKind } from './refusal.ts'
import type { Static, TSchema } from './schema.ts'

/** An integrator: by a key, or by the session of one of its borrowers. */
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
  /** The query with its question mark; empty without one. */
  search: string
  at: Date
  requestId: string
  correlationId: string
  raw: Buffer
  /** The unread body of a route that accepts a stream. */
  stream?: Readable
  /** Headers of every answer to this request, refusals too. */
  answerHeaders: Record<string, string>
  /** Why it was refused, for the log. */
  refused?: RefusalKind
  /** The authenticated caller, for the request log. */
  caller?: Caller
  /** The body of the answer, before it was written as text. */
  answered?: unknown
}

export interface Call<Who, Body, Query, Params> extends Arrival {
  who: Who
  body: Body
  query: Query
  params: Params
}

/**
 * Authentication: reads the request and returns the caller or throws a refusal. `scheme` is its name in the OpenAPI
 * document.
 */
export interface Auth<Context, Who> {
  scheme: string | null
  /** Whether browsers never add the credential automatically, so that answers may be compressed (`compress.ts`). */
  noCookie?: true
  check(arrival: Arrival, ctx: Context): Who | Promise<Who>
}

/** No caller check: for public routes, secret addresses, and calls that carry their own signature. */
export const anyone: Auth<unknown, null> = { scheme: null, check: () => null }

export interface Route<
  Context,
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
  auth: Auth<Context, Who>
  body?: B
  /** Faults of a body beyond its schema, so that all of them are reported together. */
  also?(rest: Static<B>, call: Omit<Call<Who, Static<B>, Static<Q>, Static<P>>, 'body'>, ctx: Context): FieldError[]
  query?: Q
  params?: P
  /** Answer schemas by status; without a schema the body is sent unchanged. */
  reply?: Record<number, TSchema>
  maxBytes?: number
  /** `raw`: the handler parses the bytes of the body. `stream`: it reads them while they arrive. */
  accepts?: 'json' | 'raw' | 'stream'
  hidden?: boolean
  handle(call: Call<Who, Static<B>, Static<Q>, Static<P>>, ctx: Context): unknown
}

/** An answer other than a plain 200 with a body. */
export class Answer {
  readonly status: number
  readonly body: unknown
  /** Only `Set-Cookie` has more than one value. */
  readonly headers: Record<string, string | string[]>

  constructor(status: number, body: unknown, headers: Record<string, string | string[]> = {}) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

export const answer = (status: number, body: unknown, headers?: Answer['headers']): Answer =>
  new Answer(status, body, headers)

/** The API of one path prefix; unknown paths under it get errors in its format. */
export interface Api<Context> {
  prefix: string
  // biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
  routes: Route<Context, any, any, any, any>[]
  /** Whether `""` in an optional field of a body or a query means that the field is absent, as forms send it. */
  blankIsAbsent?: boolean
  /** Whether a query parameter that the route does not know is refused by name. */
  closedQuery?: boolean
  /** Headers of every answer of this API, refusals too, as far as the request determines them. */
  headers?(requestHeaders: Arrival['headers'], at: Date): Record<string, string>
  /**
   * The wire form of a refusal; `bug` covers all unexpected errors. For a request that was not valid HTTP only its
   * assigned ids are known.
   */
  refuse(
    refusal: Refusal | 'bug',
    arrival: Pick<Arrival, 'requestId' | 'correlationId' | 'at'> & Partial<Arrival>,
  ): Answer
}

/** Finds the API of a path: the one with the longest matching prefix. */
export function apiFinder<Context>(apis: Api<Context>[]): (path: string) => Api<Context> {
  const byLongestPrefix = [...apis].sort((a, b) => b.prefix.length - a.prefix.length)
  const shortest = required(byLongestPrefix.at(-1), 'an API')
  return (path) =>
    byLongestPrefix.find(
      ({ prefix }) => path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`),
    ) ?? shortest
}

/** Finds the methods that a path supports; none for an unknown path. */
export function methodFinder<Context>(apis: Api<Context>[]): (path: string) => string[] {
  const known = apis.flatMap(({ routes }) => routes).map(({ method, path }) => ({ method, segments: path.split('/') }))
  return (path) => {
    const requested = path.split('/')
    const fits = (segments: string[]) =>
      segments.length === requested.length &&
      segments.every((segment, i) => (segment.startsWith('{') ? requested[i] !== '' : segment === requested[i]))
    const methods = new Set<string>(known.filter(({ segments }) => fits(segments)).map(({ method }) => method))
    if (methods.has('GET')) methods.add('HEAD')
    return methods.size === 0 ? [] : [...methods, 'OPTIONS']
  }
}
