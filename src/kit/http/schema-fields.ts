// Lists the fields of a JSON Schema for readers: path, type and rule of each, those of inner objects and lists included.
import { ownValue } from '#kit/runtime/record.ts'

export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  description?: string
  examples?: unknown[]
  /** The description of a value in our schemas, as a refusal phrases it. */
  'x-says'?: string
  $ref?: string
}

/** A piece of a type in words, a value that is possible, or the name of another schema. */
export type TypePart = { text: string } | { value: string } | { schema: string }

export interface SchemaField {
  /** `profile.pan`, `offers[].id`. */
  path: string
  type: TypePart[]
  isRequired: boolean
  /** The rule in words; empty when there is none. */
  rule: string
}

export const fieldsOf = (schema: JsonSchema, under = ''): SchemaField[] => {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = `${under}${name}`
    const own = { path, type: typeOf(inner), isRequired: required.includes(name), rule: ruleOf(inner) }
    return [own, ...innerFields(inner, path)]
  })
}

/** Empty when the schema has no rule. */
export const ruleOf = (schema: JsonSchema): string => schema['x-says'] ?? schema.description ?? ''

function innerFields(schema: JsonSchema, path: string): SchemaField[] {
  const variants = alternativesOf(schema).filter((each) => each.type !== 'null')
  return variants.flatMap((each) =>
    each.items ? innerFields(each.items, `${path}[]`) : each.properties ? fieldsOf(each, `${path}.`) : [],
  )
}

const alternativesOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [schema]

/** `text, or null`; the values that are possible; the name of a schema. */
export function typeOf(schema: JsonSchema): TypePart[] {
  if (schema.$ref !== undefined) return [{ schema: schemaName(schema.$ref) }]
  if (schema.enum) return joined(schema.enum.map((value) => [{ value: String(value) }]))
  if (schema.const !== undefined) return [{ value: String(schema.const) }]
  if (schema.anyOf || schema.oneOf) {
    const each = new Map(alternativesOf(schema).map((one) => [JSON.stringify(typeOf(one)), typeOf(one)]))
    return joined([...each.values()], ', or ')
  }
  const types = [schema.type ?? 'anything'].flat()
  return joined(
    types.map((type) =>
      type === 'array'
        ? [{ text: 'list of ' }, ...typeOf(schema.items ?? {})]
        : [{ text: ownValue(words, type) ?? type }],
    ),
    ', or ',
  )
}

const joined = (each: TypePart[][], by = ', '): TypePart[] =>
  each.flatMap((parts, i) => (i === 0 ? parts : [{ text: by }, ...parts]))

const words: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }

export const schemaName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
