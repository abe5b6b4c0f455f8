// Writes the console's operations as data for the command line, which does not load the platform.
import type { Field, Operation } from '@lendloom/cli/src/console/operation.ts'
import { required } from '@lendloom/foundation/required'
import type { Route } from '@lendloom/http/route'
import { routeCommands } from '@lendloom/platform/src/api/console/commands.ts'
import type { RouteCommand } from '@lendloom/platform/src/api/console/route-command.ts'
import { consoleApi } from '@lendloom/platform/src/api/console/routes.ts'

interface Schema {
  type?: string | string[]
  enum?: (string | null)[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  description?: string
  examples?: string[]
  'x-says'?: string
}

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema
type AnyRoute = Route<any, any, any, any, any>

/** What the help says of fields that many operations share. */
const sharedTexts: Record<string, string> = {
  tenantId: 'tenant, by its id or name',
  applicationId: 'application, by its id or name',
  after: 'start after this cursor: the `next` of an earlier response',
  limit: 'page size, 1 to 200 (default: 50)',
  from: 'from this day or instant on, such as 2026-11-21 or 2026-11-21T10:00:00Z',
  to: 'to the end of this day, or before this instant',
  until: 'before this instant, such as 2026-11-21T10:00:00Z',
  reason: 'reason; it is stored and shown in the audit log',
  journeyId: 'journey, by its id',
  product: 'product',
  status: 'lifecycle status',
  statuses: 'lifecycle status to send; may be repeated',
  state: 'state',
  text: 'text; - reads it from standard input',
  name: 'name',
  email: 'e-mail address',
  url: 'address',
}

/** The operations that the command line offers, in the order of their table. Throws for a route that does not exist. */
export const consoleOperations = (): Operation[] =>
  Object.entries(routeCommands).map(([name, command]) => {
    const route = consoleApi.routes.find((each) => routeName(each) === name)
    return operationOf(required(route, `the route ${name}`), command)
  })

/** Method and path below the console's prefix, such as `GET /people`. */
export const routeName = ({ method, path }: Pick<AnyRoute, 'method' | 'path'>): string =>
  `${method} ${path.slice(consoleApi.prefix.length)}`

export const operationsFile = (): string => `${JSON.stringify(consoleOperations(), null, 2)}\n`

/** The application of a route is an option and not an argument, so that a context can give it. */
function operationOf(route: AnyRoute, command: RouteCommand): Operation {
  const path = route.path.slice(consoleApi.prefix.length)
  const params = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const inPath = fieldsIn(route.params, 'path', command).filter(({ field }) => field === 'applicationId')
  const query = fieldsIn(route.query, 'query', command)
  const body = fieldsIn(route.body, 'body', command)
  const fields = [...inPath, ...query, ...body]
  const reply: Schema | undefined = Object.values(route.reply ?? {})[0]
  return {
    name: command.name,
    summary: command.summary ?? startingSmall(route.summary),
    route: `${route.method} ${path}`,
    params: params.filter((param) => !inPath.some(({ field }) => field === param)),
    fields: fields.filter(({ field }) => field !== 'version'),
    defaults: command.defaults ?? {},
    ...(fields.some(({ field }) => field === 'version') && { version: versionOf(path, fields) }),
    ...(command.answersFile && { answersFile: true }),
    ...(command.allTenants && { allTenants: true }),
    ...(command.columns && { columns: command.columns }),
    ...(command.blanks && { blanks: command.blanks }),
    ...(command.none !== undefined && { none: command.none }),
    ...(command.check !== undefined && { check: command.check }),
    ...(command.done !== undefined && { done: command.done }),
    amounts: reply === undefined ? [] : amountsIn(reply),
  }
}

/** The route that has the version of what the path names, and where the version is sent. */
function versionOf(path: string, fields: Field[]): NonNullable<Operation['version']> {
  const { sentIn } = required(
    fields.find(({ field }) => field === 'version'),
    'the version',
  )
  const resource = path.slice(0, path.indexOf('}') + 1)
  const reads = consoleApi.routes
    .filter(({ method }) => method === 'GET')
    .map((each) => each.path.slice(consoleApi.prefix.length))
  const list = resource.slice(0, resource.lastIndexOf('/'))
  const readAt = required(
    [resource, list].find((each) => reads.includes(each)),
    `a route that reads ${resource}`,
  )
  return { route: `GET ${readAt}`, sentIn }
}

function fieldsIn(schema: Schema | undefined, sentIn: Field['sentIn'], command: RouteCommand): Field[] {
  const { properties = {}, required: requiredFields = [] } = schema ?? {}
  const options = Object.entries(properties).filter(([field]) => !command.without?.includes(field))
  return options.map(([field, given]) => {
    const inner = innerOf(given)
    const isList = inner.type === 'array'
    const one = isList ? innerOf(inner.items ?? {}) : inner
    const place = (command.args ?? []).indexOf(field)
    const hasDefault = command.defaults !== undefined && field in command.defaults
    const kind = kindOf(one, field, command, `${command.name}: ${field}`)
    const [, value] = /^must be an? (id|day|instant|month)\b/.exec(one['x-says'] ?? '') ?? []
    return {
      field,
      sentIn,
      option: command.options?.[field] ?? optionOf(field, isList || kind === 'pairs'),
      kind,
      ...(value !== undefined && { value: value === 'id' ? field : value }),
      ...(one.enum && { words: one.enum.filter((word) => word !== null) }),
      ...(place >= 0 && { place }),
      ...(isList && { isList }),
      ...(isNullable(given) && { isNullable: true }),
      ...(requiredFields.includes(field) && !hasDefault && { isRequired: true }),
      about:
        field === 'version' || (sentIn === 'path' && field !== 'applicationId') ? '' : aboutOf(field, given, command),
    }
  })
}

function aboutOf(field: string, schema: Schema, command: RouteCommand): string {
  const about = command.about?.[field] ?? schema.description ?? sharedTexts[field]
  return required(about, `what the help says of ${field} of lendloom ${command.name}`)
}

/** The schema without the alternative null. */
function innerOf(schema: Schema): Schema {
  const alternatives = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  const [only] = alternatives
  if (alternatives.length === 1 && only) return { ...schema, anyOf: [], ...only }
  return Array.isArray(schema.type)
    ? { ...schema, type: schema.type.find((type) => type !== 'null') ?? 'null' }
    : schema
}

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some((each) => each.type === 'null')

function kindOf(
  { type, enum: words, additionalProperties }: Schema,
  field: string,
  { files }: RouteCommand,
  place: string,
): Field['kind'] {
  if (files?.includes(field)) return 'file'
  if (type === 'string' || words) return words?.length === 1 ? 'flag' : 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'flag'
  if (type === 'object' && typeof additionalProperties === 'object') return 'pairs'
  throw new Error(`${place} cannot be an option of the command line`)
}

/** The option of a field: `applicationId` is `--application`, `isLive` is `--live`, each of `scopes` a `--scope`. */
function optionOf(field: string, isList: boolean): string {
  const word = field.replace(/Ids?$/, '').replace(/^is(?=[A-Z])/, '')
  const singular = isList ? word.replace(/(?<=ss|us)es$|(?<![su])s$/, '') : word
  return singular.replace(/[A-Z]/g, (letter, at) => (at === 0 ? letter.toLowerCase() : `-${letter.toLowerCase()}`))
}

const startingSmall = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text

/** The paths of amounts of rupees in an answer, such as `offers[].principal`. */
function amountsIn(schema: Schema, path = ''): string[] {
  const inner = innerOf(schema)
  if (inner.items) return amountsIn(inner.items, `${path}[]`)
  if (inner.properties)
    return Object.entries(inner.properties).flatMap(([name, each]) =>
      amountsIn(each, path === '' ? name : `${path}.${name}`),
    )
  return inner.examples?.includes('200000.00') ? [path] : []
}
