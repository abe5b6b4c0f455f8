// Generates the OpenAPI 3.1 document of a program from the routes that its server runs.
import { keysOf, ownValue } from '@lendloom/foundation/record'
import { kinds, type RefusalKind } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { TSchema } from '@lendloom/foundation/schema'
import { deprecationText } from './deprecation.ts'
import { withComponents } from './openapi-components.ts'
import type { Body, OpenApiDocument, Operation, SecurityScheme } from './openapi-document.ts'
import type { Api, Route } from './server.ts'

interface RequestHeader {
  name: string
  required: boolean
  description: string
  schema: TSchema
}

export interface OperationText {
  /** When to call the operation and what the call causes, in one or two sentences. */
  description: string
  /** Example bodies of a real request and its answer. */
  request?: unknown
  answer?: unknown
}

export interface RefusalFormat {
  /** Precedes the names of these answers among the components. */
  prefix: string
  schema: TSchema
  codes: Record<RefusalKind, readonly [status: number, code: string, ...unknown[]]>
}

/** Every operation is in the group whose path prefix matches the most characters. */
export interface OperationGroup {
  name: string
  description: string
  paths: string[]
}

export interface ApiAbout {
  title: string
  version: string
  description: string
  serverUrl: string
  securitySchemes: Record<string, SecurityScheme>
  /** By API prefix, how the API refuses. */
  refusals?: Record<string, RefusalFormat>
  /** By name, the schemas that become components. */
  schemas?: Record<string, unknown>
  /** By API prefix, the request headers of a method, without the token. */
  headers?: Record<string, (method: string) => RequestHeader[]>
  webhooks?: OpenApiDocument['webhooks']
  /** In display order. Every operation must be in a group. */
  groups: OperationGroup[]
  texts?: Record<string, OperationText>
}

// biome-ignore lint/suspicious/noExplicitAny: an API of any program
export function openapi(apis: Api<any>[], about: ApiAbout): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const usedIds = new Set<string>()
  for (const api of apis) {
    for (const route of api.routes) {
      if (route.hidden) continue
      const id = required(route.operationId, `the operation id of ${route.method} ${route.path}`)
      if (usedIds.has(id)) throw new Error(`two routes have the operation id ${id}`)
      usedIds.add(id)
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operation(route, {
          id,
          group: groupOf(route.path, about.groups),
          text: about.texts?.[id],
          refusals: about.refusals?.[api.prefix],
          headers: about.headers?.[api.prefix]?.(route.method) ?? [],
        }),
      }
    }
  }
  const formats = new Set(apis.flatMap(({ prefix }) => about.refusals?.[prefix] ?? []))
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: about.serverUrl }],
    tags: about.groups.map(({ name, description }) => ({ name, description })),
    paths,
    ...(about.webhooks && { webhooks: about.webhooks }),
    components: {
      securitySchemes: about.securitySchemes,
      responses: Object.assign({}, ...[...formats].map(refusalAnswers)),
    },
  }
  return about.schemas ? withComponents(document, about.schemas) : document
}

function refusalAnswers(format: RefusalFormat): Record<string, Body> {
  const met = keysOf(format.codes).filter((kind) => kind !== 'wrong-method')
  const byStatus = Map.groupBy(met, (kind) => format.codes[kind][0])
  return Object.fromEntries(
    [...byStatus].map(([status, kindsOfStatus]) => {
      const codes = [...new Set(kindsOfStatus.map((kind) => `\`${format.codes[kind][1]}\``))].join(', ')
      const reasons = kindsOfStatus.map((kind) => kinds[kind]).join('; ')
      const body = { description: `${codes}: ${reasons}`, content: { 'application/json': { schema: format.schema } } }
      return [nameOfRefusal(format, status), { ...body, ...(retryable.includes(status) && { headers: retryAfter }) }]
    }),
  )
}

const retryable = [429, 503]
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer' } },
}

// An import of this module would also load the HTTP client of Node.
const { STATUS_CODES: statusCodes } = process.getBuiltinModule('node:http')

const nameOfRefusal = ({ prefix }: RefusalFormat, status: number): string =>
  prefix + (statusCodes[status] ?? String(status)).replace(/[^A-Za-z]/g, '')

