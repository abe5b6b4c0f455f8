// The types that schemas are made of, by the types of TypeBox. Its own module loads 370 others, in every program, command
// and test, for the plain objects that are made here; a test holds both against each other.
import type { Type as TypeBox } from 'typebox'

type Schema = Record<string, unknown>
type Fields = Record<string, Schema>

/** Which schemas are of a field that may be left out: it is no part of what a schema says of a value. */
const optional = new WeakSet<Schema>()

function asOptional(schema: Schema): Schema {
  const copy = { ...schema }
  optional.add(copy)
  return copy
}

function objectOf(properties: Fields, options: Schema = {}): Schema {
  const required = Object.keys(properties).filter((name) => properties[name] && !optional.has(properties[name]))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

function partOf({ type, properties }: Schema & { properties: Fields }, options: Schema = {}): Schema {
  const fields = Object.entries(properties).map(([name, field]) => [name, asOptional(field)])
  return { type, properties: Object.fromEntries(fields), ...options }
}

const named = (type: string) => (options: Schema) => ({ type, ...options })

const makers = {
  Any: (options: Schema) => ({ ...options }),
  Array: (items: Schema, options: Schema) => ({ type: 'array', items, ...options }),
  Boolean: named('boolean'),
  Integer: named('integer'),
  Literal: (value: string | number | boolean, options: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: named('null'),
  Number: named('number'),
  Object: objectOf,
  Optional: asOptional,
  Partial: partOf,
  /** Its keys are any text. */
  Record: (_key: Schema, value: Schema, options: Schema) => ({
    type: 'object',
    patternProperties: { '^.*$': value },
    ...options,
  }),
  String: named('string'),
  Union: (anyOf: Schema[], options: Schema) => ({ anyOf, ...options }),
  Unknown: (options: Schema) => ({ ...options }),
  Unsafe: (schema: Schema) => (optional.has(schema) ? asOptional(schema) : { ...schema }),
}

// biome-ignore lint/suspicious/noExplicitAny: TypeBox says what each of them takes and gives
type Maker = (...given: any[]) => any
const untyped: Record<keyof typeof makers, Maker> = makers

export const Type: Pick<typeof TypeBox, keyof typeof makers> = untyped
