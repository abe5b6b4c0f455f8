// Generates a Postman collection (v2.1) from an OpenAPI document: requests with examples, variables and scripts.
import { type Body, type Content, methods, type OpenApiDocument, type Operation, type Parameter } from './openapi.ts'

/** How the requests of a collection share tokens and values. */
export interface PostmanFlow {
  /** By security scheme, the name of the variable that contains the token. */
  tokens: Record<string, string>
  /** By operation id, the variables that a response sets: each variable name with a path in the response body. */
  captures: Record<string, Record<string, string>>
  /** By group, the lines of a script that runs before each request. */
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

/** The address of the server is the variable `baseUrl`; path parameters are also variables. */
export function postmanCollection(document: OpenApiDocument, flow: PostmanFlow): PostmanCollection {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method: method.toUpperCase(), operation }] : []
    }),
  )
  const pathParameters = entries.flatMap(({ path }) => namesIn(path))
  const captures = Object.values(flow.captures).flatMap((each) => Object.keys(each))
  const variables = new Set([...Object.values(flow.tokens), ...captures, ...pathParameters])
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
  const captures = Object.entries(flow.captures[operation.operationId ?? ''] ?? {})
  return {
    name: operation.summary,
    request: requestOf(entry),
    ...(captures.length > 0 && { event: [script('test', storeScript(captures))] }),
    response: Object.entries(operation.responses).flatMap(([status, body]) => {
      const example = contentOf(body)?.example
      if (!status.startsWith('2') || example === undefined) return []
      const header = [{ key: 'Content-Type', value: 'application/json' }]
      const metadata = { name: body.description ?? status, code: Number(status), _postman_previewlanguage: 'json' }
      return [{ ...metadata, header, body: pretty(example) }]
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
    .map((each) => ({ key: each.name, value: '', disabled: !each.required, ...descriptionOf(each) }))
  const names = namesIn(path)
  const colonPath = path.replace(/\{(\w+)\}/g, ':$1')
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
      raw: `{{baseUrl}}${colonPath}${search}`,
      host: ['{{baseUrl}}'],
      path: colonPath.split('/').filter(Boolean),
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

const descriptionOf = ({ description }: Parameter) => (description === undefined ? {} : { description })

/** Every request gets a new idempotency key. Optional headers are disabled. */
const headerOf = (parameter: Parameter): Header => ({
  key: parameter.name,
  value: parameter.name === 'Idempotency-Key' ? '{{$guid}}' : '',
  ...(!parameter.required && { disabled: true }),
  ...descriptionOf(parameter),
})

const script = (listen: Script['listen'], exec: string[]): Script => ({
  listen,
  script: { type: 'text/javascript', exec },
})

/** A script that stores values of a successful response in variables for later requests. */
const storeScript = (captures: [variable: string, path: string][]): string[] => [
  'const body = pm.response.code < 300 ? pm.response.json() : {}',
  'const keep = (name, value) => value && pm.collectionVariables.set(name, value)',
  ...captures.map(
    ([variable, path]) => `keep('${variable}', body.${path.replace(/\.(\d+)/g, '?.[$1]').replace(/(?<!\?)\./g, '?.')})`,
  ),
]
