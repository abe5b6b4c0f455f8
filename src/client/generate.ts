// Writes api.ts from the platform's OpenAPI document: every headless operation with its request and response types.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { methods, type OpenApiDocument, type Operation, type Parameter } from '#kit/http/openapi.ts'

const base = '/api/v1/headless'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

/** Returns the source of api.ts for an OpenAPI document. */
export function apiText(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    path.startsWith(base)
      ? methods.flatMap((method) => {
          const operation = operations[method]
          return operation ? [entryOf(method, path.slice(base.length), operation)] : []
        })
      : [],
  )
  return [
    '// Every operation of the headless API and its types; written by generate.ts from the OpenAPI, not by hand.',
    '// biome-ignore-all format: one line an operation',
    '',
    '/** Operations by method and path. `params` fill the path, `query` and `body` are sent, `data` is returned (D2 §4). */',
    'export interface Api {',
    ...entries,
    '}',
    '',
  ].join('\n')
}

function entryOf(
  method: string,
  path: string,
  { summary, 'x-section': section, parameters = [], requestBody, responses }: Operation,
): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const data = success && schemaOf(success)?.properties?.data
  const body = requestBody && schemaOf(requestBody)
  const parametersIn = (place: string) => parameters.filter((each) => each.in === place)
  const fields = [
    parametersIn('path').length > 0 && `params: ${objectOf(parametersIn('path'))}`,
    parametersIn('query').length > 0 && `query?: ${objectOf(parametersIn('query'))}`,
    body && `body${isOptional(body) ? '?' : ''}: ${typeOf(body)}`,
    `data: ${typeOf(data ?? {})}`,
  ].filter(Boolean)
  return `  /** ${summary} (${section}). */\n  '${method.toUpperCase()} ${path}': { ${fields.join('; ')} }`
}

const schemaOf = ({ content }: Operation['responses'][string]): Schema | undefined =>
  content?.['application/json']?.schema

const objectOf = (parameters: Parameter[]): string =>
  `{ ${parameters.map(({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema)}`).join('; ')} }`

const isOptional = ({ required = [] }: Schema): boolean => required.length === 0

/** The TypeScript type of a JSON schema, for the subset that the API uses. */
export function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'")
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' | ')
  const types = [schema.type ?? 'unknown'].flat()
  return types.map((type) => typeNamed(type, schema)).join(' | ')
}

function typeNamed(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const item = typeOf(schema.items ?? {})
      return / \| /.test(item) ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectType(schema)
    default:
      return type
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  return additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
}

if (import.meta.main) {
  const { platformApi, platformApis } = await import('#platform/apis.ts')
  const config = { SANDBOX: false }
  const document = platformApi(platformApis({ config }), 'https://lendloom.example')
  writeFileSync(join(import.meta.dirname, 'api.ts'), apiText(document))
}
