// Lists the fields of a schema, one row each, as reference pages show them.
import { code, table } from './markdown.ts'

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  description?: string
  'x-says'?: string
}

/** Path, type and what is said of each field of an object, those of inner objects and lists included. */
export const fieldTable = (schema: object): string => table(['Field', 'Type', 'Rule'], rowsOf(schema, ''))

function rowsOf(schema: Schema, under: string): string[][] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, inner]) => {
    const path = `${under}${name}`
    const says = inner['x-says'] ?? inner.description ?? ''
    const isOptional = !required.includes(name)
    const own = [code(path), typeOf(inner), [isOptional ? 'may be left out' : '', says].filter(Boolean).join('; ')]
    return [own, ...innerRows(inner, path)]
  })
}

function innerRows(schema: Schema, path: string): string[][] {
  const variants = (schema.anyOf ?? [schema]).filter((each) => each.type !== 'null')
  return variants.flatMap((each) =>
    each.items ? innerRows(each.items, `${path}[]`) : each.properties ? rowsOf(each, `${path}.`) : [],
  )
}

/** The type in words: `text, or null`, or the words that are possible. */
function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(', ')
  if (schema.const !== undefined) return code(String(schema.const))
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(', or ')
  const types = [schema.type ?? 'anything'].flat()
  return types
    .map((type) => (type === 'array' ? `list of ${typeOf(schema.items ?? {})}` : (words[type] ?? type)))
    .join(', or ')
}

const words: Record<string, string> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
