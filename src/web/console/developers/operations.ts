// Converts the OpenAPI document for the API reference: operations by group, and their fields.
import { schemaName } from '#kit/http/schema-fields.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  description?: string
  'x-says'?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface OpenApiOperation {
  operationId?: string
  summary: string
  description?: string
  tags: string[]
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: Schema; example?: unknown }> }
}

export interface ReferenceDocument {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components?: { schemas?: Record<string, Schema> }
}

export interface OperationView {
  id: string
  operationId: string | undefined
  /** In upper case. */
  method: string
  path: string
  summary: string
  about: string
  /** The required security scheme. */
  scheme: string
  headers: string[]
  /** An example of the request body; undefined without a body. */
  body: unknown
  parameters: Parameter[]
  schema: Schema | undefined
}

export interface OperationGroupView {
  name: string
  about: string
  operations: OperationView[]
}

/** Returns the groups whose operations contain all words of `search`, in the document's order. */
export function groupsOf({ tags, paths, components }: ReferenceDocument, search: string): OperationGroupView[] {
  const searchWords = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags[0],
      view: operationView(method, path, operation, components?.schemas ?? {}),
    })),
  )
  const isMatch = ({ method, path, summary, about }: OperationView): boolean => {
    const text = `${method} ${path} ${summary} ${about}`.toLowerCase()
    return searchWords.every((each) => text.includes(each))
  }
  return tags
    .map(({ name, description }) => ({
      name,
      about: description,
      operations: all.flatMap(({ tag, view }) => (tag === name && isMatch(view) ? [view] : [])),
    }))
    .filter(({ operations }) => operations.length > 0)
}

function operationView(
  method: string,
  path: string,
  operation: OpenApiOperation,
  schemas: Record<string, Schema>,
): OperationView {
  const { operationId, summary, description = '', security = [], parameters = [], requestBody } = operation
  const content = requestBody?.content?.['application/json']
  return {
    id: `${method} ${path}`,
    operationId,
    method: method.toUpperCase(),
    path,
    summary,
    about: description,
    scheme: Object.keys(security[0] ?? {})[0] ?? '',
    headers: parameters.flatMap((each) => (each.in === 'header' && each.required ? [each.name] : [])),
    body: content && (content.example ?? {}),
    parameters: parameters.map((each) => ({ ...each, schema: resolved(each.schema, schemas) })),
    schema: content?.schema && resolved(content.schema, schemas),
  }
}

/** The schema with the named schemas in place of references to them. */
function resolved({ $ref, properties, items, anyOf, ...rest }: Schema, schemas: Record<string, Schema>): Schema {
  if ($ref !== undefined) return resolved(schemas[schemaName($ref)] ?? {}, schemas)
  const fields = Object.entries(properties ?? {}).map(([name, each]) => [name, resolved(each, schemas)])
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: resolved(items, schemas) }),
    ...(anyOf && { anyOf: anyOf.map((each) => resolved(each, schemas)) }),
  }
}

export interface FieldView {
  /** The path of the field, such as `profile.pan`. */
  name: string
  place: string
  isRequired: boolean
  text: string
}

/** Returns the parameters and body fields of an operation. */
export const fieldsOf = ({ parameters, schema }: OperationView): FieldView[] => [
  ...parameters.map(({ name, in: place, required = false, description, schema: parameterSchema }) => {
    return { name, place, isRequired: required, text: description ?? textOf(parameterSchema) }
  }),
  ...(schema ? bodyFields(schema, '') : []),
]

const bodyFields = ({ properties = {}, required = [] }: Schema, prefix: string): FieldView[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const nested = schema.properties ? schema : schema.items?.properties && schema.items
    const field = { name: prefix + name, place: 'body', isRequired: required.includes(name), text: textOf(schema) }
    return [field, ...(nested ? bodyFields(nested, `${prefix}${name}${nested === schema ? '' : '[]'}.`) : [])]
  })

function textOf(schema: Schema): string {
  if (schema.description) return schema.description
  if (schema['x-says']) return schema['x-says'].replace(/^must /, 'Must ')
  if (schema.enum) return `One of ${schema.enum.join(', ')}`
  if (schema.anyOf) return schema.anyOf.map(textOf).join(', or ')
  return [schema.type ?? ''].flat().join(' or ')
}
