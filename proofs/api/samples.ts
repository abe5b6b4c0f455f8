// Valid values of JSON schemas, from a repeatable random generator.
import fc from 'fast-check'

/** The parts of a JSON schema that our routes use. */
export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  minProperties?: number
}

/** Returns a number from 0 to 1. */
export type Random = () => number

export interface SampleOptions {
  random: Random
  /** A value for the field of that name; undefined for a generated one. */
  hint?: (name: string) => unknown
  /** Probability that an optional field is present. */
  optionals?: number
}

export const pick = <T>(list: readonly T[], random: Random): T => {
  if (list.length === 0) throw new Error('pick needs a value')
  return list[Math.floor(random() * list.length)] as T
}

/** Returns a value that is valid for the schema, except where a hint decides. */
export function sampleOf(schema: JsonSchema, options: SampleOptions, name = ''): unknown {
  const { random, hint } = options
  const known = hint?.(name)
  if (known !== undefined) return known
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(schema.enum, random)
  if (schema.anyOf) return sampleOf(pick(schema.anyOf, random), options, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, options, name)))
  const type = Array.isArray(schema.type) ? pick(schema.type, random) : (schema.type ?? typeFrom(schema))
  if (type === 'object') return objectOf(schema, options)
  if (type === 'array') return listOf(schema, options, name)
  if (type === 'string') return textOf(schema, random)
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  if (type === 'integer' || type === 'number') return numberOf(schema, random)
  return { any: 'value' }
}

const typeFrom = (schema: JsonSchema): string => (schema.properties ? 'object' : schema.pattern ? 'string' : 'any')

function objectOf(schema: JsonSchema, options: SampleOptions): Record<string, unknown> {
  const { properties = {}, required = [], minProperties = 0 } = schema
  const { random, optionals = 0.5 } = options
  const names = Object.keys(properties)
  const chosen = names.filter((name) => required.includes(name) || random() < optionals)
  for (const name of names) if (chosen.length < minProperties && !chosen.includes(name)) chosen.push(name)
  return Object.fromEntries(chosen.map((name) => [name, sampleOf(properties[name] ?? {}, options, name)]))
}

function listOf({ items = {}, minItems = 0, maxItems = 3 }: JsonSchema, options: SampleOptions, name: string) {
  const length = Math.max(minItems, Math.min(maxItems, Math.floor(options.random() * 3)))
  const all = Array.from({ length }, () => sampleOf(items, options, name))
  // Many of our lists are sets.
  const distinct = new Map(all.map((each) => [JSON.stringify(each), each]))
  return distinct.size >= minItems ? [...distinct.values()] : all
}

function numberOf({ minimum = 0, maximum = minimum + 1000, type }: JsonSchema, random: Random): number {
  if (type === 'number') return minimum + random() * (maximum - minimum)
  return Math.ceil(minimum) + Math.floor(random() * (Math.floor(maximum) - Math.ceil(minimum) + 1))
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

function textOf({ pattern, minLength = 0, maxLength = Number.MAX_SAFE_INTEGER }: JsonSchema, random: Random): string {
  if (pattern !== undefined) {
    const fitting = textsOf(pattern).filter(({ length }) => length >= minLength && length <= maxLength)
    if (fitting.length > 0) return pick(fitting, random)
  }
  const length = minLength + Math.floor(random() * (Math.min(maxLength, minLength + 20) - minLength + 1))
  return Array.from({ length: Math.max(length, Math.min(1, maxLength)) }, () => pick([...letters], random)).join('')
}

const pools = new Map<string, string[]>()

/** Generating a text from a pattern is slow, so each pattern has a pool of texts. */
function textsOf(pattern: string): string[] {
  const known = pools.get(pattern)
  if (known) return known
  const expression = new RegExp(pattern, 'u')
  // The generator knows no lookarounds; the filter applies them.
  const arbitrary = fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?<?[=!][^()]*\)/g, ''), 'u'))
  const texts = fc.sample(arbitrary, { numRuns: 60, seed: 7 }).filter((text) => expression.test(text))
  if (texts.length === 0) throw new Error(`no text for the pattern ${pattern}`)
  pools.set(pattern, texts)
  return texts
}
