// Validates values by TypeBox schemas with Ajv. The serializer and the OpenAPI document use the same schemas.

import type * as ajv2020 from 'ajv/dist/2020.js'
import { type Static, type TSchema, Type } from 'typebox'
import { lazily } from './lazily.ts'
import { load } from './load-package.ts'
import { maskFieldsNamed } from './mask.ts'
import { ownValue } from './record.ts'
import { type FieldError, invalid } from './refusal.ts'
import { required } from './required.ts'
import { uuidPattern } from './uuid.ts'

export { type Static, type TSchema, Type }

type ErrorObject = ajv2020.ErrorObject
type ValidateFunction = ajv2020.ValidateFunction

const validatorOf = (allErrors: boolean) =>
  lazily(() => {
    const { Ajv2020 }: typeof ajv2020 = load('ajv/dist/2020.js')
    const validator = new Ajv2020({
      allErrors,
      verbose: true,
      coerceTypes: false,
      removeAdditional: false,
      strict: true,
      strictTypes: false,
      // A test validates all schemas against the meta-schema instead, because compiling the meta-schema takes long.
      meta: false,
      validateSchema: false,
      // Ajv's optimisation would double the compile time, and V8 optimises the code anyway.
      code: { optimize: false },
    })
    return validator.addVocabulary(['x-says', 'x-section', 'x-personal', 'example'])
  })

/** Stops at the first error. */
const decide = validatorOf(false)
/** Makes an error object for each fault, so it may only see values of a bounded number of elements. */
const describe = validatorOf(true)

const compiled = {
  decide: new WeakMap<TSchema, ValidateFunction>(),
  describe: new WeakMap<TSchema, ValidateFunction>(),
}

function compile(schema: TSchema, purpose: keyof typeof compiled): ValidateFunction {
  const known = compiled[purpose].get(schema)
  if (known) return known
  const validate = (purpose === 'decide' ? decide : describe)().compile(schema)
  compiled[purpose].set(schema, validate)
  return validate
}

/** Compiles a schema in advance; throws when it is invalid. */
export function prepare(schema: TSchema): void {
  compile(schema, 'decide')
}

/** Maximum number of evaluated errors, because a body can have thousands of invalid fields. */
const maxErrors = 100
const maxPathLength = 200
/** Of a value with more elements only the first error is described: a sender could make an error of each. */
const maxDescribedElements = 2000

/** Validates without keeping the errors, which would refer to the value until the next validation. */
function errorsOf(schema: TSchema, value: unknown, purpose: keyof typeof compiled): ErrorObject[] {
  const validate = compile(schema, purpose)
  if (validate(value)) return []
  const errors = required(validate.errors, 'an error of an invalid value')
  validate.errors = null
  return errors
}

export const fits = <T extends TSchema>(schema: T, value: unknown): value is Static<T> =>
  errorsOf(schema, value, 'decide').length === 0

/** The errors of an invalid value. */
const describedErrors = (schema: TSchema, value: unknown): ErrorObject[] =>
  errorsOf(schema, value, hasMoreElements(value, maxDescribedElements) ? 'decide' : 'describe')

/** Whether arrays and objects in the value have more than `max` elements and fields. */
function hasMoreElements(value: unknown, max: number): boolean {
  const waiting = [value]
  let count = 0
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (typeof each !== 'object' || each === null) continue
    const children = Object.values(each)
    count += children.length
    if (count > max) return true
    for (const child of children) if (typeof child === 'object' && child !== null) waiting.push(child)
  }
  return false
}

/** Returns the invalid fields of a value, with the paths of the value; empty for a valid value. */
export function faults(schema: TSchema, value: unknown, prefix = ''): FieldError[] {
  return fits(schema, value) ? [] : faultsIn(describedErrors(schema, value), prefix)
}

/** Describes the first fault of an invalid value. Throws when the value is valid. */
export function firstFault(schema: TSchema, value: unknown): string {
  const { path, message } = required(faults(schema, value)[0], 'a fault of an invalid value')
  return `${path} ${message}`
}

function faultsIn(errors: ErrorObject[], prefix: string): FieldError[] {
  const byPath = new Map<string, FieldError>()
  for (const error of errors.slice(0, maxErrors)) {
    const path = pathOf(error, prefix)
    if (!byPath.has(path) || customMessage(error)) byPath.set(path, { path, message: messageOf(error) })
  }
  return [...byPath.values()].filter(
    ({ path }) => path === '' || ![...byPath.keys()].some((other) => other.startsWith(`${path}.`)),
  )
}

/**
 * Returns the typed value, or throws `invalid` with every invalid field. `findFurther` returns faults that the schema
 * cannot express. Its argument lacks all invalid fields, so required fields may be missing.
 */
