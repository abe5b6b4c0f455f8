// The API reference from the platform's OpenAPI document: operations by group, search, and fields.

interface Schema {
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
}

export interface OperationView {
  id: string
  /** In capitals. */
  method: string
  path: string
  summary: string
  about: string
  /** The kind of token that it requires. */
  scheme: string
  /** Required headers. */
  headers: string[]
  /** An example of the body; undefined without one. */
  body: unknown
  parameters: Parameter[]
  schema: Schema | undefined
}

export interface OperationGroupView {
  name: string
  about: string
  operations: OperationView[]
}

/** The groups with the operations that have all of these words, in the document's order. */
export function groupsOf({ tags, paths }: ReferenceDocument, words: string): OperationGroupView[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags[0],
      seen: seen(method, path, operation),
    })),
  )
  const fits = ({ method, path, summary, about }: OperationView): boolean => {
    const text = `${method} ${path} ${summary} ${about}`.toLowerCase()
    return wanted.every((each) => text.includes(each))
  }
  return tags
    .map(({ name, description }) => ({
      name,
      about: description,
      operations: all.flatMap(({ tag, seen }) => (tag === name && fits(seen) ? [seen] : [])),
    }))
    .filter(({ operations }) => operations.length > 0)
}

function seen(method: string, path: string, operation: OpenApiOperation): OperationView {
  const { summary, description = '', security = [], parameters = [], requestBody } = operation
  const content = requestBody?.content?.['application/json']
  return {
    id: `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    summary,
    about: description,
    scheme: Object.keys(security[0] ?? {})[0] ?? '',
    headers: parameters.flatMap((each) => (each.in === 'header' && each.required ? [each.name] : [])),
    body: content && (content.example ?? {}),
    parameters,
    schema: content?.schema,
  }
}

export interface FieldView {
  /** With its parents, as `profile.pan`. */
  name: string
  place: string
  isNeeded: boolean
  text: string
}

/** Parameters and body fields. */
export const fieldsOf = ({ parameters, schema }: OperationView): FieldView[] => [
  ...parameters.map(({ name, in: place, required = false, description, schema: of }) => {
    return { name, place, isNeeded: required, text: description ?? textOf(of) }
  }),
  ...(schema ? bodyFields(schema, '') : []),
]

const bodyFields = ({ properties = {}, required = [] }: Schema, around: string): FieldView[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.properties ? schema : schema.items?.properties && schema.items
    const field = { name: around + name, place: 'body', isNeeded: required.includes(name), text: textOf(schema) }
    return [field, ...(inner ? bodyFields(inner, `${around}${name}${inner === schema ? '' : '[]'}.`) : [])]
  })

function textOf(schema: Schema): string {
  if (schema.description) return schema.description
  if (schema['x-says']) return schema['x-says'].replace(/^must /, 'Must ')
  if (schema.enum) return `One of ${schema.enum.join(', ')}`
  if (schema.anyOf) return schema.anyOf.map(textOf).join(', or ')
  return [schema.type ?? ''].flat().join(' or ')
}
