// A Postman collection (v2.1) of an OpenAPI document: a request for each operation with its example, variables, scripts.
import { type Body, type Content, methods, type OpenApiDocument, type Operation, type Parameter } from './openapi.ts'

/** The scripts of a collection. */
export interface PostmanFlow {
  /** By security scheme, the variable that holds its token. */
  tokens: Record<string, string>
  /** Keyed by operation: the variables set from its response, each with the path of the value in the body. */
  kept: Record<string, Record<string, string>>
  /** By group, a script that runs before each of its requests. */
  before?: Record<string, string[]>
}

interface Header {
  key: string
  value: string
  disabled?: boolean
  description?: string
}
interface Request {
  method: string
  header: Header[]
  auth: object
  url: {
    raw: string
    host: string[]
    path: string[]
    query?: (Header & { disabled: boolean })[]
    variable?: { key: string; value: string }[]
  }
  description: string
  body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
}
interface Script {
  listen: 'test' | 'prerequest'
  script: { type: 'text/javascript'; exec: string[] }
}
interface Item {
  name: string
  request: Request
  event?: Script[]
  response: object[]
}
export interface PostmanCollection {
  info: { name: string; description: string; version: string; schema: string }
  variable: { key: string; value: string }[]
  item: { name: string; description: string; event?: Script[]; item: Item[] }[]
}

/** The collection of a document. Its address is the variable `baseUrl`; what the path needs are variables by their names. */
export function postmanCollection(document: OpenApiDocument, flow: PostmanFlow): PostmanCollection {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method: method.toUpperCase(), operation }] : []
    }),
  )
  const inPaths = entries.flatMap(({ path }) => namesIn(path))
  const kept = Object.values(flow.kept).flatMap((each) => Object.keys(each))
  const variables = new Set([...Object.values(flow.tokens), ...kept, ...inPaths])
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      version: document.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: document.servers[0]?.url ?? '' },
      ...[...variables].map((key) => ({ key, value: '' })),
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      ...(flow.before?.[name] && { event: [script('prerequest', flow.before[name])] }),
      item: entries
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => itemOf({ path, method, operation, flow })),
    })),
  }
}

interface PostmanEntry {
  path: string
  method: string
  operation: Operation
  flow: PostmanFlow
}

function itemOf(entry: PostmanEntry): Item {
  const { operation, flow } = entry
  const kept = Object.entries(flow.kept[operation.operationId ?? ''] ?? {})
  return {
    name: operation.summary,
    request: requestOf(entry),
    ...(kept.length > 0 && { event: [script('test', keepScript(kept))] }),
    response: Object.entries(operation.responses).flatMap(([status, body]) => {
      const example = contentOf(body)?.example
      if (!status.startsWith('2') || example === undefined) return []
      const header = [{ key: 'Content-Type', value: 'application/json' }]
      const shown = { name: body.description ?? status, code: Number(status), _postman_previewlanguage: 'json' }
      return [{ ...shown, header, body: pretty(example) }]
    }),
  }
}

function requestOf({ path, method, operation, flow }: PostmanEntry): Request {
  const { parameters = [], requestBody, security = [], description, summary } = operation
  const [scheme] = security.flatMap((each) => Object.keys(each))
  const token = scheme && flow.tokens[scheme]
  const example = contentOf(requestBody)?.example
  const body = example ?? (method === 'GET' ? undefined : {})
  const query = parameters
    .filter((each) => each.in === 'query')
    .map((each) => ({ key: each.name, value: '', disabled: !each.required, ...aboutOf(each) }))
  const names = namesIn(path)
  const colon = path.replace(/\{(\w+)\}/g, ':$1')
  const search = query.length > 0 ? `?${query.map(({ key }) => `${key}=`).join('&')}` : ''
  return {
    method,
    header: [
      ...parameters.filter((each) => each.in === 'header').map(headerOf),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    auth: token
      ? { type: 'bearer', bearer: [{ key: 'token', value: `{{${token}}}`, type: 'string' }] }
      : { type: 'noauth' },
    url: {
      raw: `{{baseUrl}}${colon}${search}`,
      host: ['{{baseUrl}}'],
      path: colon.split('/').filter(Boolean),
      ...(query.length > 0 && { query }),
      ...(names.length > 0 && { variable: names.map((key) => ({ key, value: `{{${key}}}` })) }),
    },
    description: description ?? summary,
    ...(body !== undefined && { body: { mode: 'raw', raw: pretty(body), options: { raw: { language: 'json' } } } }),
  }
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const contentOf = (body: Body | undefined): Content | undefined => Object.values(body?.content ?? {})[0]

const pretty = (value: unknown): string => JSON.stringify(value, null, 2)

const aboutOf = ({ description }: Parameter) => (description === undefined ? {} : { description })

/** Each request gets a new idempotency key; optional headers are switched off. */
const headerOf = (each: Parameter): Header => ({
  key: each.name,
  value: each.name === 'Idempotency-Key' ? '{{$guid}}' : '',
  ...(!each.required && { disabled: true }),
  ...aboutOf(each),
})

const script = (listen: Script['listen'], exec: string[]): Script => ({
  listen,
  script: { type: 'text/javascript', exec },
})

/** Keeps values of a good answer as variables, so that the next request has them. */
const keepScript = (kept: [variable: string, path: string][]): string[] => [
  'const body = pm.response.code < 300 ? pm.response.json() : {}',
  'const keep = (name, value) => value && pm.collectionVariables.set(name, value)',
  ...kept.map(
    ([variable, path]) => `keep('${variable}', body.${path.replace(/\.(\d+)/g, '?.[$1]').replace(/(?<!\?)\./g, '?.')})`,
  ),
]
