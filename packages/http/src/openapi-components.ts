// Moves named schemas of an OpenAPI document to its components, so that generators make one type of each.
import { canonicalJson } from '@lendloom/foundation/json'
import { isObject } from '@lendloom/foundation/record'
import { type Body, methods, type OpenApiDocument, type Operation } from './openapi-document.ts'

type Json = Record<string, unknown>

interface Components {
  nameBySchema: Map<unknown, string>
  /** By canonical JSON, for copies of a schema, such as that of an optional field. */
  nameByText: Map<string, string>
  schemas: Record<string, object>
}

/**
 * Replaces each schema that equals a named one by a reference, and names the remaining bodies after their operation, such as
 * `GetJourneyResponse`. Only schemas that are used become components. Throws if two of them have the same name.
 */
export function withComponents(document: OpenApiDocument, named: Record<string, unknown>): OpenApiDocument {
  const components: Components = { nameBySchema: new Map(), nameByText: new Map(), schemas: {} }
  for (const [name, schema] of Object.entries(named)) if (isNameable(schema)) nameSchema(components, schema, name)
  const changed = {
    ...document,
    paths: withItems(document.paths, components),
    ...(document.webhooks && { webhooks: withItems(document.webhooks, components) }),
  }
  const responses = Object.entries(document.components?.responses ?? {}).map(([name, body]): [string, Body] => [
    name,
    withBody(body, name, components),
  ])
  const schemas = Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...changed, components: { ...document.components, schemas, responses: Object.fromEntries(responses) } }
}

function nameSchema({ nameBySchema, nameByText }: Components, schema: object, name: string): void {
  const text = canonicalJson(schema)
  nameBySchema.set(schema, name)
  if (!nameByText.has(text)) nameByText.set(text, name)
}

const nameOf = ({ nameBySchema, nameByText }: Components, schema: object): string | undefined =>
  nameBySchema.get(schema) ?? nameByText.get(canonicalJson(schema))

/** Whether a schema deserves a name: an object with fields, or a list of values. */
const isNameable = (value: unknown): value is Json => isObject(value) && ('properties' in value || 'enum' in value)

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

const withItems = (items: OpenApiDocument['paths'], components: Components): OpenApiDocument['paths'] =>
  mapValues(items, (item) => {
    const changed = { ...item }
    for (const method of methods) {
      const operation = item[method]
      if (operation) changed[method] = withOperation(operation, components)
    }
    return changed
  })

function withOperation(operation: Operation, components: Components): Operation {
  const { operationId = '', parameters, requestBody, responses } = operation
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((each) => ({ ...each, schema: sharedIn(each.schema, components) })),
    }),
    ...(requestBody && { requestBody: withBody(requestBody, `${name}Request`, components) }),
    responses: mapValues(responses, (body) => withBody(body, `${name}Response`, components)),
  }
}

function withBody(body: Body, name: string, components: Components): Body {
  if (!body.content) return body
  const withSchema = (schema: object): object => {
    if ('properties' in schema && nameOf(components, schema) === undefined) {
      if ([...components.nameBySchema.values()].includes(name)) throw new Error(`two schemas have the name ${name}`)
      nameSchema(components, schema, name)
    }
    return sharedIn(schema, components)
  }
  const content = mapValues(body.content, (each) => (each.schema ? { ...each, schema: withSchema(each.schema) } : each))
  return { ...body, content }
}

/** The schema with references to components, or a reference to the component that it is. */
function sharedIn(schema: object, components: Components): object {
  const { schemas } = components
  const name = nameOf(components, schema)
  if (name === undefined) {
    const present = withoutNull(schema)
    return present ? { anyOf: [sharedIn(present, components), { type: 'null' }] } : innerSchema(schema, components)
  }
  if (!(name in schemas)) {
    // Reserves the name first, because a schema may contain itself.
    schemas[name] = {}
    schemas[name] = innerSchema(schema, components)
  }
  return { $ref: `#/components/schemas/${name}` }
}

const innerSchema = (schema: object, components: Components): object => {
  const shared = (value: unknown): unknown => (isObject(value) ? sharedIn(value, components) : value)
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') return [keyword, mapValues(value, shared)]
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, shared(value)]
      return [keyword, keyword === 'anyOf' || keyword === 'oneOf' ? value.map(shared) : value]
    }),
  )
}

/** The schema of the values other than null, for an object or a list of values that may be null; otherwise null. */
function withoutNull(schema: object): Json | null {
  if (!isNameable(schema)) return null
  const { type, enum: values } = schema
  if (!Array.isArray(type) || !type.includes('null')) return null
  const present = { ...schema, type: type.find((each) => each !== 'null') }
  return Array.isArray(values) ? { ...present, enum: values.filter((each) => each !== null) } : present
}
