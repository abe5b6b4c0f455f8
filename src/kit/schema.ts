// A schema is written once, in TypeBox; Ajv checks it, the serializer and the OpenAPI read the same value.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Static, type TSchema, Type } from 'typebox'
import { type FieldError, invalid } from '#kit/refusal.ts'

export { type Static, type TSchema, Type }

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  coerceTypes: false,
  removeAdditional: false,
  strict: true,
  strictTypes: false,
})
ajv.addVocabulary(['x-says', 'x-section', 'example'])

const compiled = new WeakMap<TSchema, ValidateFunction>()

/** Compiles a schema before it is needed; throws when it is not one. */
export function prepare(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

/** A body can have thousands of wrong fields, with names of any length: so much of them is told. */
const mostFaults = 100
const longestPath = 200

/** The wrong fields of a value, each path spelled as the sender spelled it; empty when the value fits the schema. */
export function faults(schema: TSchema, value: unknown, prefix = ''): FieldError[] {
  const validate = prepare(schema)
  if (validate(value)) return []
  const byPath = new Map<string, FieldError>()
  for (const error of validate.errors!.slice(0, mostFaults)) {
    const path = pathOf(error, prefix)
    if (!byPath.has(path) || says(error)) byPath.set(path, { path, message: words(error) })
  }
  return [...byPath.values()].filter(
    ({ path }) => path === '' || ![...byPath.keys()].some((other) => other.startsWith(`${path}.`)),
  )
}

/** The value, typed, or a refusal of kind `invalid` that names every wrong field. */
export function parse<T extends TSchema>(schema: T, value: unknown, prefix = ''): Static<T> {
  const [first, ...more] = faults(schema, value, prefix)
  if (first) throw invalid(first, ...more)
  return value as Static<T>
}

function pathOf(error: ErrorObject, prefix: string): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(error.params.missingProperty)
  if (error.keyword === 'additionalProperties') parts.push(error.params.additionalProperty)
  return [prefix, ...parts]
    .filter((part) => part !== '')
    .join('.')
    .slice(0, longestPath)
}

function words(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a known field'
  const own = says(error)
  if (own) return own
  if (error.keyword === 'enum') return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`
  if (error.keyword === 'const') return `must be ${error.params.allowedValue}`
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().join(' or ')}`
  return error.message ?? 'is not valid'
}

/** A schema may carry its own words for a wrong value: `x-says: 'must be a valid PAN'`. */
const says = (error: ErrorObject): string | undefined =>
  (error.parentSchema as { 'x-says'?: string } | undefined)?.['x-says']

/** A closed object: a key that is not listed is refused by name, so a misspelt one cannot vanish. */
export const Closed: typeof Type.Object = ((properties: Parameters<typeof Type.Object>[0], options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })) as typeof Type.Object

/** A type with null beside it, as one schema: quick to check and to write, and the sender is told one thing and not two. */
export const orNull = <T extends TSchema>(schema: T) => {
  const { type, enum: words, ...rest } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'], ...(words && { enum: [...words, null] }) })
}

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A string that must be one of the given words. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], ...options })
