// The OpenAPI 3.1 document of a program, read off the same routes that its server runs.

import { ownValue } from '#kit/runtime/record.ts'
import type { TSchema } from './schema.ts'
import type { Api, Route } from './server.ts'

interface SecurityScheme {
  type: string
  scheme?: string
  description?: string
}

export interface Content {
  schema?: object
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}
export interface Body {
  description?: string
  required?: boolean
  headers?: object
  content?: Record<string, Content>
}
export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: object
}
export interface Operation {
  operationId?: string
  summary: string
  description?: string
  tags: string[]
  'x-section'?: string
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Body>
}

export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type PathItem = { servers?: object[] } & { [Method in (typeof methods)[number]]?: Operation }

/** The part of an OpenAPI 3.1 document that is used here. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string; license?: { name: string; identifier: string } }
  servers: { url: string; description?: string; variables?: object }[]
  tags: { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components?: {
    schemas?: Record<string, object>
    securitySchemes?: Record<string, SecurityScheme>
  }
}

interface RequestHeader {
  name: string
  required: boolean
  description: string
  schema: TSchema
}

/** The text about an operation beside its schemas. */
export interface OperationText {
  /** One or two sentences: when to call the operation, and what it causes. */
  description: string
  /** A body that it takes, and one that it answers with: as they really were. */
  request?: unknown
  answer?: unknown
}

/** Operations that belong together for a reader, by how their paths begin; the longest beginning counts. */
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
  /** The schema of every refusal of an API, by prefix. */
  errors: Record<string, TSchema>
  /** Headers of an API's operations besides their token, by prefix. */
  headers?: Record<string, (method: string) => RequestHeader[]>
  webhooks?: OpenApiDocument['webhooks']
  /** In the order in which readers see them; each operation is in one of them. */
  groups: OperationGroup[]
  /** By the name of the operation. */
  texts?: Record<string, OperationText>
}

// biome-ignore lint/suspicious/noExplicitAny: an API of any program
export function openapi(apis: Api<any>[], about: ApiAbout): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const taken = new Set<string>()
  for (const api of apis) {
    for (const route of api.routes) {
      if (route.hidden) continue
      const id = operationId(route)
      if (taken.has(id)) throw new Error(`two routes are called ${id}`)
      taken.add(id)
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operation(route, {
          group: groupOf(route.path, about.groups),
          text: about.texts?.[id],
          error: about.errors[api.prefix],
          headers: about.headers?.[api.prefix]?.(route.method) ?? [],
        }),
      }
    }
  }
  return {
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
    components: { securitySchemes: about.securitySchemes },
  }
}

function groupOf(path: string, groups: OperationGroup[]): string {
  const fitting = groups.flatMap(({ name, paths }) =>
    paths.filter((beginning) => path.startsWith(beginning)).map((beginning) => ({ beginning, name })),
  )
  const [longest] = fitting.sort((a, b) => b.beginning.length - a.beginning.length)
  if (!longest) throw new Error(`${path} is in no group`)
  return longest.name
}

interface OperationExtras {
  group: string
  text: OperationText | undefined
  error: TSchema | undefined
  headers: RequestHeader[]
}

// biome-ignore lint/suspicious/noExplicitAny: a route of any program
function operation(route: Route<any>, { group, text, error, headers }: OperationExtras): Operation {
  const body = (schema: TSchema, example?: unknown) => ({
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  })
  const responses: Operation['responses'] = {}
  for (const [status, schema] of Object.entries(route.reply ?? {}))
    responses[status] = { description: ownValue(statusTexts, status) ?? 'Answer', ...body(schema, text?.answer) }
  if (error) responses.default = { description: 'A refusal, in the same shape everywhere', ...body(error) }
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(text && { description: text.description }),
    tags: [group],
    // The section of the requirement, for those who work on the platform.
    'x-section': route.section,
    ...(route.auth.scheme && { security: [{ [route.auth.scheme]: [] }] }),
    ...parameters(route.path, route.params, route.query, headers),
    ...(route.body && { requestBody: { required: isNeeded(route.body), ...body(route.body, text?.request) } }),
    ...(route.accepts === 'raw' && { requestBody: { required: true, content: { '*/*': {} } } }),
    ...(route.accepts === 'stream' && { requestBody: { required: true, content: { 'multipart/form-data': {} } } }),
    responses,
  }
}

/** `POST /api/lab/webhook-endpoints/{id}/rotate-secret` is `postApiLabWebhookEndpointsIdRotateSecret`. */
// biome-ignore lint/suspicious/noExplicitAny: a route of any program
const operationId = ({ method, path }: Route<any>): string =>
  method.toLowerCase() + path.replace(/[^A-Za-z0-9]+(.)?/g, (_, character?: string) => character?.toUpperCase() ?? '')

/** An absent body equals one without fields. */
const isNeeded = ({ required = [] }: ObjectSchema): boolean => required.length > 0

type ObjectSchema = { properties?: Record<string, object>; required?: string[] }

/** Every parameter of the path, whether it has a schema or not, then those of the query, then the headers. */
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
  204: 'Done, nothing to say',
}
