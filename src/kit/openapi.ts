// The OpenAPI 3.1 document of a program, read off the same routes that its server runs.
import type { Door, Route } from '#kit/http-server.ts'
import type { TSchema } from '#kit/schema.ts'

export interface ApiAbout {
  title: string
  version: string
  description: string
  serverUrl: string
  securitySchemes: Record<string, object>
  /** The schema of every refusal of a door, by prefix. */
  errors: Record<string, TSchema>
  webhooks?: Record<string, object>
}

// biome-ignore lint/suspicious/noExplicitAny: a door of any program
export function openapi(doors: Door<any>[], about: ApiAbout): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const door of doors) {
    for (const route of door.routes) {
      if (route.hidden) continue
      paths[route.path] = {
        ...paths[route.path],
        [route.method.toLowerCase()]: operation(route, about.errors[door.prefix]),
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
    paths,
    ...(about.webhooks && { webhooks: about.webhooks }),
    components: { securitySchemes: about.securitySchemes },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a route of any program
function operation(route: Route<any>, error: TSchema | undefined): Record<string, unknown> {
  const body = (schema: TSchema) => ({ content: { 'application/json': { schema } } })
  const responses: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(route.reply ?? {}))
    responses[status] = { description: statusWords[status] ?? 'Answer', ...body(schema) }
  if (error) responses.default = { description: 'A refusal, in the same shape everywhere', ...body(error) }
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter?: string) => letter?.toUpperCase() ?? '')}`,
    summary: route.summary,
    description: route.section,
    tags: [route.section.split(' ')[0]],
    ...(route.auth.scheme && { security: [{ [route.auth.scheme]: [] }] }),
    ...parameters(route.params, route.query),
    ...(route.body && { requestBody: { required: true, ...body(route.body) } }),
    responses,
  }
}

type ObjectSchema = { properties?: Record<string, object>; required?: string[] }

function parameters(params: ObjectSchema | undefined, query: ObjectSchema | undefined): { parameters?: object[] } {
  const of = (schema: ObjectSchema | undefined, place: string) =>
    Object.entries(schema?.properties ?? {}).map(([name, each]) => ({
      name,
      in: place,
      required: place === 'path' || (schema?.required ?? []).includes(name),
      schema: each,
    }))
  const all = [...of(params, 'path'), ...of(query, 'query')]
  return all.length > 0 ? { parameters: all } : {}
}

const statusWords: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done, nothing to say',
}
