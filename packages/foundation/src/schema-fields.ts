// Lists the fields of a JSON Schema for documentation, including nested fields, with their paths, types and rules.
import { ownValue } from './record.ts'

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
  /** Our keyword for the message of an invalid value, such as "must be a valid PAN". */
  'x-says'?: string
  $ref?: string
}

/** A part of the description of a type: a text, a possible value, or the name of a referenced schema. */
export type TypePart = { text: string } | { value: string } | { schema: string }

export interface SchemaField {
  /** For example `profile.pan` or `offers[].id`. */
  path: string
  type: TypePart[]
  isRequired: boolean
  rule: string
}

export const fieldsOf = (schema: JsonSchema, prefix = ''): SchemaField[] => {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`
    const field = { path, type: typeOf(inner), isRequired: required.includes(name), rule: ruleOf(inner) }
    return [field, ...innerFields(inner, path)]
  })
}

export const ruleOf = (schema: JsonSchema): string => schema['x-says'] ?? schema.description ?? ''

function innerFields(schema: JsonSchema, path: string): SchemaField[] {
  const variants = alternativesOf(schema).filter(({ type }) => type !== 'null')
  return variants.flatMap((variant) =>
    variant.items ? innerFields(variant.items, `${path}[]`) : variant.properties ? fieldsOf(variant, `${path}.`) : [],
  )
}

const alternativesOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf ?? schema.oneOf ?? [schema]

/** Describes a type, for example as `text, or null`, as the possible values, or as the name of a schema. */
export function typeOf(schema: JsonSchema): TypePart[] {
  if (schema.$ref !== undefined) return [{ schema: schemaName(schema.$ref) }]
  if (schema.enum) return joinTypes(schema.enum.map((value) => [{ value: String(value) }]))
  if (schema.const !== undefined) return [{ value: String(schema.const) }]
  if (schema.anyOf || schema.oneOf) {
    const distinctTypes = new Map(alternativesOf(schema).map((each) => [JSON.stringify(typeOf(each)), typeOf(each)]))
    return joinTypes([...distinctTypes.values()], ', or ')
  }
  const types = [schema.type ?? 'anything'].flat()
  return joinTypes(
    types.map((type) =>
      type === 'array'
        ? [{ text: 'list of ' }, ...typeOf(schema.items ?? {})]
        : [{ text: ownValue(typeNames, type) ?? type }],
    ),
    ', or ',
  )
}

const joinTypes = (types: TypePart[][], separator = ', '): TypePart[] =>
  types.flatMap((parts, i) => (i === 0 ? parts : [{ text: separator }, ...parts]))

const typeNames: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }

export const schemaName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)