// biome-ignore lint/suspicious/noExplicitAny: a route of any program
function refusalKindsOf({ method, auth, body, query, params, accepts }: Route<any>): RefusalKind[] {
  const hasBody = body !== undefined || accepts !== undefined
  return [
    ...(body || query || params ? (['malformed', 'invalid'] as const) : []),
    ...(auth.scheme === null ? [] : (['bad-api-key', 'forbidden'] as const)),
    ...(params ? (['absent'] as const) : []),
    ...(method === 'GET' ? [] : (['wrong-state', 'reused-key'] as const)),
    ...(hasBody ? (['too-large', 'unsupported-media'] as const) : []),
    'rate-limited',
    'damaged',
    'upstream',
  ]
}

function groupOf(path: string, groups: OperationGroup[]): string {
  const matches = groups.flatMap(({ name, paths }) =>
    paths.filter((prefix) => path.startsWith(prefix)).map((prefix) => ({ prefix, name })),
  )
  const [longest] = matches.sort((a, b) => b.prefix.length - a.prefix.length)
  if (!longest) throw new Error(`${path} is in no group`)
  return longest.name
}

interface OperationExtras {
  id: string
  group: string
  text: OperationText | undefined
  refusals: RefusalFormat | undefined
  headers: RequestHeader[]
}

// biome-ignore lint/suspicious/noExplicitAny: a route of any program
function operation(route: Route<any>, { id, group, text, refusals, headers }: OperationExtras): Operation {
  const jsonContent = (schema: TSchema, example?: unknown) => ({
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  })
  const responses: Operation['responses'] = route.reply ? {} : { 204: { description: 'Done, without a body' } }
  for (const [status, schema] of Object.entries(route.reply ?? {}))
    responses[status] = { description: ownValue(statusTexts, status) ?? 'Answer', ...jsonContent(schema, text?.answer) }
  if (refusals)
    for (const kind of refusalKindsOf(route)) {
      const [status] = refusals.codes[kind]
      responses[status] = { $ref: `#/components/responses/${nameOfRefusal(refusals, status)}` }
    }
  return {
    operationId: id,
    summary: route.summary,
    ...describe(route, text),
    tags: [group],
    'x-section': route.section,
    security: route.auth.scheme === null ? [] : [{ [route.auth.scheme]: [] }],
    ...parameters(route.path, route.params, route.query, headers),
    ...(route.body && {
      requestBody: { required: isBodyRequired(route.body), ...jsonContent(route.body, text?.request) },
    }),
    ...(route.accepts === 'raw' && { requestBody: { required: true, content: { '*/*': {} } } }),
    ...(route.accepts === 'stream' && { requestBody: { required: true, content: { 'multipart/form-data': {} } } }),
    responses,
  }
}

/** The description of an operation, with the announcement of its end. */
// biome-ignore lint/suspicious/noExplicitAny: a route of any program
function describe({ deprecated }: Route<any>, text: OperationText | undefined): Partial<Operation> {
  if (!deprecated) return text ? { description: text.description } : {}
  const description = [deprecationText(deprecated), text?.description].filter(Boolean).join(' ')
  const { sunset, replacement } = deprecated
  return { description, deprecated: true, 'x-sunset': sunset, 'x-replacement': replacement }
}

/** A body without required fields may be absent. */
const isBodyRequired = ({ required = [] }: ObjectSchema): boolean => required.length > 0

type ObjectSchema = { properties?: Record<string, object>; required?: string[] }

/** Lists path parameters (even without a schema), then query parameters, then headers. */
function parameters(
  path: string,
  params: ObjectSchema | undefined,
  query: ObjectSchema | undefined,
  headers: RequestHeader[],
): Pick<Operation, 'parameters'> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: params?.properties?.[name] ?? { type: 'string' },
  }))
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: (query?.required ?? []).includes(name),
    schema,
  }))
  const all = [...inPath, ...inQuery, ...headers.map((header) => ({ in: 'header', ...header }))]
  return all.length > 0 ? { parameters: all } : {}
}

const statusTexts: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, without a body',
}
