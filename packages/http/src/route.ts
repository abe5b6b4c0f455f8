// Types of routes, requests, answers and APIs. Finds the API and the methods of a path.

import type { Readable } from 'node:stream'
import type { FieldError, Refusal, RefusalKind } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Static, TSchema } from '@lendloom/foundation/schema'
import type { OpenSpan } from '@lendloom/foundation/trace'
import type { Deprecation } from './deprecation.ts'
import type { SentForm } from './form.ts'

/** An integrator that calls with an API key (`keyId`), or one of its borrowers with a session. */
interface Caller {
  tenantId: string
  applicationId: string
  keyId: string | null
  /** Only for a borrower's session. */
  borrowerId?: string
}

/** A request before validation. */
export interface Arrival {
  headers: Record<string, string | string[] | undefined>
  ip: string
  method: string
  path: string
  /** The parameters of the path, decoded but not yet validated. */
  pathParams: Readonly<Record<string, unknown>>
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
  /** The body; empty until the caller is authenticated, and for routes that accept a stream or a form. */
  raw: Buffer
  /** The unread body of a route that accepts a stream. */
  stream?: Readable
  /** The body of a route that accepts a form. */
  form?: SentForm
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

export interface Auth<Context, Who> {
  /** The name in the OpenAPI document. */
  scheme: string | null
  /** Whether browsers never add the credential automatically. Only then answers are compressed (`compress.ts`). */
  noCookie?: true
  /** Whether requests without a credential pass. Their bodies are small (`publicBodyLimit`). */
  isPublic?: true
  /** Whether only a signature of the body proves who the caller is, and `check` knows a claim. */
  isUnproven?: true
  /**
   * Returns the caller or throws a refusal. It runs before the first byte of the body is read, so it knows headers,
   * path and query only: a caller without a credential must not cost the memory of a body.
   */
  check(arrival: Arrival, ctx: Context): Who | Promise<Who>
  /**
   * Names the caller for its share of the memory of bodies, by what the credential proves and not by what the client
   * chose. By default the whole caller.
   */
  nameOf?(who: Who): string
  /** How many whole bodies a caller may send at once; sixteen by default. */
  bodiesAtOnce?: number
  /** Verifies what covers the body, such as a signature, before the body is parsed. Throws a refusal. */
  verifyBody?(arrival: Arrival, who: Who, ctx: Context): void | Promise<void>
}

/** No authentication, for public routes. */
export const anyone: Auth<unknown, null> = { scheme: null, isPublic: true, check: () => null }

/** Authenticates by the token in the path. `open` returns what the token permits, or throws a refusal. */
export const pathToken = <Context, Who>(
  open: (token: string, ctx: Context, at: Date) => Who | Promise<Who>,
): Auth<Context, Who> => ({
  scheme: null,
  check: ({ pathParams, at }, ctx) => open(String(pathParams.token ?? ''), ctx, at),
})

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
  /** Maximum size of the body: `bodyLimit` by default, `publicBodyLimit` for routes without a credential. */
  maxBytes?: number
  /**
   * `raw`: the handler gets the bytes of the body. `stream`: the handler reads the body while it arrives. `form`: the
   * handler gets a form with fields and files. With a schema of the body, the form's field `body` has the JSON, and a
   * request without files may send the JSON alone.
   */
  accepts?: 'json' | 'raw' | 'stream' | 'form'
  /** The files of a route that accepts a form. */
  files?: { field: string; max: number }
  /** Whether the OpenAPI document omits the route. */
  hidden?: boolean
  /** Set when clients must move to another operation. */
  deprecated?: Deprecation
  handle(call: Call<Who, Static<B>, Static<Q>, Static<P>>, ctx: Context): unknown
}

/** Whether the handler reads the body, or the form, while it arrives. */
// biome-ignore lint/suspicious/noExplicitAny: a route of any program
export const isStreamed = ({ accepts }: Pick<Route<any>, 'accepts'>): boolean =>
  accepts === 'stream' || accepts === 'form'

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
