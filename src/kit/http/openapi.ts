// Generates the OpenAPI 3.1 document of a program from the routes that its server runs.

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

/** The parts of an OpenAPI 3.1 document that we use. */
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

/** The description and the examples of an operation. */
export interface OperationText {
  /** When to call the operation and what the call causes, in one or two sentences. */
  description: string
  /** Example bodies of a real request and its answer. */
  request?: unknown
  answer?: unknown
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
  /** By API prefix, the schema of refusals. */
  errors: Record<string, TSchema>
  /** By API prefix, the request headers of a method, without the token. */
  headers?: Record<string, (method: string) => RequestHeader[]>
  webhooks?: OpenApiDocument['webhooks']
  /** In display order. Every operation must be in a group. */
  groups: OperationGroup[]
  /** By operation id. */
  texts?: Record<string, OperationText>
}

// biome-ignore lint/suspicious/noExplicitAny: an API of any program
export function openapi(apis: Api<any>[], about: ApiAbout): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  const usedIds = new Set<string>()
  for (const api of apis) {
    for (const route of api.routes) {
      if (route.hidden) continue
      const id = operationId(route)
      if (usedIds.has(id)) throw new Error(`two routes have the operation id ${id}`)
      usedIds.add(id)
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
  const matches = groups.flatMap(({ name, paths }) =>
    paths.filter((prefix) => path.startsWith(prefix)).map((prefix) => ({ prefix, name })),
  )
  const [longest] = matches.sort((a, b) => b.prefix.length - a.prefix.length)
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
  const jsonContent = (schema: TSchema, example?: unknown) => ({
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  })
  const responses: Operation['responses'] = {}
  for (const [status, schema] of Object.entries(route.reply ?? {}))
    responses[status] = { description: ownValue(statusTexts, status) ?? 'Answer', ...jsonContent(schema, text?.answer) }
  if (error) responses.default = { description: 'A refusal; all operations use this format', ...jsonContent(error) }
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(text && { description: text.description }),
    tags: [group],
    'x-section': route.section,
    ...(route.auth.scheme && { security: [{ [route.auth.scheme]: [] }] }),
    ...parameters(route.path, route.params, route.query, headers),
    ...(route.body && {
      requestBody: { required: isBodyRequired(route.body), ...jsonContent(route.body, text?.request) },
    }),
    ...(route.accepts === 'raw' && { requestBody: { required: true, content: { '*/*': {} } } }),
    ...(route.accepts === 'stream' && { requestBody: { required: true, content: { 'multipart/form-data': {} } } }),
    responses,
  }
}

/** `POST /api/lab/webhook-endpoints/{id}/rotate-secret` is `postApiLabWebhookEndpointsIdRotateSecret`. */
// biome-ignore lint/suspicious/noExplicitAny: a route of any program
const operationId = ({ method, path }: Route<any>): string =>
  method.toLowerCase() + path.replace(/[^A-Za-z0-9]+(.)?/g, (_, character?: string) => character?.toUpperCase() ?? '')

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