export function parse<T extends TSchema>(
  schema: T,
  value: unknown,
  prefix = '',
  findFurther: (partialValue: Static<T>) => FieldError[] = () => [],
): Static<T> {
  if (fits(schema, value)) return value
  const errors = describedErrors(schema, value)
  const faults = faultsIn(errors, prefix)
  const invalidPaths = new Set(faults.map(({ path }) => path))
  // When not all errors were evaluated, the remaining value may still be invalid.
  const isCutOff = errors.length > maxErrors || hasMoreElements(value, maxDescribedElements)
  const furtherFaults =
    isCutOff || invalidPaths.has(prefix) ? [] : findFurther(omitInvalid(invalidPaths, value, prefix) as Static<T>)
  const [first, ...more] = [...faults, ...furtherFaults.filter(({ path }) => !invalidPaths.has(path))]
  throw invalid(required(first, 'a fault of an invalid value'), ...more)
}

/**
 * Copies a value without its invalid fields, and without lists that have an invalid element. Does not delete fields of
 * the value, because a path may lead to a prototype.
 */
function omitInvalid(invalidPaths: Set<string>, value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const pathOfKey = (key: string): string => (path === '' ? key : `${path}.${key}`)
  const isInvalid = (at: string, inner: unknown): boolean =>
    invalidPaths.has(at) || (Array.isArray(inner) && [...invalidPaths].some((each) => each.startsWith(`${at}.`)))
  const validEntries = Object.entries(value).filter(([key, inner]) => !isInvalid(pathOfKey(key), inner))
  return Object.fromEntries(validEntries.map(([key, inner]) => [key, omitInvalid(invalidPaths, inner, pathOfKey(key))]))
}

interface ObjectSchema extends TSchema {
  properties: Record<string, TSchema>
  required?: readonly string[]
}

const isObjectSchema = (schema: TSchema): schema is ObjectSchema => 'properties' in schema

/** Removes optional fields whose value is `""`, because forms send empty fields. */
export function withoutBlanks(schema: TSchema, value: unknown): unknown {
  if (!isObjectSchema(schema)) return value
  const { properties, required = [] } = schema
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const isBlank = ([key, inner]: [string, unknown]): boolean =>
    inner === '' && Object.hasOwn(properties, key) && !required.includes(key)
  const entries = Object.entries(value).filter((entry) => !isBlank(entry))
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const known = ownValue(properties, key)
      return [key, known ? withoutBlanks(known, inner) : inner]
    }),
  )
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
    .slice(0, maxPathLength)
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'required') return 'is required'
  if (error.keyword === 'additionalProperties') return 'is not a known field'
  const custom = customMessage(error)
  if (custom) return custom
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword === 'const') return `must be ${error.params.allowedValue}`
  if (error.keyword === 'type') return `must be ${[error.params.type].flat().join(' or ')}`
  return sizeMessage(error) ?? error.message ?? 'is not valid'
}

function sizeMessage({ keyword, params: { limit } }: ErrorObject): string | undefined {
  const unit = keyword.endsWith('Length') ? 'character' : 'entry'
  const units = limit === 1 ? unit : { character: 'characters', entry: 'entries' }[unit]
  if (keyword === 'minLength' || keyword === 'minItems')
    return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${units}`
  return keyword === 'maxLength' || keyword === 'maxItems' ? `must have at most ${limit} ${units}` : undefined
}

/** The schema's own message for an invalid value, for example `x-says: 'must be a valid PAN'`. */
const customMessage = (error: ErrorObject): string | undefined => error.parentSchema?.['x-says']

/** An object that rejects unknown keys, so that a misspelt key is reported. */
export const Closed: typeof Type.Object = (properties, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/**
 * An object of personal data. Logs and displayed documents mask its fields, except the fields in `open`. The object
 * rejects unknown keys, unless `ObjectOf` is `Type.Object`.
 */
export function Personal<P extends Parameters<typeof Type.Object>[0]>(
  fields: P,
  open: readonly (keyof P)[] = [],
  ObjectOf = Closed,
) {
  maskFieldsNamed(Object.keys(fields).filter((name) => !open.includes(name)))
  return ObjectOf(fields)
}

/** Marks a value about a person or an account, a link that may contain a token, or a free text. */
export const markPersonal = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T>>({ ...schema, 'x-personal': true })

/** Like `Nullable`, but as one schema: it is faster, and an invalid value causes only one error. */
export const orNull = <T extends TSchema>(schema: T) => {
  const { type, enum: words, ...rest }: { type?: string; enum?: unknown[] } = schema
  return Type.Unsafe<Static<T> | null>({ ...rest, type: [type, 'null'], ...(words && { enum: [...words, null] }) })
}

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A string that must be one of these words. */
export const OneOf = <const Word extends string>(words: readonly Word[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], ...options })

/** An object with arbitrary keys and values. */
export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** A non-empty list, also for the type checker. */
export const NonEmpty = <T extends TSchema>(schema: T) =>
  Type.Unsafe<[Static<T>, ...Static<T>[]]>({ type: 'array', items: schema, minItems: 1 })

export const Uuid = Type.String({ pattern: uuidPattern, 'x-says': 'must be a UUID' })
